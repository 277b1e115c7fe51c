"""CATALOGUES: the lists of tours that come with the library, a row each. `catalogue` reads one.

scripts/make_catalogues.py writes their files.
"""

from __future__ import annotations

from knightstour.core.model.arguments import explains_arguments
from knightstour.core.model.board import Board
from knightstour.core.model.validation import one_of
from knightstour.lab.catalogues.catalogue import Catalogue, CatalogueRow, read_catalogue

CATALOGUES: dict[str, CatalogueRow] = {
    row.name: row
    for row in (
        CatalogueRow(
            "magic-8x8",
            105,
            ("8x8",),
            "magic tours of the chessboard",
            "all of regular quartes, four numbers to a block of 4x4 squares: 105 of the 140 classes, a tour, its images"
            " and its reverse being one",
            "the method quartes; that there are 140: Stertenbrink, Meyrignac and Mackay, 2003",
        ),
        CatalogueRow(
            "closed-6x6",
            1245,
            ("6x6",),
            "closed tours of 6x6, a class each",
            "all 1,245 classes of the 9,862 closed tours",
            "enumerate 6x6 --closed --classes; the number as G. P. Jelliss has it",
        ),
        CatalogueRow(
            "extremes-6x6",
            58,
            ("6x6",),
            "closed tours of 6x6 with the least and the most of each statistic",
            "every statistic of closed tours, over all 9,862 of them",
            "enumerate 6x6 --closed, measured",
        ),
        CatalogueRow(
            "uncrossed",
            11,
            ("3x3", "4x4", "5x5", "6x6", "7x7", "8x8"),
            "longest paths and cycles that do not cross themselves, on square boards",
            "one of each longest length that the OEIS shows, on the boards that are here",
            "lengths: OEIS A003192 (paths), A157416 (cycles); found by a SAT solver",
        ),
        CatalogueRow(
            "fewest-givens",
            3,
            ("6x6", "8x8"),
            "puzzles with the fewest numbers known, which have one solution",
            "one puzzle a board; that fewer are not enough is proved on 5x5, 5x6 and 6x6 (see the page on puzzles)",
            "scripts/fewest_givens.py",
        ),
        CatalogueRow(
            "historical-8x8",
            4,
            ("8x8",),
            "tours of the chessboard with a name in history",
            "nothing: those whose squares were read in a source",
            "each entry has its own",
        ),
    )
}


def catalogues_of(board: Board) -> list[str]:
    """The names of the catalogues that have tours of a board.

    >>> catalogues_of(Board(6, 6))
    ['closed-6x6', 'extremes-6x6', 'uncrossed', 'fewest-givens']
    """
    return [row.name for row in CATALOGUES.values() if any(Board.of(size) == board for size in row.boards)]


@explains_arguments
def catalogue(name: str) -> Catalogue:
    """A catalogue of tours, each checked as it is read.

    name: a row of CATALOGUES. Raises ProblemError for another name, and FormatError with its number for an entry that
    is damaged.

    >>> catalogue("closed-6x6").row.complete
    'all 1,245 classes of the 9,862 closed tours'
    """
    return read_catalogue(CATALOGUES[one_of(name, CATALOGUES, "catalogue")])
