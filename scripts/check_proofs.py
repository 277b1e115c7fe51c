"""Check the finite part of docs/proofs.md: python scripts/check_proofs.py [--quick]

The script searches for every path that the proofs use, and checks it square by square with independent code. It also
checks the certificates of docs/proofs.jsonl. It prints each check and ends with an error at the first contradiction.
It takes about a minute; `--quick` omits most boards.

It also checks the induction steps on boards of many sizes, to find arithmetic errors. This part is not a proof.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

from knightstour.core.constructions.blocks import tile
from knightstour.core.constructions.endpoints import window_path
from knightstour.core.constructions.four_rows import strip_path
from knightstour.core.model.board import Square
from knightstour.lab.certificates.verify import verify

Pair = tuple[Square, Square]

CERTIFICATES = Path(__file__).parent.parent / "docs" / "proofs.jsonl"


class ProofError(Exception):
    """A contradiction to the proofs."""


# ---------------------------------------------------------------- claims


def is_excluded(rows: int, cols: int, a: Square, b: Square) -> bool:
    """Whether the theorems exclude a tour of a rows x cols board between two squares."""
    if a == b:
        return True
    if rows * cols % 2:
        if sum(a) % 2 or sum(b) % 2:
            return True
    elif sum(a) % 2 == sum(b) % 2:
        return True
    return is_locally_excluded(rows, cols, a, b)


def is_locally_excluded(rows: int, cols: int, one: Square, other: Square) -> bool:
    """As `is_excluded`, without colours, for boards of 3 and of 5 rows."""
    ends = {one, other}
    last, right = rows - 1, cols - 1
    if cols % 2 == 0:
        middle = {3: (1, 2), 5: (2, 1)}.get(rows)
        if middle is None:
            return False
        mirrored = (middle[0], right - middle[1])
        if middle in ends and not ends & {(0, 0), (last, 0)}:
            return True
        return mirrored in ends and not ends & {(0, right), (last, right)}
    if rows != 3:
        return False
    patterns = [{(0, 2), (1, 3)}, {(2, 2), (1, 3)}, {(0, 2), (2, 2)}]
    if cols == 13:
        patterns += [{(a, 2), (b, 10)} for a in (0, 2) for b in (0, 2)]
    return any(ends in (p, {(r, right - c) for r, c in p}) for p in patterns)


# ---------------------------------------------------------------- paths


def check_path(squares: list[Square], rows: int, cols: int, one: Square, other: Square) -> None:
    """Check that the squares are a knight's path over a rows x cols board with these ends."""
    if (squares[0], squares[-1]) not in ((one, other), (other, one)):
        raise ProofError(f"{rows}x{cols}: a path from {squares[0]} to {squares[-1]}, not {one} to {other}")
    if sorted(squares) != [(r, c) for r in range(rows) for c in range(cols)]:
        raise ProofError(f"{rows}x{cols}, {one} to {other}: not every square once")
    for a, b in zip(squares, squares[1:], strict=False):
        if not is_move(a, b):
            raise ProofError(f"{rows}x{cols}, {one} to {other}: {a} to {b} is not a move")


def is_move(a: Square, b: Square) -> bool:
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 == 5


def images(rows: int, cols: int, pair: Pair) -> Iterator[Pair]:
    """Yield the pair in all mirror images and rotations of the board, in both orders."""
    for up in (False, True):
        for across in (False, True):
            one, other = ((rows - 1 - r if up else r, cols - 1 - c if across else c) for r, c in pair)
            yield one, other
            yield other, one
            if rows == cols:
                yield one[::-1], other[::-1]
                yield other[::-1], one[::-1]


def check_board(rows: int, cols: int) -> int:
    """Check a path for one pair of each class that is not excluded; return the number of pairs."""
    squares = [(r, c) for r in range(rows) for c in range(cols)]
    checked = 0
    for one in squares:
        # The least image of a pair begins in the top left quarter.
        if one[0] > (rows - 1) / 2 or one[1] > (cols - 1) / 2:
            continue
        for other in squares:
            if is_excluded(rows, cols, one, other) or min(images(rows, cols, (one, other))) != (one, other):
                continue
            for seed in range(1, 50):
                path = window_path(rows, cols, one, other, seed=seed, patience=1000)
                if path is not None:
                    break
            else:
                raise ProofError(f"no path found on {rows}x{cols} from {one} to {other}")
            check_path(list(path), rows, cols, one, other)
            checked += 1
    return checked


