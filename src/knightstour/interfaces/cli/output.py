"""Tours on their way out of the command line: printed as they are found, or kept and written to a file at the end."""

from __future__ import annotations

import itertools
import shlex
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import click

from knightstour.core.formats.table import FORMATS, format_named, format_of_extension, format_to_write
from knightstour.core.formats.tours import format_tour, write_board, write_tours
from knightstour.core.machine import files
from knightstour.core.model.board import Board
from knightstour.core.model.errors import FormatError
from knightstour.core.model.graph_board import CellBoard
from knightstour.core.model.grid_board import GridBoard
from knightstour.core.model.layers import is_compact
from knightstour.core.model.progress import Reporter
from knightstour.core.model.result import Result, Status
from knightstour.core.model.tour import Tour
from knightstour.core.model.validation import did_you_mean
from knightstour.interfaces.cli import console
from knightstour.interfaces.cli.each_graph import file_in, is_folder, line_of
from knightstour.interfaces.cli.help import TYPED
from knightstour.interfaces.cli.options import Target, TourWords
from knightstour.interfaces.cli.pictures import PictureOptions, picture_bytes, picture_kind, write_picture

# The formats of graphs of which a file holds several, a line each.
_MANY = ("graph6", "sparse6")


def gap_before(count: int, format_name: str) -> str:
    """What is printed before a tour. count: the number of tours printed before it.

    >>> gap_before(0, "grid"), gap_before(1, "grid"), gap_before(1, "squares")
    ('', '\\n', '')
    """
    return format_named(format_name).gap if count else ""


def printed_format(tour: Tour) -> str:
    """The format in which a tour is printed if none is named: a grid, or for a graph the names of its nodes."""
    board = tour.board
    is_grid = isinstance(board, GridBoard) or (isinstance(board, CellBoard) and is_compact(board))
    return "grid" if is_grid else "algebraic"


def write_out(tours: list[Tour], target: Target, picture: PictureOptions | None = None) -> None:
    """Write tours to a file, or to stdout. picture: how a picture looks."""
    kind = picture_kind(target.format_name, target.output)
    if kind is not None:
        write_picture(picture_bytes(tours, kind, **(picture or {})), kind, target.output, target.force)
    elif target.output is None or target.is_stdout:
        write_tours(sys.stdout, tours, target.format_name or (printed_format(tours[0]) if tours else None))
    else:
        write_tours(target.output, tours, target.format_name, force=target.force)


def write_graph(board: Board, target: Target) -> None:
    """Write the graph of a board to a file, or to stdout."""
    if target.output is None or target.is_stdout:
        write_board(sys.stdout, board, target.format_name)
    else:
        write_board(target.output, board, format_to_write(target.output, target.format_name).name, force=target.force)


def write_graphs(boards: Iterator[Board], target: Target) -> None:
    """Write the graphs of boards: a single one as `write_graph`, several into one file, or a file each into a folder.

    Formats with a graph a line hold several.
    """
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
        for place, board in enumerate(boards, 1):
            write_board(file_in(output, place, row.suffixes[0]), board, row.name, force=target.force)
        return
    named = target.format_name
    row = format_named(named or "graph6") if output is None else format_to_write(output, named)
    if row.name not in _MANY or row.write_board is None:
        raise FormatError(
            f"the file holds several graphs, and a file of the format {row.name} one",
            help=f"give a folder, -o graphs/, which gets a file of each; or --to {' or '.join(_MANY)}",
        )
    pieces = itertools.chain.from_iterable(map(row.write_board, boards))
    if output is None:
        sys.stdout.writelines(pieces)
        return
    with files.open_target(output, force=target.force) as file:
        for piece in pieces:
            file.write(piece.encode())


def in_tours(count: int) -> str:
    """A number of tours.

    >>> in_tours(1), in_tours(2000)
    ('1 tour', '2,000 tours')
    """
    return f"{count:,} tour" if count == 1 else f"{count:,} tours"


def check_output(target: Target, *, may_draw: bool = False) -> None:
    """The errors that writing would raise, before any search. may_draw: whether a picture will do."""
    format_name, output, force = target
    is_picture = may_draw and picture_kind(format_name, output) is not None
    if format_name is not None and not is_picture:
        format_named(format_name)
    check_holds_tours(format_name, output)
    if output is None or output == "-":
        return
    suffixes = [suffix for row in FORMATS.values() for suffix in row.suffixes]
    if format_name is None and not is_picture and not output.lower().endswith(tuple(suffixes)):
        from pathlib import PurePath

        from knightstour.core.drawing.kinds import picture_suffixes

        known = [*suffixes, *(picture_suffixes() if may_draw else ())]
        meant = did_you_mean(PurePath(output).suffix, known)
        raise FormatError(
            f"the name {output!r} does not say the format{meant}",
            help=f"end it in one of {' '.join(known)}, or add --format",
        )
    check_target(output, force)


