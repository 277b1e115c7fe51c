"""Options that several commands share: the board, the question, the limits; and those that come from tables."""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, get_type_hints

import click

from knightstour.core.formats.table import FORMATS
from knightstour.core.model.condition_table import CONDITIONS, Condition, question_names
from knightstour.core.model.errors import FormatError, ProblemError
from knightstour.core.model.option import Option
from knightstour.core.model.validation import one_of, quoted
from knightstour.core.model.validation import path as given_path
from knightstour.interfaces.cli.declared import (
    add_reader,
    is_given,
    option,
    option_of,
    typed,
    typed_as,
    whole_number_of,
)

if TYPE_CHECKING:
    from knightstour.core.machine.sharing import Workers
    from knightstour.core.model.board import Board
    from knightstour.core.model.budget import Limits
    from knightstour.core.model.tour import Tour
    from knightstour.interfaces.cli.parsing import FileWord

FORMAT_NAMES = ", ".join(FORMATS)

# What a command is decorated with.
Decorator = Callable[[Callable[..., int]], Callable[..., int]]


def together(*options: Decorator) -> Decorator:
    """Several options as one, in this order."""
    return lambda function: functools.reduce(lambda made, option: option(made), reversed(options), function)


# The options of each row of a table, by the row's name and by their own.
Rows = Mapping[str, Mapping[str, Option]]


def settings(rows: Callable[[], Rows], what: str, *, help: str = "", are_several: bool = False) -> Decorator:
    """--set, which the command is given as `options`: what belongs to rows of a table alone, by name.

    rows: gives the options of each row, by the row's name. what: what a row is, for the help and for errors.
    help: of --set. are_several: whether a name has several values, with commas between; they come as a list.
    """
    text = help or f"What belongs to one {what}: `knightstour explain {what.upper()}` lists it."

    def read(given: dict[str, Any]) -> None:
        settings: tuple[str, ...] = given.pop("settings")
        if not are_several:
            given["options"] = dict(_setting(text, rows(), what) for text in settings)
            return
        values: dict[str, list[object]] = {}
        for name, mark, listed in (text.partition("=") for text in settings):
            for text in listed.split(","):
                known_name, value = _setting(name + mark + text, rows(), what)
                values.setdefault(known_name, []).append(value)
        given["options"] = values

    def decorate(function: Callable[..., int]) -> Callable[..., int]:
        add_reader(function, read)
        metavar = "NAME=VALUE,.." if are_several else "NAME=VALUE"
        return option("--set", "settings", metavar=metavar, multiple=True, help=text)(function)

    return decorate


def _setting(typed: str, rows: Rows, what: str) -> tuple[str, object]:
    """(name, value) of what was typed behind --set; the rows check the value."""
    name, mark, value = typed.partition("=")
    name = name.strip().replace("-", "_")
    known = {option.name: option for options in rows.values() for option in options.values()}
    one_of(name, sorted(known), f"setting of a {what}", error=ProblemError)
    if not mark:
        raise ProblemError(f"--set {typed} gives no value", help=f"write --set {name}=VALUE")
    kind = known[name].kind
    try:
        return name, whole_number_of(value) if kind is int else kind(value.strip())
    except ValueError:
        number = "a whole number" if kind is int else "a number"
        raise ProblemError(f"{name} must be {number}, not {quoted(value.strip())}") from None


def refuse(given: Mapping[str, object], why: str) -> None:
    """Raise a ProblemError for the first of these options that was given, since it would change nothing here."""
    for flag, value in given.items():
        if value is not None and value is not False and value != ():
            raise ProblemError(f"{flag} is not for this: {why}", help=f"leave out {flag}")


def refuse_others(names: Collection[str], why: str) -> None:
    """The same for all options and arguments of the command but these, by their names."""
    context = click.get_current_context()
    others = [each for each in context.command.params if each.name not in names and is_given(each, context.params)]
    refuse({typed_as(each): True for each in others}, why)


