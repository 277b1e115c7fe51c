"""Generate the guide of the page, to which its help links.

markdown-it-py, a dependency of rich, converts docs/service.md, docs/conditions.md and docs/glossary.md. The build and
scripts/make_page.py run this script; the guide is not in Git.
"""

import re
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "page/src/guide.html"

# Parts: anchor, file in docs/, and heading of the section (None for the whole file).
PARTS = (
    ("page", "service.md", "The page on this computer"),
    ("conditions", "conditions.md", None),
    ("words", "glossary.md", None),
)
STYLES = ("base", "guide")

HEAD = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Guide · Knight’s tour</title>
<link rel="icon" href="icon.svg" type="image/svg+xml">
<script src="early.js"></script>
{styles}
</head>
<body class="guide">
<header><a href="./">Knight’s tour</a></header>
<nav aria-label="Contents">
<ul>
{contents}
</ul>
</nav>
<main>
"""


def section(text: str, heading: str | None) -> str:
    """Return the section below a heading; without a heading, the whole text."""
    if heading is None:
        return text
    found = re.search(rf"^## {re.escape(heading)}\n.*?(?=^## |\Z)", text, flags=re.MULTILINE | re.DOTALL)
    if found is None:
        raise ValueError(f"no section {heading!r}")
    return found[0]


def anchor(words: str) -> str:
    """Return the id of a heading."""
    return re.sub(r"[^a-z0-9]+", "-", words.lower()).strip("-")


def prepare_headings(tokens: list[Token], name: str) -> list[tuple[str, str, str]]:
    """Set ids of headings, remove links to missing files, and return the headings as (tag, id, words)."""
    headings = []
    for here, after in zip(tokens, [*tokens[1:], None], strict=True):
        if here.type == "heading_open" and after is not None:
            here.attrSet("id", name if not headings else f"{name}-{anchor(after.content)}")
            headings.append((here.tag, str(here.attrGet("id")), after.content))
        if here.type == "inline" and here.children:
            here.children = [child for child in map(redirect_link, keep_text(here.children)) if child is not None]
    return headings


def keep_text(children: list[Token]) -> list[Token]:
    """Return the tokens without pictures and without links to missing files; their text remains."""
    files = {file: name for name, file, _ in PARTS}
    out, leaves = [], False
    for child in children:
        if child.type == "image":
            continue
        if child.type == "link_open":
            target = str(child.attrGet("href"))
            leaves = target.split("#")[0] not in files and not target.startswith("#")
        if not (leaves and child.type in ("link_open", "link_close")):
            out.append(child)
        if child.type == "link_close":
            leaves = False
    return out


def redirect_link(child: Token) -> Token:
    """Redirect a link to a file to the corresponding part of the guide."""
    if child.type == "link_open":
        file, _, place = str(child.attrGet("href")).partition("#")
        name = {file: name for name, file, _ in PARTS}.get(file, "page")
        child.attrSet("href", f"#{name}" if file else f"#{name}-{place}")
    return child


def page() -> str:
    """Return the guide as HTML."""
    markdown = MarkdownIt("commonmark").enable("table")
    contents, bodies = [], []
    for name, file, heading in PARTS:
        text = re.sub(r"<!--.*?-->\n?", "", (ROOT / "docs" / file).read_text(encoding="utf-8"))
        tokens = markdown.parse(section(text, heading))
        headings = prepare_headings(tokens, name)
        top = headings[0][0]
        contents += [
            f'<li{"" if tag == top else " class=below"}><a href="#{place}">{words}</a></li>'
            for tag, place, words in headings
        ]
        body = markdown.renderer.render(tokens, markdown.options, {})
        # Tables may be wider than a phone: each scrolls separately, also by keys.
        body = body.replace("<table>", '<div class="wide" tabindex="0" role="group" aria-label="Table">\n<table>')
        bodies.append(body.replace("</table>", "</table>\n</div>").replace("<pre>", '<pre tabindex="0">'))
    styles = "\n".join(f'<link rel="stylesheet" href="style/{name}.css">' for name in STYLES)
    head = HEAD.format(styles=styles, contents="\n".join(contents))
    return f"{head}{within(''.join(bodies))}</main>\n</body>\n</html>\n"


def within(body: str) -> str:
    """Remove links to missing anchors; their text remains."""
    places = set(re.findall(r' id="([^"]+)"', body))
    return re.sub(r'<a href="#([^"]*)">(.*?)</a>', lambda link: link[0] if link[1] in places else link[2], body)


def write() -> None:
    """Write the guide into the folder of the page."""
    PAGE.write_text(page(), encoding="utf-8")
