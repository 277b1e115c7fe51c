"""Generate the terms of docs/glossary.md for `knightstour explain`: term, tab, meaning.

A term that a row calls "also called" has a line that refers to the row, unless the term has a row of its own.
"""

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "src/knightstour/interfaces/cli/glossary.tsv"


def page() -> str:
    """Return a line for each term."""
    meanings, others = {}, {}
    text = (ROOT / "docs/glossary.md").read_text(encoding="utf-8")
    for row in re.findall(r"^\| (.+) \|$", text, flags=re.MULTILINE):
        words, *about, meaning = (cell.strip() for cell in re.split(r" \| ?(?=\S|\|)|\|(?= )", row))
        if words == "word":
            continue
        # Links and code as plain text.
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", meaning).replace("`", "")
        where = ", ".join(filter(None, about))
        for word in words.split(", "):
            meanings[word] = f"({where}) {plain}" if where else plain
        for listed in re.findall("also called ([^;]+)", plain):
            same = f"the same as {words}: {plain.partition('; also called')[0]}"
            others |= dict.fromkeys(
                re.split("(?: if closed)?, (?:with a direction )?", listed.removesuffix(" if closed")), same
            )
    return "".join(f"{word}\t{meaning}\n" for word, meaning in {**others, **meanings}.items())


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
