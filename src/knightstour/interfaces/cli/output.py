"""Output of tours: print each tour when it is found, or write all tours to a file at the end."""

from __future__ import annotations

import itertools
import os
import shlex
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import click

from knightstour.core.formats.table import FORMATS, format_named, format_of_extension, format_to_write, suffix_of
from knightstour.core.formats.tours import format_tour, write_board, write_tours
from knightstour.core.machine import files
from knightstour.core.machine.files import is_pipe
from knightstour.core.model.board import Board
from knightstour.core.model.errors import FormatError
from knightstour.core.model.graph_board import CellBoard
from knightstour.core.model.grid_board import GridBoard
from knightstour.core.model.layers import is_compact
from knightstour.core.model.progress import Reporter
from knightstour.core.model.result import Result, Status
from knightstour.core.model.result_errors import absence
from knightstour.core.model.tour import Tour
from knightstour.interfaces.cli import console, parsing
from knightstour.interfaces.cli.each_graph import file_in, is_folder, line_of
from knightstour.interfaces.cli.help import TYPED
from knightstour.interfaces.cli.options import Target
from knightstour.interfaces.cli.pictures import PictureOptions, picture_bytes, picture_kind, write_picture

# Formats of graphs that store several graphs in a file, one per line.
_MANY = ("graph6", "sparse6")


def gap_before(count: int, format_name: str) -> str:
    """Return the separator before a tour. count: number of tours printed before it.

    >>> gap_before(0, "grid"), gap_before(1, "grid"), gap_before(1, "squares")
    ('', '\\n', '')
    """
    return format_named(format_name).gap if count else ""


def printed_format(tour: Tour) -> str:
    """Return the default format for printing a tour: a grid, or node names for a graph."""
    board = tour.board
    is_grid = isinstance(board, GridBoard) or (isinstance(board, CellBoard) and is_compact(board))
    return "grid" if is_grid else "algebraic"


def write_out(tours: list[Tour], target: Target, picture: PictureOptions | None = None) -> None:
    """Write tours to a file, or to stdout. picture: options of a picture."""
    kind = picture_kind(target.format_name, target.output)
    if kind is not None:
        write_picture(picture_bytes(tours, kind, **(picture or {})), kind, target.output)
    elif target.output is None or target.is_stdout:
        write_tours(sys.stdout, tours, target.format_name or (printed_format(tours[0]) if tours else None))
    else:
        write_tours(target.output, tours, target.format_name)


def write_graph(board: Board, target: Target) -> None:
    """Write the graph of a board to a file, or to stdout."""
    if target.output is None or target.is_stdout:
        write_board(sys.stdout, board, target.format_name)
    else:
        write_board(target.output, board, format_to_write(target.output, target.format_name).name)


def write_graphs(boards: Iterator[Board], target: Target) -> None:
    """Write one graph, several graphs into a file with one per line, or a file each into a folder."""
    first, second = next(boards, None), next(boards, None)
    if first is None:
        raise FormatError("the file holds no graph")
    if second is None:
        write_graph(first, target)
        return
    boards = itertools.chain((first, second), boards)
    output = None if target.is_stdout else target.output
    if output is not None and is_folder(output):
        row = format_named(target.format_name or "hcp")
        for graph_number, board in enumerate(boards, 1):
            write_board(file_in(output, graph_number, row.suffixes[0]), board, row.name)
        return
    named = target.format_name
    row = format_named(named or "graph6") if output is None else format_to_write(output, named)
    if row.name not in _MANY or row.write_board is None:
        raise FormatError(
            f"the file holds several graphs, and a file of the format {row.name} one",
            help=f"use -o graphs/ for one file per graph, or --format {' or '.join(_MANY)}",
        )
    pieces = itertools.chain.from_iterable(map(row.write_board, boards))
    if output is None:
        sys.stdout.writelines(pieces)
        return
    with files.open_target(output) as file:
        for piece in pieces:
            file.write(piece.encode())


def in_tours(count: int) -> str:
    """Return a number of tours as text.

    >>> in_tours(1), in_tours(2000)
    ('1 tour', '2,000 tours')
    """
    return f"{count:,} tour" if count == 1 else f"{count:,} tours"


