"""Boards drawn in text files, with the parts of a board's word behind the name of the file: `heart.txt:king:-a1`."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from typing import Final

from knightstour.core.model.board import MAX_LISTED_SQUARES, Board, Square, with_remarks
from knightstour.core.model.board_words import BoardParts, agreed_value, read_parts
from knightstour.core.model.drawing import HolesAre, sign_of, text_in
from knightstour.core.model.errors import BoardError, path_text
from knightstour.core.model.grid_board import GridBoard
from knightstour.core.model.pieces import KNIGHT, Moves, Piece

# The sign of the holes of a drawing, such as -0; names of squares have two characters or more.
_SIGN: Final = re.compile(r"-\s*\S")


def split_file(text: str) -> tuple[str, tuple[str, ...]]:
    """Return the name of a file and the parts behind it, which follow the first colon.

    A file whose own name contains the colon comes first, and the colon behind a drive of Windows is part of the name.

    >>> split_file("heart.txt:king:-0"), split_file("C:\\\\maps\\\\heart.txt")
    (('heart.txt', ('king', '-0')), ('C:\\\\maps\\\\heart.txt', ()))
    """
    if os.path.isfile(text):
        return text, ()
    drive = text[:2] if re.match(r"[A-Za-z]:[\\/]", text) else ""
    file, *parts = text[len(drive) :].split(":")
    return drive + file, tuple(parts)


def drawing_parts(parts: Iterable[str]) -> tuple[BoardParts, str | None]:
    """Return the parts behind the name of a drawing, and the sign of its holes if one of the parts is a sign.

    >>> drawing_parts(["torus", "-1"])
    (BoardParts(piece=None, wrap='torus', holes=()), '1')
    """
    words = [part.strip() for part in parts]
    signs = [word[1:].strip() for word in words if _SIGN.fullmatch(word)]
    if len(signs) > 1:
        raise BoardError(f"the board has two signs for its holes: {' and '.join(signs)}", help="pass one")
    return read_parts(word for word in words if not _SIGN.fullmatch(word)), signs[0] if signs else None


def with_holes(board: GridBoard, squares: Iterable[Square]) -> GridBoard:
    """Return the board without these squares, too; its `read_as` stays.

    >>> with_holes(Board("2x2"), [(0, 0)])
    Board(2, 2, holes=[(0, 0)])
    """
    return with_remarks(board.replace(holes=[*board.holes, *squares]), board.read_as)


def board_in_file(path: str, wrap: str | None, moves: Moves | None, holes_are: HolesAre) -> GridBoard:
    """Return the board that a text file draws; the arguments and the parts behind the name may not contradict."""
    file, behind = split_file(path)
    parts, sign = drawing_parts(behind)
    piece = agreed_value("moves", parts.piece, None if moves is None else Piece.of(moves))
    joined = agreed_value("wrap", parts.wrap, wrap)
    text = text_in(file, MAX_LISTED_SQUARES)
    try:
        of_holes = agreed_value("holes_are", sign, sign_of(holes_are))
        board = Board.from_text(text, wrap=joined, moves=piece or KNIGHT, holes_are=of_holes)
        return with_holes(board, map(board.square, parts.holes)) if parts.holes else board
    except BoardError as error:
        raise BoardError(f"{path_text(file)}: {error}", note=error.note, help=error.help) from error