# ---------------------------------------------------------------- the finite parts


def check_blocks() -> int:
    """Check Lemma 1: the tiles of blocks of 6 columns, and the 3 x 4 fringe."""
    for rows in range(5, 11):
        squares = list(tile("root", rows, 6))
        check_path(squares, rows, 6, (1, 1), (3, 0))
        edge = ((rows - 1, 0), (rows - 2, 2))
        if squares[0] != (1, 1) or edge not in zip(squares, squares[1:], strict=False):
            raise ProofError(f"root {rows}x6 does not make the move {edge}")
        # The spine below is inserted here.
        if not (is_move(edge[0], (rows + 1, 1)) and is_move((rows, 3), edge[1])):
            raise ProofError("the spine does not fit")
    squares = list(tile("spine", 6, 6))
    check_path(squares, 6, 6, (1, 1), (0, 3))
    if squares[0] != (1, 1) or ((5, 0), (4, 2)) not in zip(squares, squares[1:], strict=False):
        raise ProofError("the spine does not make the move (5, 0) to (4, 2)")
    check_path(list(tile("fringe", 3, 4)), 3, 4, (1, 0), (2, 0))
    return 8


def check_strips() -> int:
    """Check the base of Theorem 4: strips of 7 to 13 columns have paths between all outer and inner vertices."""
    checked = 0
    for width in range(7, 14):
        for outer in range(width):
            for inner in range(width):
                path = strip_path(width, (0, outer), (1, inner))
                if path is None or (path[0], path[-1]) != ((0, outer), (1, inner)):
                    raise ProofError(f"no path in the strip of {width} columns from {outer} to {inner}")
                if sorted(path) != [(v, c) for v in (0, 1) for c in range(width)]:
                    raise ProofError("not every vertex once")
                for (v, c), (w, d) in zip(path, path[1:], strict=False):
                    if v == w or abs(c - d) not in (1, 2):
                        raise ProofError(f"{(v, c)} and {(w, d)} are not joined")
                checked += 1
    thread = ((0, 0), (1, 2), (0, 1), (1, 0), (0, 2), (1, 1))
    if sorted(thread) != [(v, c) for v in (0, 1) for c in range(3)]:
        raise ProofError("the thread is not a path")
    return checked


def check_small_boards() -> int:
    """Check the corollaries: boards too small for the theorems."""
    starts = {(3, 9): None, (3, 10): None, (5, 5): None, (5, 6): None, (4, 5): (0, 3), (4, 6): (0, 3)}
    checked = 0
    for (rows, cols), in_rows in starts.items():
        for r in in_rows or range(rows):
            for c in range(cols):
                if rows * cols % 2 == 0 or (r + c) % 2 == 0:
                    _check_any(rows, cols, (r, c))
                    checked += 1
    for rows, cols in ((3, 4), (3, 7), (3, 8)):
        _check_any(rows, cols, None)
    for rows, cols in ((3, 10), (5, 6)):
        path = _check_any(rows, cols, None, closed=True)
        if not is_move(path[0], path[-1]):
            raise ProofError(f"the tour of {rows}x{cols} is not closed")
    return checked + 5


def _check_any(rows: int, cols: int, start: Square | None, closed: bool = False) -> list[Square]:
    """Return a path from the start to any end."""
    path = window_path(rows, cols, start, None, closed)
    if path is None and start is not None:
        # Few ends are possible; a corner is one of them.
        corners = [(r, c) for r in (0, rows - 1) for c in (0, cols - 1) if (r, c) != start]
        paths = (window_path(rows, cols, start, corner, seed=seed) for seed in range(1, 20) for corner in corners)
        path = next((path for path in paths if path is not None), None)
    if path is None:
        raise ProofError(f"no path found on {rows}x{cols} from {start}")
    check_path(list(path), rows, cols, start or path[0], path[-1])
    return list(path)


