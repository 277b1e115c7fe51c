"""The modules of the page: their imports, and bundles of a module with all its imports as a single script.

The page has one script and one style sheet, so that it needs few requests, both from `knightstour serve` and from the
folder of `make page`. A single-file page, an embedded page and a notebook have one script, too. In a script, each
module is a function that is called once and returns its exports. So all of them share one picture, player and reader
of links.

Tables and texts are JSON modules. A bundle contains the groups of texts (texts/) that its modules use.

The parser only reads lines that begin with `import` or `export`, the form that Biome writes. Modules of a bundle
export functions, classes and constants by their own names. Circular imports are an error.
"""

from __future__ import annotations

import functools
import json
import re
from pathlib import Path, PurePosixPath
from typing import Any, Final


def _folder() -> Path:
    installed = Path(__file__).parent / "static"
    return installed if installed.is_dir() else Path(__file__).parents[4] / "page/src"


STATIC: Final = _folder()

_IMPORT = re.compile(
    r'^import\s+(?:\{([^}]*)\}|(?:\*\s+as\s+)?(\w+))\s+from\s+"([^"]+)"(?: with \{ type: "json" \})?;\n?', re.MULTILINE
)
_EXPORT = re.compile(r"^export\s+(?=(?:async\s+)?(?:function\*?|const|class)\s+(\w+))", re.MULTILINE)
_OTHER = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)
# A comment of whole lines. A line of a multi-line string does not match.
_COMMENT = re.compile(r"^[ \t]*(?://[^\n]*|/\*\*(?:[^*]|\*(?!/))*\*/)\n", re.MULTILINE)
# Use of a text of a group.
_SAID = re.compile(r"\btexts\.(\w+)")
_INDENT = re.compile(r"^ +", re.MULTILINE)
# The style sheets of the start page.
_SHEETS = re.compile(r'(?:<link rel="stylesheet" href="style/[^"]+">\n)+')
_SHEET = re.compile(r'href="(style/[^"]+)"')
_STYLE_COMMENT = re.compile(r"/\*.*?\*/\n?", re.DOTALL)


def texts_of() -> dict[str, str]:
    """Return the path of the texts of each language by its code, English first.

    >>> list(texts_of().items())[:2]
    [('en', 'texts/en.json'), ('de', 'texts/de.json')]
    """
    codes = sorted((path.stem for path in (STATIC / "texts").glob("*.json")), key=lambda code: (code != "en", code))
    return {code: f"texts/{code}.json" for code in codes}


def read_table(path: Path) -> dict[str, Any]:
    """Return the content of a JSON module."""
    return json.loads(path.read_text("utf-8"))


def short_style(sheet: str) -> str:
    """Return a style sheet without comments and indents.

    >>> short_style("/* Dark. */\\n.night {\\n  color: black;\\n}\\n")
    '.night {\\ncolor: black;\\n}\\n'
    """
    return _INDENT.sub("", _STYLE_COMMENT.sub("", sheet))


def page_script(static: Path = STATIC) -> str:
    """Return the script of the page, app.js. Languages other than English are separate files."""
    # A developer may change modules while the page is served.
    _groups_used.cache_clear()
    return bundle("app.js", static)


def page_style(static: Path = STATIC) -> str:
    """Return the style sheet of the page, page.css."""
    start = (static / "index.html").read_text("utf-8")
    return short_style("".join((static / name).read_text("utf-8") for name in _SHEET.findall(start)))


def start_page(static: Path = STATIC) -> str:
    """Return the start page, which loads the script and the style sheet.

    >>> [line for line in start_page().splitlines() if "page.css" in line or "app.js" in line]
    ['<link rel="stylesheet" href="page.css">', '<script type="module" src="app.js"></script>']
    """
    start = (static / "index.html").read_text("utf-8")
    return _SHEETS.sub('<link rel="stylesheet" href="page.css">\n', start)


