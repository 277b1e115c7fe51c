"""Options and arguments that several commands share, and the checks of their values."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

import click

from knightstour.core.model.errors import FormatError, ProblemError
from knightstour.core.model.option import Option
from knightstour.core.model.validation import one_of, quoted
from knightstour.core.model.validation import path as given_path
from knightstour.interfaces.cli.option import Decorator, option, whole_number_of

if TYPE_CHECKING:
    from knightstour.core.machine.sharing import Workers
    from knightstour.core.model.board import Board
    from knightstour.core.model.budget import Limits
    from knightstour.core.model.tour import Tour
    from knightstour.interfaces.cli.parsing import FileWord

CONDITIONS, SEARCH, OUTPUT, MORE = "Conditions", "Search", "Output", "More"

# ---------------------------------------------------------------- arguments

board_argument = click.argument("board")


def _typed_path(context: click.Context, parameter: click.Parameter, value: str) -> str:
    """Raises an error for an empty word."""
    return given_path(value)


file_argument = click.argument("file", callback=_typed_path)
# The board of a file that does not contain it.
file_board_argument = click.argument("board", required=False)

# ---------------------------------------------------------------- the problem

closed_option = option("--closed", is_flag=True, help="The last square is one move from the first.")
start_option = option(
    "--start", metavar="SQ", help="First square: a1 (bottom left), or row,col from the top left: 0,0."
)
end_option = option("--end", metavar="SQ", help="Last square.")
directed_option = option("--directed", is_flag=True, help="Treat a tour and its reverse as different.")
classes_option = option("--up-to-symmetry", is_flag=True, help="Count rotations and reflections of a tour once.")


def partial_option(group: str = "") -> Decorator:
    return option("--partial", is_flag=True, group=group, help="Allow tours that skip squares.")


def given_option(group: str = "") -> Decorator:
    help = "Fix the number of a square: a1=1, or a range: c5=16..19."
    return option("--given", metavar="SQ=N", multiple=True, group=group, help=help)


def require_option(group: str = "") -> Decorator:
    return option("--require", metavar="SQ-SQ", multiple=True, group=group, help="Require this move: a1-b3.")


def forbid_option(group: str = "") -> Decorator:
    return option("--forbid", metavar="SQ-SQ", multiple=True, group=group, help="Forbid this move.")


def symmetry_option(group: str = "", *, help: str = "Require this symmetry: 180, 90, vertical, ...") -> Decorator:
    return option("--symmetry", metavar="NAME", group=group, help=help)


def visit_order_option(group: str = "") -> Decorator:
    return option("--visit-order", metavar="SQ,..", group=group, help="Visit these squares in this order.")


def where_option(group: str = "") -> Decorator:
    help = "Limit a statistic: turns=45..47, crossings=0."
    return option("--where", metavar="NAME=RANGE", multiple=True, group=group, help=help)


# ---------------------------------------------------------------- limits, seeds, workers

seed_option = option("--seed", type=int, metavar="N", help="Seed of the random generator, for repeatable results.")
memory_option = option("--memory", metavar="SIZE", help="Memory limit, such as 8GB (default: half of the free memory).")


def timeout_option(default: str = "no limit") -> Decorator:
    """Add --timeout. default: The default in the help."""
    return option("--timeout", type=float, metavar="S", help=f"Stop after S seconds (default: {default}).")


def max_nodes_option(help: str = "Stop after N search steps.", group: str = "") -> Decorator:
    return option("--max-nodes", type=int, metavar="N", group=group, help=help)


def workers_option(group: str = "") -> Decorator:
    help = "Use N cores, or the Dask scheduler at tcp://HOST:PORT."
    return option("--workers", metavar="N", group=group, help=help)


def limits_of(timeout: float | None, *, max_nodes: int | None = None, memory: str | None = None) -> Limits:
    """Return the limits of a count; half of the free memory by default."""
    from knightstour.core.machine.memory import available_bytes
    from knightstour.core.model.budget import Limits, memory_size

    size = available_bytes() // 2 if memory is None else memory_size(memory)
    return Limits(seconds=timeout, nodes=max_nodes, bytes=size)


def is_cluster(workers: str | None) -> bool:
    """Return whether the value of --workers is the address of a scheduler."""
    return workers is not None and ":" in workers


@contextmanager
def open_workers(workers: str | None) -> Iterator[Workers]:
    """Yield the number of workers, the client of a cluster, or None."""
    if workers is None:
        yield None
    elif is_cluster(workers):
        from knightstour.core.machine import cluster

        with cluster.cluster_at(workers) as client:
            yield client
    elif re.fullmatch(r"-?\d{1,9}", workers.strip()):
        yield int(workers)
    else:
        help = "use a number, such as 4, or the address of a Dask scheduler, such as tcp://host:8786"
        raise ProblemError(f"invalid --workers: {quoted(workers)}", help=help)


# ---------------------------------------------------------------- output

output_option = option(
    "-o",
    "--output",
    metavar="FILE",
    help="Write to FILE. The suffix selects the format: .txt .npy .csv .svg .png .pdf",
)
format_option = option(
    "--format",
    "format_name",
    metavar="NAME",
    help="Output format if FILE has no such suffix: grid, squares, csv, json, npy, ...",
)
json_option = option("--json", "as_json", is_flag=True, help="Print one JSON object per line.")
csv_option = option("--csv", "as_csv", is_flag=True, help="Print a table.")


def style_option(group: str = "") -> Decorator:
    help = "Style of the picture: board, line, curve, numbers, heat, ribbon, ..."
    return option("--style", metavar="NAME", group=group, help=help)


class Target(NamedTuple):
    """Destination of tours: the name of a format or None, and a file, or None or "-" for stdout."""

    format_name: str | None
    output: str | None

    @property
    def is_stdout(self) -> bool:
        """Whether the tours are printed."""
        return self.output is None or self.output == "-"

    def in_json(self, as_json: bool) -> Target:
        """Return the target with the format json if --json was given; raises an error if it has another format."""
        if not as_json:
            return self
        if self.format_name not in (None, "json") or not self.is_stdout:
            other = "--format" if self.is_stdout else "-o"
            raise FormatError(f"--json and {other} cannot be combined", help=f"omit --json or {other}")
        return self._replace(format_name="json")


# ---------------------------------------------------------------- checks

# The options of each row of a table, by the row's name and by their own.
Rows = Mapping[str, Mapping[str, Option]]


def settings_of(typed: tuple[str, ...], rows: Rows, noun: str) -> dict[str, object]:
    """Return the values of --set by name. what: A noun for a row, for errors."""
    return dict(_setting(text, rows, noun) for text in typed)


def setting_lists_of(typed: tuple[str, ...], rows: Rows, noun: str) -> dict[str, list[object]]:
    """Return the comma-separated values of --set by name."""
    values: dict[str, list[object]] = {}
    for name, mark, listed in (text.partition("=") for text in typed):
        for text in listed.split(","):
            known_name, value = _setting(name + mark + text, rows, noun)
            values.setdefault(known_name, []).append(value)
    return values


def _setting(typed: str, rows: Rows, noun: str) -> tuple[str, object]:
    name, mark, value = typed.partition("=")
    name = name.strip().replace("-", "_")
    known = {option.name: option for options in rows.values() for option in options.values()}
    one_of(name, sorted(known), f"setting of a {noun}", error=ProblemError)
    if not mark:
        raise ProblemError(f"--set {typed} has no value", help=f"write --set {name}=VALUE")
    kind = known[name].kind
    try:
        return name, whole_number_of(value) if kind is int else kind(value.strip())
    except ValueError:
        number = "a whole number" if kind is int else "a number"
        raise ProblemError(f"{name} must be {number}, not {quoted(value.strip())}") from None


def refuse(given: Mapping[str, object], reason: str) -> None:
    """Raise a ProblemError for the first of these options that was given, since it has no effect here."""
    for flag, value in given.items():
        if value is not None and value is not False and value != ():
            raise ProblemError(f"{flag} is not supported here: {reason}", help=f"omit {flag}")


def check_only_one(given: Mapping[str, object]) -> None:
    """Raise an error if two of these options were given."""
    first, second, *_ = [*(flag for flag, value in given.items() if value not in (None, False, ())), "", ""]
    if second:
        raise click.UsageError(f"{first} and {second} cannot be combined")


# ---------------------------------------------------------------- files of tours


class TourFile(NamedTuple):
    """A file of tours, perhaps as FORMAT:FILE, and the board of a file that does not contain it."""

    file: str
    board: str | None

    @property
    def path(self) -> str:
        """The name of the file, "-" for stdin."""
        return self._file_word.file

    @property
    def read_format(self) -> str | None:
        """The format that was named, or None."""
        return self._file_word.known_format

    @property
    def _file_word(self) -> FileWord:
        from knightstour.interfaces.cli.parsing import file_word

        word = file_word(self.file)
        if word.parts:
            parts = ":".join(word.parts)
            raise FormatError(f"tours have no parts of a board: {self.file}", help=f"{word.file} 8x8:{parts}")
        return word

    def to_board(self) -> Board | None:
        """Return the board that was named, or None."""
        from knightstour.interfaces.cli import console, parsing

        if self.board is None:
            return None
        context = click.get_current_context(silent=True)
        writes = context is not None and any("-o" in each.opts for each in context.command.params)
        if writes and re.search(r"\w\.\w+$", self.board) and not parsing.is_file(self.board):
            raise FormatError(f"unexpected argument: {self.board}", help=f"to write that file: -o {self.board}")
        return console.note_reading(parsing.board_of(self.board))

    def read(self) -> list[Tour]:
        """Read the tours; print a note on the interpretation if their format is inexact."""
        from knightstour.core.formats.candidates import read_as_note
        from knightstour.core.formats.tours import read_candidates, tours_of
        from knightstour.core.machine.files import source_of
        from knightstour.interfaces.cli import console

        found = list(read_candidates(source_of(self.path), self.read_format, self.to_board()))
        for note in dict.fromkeys(read_as_note(candidate.read_as) for candidate in found if candidate.read_as):
            console.print_message("note", note)
        return list(tours_of(found))

    def read_graphs(self) -> Iterator[Board] | None:
        """Return the graphs in the file, or the board of a word; None if the format of the file holds tours."""
        from knightstour.core.formats.tours import read_boards
        from knightstour.core.machine.files import source_of
        from knightstour.interfaces.cli import console, parsing

        if parsing.is_size(self.file):
            return iter((console.note_reading(parsing.board_of(self.file)),))
        if parsing.file_word(self.file).parts == ("directed",):
            return map(console.note_reading, parsing.boards_of(self.file))
        if not self._file_word.is_of_graphs:
            return None
        return map(console.note_reading, read_boards(source_of(self.path), self.read_format))
