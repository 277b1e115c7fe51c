"""Generate the terms of docs/glossary.md for `knightstour explain`: term, tab, meaning."""

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "src/knightstour/interfaces/cli/glossary.tsv"


def page() -> str:
    """Return a line for each term; a row with several terms has a line for each."""
    lines = []
    text = (ROOT / "docs/glossary.md").read_text(encoding="utf-8")
    for row in re.findall(r"^\| (.+) \|$", text, flags=re.MULTILINE):
        words, *about, meaning = (cell.strip() for cell in re.split(r" \| ?(?=\S|\|)|\|(?= )", row))
        if words == "word":
            continue
        # Links and code as plain text.
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", meaning).replace("`", "")
        where = ", ".join(filter(None, about))
        lines += [f"{word}\t{f'({where}) ' if where else ''}{plain}" for word in words.split(", ")]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