def check_output(target: Target, *, may_draw: bool = False) -> None:
    """Raise the errors of writing before any search. may_draw: whether pictures are supported."""
    format_name, output = target
    is_picture = may_draw and picture_kind(format_name, output) is not None
    if format_name is not None and not is_picture:
        format_named(format_name)
    check_holds_tours(format_name, output)
    if output is None or output == "-":
        return
    suffixes = [suffix for row in FORMATS.values() for suffix in row.suffixes]
    if format_name is None and not is_picture and not output.lower().endswith(tuple(suffixes)):
        from knightstour.core.formats.saving import unknown_suffix

        raise unknown_suffix(
            output, may_draw=may_draw, otherwise="`knightstour explain` lists the others, for --format"
        )
    check_target(output)


def check_holds_tours(format_name: str | None, output: str | None) -> None:
    """Raise FormatError if a format stores graphs of boards but not tours."""
    if format_name is not None:
        row = FORMATS.get(format_name)
    else:
        row = None if output is None or output == "-" else format_of_extension(output)
    if row is not None and not row.holds_tours:
        why = f"the format {row.name} holds the graph of a board, and no tour"
        help = "the format tour (.tour) holds tours of graphs; `convert BOARD -o FILE` writes the graph"
        raise FormatError(why, path=output, help=help)


def check_target(output: str) -> None:
    """Raise the errors of opening a file to write, and of a file that is also an input."""
    context = click.get_current_context(silent=True)
    arguments = [] if context is None else [each for each in context.command.params if isinstance(each, click.Argument)]
    for each in arguments:
        value = context.params.get(each.name or "") if context is not None else None
        for word in value if isinstance(value, tuple) else (value,):
            if word and _is_same_file(parsing.file_word(str(word)).file, output):
                help = "write to another file"
                raise FormatError("the command would overwrite its own input", path=output, help=help)
    files.check_target(output)


def check_proof(output: str, *suffixes: str) -> None:
    """Raise the errors of writing a proof, whose suffix must be one of these; a pipe or device needs none."""
    if suffix_of(output) not in suffixes and not is_pipe(output):
        help = f"end the name in {' or '.join(suffixes)}"
        raise FormatError(f"unknown suffix of a proof: {suffix_of(output) or 'none'}", path=output, help=help)
    check_target(output)


def _is_same_file(path: str, other: str) -> bool:
    try:
        return os.path.isfile(path) and os.path.samefile(path, other)
    except (OSError, ValueError):
        return False


def repeat_command(path: str, *, seed: int | None = None, day: str = "") -> str:
    """Return the command that writes a file again, without the folder of `path`.

    Args:
        path: The file.
        seed: The seed to add, if it was drawn.
        day: The day of a puzzle to add, if it was not given.
    """
    words = [word.replace(path, Path(path).name) for word in click.get_current_context().find_root().meta[TYPED]]
    if day and day not in words:
        words.insert(words.index("today") + 1, day)
    if seed is not None and not any(word.split("=")[0] == "--seed" for word in words):
        words += ["--seed", str(seed)]
    return shlex.join(["knightstour", *words])


def print_impossible(result: Result, *, err: bool = False) -> None:
    """Print the reason why no tour exists, on stdout, or with `err` on stderr."""
    words = {
        "impossible": absence(result),
        "reason": result.reason,
        "source": result.source,
    }
    is_terminal = (sys.stderr if err else sys.stdout).isatty()
    for kind, text in words.items():
        click.echo(f"{kind}: {console.wrap_text(text, len(kind) + 2) if is_terminal else text}", err=err)


def _as_json(record: Mapping[str, object]) -> str:
    import json

    return json.dumps(record)


def _record(result: Result, tour: Tour | None) -> dict[str, object]:
    """Return the fields of the result and its board."""
    from knightstour.core.formats.boards import board_to_dict

    squares = {"squares": None} if tour is None else {}
    return {**result.to_dict(tour), **squares, **board_to_dict(result.problem.board if tour is None else tour.board)}


class _Writer:
    """Prints tours immediately, or stores them until the end."""

    def __init__(
        self, target: Target, status: console.StatusLine, as_json: bool, picture: PictureOptions, *, prints: bool
    ) -> None:
        self.target, self.status, self.as_json, self.picture = target, status, as_json, picture
        self.taken = self._printed = 0
        self._kept: list[Tour] = []
        # The format may also be a kind of picture.
        row = FORMATS.get(target.format_name or "grid")
        self._streams = prints and target.output is None and row is not None and row.streams

    def _print_or_store(self, tour: Tour) -> None:
        if not self._streams:
            self._kept.append(tour)
            return
        self.status.clear()
        name = self.target.format_name or printed_format(tour)
        click.echo(gap_before(self._printed, name) + format_tour(tour, name), nl=False)
        self._printed += 1


