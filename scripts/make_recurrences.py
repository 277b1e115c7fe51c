"""Write src/knightstour/lab/counting/recurrences.json: the recurrences of narrow boards that take a while to find."""

from __future__ import annotations

import json
from pathlib import Path

from knightstour.lab.counting.narrow import find_recurrence, transfer_graph

TARGET = Path(__file__).parent.parent / "src" / "knightstour" / "lab/counting" / "recurrences.json"
# (rows, closed, terms to look at)
KEPT = [(4, False, 1000)]


def text() -> str:
    """The file's text: one line for each width."""
    found = [find_recurrence(transfer_graph(rows, closed=closed), most_terms=n) for rows, closed, n in KEPT]
    return "[\n" + ",\n".join(json.dumps(recurrence._asdict()) for recurrence in found) + "\n]\n"


if __name__ == "__main__":
    TARGET.write_text(text(), encoding="ascii")
    print(f"wrote {TARGET}")
