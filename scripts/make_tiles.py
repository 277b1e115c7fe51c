"""Find the tiles of core/constructions/tiles.txt, and write this file: python scripts/make_tiles.py

Seeds are tried in order until a tile has the ends and ordered edges that blocks.py needs. A corner has only two moves,
so a path uses both unless it ends there.
"""

from pathlib import Path

from knightstour.core.constructions.blocks import Move, down_edge, right_edge, tile_to_text
from knightstour.core.constructions.endpoints import window_path
from knightstour.core.model.board import Square
from knightstour.core.model.pieces import KNIGHT

TARGET = Path(__file__).parent.parent / "src/knightstour/core/constructions/tiles.txt"
Tile = tuple[Square, ...]


def find(
    rows: int, cols: int, ends: tuple[Square | None, Square | None], edges: list[Move], closed: bool = False
) -> Tile:
    """Return the first tile with these ends and these ordered moves."""
    for seed in range(1, 10_000):
        path = window_path(rows, cols, *ends, closed=closed, seed=seed)
        if path is not None and set(edges) <= set(zip(path, path[1:], strict=False)):
            return path
    raise SystemExit(f"no {rows}x{cols} tile between {ends} with {edges}")


def through(rows: int, cols: int, parity: int) -> Tile | None:
    """Return a tile that joins copies of itself side by side, from a square of this parity near the middle row."""
    starts = [(r, c) for c in (0, 1) for r in sorted(range(rows), key=lambda r: abs(2 * r - rows + 1))]
    for r, c in starts:
        if (r + c) % 2 != parity:
            continue
        for dr, dc in KNIGHT.vectors:
            end = (r + dr, c + cols + dc)
            if dc < 0 and 0 <= end[0] < rows and end[1] < cols:
                path = window_path(rows, cols, (r, c), end)
                if path is not None:
                    return path
    return None


def main() -> None:
    lines = ["# Written by scripts/make_tiles.py: kind, rows, cols, squares as base-36 digit pairs (row, col)."]

    def add(kind: str, rows: int, cols: int, squares: Tile) -> None:
        lines.append(f"{kind} {rows} {cols} {tile_to_text(squares)}")

    for rows in range(5, 11):
        for cols in range(5, 13):
            ends = ((1, 1), (3, 0)) if rows * cols % 2 == 0 else (None, None)
            add("root", rows, cols, find(rows, cols, ends, [right_edge(rows, cols), down_edge(rows, cols)]))
    for cols in range(5, 13):
        add("spine", 6, cols, find(6, cols, ((1, 1), (0, 3)), [right_edge(6, cols), down_edge(6, cols)]))
    for rows in range(5, 11):
        add("tail", rows, 8, find(rows, 8, ((1, 1), (3, 0)), [right_edge(rows, 8)]))
    for rows in (3, *range(5, 15)):
        for kind, parity in (("even", 0), ("odd", 1)):
            for cols in (4, 8) if rows == 3 else (6,):
                squares = through(rows, cols, parity)
                if squares is not None:
                    add(kind, rows, cols, squares)
                    break
            else:
                raise SystemExit(f"no {kind} tile of {rows} rows")
    add("fringe", 3, 4, find(3, 4, ((1, 0), (2, 0)), [((0, 3), (2, 2))]))
    for cols in (10, 12):
        add("ring", 3, cols, find(3, cols, (None, None), [], closed=True))
    TARGET.write_text("\n".join(lines) + "\n", encoding="ascii")
    print(f"{len(lines) - 1} tiles written to {TARGET}")


if __name__ == "__main__":
    main()