def modules_of(entry: str, static: Path = STATIC) -> list[str]:
    """Return the paths of a module and all its imports. Each module comes after its imports.

    >>> modules_of("model/tour.js")
    ['model/tables.json', 'model/pieces.js', 'model/cells.js', 'model/board.js', 'model/tour.js']
    """
    found: list[str] = []
    _visit(entry, static, found, ())
    return found


def _visit(path: str, static: Path, found: list[str], above: tuple[str, ...]) -> None:
    if path in above:
        raise ValueError(f"modules import each other in a circle: {' '.join([*above, path])}")
    if path not in found:
        for match in _IMPORT.finditer((static / path).read_text("utf-8")) if _is_script(path) else ():
            _visit(_resolve_path(path, match[3]), static, found, (*above, path))
        found.append(path)


def _resolve_path(path: str, target: str) -> str:
    """Resolve an import such as "./x.js" or "../x.js"."""
    parts: list[str] = []
    for part in (PurePosixPath(path).parent / target).parts:
        if part == "..":
            parts.pop()
        else:
            parts.append(part)
    return "/".join(parts)


def bundle(entry: str, static: Path = STATIC) -> str:
    """Return a script that defines a module and all its imports. The constant `name_of(entry)` contains the module.

    The script contains no comments. It can be placed inside a function or a module.
    """
    statements = []
    for path in modules_of(entry, static):
        if _is_script(path):
            statements.append(_statement(path, (static / path).read_text("utf-8")))
        else:
            is_texts = PurePosixPath(path).parent.name == "texts"
            table = texts_used(entry, path, static) if is_texts else read_table(static / path)
            statements.append(f"const {name_of(path)} = {compact(table)};\n")
    return "".join(statements)


def texts_used(entry: str, texts: str, static: Path = STATIC) -> dict[str, object]:
    """Return the groups of texts of a language that a module and its imports use."""
    said = _groups_used(entry, static)
    return {group: value for group, value in read_table(static / texts).items() if group in said}


@functools.cache
def _groups_used(entry: str, static: Path) -> frozenset[str]:
    codes = ((static / path).read_text("utf-8") for path in modules_of(entry, static) if _is_script(path))
    return frozenset(group for code in codes for group in _SAID.findall(code))


def compact(value: object) -> str:
    """Return a value as JSON without spaces."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def _is_script(path: str) -> bool:
    return path.endswith(".js")


def name_of(path: str) -> str:
    """Return the name of the constant of a module in a bundle.

    >>> name_of("model/board.js"), name_of("api.js")
    ('model_board', 'page_api')
    """
    # A module that imports all of `api.js` may call it `api`, so the constant has another name.
    return re.sub(r"\W", "_", (path if "/" in path else f"page/{path}").removesuffix(".js").removesuffix(".json"))


def _statement(path: str, code: str) -> str:
    def import_statement(match: re.Match[str]) -> str:
        names, whole, target = match.groups()
        return f"const {whole or _binding_pattern(names)} = {name_of(_resolve_path(path, target))};\n"

    code = _COMMENT.sub("", code)
    exported = [match[1] for match in _EXPORT.finditer(code)]
    code = _EXPORT.sub("", _IMPORT.sub(import_statement, code))
    other = _OTHER.search(code)
    if other is not None:
        raise ValueError(f"{path}: {other[0]!r} cannot be put into a bundle")
    # Remove indents if the code has no multi-line strings.
    if all(line.count("`") % 2 == 0 for line in code.splitlines()):
        code = _INDENT.sub("", code)
    return f"const {name_of(path)} = (() => {{\n{code}return {{ {', '.join(exported)} }};\n}})();\n"


def _binding_pattern(names: str) -> str:
    """Convert the names of an import to a pattern: "a, b as c" becomes {a, b: c}."""
    return "{" + ", ".join(name.strip().replace(" as ", ": ") for name in names.split(",") if name.strip()) + "}"
