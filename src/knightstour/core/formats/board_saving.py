"""Boards in files: `Board.from_file` and `Board.save`."""

from __future__ import annotations

import os

from knightstour.core.formats.graph_files import graphs_in
from knightstour.core.formats.table import suffix_of
from knightstour.core.formats.tours import no_tour_in, read_board, the_graph, write_board
from knightstour.core.machine.files import PathOrFile, open_source
from knightstour.core.model.board import MAX_LISTED_SQUARES, Board
from knightstour.core.model.board_files import board_in_file, split_file
from knightstour.core.model.drawing import HolesAre
from knightstour.core.model.errors import BoardError
from knightstour.core.model.pieces import KNIGHT, Moves
from knightstour.core.model.validation import flag


def board_in(
    path_or_file: PathOrFile,
    format: str | None,
    wrap: str | None,
    moves: Moves | None,
    holes_are: HolesAre,
    directed: bool,
) -> Board:
    """Implement `Board.from_file`."""
    is_drawing = wrap is not None or moves is not None or holes_are is not None
    if format is not None or flag(directed, "directed"):
        if is_drawing:
            raise BoardError("wrap, moves and holes_are are for drawings, not for graphs", help="omit them")
        return read_board(path_or_file, format, arcs=directed)
    path = os.fspath(path_or_file) if isinstance(path_or_file, str | os.PathLike) else None
    if path is not None and (is_drawing or split_file(path)[1]):
        return board_in_file(path, wrap, moves, holes_are)
    with (
        open_source(path_or_file) as source,
        no_tour_in(source, "read_tours reads it; tour.board is the board of a tour"),
    ):
        graphs = None if is_drawing else graphs_in(source)
        if graphs is not None:
            return the_graph(graphs, source)
        if path is not None:
            return board_in_file(path, wrap, moves, holes_are)
        drawing = source.read_text(MAX_LISTED_SQUARES + 1)
        if len(drawing) > MAX_LISTED_SQUARES:
            raise source.fail(f"the drawing is over {MAX_LISTED_SQUARES:,} characters long")
        return Board.from_text(drawing, wrap=wrap, moves=moves or KNIGHT, holes_are=holes_are)


def save_board(board: Board, path_or_file: PathOrFile, format: str | None, extra_vertex: bool) -> None:
    """Implement `Board.save`."""
    from knightstour.core.drawing.kinds import kind_of_suffix

    if format is None and isinstance(path_or_file, str | os.PathLike):
        kind = kind_of_suffix(suffix_of(path_or_file))
        if kind is not None:
            from knightstour.core.drawing.pictures import picture_of

            picture_of(board, kind).save(path_or_file)
            return
    write_board(path_or_file, board, format, extra_vertex=extra_vertex)
