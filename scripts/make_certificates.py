"""Write docs/proofs.jsonl, the certificates published with docs/proofs.md: python scripts/make_certificates.py

A line each: the boards and pairs of ends that the theorems except, an example of each family of excluded pairs, the
tiles of Lemma 1, and the paths of the boards too small for the theorems. `make proofs` checks them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from check_proofs import CERTIFICATES
from knightstour.core.constructions.tiles import tile
from knightstour.core.methods.solve import solve
from knightstour.core.model.problem import Problem
from knightstour.core.model.tour import Tour
from knightstour.lab.certificates.certificate import Certificate
from knightstour.lab.certificates.certify import tour_certificate

# Boards with no closed tour, and with no tour at all: the exceptions, and 4 x n for two n.
NO_CLOSED = [(3, 4), (3, 6), (3, 8), (4, 7), (4, 20)]
NO_TOUR = [(3, 3), (3, 5), (3, 6), (4, 4)]
# Pairs of ends that are excluded: a board of each family, and the exceptions of 3 x 13.
NO_PAIR = [
    ((3, 10), (1, 2), (0, 3)),
    ((5, 8), (2, 1), (0, 4)),
    ((3, 11), (0, 2), (2, 2)),
    ((3, 11), (0, 2), (1, 3)),
    ((4, 7), (1, 0), (0, 0)),
    ((3, 13), (0, 2), (0, 10)),
    ((3, 13), (0, 2), (2, 10)),
]
# Boards too small for the theorems: a tour of each, and those with a tour from each square that the corollary names.
STARTS = {(3, 9): None, (3, 10): None, (5, 5): None, (5, 6): None, (4, 5): (0, 3), (4, 6): (0, 3)}
SMALL = [(3, 4), (3, 7), (3, 8)]
CLOSED = [(3, 10), (5, 6)]


def certificates() -> Iterator[Certificate]:
    """All of them, in the order of the lists above."""
    for board in NO_CLOSED:
        yield solve(board, closed=True).certificate
    for board in NO_TOUR:
        yield solve(board).certificate
    for board, start, end in NO_PAIR:
        yield solve(board, start=start, end=end).certificate
    for rows in range(5, 11):
        yield _path(rows, 6, list(tile("root", rows, 6)))
    yield _path(6, 6, list(tile("spine", 6, 6)))
    yield _path(3, 4, list(tile("fringe", 3, 4)))
    for (rows, cols), in_rows in STARTS.items():
        for row in in_rows or range(rows):
            for col in range(cols):
                if rows * cols % 2 == 0 or (row + col) % 2 == 0:
                    yield solve((rows, cols), start=(row, col), rng=1).certificate
    for board in SMALL:
        yield solve(board, rng=1).certificate
    for board in CLOSED:
        yield solve(board, closed=True, rng=1).certificate


def _path(rows: int, cols: int, squares: list[tuple[int, int]]) -> Certificate:
    problem = Problem.of((rows, cols), start=squares[0], end=squares[-1])
    return tour_certificate(problem, Tour((rows, cols), squares))


if __name__ == "__main__":
    lines = [json.dumps(certificate.record) for certificate in certificates()]
    CERTIFICATES.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"written: {CERTIFICATES.name}, {len(lines)} certificates")
