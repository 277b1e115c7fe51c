"""Generate docs/tables/results.md: figures of the literature and of this project, each with its command.

A row cites only sources that were read: D. E. Knuth's draft of Hamiltonian paths and cycles (December 2025), by page,
G. P. Jelliss' pages, and entries of the OEIS. Rows with `tested` take less than a minute; the long tests run them.
"""

from pathlib import Path
from typing import NamedTuple

import figures
from knightstour.lab.sequences.table import SEQUENCES

PAGE = Path(__file__).parents[1] / "docs" / "tables" / "results.md"

OURS, EQUAL, NOT_REACHED = "new", "equal", "not reached"


class Figure(NamedTuple):
    """A row. command: arguments of `knightstour`. tested: whether the long tests run it and compare the figure."""

    what: str
    figure: str
    command: str
    verdict: str
    source: str = ""
    oeis: str = ""
    tested: bool = True


FIGURES = (
    Figure("closed tours of 9x10", "19,381,952,998,732,022,416,892", "count 9x10 --closed", OURS, "", "A391999", False),
    Figure(
        "cycles of any length on 8x8",
        "116,102,569,538,604,136,738",
        "count 8x8 --closed --partial",
        OURS,
        "",
        "A234623",
        False,
    ),
    Figure(
        "paths of any length on 8x8",
        "93,822,571,504,559,141,784,924",
        "count 8x8 --partial --checkpoint DIR",
        OURS,
        "",
        "A289204",
        False,
    ),
    Figure(
        "growth of closed tours of 8 rows, with proved bounds",
        "526.456455537",
        "count 8x8 --closed --growth rate (revision e33a1f3d)",
        OURS,
        "Knuth, p. 29: 526.46",
        "A193055",
        False,
    ),
    Figure(
        "growth of closed tours of 5 rows, with proved bounds",
        "18.12030956053",
        "count 5x8 --closed --growth rate (revision e33a1f3d)",
        OURS,
        tested=False,
    ),
    Figure(
        "closed tours of 8x8 by slope",
        "1,920,978,257,653 with 16 moves of one",
        "census 8x8 --closed --by flat-up",
        OURS,
        "",
        "",
        False,
    ),
    Figure("closed tours of the 3x3x4 box", "23,358,765,825,024", "count 3x3x4 --closed", OURS, tested=False),
    Figure("closed tours of the 2x3x9 box", "89,782,426,561,700", "count 2x3x9 --closed", OURS),
    Figure("open tours of the 2x3x6 box", "96,296,768", "count 2x3x6", OURS),
    Figure("closed tours of the 2x4x5 box", "271,171,024,224", "count 2x4x5 --closed", OURS),
    Figure("closed tours of a hexagon of side 4", "19,505,939,004", "count hex:4 --closed", OURS),
    Figure("closed king's tours of a hexagon of side 4", "62,065,373,198,780,220", "count hex:4:king --closed", OURS),
    Figure(
        "closed wazir's tours of a hexagon of side 6",
        "21,244,795,028,699,505,356,508",
        "count hex:6:wazir --closed",
        OURS,
    ),
    Figure("closed knight's tours of a triangle of side 9", "418,747,538", "count tri:9:knight --closed", OURS),
    Figure(
        "closed king's tours of a triangle of side 9", "18,611,437,520,285,460,320", "count tri:9:king --closed", OURS
    ),
    Figure("closed king's tours of the 5x5 torus", "335,991,656,360", "count 5x5:king:torus --closed", OURS),
    Figure(
        "closed king's tours of the 8x8 cylinder",
        "16,356,290,022,608,876,396,030,370",
        "count 8x8:king:cylinder --closed",
        OURS,
    ),
    Figure("closed camel's tours of the 5x5 torus", "335,750,676,480", "count 5x5:camel:torus --closed", OURS),
    Figure(
        "closed king's tours of 9x9",
        "4,601,667,243,759,511,495,116,347,104",
        "count 9x9:king --closed",
        EQUAL,
        "V. H. Pettersson, 2014",
        "A140519",
    ),
    Figure(
        "closed wazir's tours of 12x12", "1,076,226,888,605,605,706", "count 12x12:wazir --closed", EQUAL, "", "A003763"
    ),
    Figure("closed tours of 6x6", "9,862", "count 6x6 --closed", EQUAL, "", "A001230"),
    Figure("classes of closed tours of 6x6", "1,245", "count 6x6 --closed --up-to-symmetry", EQUAL, "Jelliss"),
    Figure("closed tours of 8x8", "13,267,364,410,532", "count 8x8 --closed", EQUAL, "B. D. McKay, 1997", "A001230"),
    Figure(
        "classes of closed tours of 8x8",
        "1,658,420,855,433",
        "count 8x8 --closed --up-to-symmetry",
        EQUAL,
        "B. D. McKay, 1997",
        "",
        False,
    ),
    Figure(
        "closed tours of 8x32",
        "2989043104279785843506369864414419975166020125721505674144076449194991145270100",
        "count 8x32 --closed --checkpoint DIR",
        EQUAL,
        "Knuth, p. 29",
        "A193055",
        False,
    ),
    Figure("closed tours of 9x6", "3,374,967,940", "count 9x6 --closed", EQUAL, "", "A391999"),
    Figure("open tours of 6x6, directed", "6,637,920", "count 6x6 --directed", EQUAL, "", "A165134"),
    Figure("cycles of any length on 6x6", "959,427,728", "count 6x6 --closed --partial", EQUAL, "", "A234623"),
    Figure(
        "magic tours of 8x8, classes",
        "105 of the 140",
        "examples magic-8x8 --format algebraic",
        NOT_REACHED,
        "Stertenbrink, Meyrignac and Mackay, 2003",
    ),
    Figure(
        "longest uncrossed path of 8x8",
        "35 moves",
        "examples uncrossed:path-8x8 --json",
        EQUAL,
        "",
        "A003192",
        False,
    ),
    Figure(
        "longest uncrossed cycle of 8x8",
        "32 moves",
        "examples uncrossed:cycle-8x8 --json",
        EQUAL,
        "",
        "A157416",
        False,
    ),
)