def bundled(name: str, kind: Callable[..., object], *options: Decorator) -> Decorator:
    """Pass several options to the command as one argument `name`: a NamedTuple `kind` whose fields are the options.

    A field with a default needs no option.
    """
    fields: tuple[str, ...] = vars(kind)["_fields"]

    def read(given: dict[str, Any]) -> None:
        given[name] = kind(**{field: given.pop(field) for field in fields if field in given})

    def decorate(function: Callable[..., int]) -> Callable[..., int]:
        add_reader(function, read)
        return together(*options)(function)

    return decorate


def declared(name: str, kind: Callable[..., object]) -> Decorator:
    """The same for a NamedTuple whose fields say how they are typed: `Annotated[bool, typed("Overwrite FILE.")]`."""
    hints = get_type_hints(kind, include_extras=True)
    return bundled(name, kind, *(option_of(field, each) for field, each in hints.items()))


# ---------------------------------------------------------------- boards and questions

board_option = click.argument("board")
arcs_option = option("--arcs", is_flag=True, help="A graph in a file is directed: its edges go one way.")


def board_named(function: Callable[..., int]) -> Callable[..., int]:
    """The argument BOARD: the command receives a `board`. `arcs_option` may stand before it."""
    add_reader(function, _read_board)
    return board_option(function)


def _read_board(given: dict[str, Any]) -> None:
    from knightstour.interfaces.cli import console, parsing

    given["board"] = console.note_reading(parsing.board_of(given.pop("board"), given.pop("arcs", False)))


def read_problem(given: dict[str, Any]) -> None:
    """Replace the board, --closed and the conditions by one `problem`."""
    from knightstour.interfaces.cli import parsing

    typed = {name: given.pop(name) for name in question_names() if name in given}
    given["problem"] = parsing.problem_of(given.pop("board"), typed)


_ends = together(
    option("--closed", is_flag=True, help="The tour must end a move from its start."),
    option("--start", metavar="SQ", help="First square: a1 (bottom left) or row,col such as 0,0 (top left)."),
    option("--end", metavar="SQ", help="Last square."),
)


def _condition(row: Condition[Any]) -> Decorator:
    kind = row.schema["type"]
    words = f"--{row.name.replace('_', '-')}"
    if kind == "boolean":
        return option(words, is_flag=True, help=row.help)
    return option(words, metavar=row.metavar, multiple=kind != "string", help=row.help)


_partial = option("--partial", is_flag=True, help="Allow tours that skip squares.")
_conditions = together(_partial, *map(_condition, CONDITIONS.values()))


def plain_question(function: Callable[..., int]) -> Callable[..., int]:
    """The argument BOARD, --closed, --start and --end: the command receives them as one `problem`."""
    add_reader(function, read_problem)
    return board_named(_ends(function))


question = together(plain_question, _conditions)
# For a GraphsCommand, which answers a board, or each graph in a file.
questions = together(arcs_option, board_option, _ends, _conditions)


# ---------------------------------------------------------------- limits, seeds, tours


class LimitWords(NamedTuple):
    """When to give up: --timeout and --max-nodes."""

    timeout: float | None
    max_nodes: int | None

    @property
    def is_given(self) -> bool:
        """Whether one of them was typed."""
        return (self.timeout, self.max_nodes) != (None, None)

    def limits(self, default: float | None) -> Limits:
        """As Limits; `default` seconds where no time was given."""
        from knightstour.core.model.budget import Limits

        return Limits(default if self.timeout is None else self.timeout, self.max_nodes)


def timeout_option(default: str = "none") -> Decorator:
    """--timeout, which the command is given as `timeout`. default: what the help says of the time by itself."""
    time = "default none" if default == "none" else f"default {default}, inf for none"
    return option("--timeout", type=float, metavar="S", help=f"Seconds before giving up; {time}.")


def limit_options(
    default: str = "60 of processor time", *, nodes: str = "Steps of the search before giving up."
) -> Decorator:
    """--timeout and --max-nodes, which the command is given as `limits`, a LimitWords.

    default: as of `timeout_option`. nodes: the help of --max-nodes.
    """
    return bundled(
        "limits", LimitWords, timeout_option(default), option("--max-nodes", type=int, metavar="N", help=nodes)
    )


