"""Write page/src/model/tables.json: the tables that the page's modules share with this package.

`make docs` writes it, and a test compares it. Levels, boards and shapes of pictures thus have one source.
"""

import json
from collections.abc import Callable
from typing import Final

from knightstour.core.drawing.lines import BENT_PARTS, TENSION
from knightstour.core.drawing.svg.scene import IN_FRONT, ON_TOP, SECOND, SHAPES, Shape
from knightstour.core.drawing.svg.strokes import UNIT
from knightstour.core.formats.links import DIGITS, board_text
from knightstour.core.model.board import WRAPS, Board
from knightstour.core.model.condition_table import CONDITIONS
from knightstour.core.model.pieces import PIECES
from knightstour.interfaces.web.embed import MAX_SIDE
from knightstour.interfaces.web.modules import STATIC, read_table, texts_of
from knightstour.lab.puzzles.daily import FIRST_DAY, FIRST_WEEK, WEEK, WEEKDAYS_FROM
from knightstour.lab.puzzles.make import PATTERNS
from knightstour.lab.puzzles.reasoning import LEVELS

PAGE: Final = STATIC / "model/tables.json"

# Formats that the user can select in Check; others are recognised.
READ: Final = ("grid", "grid0", "algebraic", "squares", "csv", "json", "xy", "tour")
# Keys of the third puzzles of the week in the texts of the page, Monday first.
_WEEK_NAMES: Final = ("torus", "zip", "cylinder", "numbrix", "mirrored", "hidato", "turned")


def _without(rows: int, cols: int, is_hole: Callable[[int, int], bool]) -> Board:
    return Board(rows, cols, holes=[(r, c) for r in range(rows) for c in range(cols) if is_hole(r, c)])


# Boards of several kinds, for the menu of boards.
BOARDS: Final = (
    "5x5:torus",
    "6x6:cylinder",
    "8x8:king",
    "10x10:zebra",
    "10x10:giraffe",
    "7x7:camel:torus",
    "4x4x4",
    "hex:4",
)
# Levels of Play, easiest first: larger boards, closed tours, other shapes, joined sides, other pieces.
GAMES: Final[dict[str, tuple[Board, bool]]] = {
    "five": (Board(5, 5), False),
    "strip": (Board(5, 6), False),
    "six": (Board(6, 6), False),
    "round": (Board(6, 6), True),
    "ring": (_without(7, 7, lambda r, c: r == c == 3), True),
    "chess": (Board(8, 8), True),
    "cross": (_without(8, 8, lambda r, c: not 2 <= r < 6 and not 2 <= c < 6), True),
    "torus": (Board(5, 5, wrap="torus"), True),
    "camel": (Board(7, 7, wrap="torus", moves="camel"), True),
    "zebra": (Board(10, 10, moves="zebra"), True),
}


def _links(questions: dict[str, tuple[Board, bool]]) -> dict[str, str]:
    """Return each problem in the form of the page's links."""
    return {name: board_text(board) + ("&c=1" if closed else "") for name, (board, closed) in questions.items()}


def _shape(shape: Shape) -> list[object]:
    """Return its kind, its radius in squares, and a colour number or style class."""
    classes = {"text": "removed", "start": "warn", "path": "given", "number": "plain", "loops": None}
    return [shape.kind, shape.radius, classes[shape.colour] if shape.loop is None else shape.loop]


def languages() -> dict[str, str]:
    """Return the native name of each language of the page by its code, English first.

    >>> list(languages())[0], languages()["de"]
    ('en', 'Deutsch')
    """
    return {code: read_table(STATIC / path)["language"]["name"] for code, path in texts_of().items()}


def page() -> str:
    """Return the file, one line per table."""
    week = [
        [name, daily.board, daily.closed, daily.level, daily.pattern or "", daily.in_order]
        for name, daily in zip(_WEEK_NAMES, WEEK, strict=True)
    ]
    tables: dict[str, object] = {
        "languages": languages(),
        "mostSide": MAX_SIDE,
        "wraps": WRAPS,
        "pieces": {row.name: row.leaps for row in PIECES.values()},
        "touching": [row.name for row in PIECES.values() if row.is_touching],
        "digits": DIGITS,
        "boards": BOARDS,
        "games": _links(GAMES),
        "levels": list(LEVELS),
        "patterns": list(PATTERNS),
        "week": week,
        "firstWeek": FIRST_WEEK,
        "weekdaysFrom": int(WEEKDAYS_FROM.strftime("%Y%m%d")),
        "firstDay": int(FIRST_DAY.strftime("%Y%m%d")),
        "conditions": [[row.name, row.metavar, row.example] for row in CONDITIONS.values()],
        "formats": READ,
        "lines": {"unit": UNIT, "tension": TENSION, "parts": BENT_PARTS},
        "shapes": {role: _shape(shape) for role, shape in SHAPES.items()},
        "second": _shape(SECOND["colour"]),
        "top": ON_TOP,
        "front": IN_FRONT,
    }
    lines = [f"  {json.dumps(name)}: {json.dumps(table, ensure_ascii=False)}" for name, table in tables.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"