def page() -> str:
    """Return the file: own figures, then the literature, then every sequence."""
    numbers = {verdict: sum(row.verdict == verdict for row in FIGURES) for verdict in (OURS, EQUAL, NOT_REACHED)}
    measured = figures.read()["rows"].values()
    seconds = {row["command"].removeprefix("knightstour "): f"{row['seconds']:.2g}" for row in measured}
    lines = [
        "# Index of results",
        "",
        "*This page is generated by `make docs` from `scripts/results.py`.*",
        "",
        "Each figure has the command that computes it. *New*: no source known to us has it. *Equal*: a source",
        "contains the same figure. *Not reached*: a source contains a better or longer result. The table has "
        + ", ".join(f"{number} {verdict}" for verdict, number in numbers.items())
        + ".",
        "The long tests check rows with a dot. Seconds are [measured](../../benchmarks/RESULTS.md) processor time.",
        "Commands of more than a minute or 1.5 GB are not measured.",
        "",
        "| result | figure | command | seconds | status | tested | source | OEIS |",
        "|---|---|---|---|---|---|---|---|",
        *(
            f"| {row.what} | {row.figure} | `knightstour {row.command}` | {seconds.get(row.command, '')} |"
            f" {row.verdict} | {'•' if row.tested else ''} | {row.source} | {row.oeis} |"
            for row in FIGURES
        ),
        "",
        f"The {len(SEQUENCES)} sequences of the OEIS that `knightstour oeis check NUMBER` counts again:",
        "",
        "| OEIS | counts | published to | computed here |",
        "|---|---|---|---|",
        *(f"| {row.number} | {row.title} | n = {row.last} | {row.reach} |" for row in SEQUENCES.values()),
    ]
    return "\n".join(lines) + "\n"