def seed_option(what: str) -> Decorator:
    """--seed, which the command is given as `seed`. what: what the same seed gives again."""
    text = f"A whole number, 0 or more; the same seed gives the same {what}."
    return option("--seed", type=int, metavar="N", help=text)


class TourWords(NamedTuple):
    """How many tours, whether all different, and which of them are printed: "all", "repeats" or "none"."""

    n: Annotated[int, typed("How many tours.", "N", flags="-n", default=1)]
    unique: Annotated[bool, typed("Let all tours be different.")]
    shown: Annotated[
        str,
        typed(
            "Which of several tours to print: all, repeats of earlier ones, or none.",
            flags="--print",
            type=click.Choice(["all", "repeats", "none"]),
            default="all",
        ),
    ]


several_options = declared("tour_words", TourWords)


# ---------------------------------------------------------------- files and workers


class Target(NamedTuple):
    """Where tours go: the name of a format or None, a file or None (or "-") for stdout, and whether to overwrite."""

    format_name: str | None
    output: str | None
    force: bool

    @property
    def is_stdout(self) -> bool:
        """Whether they are printed."""
        return self.output is None or self.output == "-"

    def in_json(self, as_json: bool) -> Target:
        """The same with the format json, where --json asks for it; an error where the tours are to go elsewhere."""
        if not as_json:
            return self
        if self.format_name not in (None, "json") or not self.is_stdout:
            raise FormatError("--json prints the tours itself", help="leave out --format and -o, or --json")
        return self._replace(format_name="json")


def output_options(
    where: str = "Write the tours there.",
    *,
    formats: str | Callable[[], str] = f"{FORMAT_NAMES}.",
    metavar: str = "FILE",
    names: tuple[str, ...] = ("--format",),
) -> Decorator:
    """The options of Target, which the command is given as `target`: --format, --output and --force.

    where: the help of --output. formats: the help of --format. metavar: what --output takes. names: those of --format.
    """
    return bundled(
        "target",
        Target,
        option(*names, "format_name", metavar="FORMAT", help=formats),
        option("-o", "--output", metavar=metavar, help=where),
        option("--force", is_flag=True, help="Overwrite FILE."),
    )


class TourFile(NamedTuple):
    """A file of tours, with a format before it where that was typed (npy:tours.dat), and the word of its board or None.

    Without a board the file says it. arcs: whether the board is a directed graph.
    """

    file: str
    board: str | None
    arcs: bool = False

    @property
    def path(self) -> str:
        """The file's name, "-" for stdin; "" where none was typed."""
        return self._named.file if self.file else ""

    @property
    def read_format(self) -> str | None:
        """The format that was typed."""
        return self._named.known_format if self.file else None

    @property
    def _named(self) -> FileWord:
        from knightstour.interfaces.cli.parsing import file_word

        word = file_word(self.file)
        if word.parts:
            parts = ":".join(word.parts)
            raise FormatError(f"tours have no parts of a board: {self.file}", help=f"{word.file} 8x8:{parts}")
        return word

    def to_board(self) -> Board | None:
        """The board that was named, or None where the file is to say it."""
        from knightstour.interfaces.cli import console, parsing

        if self.board is None and self.arcs:
            raise FormatError("--arcs is about a graph in BOARD, and none is named", help="name its file")
        if self.board is None:
            return None
        context = click.get_current_context(silent=True)
        writes = context is not None and any("-o" in each.opts for each in context.command.params)
        if writes and re.search(r"\w\.\w+$", self.board) and not parsing.is_file(self.board):
            raise FormatError(f"one word too many: {self.board}", help=f"to write that file: -o {self.board}")
        return console.note_reading(parsing.board_of(self.board, self.arcs))

    def read(self) -> list[Tour]:
        """The tours in the file; how they were read is said, where they are in no exact format."""
        from knightstour.core.formats.candidates import read_as_note
        from knightstour.core.formats.tours import read_candidates, tours_of
        from knightstour.core.machine.files import source_of
        from knightstour.interfaces.cli import console

        found = list(read_candidates(source_of(self.path), self.read_format, self.to_board()))
        for note in dict.fromkeys(read_as_note(candidate.read_as) for candidate in found if candidate.read_as):
            console.say("note", note)
        return list(tours_of(found))

    def read_graphs(self) -> Iterator[Board] | None:
        """The graphs in the file, or the board of a word; None where the file's format holds tours."""
        from knightstour.core.formats.tours import read_boards
        from knightstour.core.machine.files import source_of
        from knightstour.interfaces.cli import console, parsing

        if parsing.is_size(self.file):
            return iter((console.note_reading(parsing.board_of(self.file)),))
        if not self._named.is_of_graphs:
            return None
        return map(console.note_reading, read_boards(source_of(self.path), self.read_format))