def check_holds_tours(format_name: str | None, output: str | None) -> None:
    """The error of a format that holds the graph of a board, where tours are to be written."""
    if format_name is not None:
        row = FORMATS.get(format_name)
    else:
        row = None if output is None or output == "-" else format_of_extension(output)
    if row is not None and not row.holds_tours:
        why = f"the format {row.name} holds the graph of a board, and no tour"
        help = "the format tour (.tour) holds tours of graphs; `convert BOARD -o FILE` writes the graph"
        raise FormatError(why, path=output, help=help)


def check_target(output: str, force: bool) -> None:
    """The errors that opening a file to write would raise."""
    try:
        files.check_target(output, force=force)
    except FormatError as error:
        if "exists" in error.message:
            help = "give another name, or --force to overwrite it"
            raise FormatError(error.message, path=output, help=help) from None
        raise


def way_back(seed: int | None, path: str) -> str:
    """The command that makes a file again: what was typed, with the seed, and without the folder of `path`.

    seed: None if nothing is random.
    """
    words = [word.replace(path, Path(path).name) for word in click.get_current_context().meta[TYPED]]
    day = f"{str(seed)[:4]}-{str(seed)[4:6]}-{str(seed)[6:]}"  # the seed of a day is its date
    if "--today" in words and day not in words:
        words[words.index("--today")] = f"--today={day}"
    elif seed is not None and not any(word.split("=")[0] in ("--seed", "--today") for word in words):
        words += ["--seed", str(seed)]
    return shlex.join(["knightstour", *words])


def tell_impossible(result: Result, *, err: bool = False) -> None:
    """The proof that there is none, on stdout as the answer; err: on stderr, where tours were to be printed."""
    words = {
        "impossible": f"there is no {str(result.problem).split(' ', 1)[1]}",
        "reason": result.reason,
        "source": result.source,
    }
    is_terminal = (sys.stderr if err else sys.stdout).isatty()
    for kind, text in words.items():
        click.echo(f"{kind}: {console.wrapped(text, len(kind) + 2) if is_terminal else text}", err=err)


def _as_json(record: Mapping[str, object]) -> str:
    import json

    return json.dumps(record)


def _record(result: Result, tour: Tour | None) -> dict[str, object]:
    """The fields of the result; and the holes, wrap, leaper or graph of a board that has any."""
    from knightstour.core.formats.boards import board_to_dict

    squares = {"squares": None} if tour is None else {}
    return {**result.to_dict(tour), **squares, **board_to_dict(result.problem.board if tour is None else tour.board)}


class _Writer:
    """Where tours go: each is printed at once, or kept for the end."""

    def __init__(
        self, target: Target, status: console.StatusLine, as_json: bool, picture: PictureOptions, *, prints: bool
    ) -> None:
        self.target, self.status, self.as_json, self.picture = target, status, as_json, picture
        self.taken = self._printed = 0
        self._kept: list[Tour] = []
        # The format may also be that of a picture.
        row = FORMATS.get(target.format_name or "grid")
        self._streams = prints and target.output is None and row is not None and row.streams

    def _put(self, tour: Tour) -> None:
        if not self._streams:
            self._kept.append(tour)
            return
        self.status.clear()
        name = self.target.format_name or printed_format(tour)
        click.echo(gap_before(self._printed, name) + format_tour(tour, name), nl=False)
        self._printed += 1


