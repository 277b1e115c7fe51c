"""Write the generated parts of README.md and docs/: python scripts/make_docs.py

They stand between `<!-- begin NAME -->` and `<!-- end NAME -->`. A test checks that running this changes nothing.
"""

import re
import sys
from pathlib import Path

from knightstour.formats import FORMATS
from knightstour.methods import METHODS

ROOT = Path(__file__).parent.parent
PAGES = ("README.md", "docs/methods.md", "docs/formats.md")


def methods_table() -> str:
    """METHODS, a row each."""
    lines = ["| method | what it does | proves there is none | source |", "|---|---|---|---|"]
    for name, row in METHODS.items():
        lines.append(f"| `{name}` | {row.summary} | {'yes' if row.complete else 'no'} | {row.source} |")
    return "\n".join(lines)


def options_table() -> str:
    """The options of the methods."""
    lines = ["| method | option | values |", "|---|---|---|"]
    for name, row in METHODS.items():
        lines += [f"| `{name}` | `--{option}` | {text} |" for option, text in row.options.items()]
    return "\n".join(lines)


def formats_table() -> str:
    """FORMATS, a row each."""
    lines = ["| format | what it is | suffixes | boards it needs to be told |", "|---|---|---|---|"]
    for name, row in FORMATS.items():
        suffixes = " ".join(f"`{suffix}`" for suffix in row.suffixes)
        lines.append(f"| `{name}` | {row.summary} | {suffixes} | {row.needs_board} |")
    return "\n".join(lines)


PARTS = {"methods": methods_table, "options": options_table, "formats": formats_table}


def with_parts(text: str) -> str:
    """The page with its generated parts made anew."""
    for name, make in PARTS.items():
        pattern = rf"(<!-- begin {name} -->\n).*?(<!-- end {name} -->)"
        part = make()
        text = re.sub(pattern, lambda match, part=part: f"{match[1]}{part}\n{match[2]}", text, flags=re.DOTALL)
    return text


def main() -> None:
    """Write the pages, or with --check tell which are stale."""
    stale = []
    for page in PAGES:
        path = ROOT / page
        old = path.read_text(encoding="utf-8")
        new = with_parts(old)
        if new != old:
            stale.append(page)
            if "--check" not in sys.argv:
                path.write_text(new, encoding="utf-8")
    print(("stale: " if "--check" in sys.argv else "written: ") + (", ".join(stale) or "nothing"))
    sys.exit("--check" in sys.argv and bool(stale))


if __name__ == "__main__":
    main()
