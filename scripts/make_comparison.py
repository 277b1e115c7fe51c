"""Ask all methods for closed tours of 8x8 and write the table of docs/museum.md: python scripts/make_comparison.py

Not part of `make docs`, since times differ from machine to machine and from run to run; it takes some minutes.
"""

import platform
import re
import sys
from pathlib import Path

from knightstour.core.methods.comparison import SIZES, Comparison, compare, share_of_answers, time_in_words
from knightstour.core.model.budget import Limits, ProcessorSeconds

PAGE = Path(__file__).parent.parent / "docs" / "museum.md"
SEEDS, SECONDS = 100, 10.0


def table_of(table: Comparison) -> str:
    """The rows as Markdown; a method's largest board is the largest n x n that one run solved within the limit."""
    lines = [
        f"Closed tours of 8x8: {table.seeds} seeds, {SECONDS:g} s a run at most; one core, "
        f"Python {platform.python_version()}.",
        "",
        "| method | answered | median | 95 % | nodes | largest n x n |",
        "|---|---|---|---|---|---|",
    ]
    for row in table.rows:
        if not row.runs:
            lines.append(f"| `{row.method}` | not asked: {row.excuse} | | | | |")
            continue
        largest = "" if row.largest is None else f"{'>= ' * (row.largest == SIZES[-1])}{row.largest}"
        lines.append(
            f"| `{row.method}` | {share_of_answers(row)} | {time_in_words(row.median)} | {time_in_words(row.p95)} "
            f"| {row.nodes:,} | {largest} |"
        )
    return "\n".join(lines)


def main() -> None:
    """Measure, and put the table between its marks."""
    found = compare(
        (8, 8),
        closed=True,
        seeds=SEEDS,
        limits=Limits(ProcessorSeconds(SECONDS)),
        largest=True,
        on_progress=lambda progress: print(f"\r\x1b[K{progress}", end="", file=sys.stderr),
    )
    text = PAGE.read_text(encoding="utf-8")
    pattern = r"(<!-- begin comparison -->\n).*?(<!-- end comparison -->)"
    text, marks = re.subn(pattern, lambda m: f"{m[1]}{table_of(found)}\n{m[2]}", text, flags=re.DOTALL)
    assert marks == 1, f"{PAGE.name} has no place for the table"
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