class TourWriter(_Writer):
    """Where `solve` sends its tours: it prints each, or keeps them for the file; at the end it prints the answer."""

    def __init__(
        self,
        target: Target,
        *,
        tour_words: TourWords,
        status: console.StatusLine,
        as_json: bool = False,
        picture: PictureOptions | None = None,
    ) -> None:
        check_output(target, may_draw=True)
        if as_json and target.output is None and target.format_name is not None:
            raise FormatError("--json and --format are two forms of the answer", help="give one of them, or -o FILE")
        super().__init__(target, status, as_json, picture or {}, prints=not as_json)
        self.tour_words = tour_words

    def take(self, tour: Tour, is_repeat: bool) -> None:
        """A tour was found."""
        is_new = not (is_repeat and self.tour_words.unique)
        self.taken += is_new
        if {"all": is_new, "repeats": is_repeat, "none": False}[self.tour_words.shown]:
            self._put(tour)

    def finish(self, result: Result, *, is_interrupted: bool = False) -> None:
        """Write what was kept, then the answer. An interrupted search has no other answer than its tours."""
        if self.as_json:
            for tour in self._kept or (None,):
                click.echo(_as_json(_record(result, tour)))
        if self._kept and (self.target.output is not None or not self.as_json):
            write_out(self._kept, self.target, self.picture)
        if is_interrupted:
            return
        if not result.tours:
            if result.status is Status.IMPOSSIBLE and not self.as_json:
                tell_impossible(result)
            elif not self.as_json:
                click.echo(f"undecided: {result.reason}")
            return
        if result.reason:
            console.say("note", result.reason + (f" ({result.source})" if result.source else ""))
        if self.tour_words.n > 1 or (self.tour_words.shown == "none" and not self.as_json):
            self._tell_numbers(result)

    def _tell_numbers(self, result: Result) -> None:
        """The summary of several tours: on stdout if nothing else is printed there."""
        counters = ", ".join(f"{value:,} {name.replace('_', ' ')}" for name, value in result.counters.items())
        count = len(result.tours)
        text = f"{in_tours(count)} in {result.seconds:.2f} s by {result.method}"
        text += (f": {counters}" if counters else "") + f"; seed {result.seed}"
        if self.tour_words.shown == "none" and not self.as_json:
            click.echo(text)
        else:
            console.say("note", text)


class LineWriter:
    """Where `solve` sends its answer about a graph of a file of several: a line, or a record with the place."""

    def __init__(self, place: int, *, as_json: bool) -> None:
        self.place, self.as_json, self.taken = place, as_json, 0

    def take(self, tour: Tour, is_repeat: bool) -> None:
        """A tour was found; `finish` is given it with the answer."""
        self.taken += 1

    def finish(self, result: Result, *, is_interrupted: bool = False, missing: str = "") -> None:
        """Print the answer, unless the search was interrupted. missing: the reason if it has no certificate."""
        if is_interrupted:
            return
        if self.as_json:
            tour = result.tours[0] if result.tours else None
            without = {"certificate_error": missing} if missing else {}
            click.echo(_as_json({"number": self.place, **_record(result, tour), **without}))
        else:
            reason = "; ".join(filter(None, (f"no certificate: {missing}" if missing else "", result.reason)))
            click.echo(line_of(self.place, result.problem.board, result.status.value, reason))


class Listing(_Writer):
    """Where `enumerate` sends its tours: it prints each, keeps them for the file, or only counts them."""

    def __init__(self, target: Target, *, only_count: bool, as_json: bool, status: console.StatusLine) -> None:
        if only_count and (target.format_name is not None or target.output is not None):
            raise FormatError("--count prints a number and no tours", help="leave it out, or --format and -o")
        if not only_count:
            target = target.in_json(as_json)
            check_output(target, may_draw=True)
        if target.output is None and target.format_name is None:
            target = target._replace(format_name="algebraic")
        super().__init__(target, status, as_json, {}, prints=target.format_name is not None)
        self.only_count = only_count
        self._report = Reporter(status.progress, "listing")

    def take(self, tours: Iterable[Tour], most: int | None) -> None:
        """Take the tours, or the first `most` of them."""
        for tour in itertools.islice(tours, most):
            self._put(tour)
            self.taken += 1
            if self._kept:
                self._report(self.taken, f"{self.taken:,} tours")

    def count(self, counts: Iterable[int], most: int | None) -> None:
        """Add up how many more tours there are each time, until there are `most`."""
        for more in counts:
            self.taken += more
            self._report(self.taken, f"{self.taken:,} tours")
            if most is not None and self.taken >= most:
                self.taken = most
                return

    def finish(self, kind: str | None, question: Mapping[str, object] | None = None) -> None:
        """Write what was kept; `kind` says how tours were counted, None that the listing is not complete.

        question: the fields that a number follows in JSON.
        """
        self.status.clear()
        if self.only_count and kind is not None:
            record = {**(question or {}), "count": str(self.taken)}
            click.echo(_as_json(record) if self.as_json else str(self.taken))
        elif self._kept:
            write_out(self._kept, self.target, self.picture)
        if kind is not None:
            console.say("note", f"{in_tours(self.taken)} ({kind})")