class TourWriter(_Writer):
    """Destination of the tours of `solve`: print or store each tour, and print the result at the end."""

    def __init__(
        self,
        target: Target,
        *,
        n: int,
        status: console.StatusLine,
        as_json: bool = False,
        picture: PictureOptions | None = None,
    ) -> None:
        check_output(target, may_draw=True)
        if as_json and target.output is None and target.format_name is not None:
            raise FormatError("--json and --format cannot be combined", help="omit one of them, or add -o FILE")
        super().__init__(target, status, as_json, picture or {}, prints=not as_json)
        self.n = n

    def add(self, tour: Tour, is_repeat: bool) -> None:
        """Print or keep a tour; a repeat of an earlier tour is ignored."""
        if not is_repeat:
            self.taken += 1
            self._print_or_store(tour)

    def finish(self, result: Result, *, is_interrupted: bool = False) -> None:
        """Write the stored tours, then the result. For an interrupted search, only its tours are written."""
        if self.as_json:
            for tour in self._kept or (None,):
                click.echo(_as_json(_record(result, tour)))
        if self._kept and (self.target.output is not None or not self.as_json):
            write_out(self._kept, self.target, self.picture)
        if is_interrupted:
            return
        if result.tour is None:
            if result.status is Status.IMPOSSIBLE and not self.as_json:
                print_impossible(result)
            elif not self.as_json:
                click.echo(f"undecided: {result.reason}")
            return
        if result.reason:
            console.print_message("note", result.reason + (f" ({result.source})" if result.source else ""))
        if self.n > 1:
            self._print_summary(result)

    def _print_summary(self, result: Result) -> None:
        counters = ", ".join(f"{value:,} {name.replace('_', ' ')}" for name, value in result.counters.items())
        text = f"{in_tours(self.taken)} in {result.seconds:.2f} s by {result.method}"
        console.print_message("note", text + (f": {counters}" if counters else "") + f"; seed {result.seed}")


class LineWriter:
    """Destination of the result of `solve` for one graph of several: a line, or a record with the index."""

    def __init__(self, graph_number: int, *, as_json: bool) -> None:
        self.graph_number, self.as_json, self.taken = graph_number, as_json, 0

    def add(self, tour: Tour, is_repeat: bool) -> None:
        """Count a tour. The result that `finish` receives contains it."""
        self.taken += 1

    def finish(self, result: Result, *, is_interrupted: bool = False, missing: str = "") -> None:
        """Print the result, unless the search was interrupted. missing: reason for a missing certificate."""
        if is_interrupted:
            return
        if self.as_json:
            without = {"certificate_error": missing} if missing else {}
            click.echo(_as_json({"number": self.graph_number, **_record(result, result.tour), **without}))
        else:
            reason = "; ".join(filter(None, (f"no certificate: {missing}" if missing else "", result.reason)))
            click.echo(line_of(self.graph_number, result.problem.board, result.status.value, reason))


class Listing(_Writer):
    """Destination of the tours of `enumerate`, which are printed immediately, or kept for the file."""

    def __init__(self, target: Target, *, as_json: bool, status: console.StatusLine) -> None:
        target = target.in_json(as_json)
        check_output(target, may_draw=True)
        if target.output is None and target.format_name is None:
            target = target._replace(format_name="algebraic")
        super().__init__(target, status, as_json, {}, prints=target.format_name is not None)
        self._report = Reporter(status.progress, "listing")

    def add(self, tours: Iterable[Tour], most: int | None) -> None:
        """Take the tours, or the first `most` of them."""
        for tour in itertools.islice(tours, most):
            self._print_or_store(tour)
            self.taken += 1
            if self._kept:
                self._report(self.taken, f"{self.taken:,} tours")

    def finish(self, kind: str | None) -> None:
        """Write the tours that were kept. kind: The kind of tours for the note, None if the list is incomplete."""
        self.status.clear()
        if self._kept:
            write_out(self._kept, self.target, self.picture)
        if kind is not None:
            console.print_message("note", f"{in_tours(self.taken)} ({kind})")