def base_boards() -> list[tuple[int, int]]:
    """Return the smallest boards of the inductions."""
    return [
        *((3, cols) for cols in range(11, 24)),
        *((5, cols) for cols in range(7, 21)),
        *((rows, cols) for rows in range(6, 15) for cols in range(rows, 15)),
    ]


# ---------------------------------------------------------------- steps of the inductions


def step_of(rows: int, cols: int, a: Square, b: Square) -> str | None:
    """Return the step that reduces a pair on rows x cols to smaller boards, or None."""
    if a[1] > b[1]:
        a, b = b, a
    c1, c2 = a[1], b[1]
    unit, least_left, least_right, before, after = {3: (4, 12, 11, 4, 3), 5: (6, 8, 7, 3, 2)}.get(rows, (6, 6, 6, 1, 0))
    for cut in range(least_left, cols - least_right + 1, 2):
        if c1 + before <= cut <= c2 - after:
            for leave, enter in _joints(rows, cut, a):
                if enter == b:
                    continue
                left_ok = not is_excluded(rows, cut, a, leave)
                right_ok = not is_excluded(rows, cols - cut, (enter[0], enter[1] - cut), (b[0], b[1] - cut))
                if is_move(leave, enter) and left_ok and right_ok:
                    return "join"
            raise ProofError(f"{rows}x{cols}: no joint at {cut} between {a} and {b}")
    margin = 9 if rows in (3, 5) else 8
    if c2 <= cols - margin and not is_excluded(rows, cols - unit, a, b):
        return "right"
    shifted = [(r, c - unit) for r, c in (a, b)]
    if c1 >= margin - 1 and not is_excluded(rows, cols - unit, *shifted):
        return "left"
    return None


def _joints(rows: int, cut: int, a: Square) -> Iterator[tuple[Square, Square]]:
    """Yield the moves over the cut that the proof uses for a start of this colour."""
    if sum(a) % 2 == 0:
        yield (0, cut - 1), (2, cut)
        if rows >= 6:
            yield (2, cut - 1), (4, cut)
    elif rows == 3:
        yield (1, cut - 1), (0, cut + 1)
    else:
        yield (1, cut - 1), (3, cut)
        if rows >= 6:
            yield (3, cut - 1), (5, cut)


def check_steps(rows: int, columns: range) -> int:
    """Check that a step applies to every pair that is not excluded."""
    checked = 0
    for cols in columns:
        squares = [(r, c) for r in range(rows) for c in range(cols)]
        for one in squares:
            for other in squares:
                if one < other and not is_excluded(rows, cols, one, other):
                    if step_of(rows, cols, one, other) is None:
                        raise ProofError(f"no step for {rows}x{cols}, {one} to {other}")
                    checked += 1
    return checked


def check_certificates() -> int:
    """Check the published certificates: the exceptions, the tiles and the small boards."""
    lines = CERTIFICATES.read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, 1):
        found = verify(json.loads(line))
        if not found.is_right:
            raise ProofError(f"{CERTIFICATES.name}, line {number}: {found}")
    return len(lines)


def main() -> None:
    """Check everything."""
    is_quick = "--quick" in sys.argv[1:]
    print(f"{CERTIFICATES.name}: {check_certificates()} certificates")
    print(f"lemma 1: {check_blocks()} tiles")
    print(f"theorem 4: {check_strips()} paths of strips with 7 to 13 columns")
    print(f"corollaries: {check_small_boards()} paths of small boards")
    total = 0
    for rows, cols in base_boards()[:: 9 if is_quick else 1]:
        checked = check_board(rows, cols)
        total += checked
        print(f"{rows}x{cols}: {checked} paths", flush=True)
    print(f"theorems 1 to 3: {total} paths in all")
    for rows, columns in ((3, range(24, 34)), (5, range(21, 27)), (6, range(15, 20)), (7, range(15, 18))):
        pairs = check_steps(rows, columns[:1] if is_quick else columns)
        print(f"steps of {rows} x {columns[0]} and wider: {pairs} pairs")


if __name__ == "__main__":
    main()
