"""Build the site of the pages in docs/: python scripts/make_site.py [FOLDER], by default build/site

The script collects the pages of docs/ and the generated reference in a folder next to the site, runs Sphinx on them,
and follows every link. A warning is an error.
"""

import json
import os
import re
import shutil
import sys
from pathlib import Path
from typing import Any

import site_links
import site_reference

ROOT = Path(__file__).parent.parent
# Pages outside docs/, and their names on the site.
OUTSIDE = {"CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md", "benchmarks/RESULTS.md": "results.md"}
# Pictures of proofs whose boards are on cards of the first page.
CROPPED = ("4x4", "5x5-a2")
_LINK = re.compile(r"\[([^][]*)\]\(([^)\s#]+)((?:#[^)\s]*)?)\)")


def gather(folder: Path) -> None:
    """Write the pages of the site, with adapted links, into `folder`."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ROOT / "docs", folder, ignore=shutil.ignore_patterns("site"))
    for source in (ROOT / "docs").rglob("*.md"):
        path = source.relative_to(ROOT / "docs")
        # Tables have links on other pages; they are not in the side bar or the search.
        head = "" if path.parent == Path() else "---\norphan: true\nnosearch: true\n---\n\n"
        (folder / path).write_text(head + with_links_of_the_site(source), encoding="utf-8")
    for name, there in OUTSIDE.items():
        head = "" if name == "CONTRIBUTING.md" else "---\nnosearch: true\n---\n\n"
        (folder / there).write_text(head + with_links_of_the_site(ROOT / name), encoding="utf-8")
    for notebook in (folder / "notebooks").glob("*.ipynb"):
        notebook.with_suffix(".md").write_text(as_page(notebook), encoding="utf-8")
    for name in CROPPED:
        picture = (folder / "images" / f"proof-{name}.svg").read_text(encoding="utf-8")
        (folder / "images" / f"board-{name}.svg").write_text(board_alone(picture), encoding="utf-8")
    index = folder / "index.md"
    index.write_text(first_page(index.read_text(encoding="utf-8")), encoding="utf-8")
    (folder / "reference").mkdir()
    for name, text in site_reference.pages().items():
        (folder / "reference" / name).write_text(text, encoding="utf-8")


def with_links_of_the_site(source: Path) -> str:
    """Return the text of a page with links to pages of the site. Links to other files, such as code, become text."""

    inside_docs = source.is_relative_to(ROOT / "docs")
    folder = source.parent.relative_to(ROOT / "docs") if inside_docs else Path()

    def move_link(link: re.Match[str]) -> str:
        target = link[2]
        if ":" in target:
            return link[0]
        path = (source.parent / target).resolve()
        if not path.is_relative_to(ROOT):
            return link[0]
        inside = path.relative_to(ROOT).as_posix()
        if inside not in OUTSIDE and not inside.startswith("docs/") and path.is_file():
            return link[1]
        there = os.path.relpath(OUTSIDE.get(inside, inside.removeprefix("docs/")), folder)
        return f"[{link[1]}]({re.sub('[.]ipynb$', '.md', there)}{link[3]})"

    return _LINK.sub(move_link, source.read_text(encoding="utf-8"))


def as_page(notebook: Path) -> str:
    """Return a notebook as a page: its cells, their outputs, and a link to the notebook."""
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    parts: list[str] = []
    for cell in cells:
        text = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(text)
        else:
            parts += [f"```python\n{text}\n```", *map(output_part, cell["outputs"])]
    title, _, rest = parts[0].partition("\n")
    link = f"{{download}}`Download the notebook <{notebook.name}>`, and run it in Jupyter."
    return "\n\n".join([title, link, rest.strip(), *parts[1:], ""])


def output_part(output: dict[str, Any]) -> str:
    """Return an output of a cell as Markdown: a picture, or the printed text."""
    data = output.get("data", {"text/plain": output.get("text", "")})
    picture = "".join(data.get("image/svg+xml") or data.get("text/html") or "")
    if picture:
        return f'<div class="output">\n{" ".join(picture.split())}\n</div>'
    return f"```text\n{''.join(data['text/plain']).rstrip()}\n```"


def board_alone(svg: str) -> str:
    """Crop the picture of a proof to its board, without names, legend and text.

    The board is at (28, 10) of the picture.
    """
    frame = re.search(r'<rect width="(\d+)" height="(\d+)" fill="none"', svg)
    assert frame is not None
    width, height = (int(side) + 8 for side in frame.groups())
    crop = f'width="{width}" height="{height}" viewBox="24 6 {width} {height}"'
    return re.sub(r'width="[^"]*" height="[^"]*" viewBox="[^"]*"', crop, svg, count=1)


def first_page(text: str) -> str:
    """Return the cards of docs/site/first.myst, and the contents of docs/index.md for the side bar."""
    cards = (ROOT / "docs" / "site" / "first.myst").read_text(encoding="utf-8")
    trees = []
    for kind in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        title, links = kind.split("\n", 1)
        names = [
            f"{words} <{target.removesuffix('.md')}>"
            for words, target in re.findall(r"^- \[(.*?)\]\((.*?)\)", links, re.M)
        ]
        trees.append("\n".join(["```{toctree}", ":hidden:", f":caption: {title}", "", *names, "```", ""]))
    return "\n".join([cards, *trees])


def main() -> int:
    """Build and check the site; return the exit code."""
    from sphinx.cmd.build import build_main

    out = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build" / "site").resolve()
    pages = out.with_name(out.name + "-pages")
    gather(pages)
    words = ["-q", "-W", "--keep-going", "-E", "-b", "html", "-c", str(ROOT / "docs" / "site"), str(pages), str(out)]
    code = build_main(words)
    faults = site_links.faults(out)
    for fault in faults:
        print(fault, file=sys.stderr)
    if not code and not faults:
        count = site_links.count_links(out)
        print(f"written: {out}/index.html; {count} links followed, nothing is fetched from elsewhere")
    return 1 if code or faults else 0


if __name__ == "__main__":
    sys.exit(main())
