"""An independent checker of catalogues: moves, squares, sums, turns, crossings, classes."""

import itertools
import re

Square = tuple[int, int]


def squares_of(text: str) -> list[Square]:
    """Parse names such as a1b3 to (column, row) from 1."""
    return [(ord(letter) - 96, int(row)) for letter, row in re.findall(r"([a-z])(\d+)", text)]


def side(a: Square, b: Square, c: Square) -> int:
    """Return the side of the line from a to b on which c lies."""
    turn = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    return (turn > 0) - (turn < 0)


def images(path: list[Square], rows: int) -> list[list[Square]]:
    """Return the eight images of a path on a square board."""
    found = []
    for flip_x, flip_y, swap in itertools.product((False, True), repeat=3):
        image = [(rows + 1 - x if flip_x else x, rows + 1 - y if flip_y else y) for x, y in path]
        found.append([(y, x) if swap else (x, y) for x, y in image])
    return found


def facts_of(line: str) -> dict[str, int]:
    """Return the facts of a line; raise AssertionError if it is not a tour."""
    _, _, size, said, text, _ = line.split("\t")
    rows, cols = map(int, size.split("x"))
    path, closed = squares_of(text), "closed=1" in said
    assert len(set(path)) == len(path) and all(1 <= x <= cols and 1 <= y <= rows for x, y in path)
    moves = list(itertools.pairwise([*path, path[0]] if closed else path))
    assert all({abs(a[0] - b[0]), abs(a[1] - b[1])} == {1, 2} for a, b in moves)
    number = {square: step for step, square in enumerate(path, 1)}
    steps = [(b[0] - a[0], b[1] - a[1]) for a, b in moves]
    corners = itertools.pairwise([*steps, steps[0]] if closed else steps)
    due = {"magic-rows": cols * (rows * cols + 1) / 2, "magic-columns": rows * (rows * cols + 1) / 2}
    lines = {
        "magic-rows": [[(x, y) for x in range(1, cols + 1)] for y in range(1, rows + 1)],
        "magic-columns": [[(x, y) for y in range(1, rows + 1)] for x in range(1, cols + 1)],
    }
    found = {"closed": int(closed), "visits": len(path), "turns": sum(a != b for a, b in corners)}
    for name, each in lines.items() if len(path) == rows * cols else ():
        found[name] = sum(sum(number[square] for square in one) == due[name] for one in each)
    pairs = itertools.combinations(moves, 2)
    found["crossings"] = sum(
        side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0 for (a, b), (c, d) in pairs
    )
    return found