def _typed_path(context: click.Context, parameter: click.Parameter, value: str) -> str:
    """What was typed, "" for nothing: an empty word is an error and not nothing."""
    is_typed = context.get_parameter_source(parameter.name or "") is click.core.ParameterSource.COMMANDLINE
    return given_path(value) if is_typed else value


def tour_file(*, is_needed: bool = True) -> Decorator:
    """The arguments FILE and BOARD: the command is given them as one `source`. is_needed: whether FILE has to be given.

    FILE may be FORMAT:FILE. BOARD is for files that do not say it.
    """
    return bundled(
        "source",
        TourFile,
        click.argument("file")
        if is_needed
        else click.argument("file", required=False, default="", callback=_typed_path),
        click.argument("board", required=False),
    )


def holds_something(path: str | None) -> bool:
    """Whether work that is kept in this directory can be continued: there is something in it."""
    return path is not None and os.path.isdir(path) and bool(os.listdir(path))


class DatasetWords(NamedTuple):
    """What `sample` takes for data sets alone."""

    columns: Annotated[str | None, typed("With -o DIR/: keep statistics of each tour, such as turns.", "NAME,..")]
    part_tours: Annotated[int | None, typed("With -o DIR/: N tours in each file.", "N")]


def json_option(what: str) -> Decorator:
    """--json, which the command is given as `as_json`: it prints an object, or an object a line.

    what: what an object is about and holds, for the help and the table in the reference of the site.
    """
    return option("--json", "as_json", is_flag=True, help=f"One JSON object{what}.")


class WorkerWords(NamedTuple):
    """Where the work is done: a number of processes, or the address of a Dask cluster; None for here."""

    workers: str | None

    @property
    def option(self) -> str:
        """What was typed: "--workers 2", or "" for nothing."""
        return "" if self.workers is None else f"--workers {self.workers}"

    @property
    def is_cluster(self) -> bool:
        """Whether an address was typed."""
        return self.workers is not None and ":" in self.workers

    @contextmanager
    def open(self) -> Iterator[Workers]:
        """The workers, as long as they are used."""
        if self.workers is None or not self.is_cluster:
            yield None if self.workers is None else self._number()
            return
        from knightstour.core.machine import cluster

        with cluster.cluster_at(self.workers) as client:
            yield client

    def _number(self) -> int:
        assert self.workers is not None
        if not re.fullmatch(r"-?\d{1,9}", self.workers.strip()):
            help = "give how many processes, such as 4, or a Dask scheduler's address, such as tcp://host:8786"
            raise ProblemError(f"not a number of workers: {quoted(self.workers)}", help=help)
        return int(self.workers)


def worker_options(what: str, *, note: str = "") -> Decorator:
    """The option of WorkerWords, which the command is given as `worker_words`. what: "Draw", for the help.

    note: what else there is to say of a number.
    """
    text = f"{what} in N processes{note}; or on the Dask cluster at tcp://HOST:PORT."
    return bundled("worker_words", WorkerWords, option("--workers", metavar="N|ADDRESS", help=text))
