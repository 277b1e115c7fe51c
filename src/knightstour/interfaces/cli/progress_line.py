"""How far work has come, in one line of a terminal: columns that rich fits into its width."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from knightstour.core.model.wording import in_time

if TYPE_CHECKING:
    from knightstour.core.model.progress import Progress

# What a column may shrink to, in characters; where there is not even room for that, whole columns leave.
_NARROWEST = 16
_GAP = 2


def columns_of(progress: Progress, width: int) -> list[str]:
    """The columns of a line of this width, none of them empty. The last, the time to go, stays in the narrowest line.

    >>> from knightstour.core.model.progress import Progress
    >>> columns_of(Progress("counting", 500, 1000, 60.0, "2,027,106 states, 9.84 MB"), 100)
    ['counting', '50 %', '2,027,106 states', '9.84 MB', 'Ctrl-C stops', '60 s', 'about 60 s to go']
    >>> columns_of(Progress("counting", 500, 1000, 60.0, "2,027,106 states, 9.84 MB"), 60)
    ['counting', '50 %', '2,027,106 states', '9.84 MB', 'about 60 s to go']
    """
    part, elapsed = progress.part, f"{progress.seconds:.0f} s"
    last = elapsed
    if part is not None and part > 0.02 and progress.seconds > 2:
        last = f"about {in_time(max(1, progress.seconds * (1 - part) / part))} to go"
    columns = [progress.stage, progress.counted, *progress.note.split(", "), "Ctrl-C stops"]
    columns = [*filter(None, columns), *([elapsed] if last != elapsed else []), last]
    while len(columns) > 1 and sum(min(len(text), _NARROWEST) + _GAP for text in columns) - _GAP > width:
        del columns[-2]
    return columns


def line_of(progress: Progress, width: int) -> str:
    """The line itself, with the colours that stderr shows; at most `width` characters."""
    from rich.console import Console
    from rich.table import Column, Table
    from rich.text import Text

    console = Console(file=sys.stderr, width=width, highlight=False)
    is_unicode = console.encoding.lower().startswith("utf")
    *texts, last = columns_of(progress, width)
    cells = [Text(text, no_wrap=True, overflow="ellipsis" if is_unicode else "crop") for text in texts]
    grid = Table.grid(*(Column() for _ in texts), Column(no_wrap=True), padding=(0, _GAP, 0, 0))
    grid.add_row(*cells, Text(last, "cyan"))
    with console.capture() as drawn:
        console.print(grid, end="")
    return drawn.get().rstrip()
