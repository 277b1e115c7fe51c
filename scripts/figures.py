"""Figures of time and memory in the documents, from benchmarks/figures.json (`make bench`).

`make docs` writes the figure between `<!-- seconds count 8x8 closed -->7.4 s<!-- . -->`, or `memory`. A test finds
figures of time without a source.
"""

import json
import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
FILE = ROOT / "benchmarks" / "figures.json"
PAGE = ROOT / "benchmarks" / "RESULTS.md"

# Problem, other program, its row and our row, in the table of docs/why.md.
BESIDE = (
    ("a tour of 128x128", "Warnsdorff's rule, C++ -O2", "Warnsdorff 128x128", "solve 128x128"),
    ("the same by the same rule", "Warnsdorff's rule, C++ -O2", "Warnsdorff 128x128", "solve 128x128 warnsdorff"),
    ("100,000 different closed tours of 8x8", "loop merging, Java", "Java 100,000", "sample 100,000"),
    ("a closed tour of 20x20", "CaDiCaL with lazy cuts", "CaDiCaL 20x20", "solve 20x20 closed"),
    ("a closed tour of 20x20", "CP-SAT's circuit", "CP-SAT 20x20", "solve 20x20 closed"),
    ("a closed tour of 50x50", "CaDiCaL with lazy cuts", "CaDiCaL 50x50", "solve 50x50 closed"),
    ("a closed tour of 50x50", "CP-SAT's circuit", "CP-SAT 50x50", "solve 50x50 closed"),
    ("a closed tour of 100x100", "CP-SAT's circuit", "CP-SAT 100x100", "solve 100x100 closed"),
    ("number of closed tours of 6x6", "Graphillion", "Graphillion 6x6", "count 6x6 closed"),
    ("number of closed tours of 6x7", "Graphillion", "Graphillion 6x7", "count 6x7 closed"),
)


def read() -> dict[str, Any]:
    return json.loads(FILE.read_text(encoding="utf-8"))


def seconds(row: dict[str, Any]) -> str:
    """Round to two digits."""
    value = float(f"{row['seconds']:.2g}")
    return f"{round(value * 1000):g} ms" if value < 0.01 else f"{value:g} s"


def memory(row: dict[str, Any]) -> str:
    """Return two digits, in MB or GB."""
    value = float(f"{row['megabytes']:.2g}")
    return f"{value:g} MB" if value < 1000 else f"{value / 1000:g} GB"


SAID = {"seconds": seconds, "memory": memory}
MARK = re.compile(r"(<!-- (seconds|memory) ([^>]+?) -->).*?(<!-- \. -->)")


def with_figures(text: str) -> str:
    """Update the figures of a page. An unknown key is an error."""
    rows = read()["rows"]
    return MARK.sub(lambda mark: f"{mark[1]}{SAID[mark[2]](rows[mark[3]])}{mark[4]}", text)


def beside_table() -> str:
    """Return the table of comparisons with other programs."""
    rows = read()["rows"]
    lines = [
        "| problem | other program | time, memory | knightstour | time, memory | time ratio |",
        "|---|---|---|---|---|---|",
    ]
    for question, name, theirs, ours in BESIDE:
        if theirs in rows:
            command = rows[ours]["command"].removeprefix("knightstour ").split(" -o ")[0]
            ratio = f"{rows[ours]['seconds'] / rows[theirs]['seconds']:.2g}"
            lines.append(
                f"| {question} | {name} | {seconds(rows[theirs])}, {memory(rows[theirs])} | `{command}`"
                f" | {seconds(rows[ours])}, {memory(rows[ours])} | {float(ratio):g} |"
            )
    return "\n".join(lines)


def page() -> str:
    """Return the table of all measurements."""
    file = read()
    lines = [
        "# Measured",
        "",
        "*This page is generated: `make bench` measures the commands, `make docs` writes the page.*",
        "",
        "Processor time (user and system, median of the runs) and peak memory of whole commands, on one machine.",
        "The last column is the ratio to the time that Python and NumPy need to start; it depends less on the machine.",
        "",
        f"Machine: {file['machine']}. " + ", ".join(f"{name} {what}" for name, what in file["versions"].items()) + ".",
        "",
        "| command | seconds | memory | runs | measured | ratio |",
        "|---|---|---|---|---|---|",
    ]
    for row in file["rows"].values():
        figures = f"{row['seconds']:.3g} | {memory(row)} | {row['runs']} | {row['month']} | {row['times_start']:.3g}"
        lines.append(f"| `{row['command']}` | {figures} |")
    return "\n".join(lines) + "\n"
