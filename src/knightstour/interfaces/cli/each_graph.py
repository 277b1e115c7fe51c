"""Files of several graphs: a command answers one after another, and prints a line or a record for each."""

from __future__ import annotations

import errno
import os
import re
import sys
import textwrap
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from knightstour.core.model.board import square_count
from knightstour.core.model.errors import KnightsTourError
from knightstour.interfaces.cli import console
from knightstour.interfaces.cli.options import open_workers

if TYPE_CHECKING:
    from knightstour.core.model.board import Board

# Reason why an option is not supported for several graphs.
ONE_LINE = "the file holds several graphs, and each gets one line"
_MAX_REASON = 100


class WorkerCall(NamedTuple):
    """Call of a function in a worker process, which prints the result. workers: The value of --workers."""

    workers: str | None
    function: Callable[[Any], int]
    given: object


Ask: TypeAlias = "Callable[[Board, int | None], int | WorkerCall]"


def answer_boards(text: str, ask: Ask) -> int:
    """Answer a board, or each graph of a file; return the exit code.

    ask: Function of a board and its index in the file, from 1, or None for a single board, which gets the longer
        answer; returns the exit code, or the call for a worker.
    """
    from knightstour.interfaces.cli import parsing

    boards = map(console.note_reading, parsing.boards_of(text))
    first = next(boards)
    second = next(boards, None)
    if second is None:
        code = ask(first, None)
        assert isinstance(code, int)
        return code
    return answer_each(chain((first, second), boards), ask)


def answer_each(boards: Iterator[Board], ask: Ask) -> int:
    """Answer each of several graphs; return the highest exit code.

    ask: given a graph and its index, from 1; returns the exit code of the answer, or the call for a worker.
    """
    codes, reached = Counter[int](), [1]
    try:
        for code in _codes(boards, ask, reached):
            if code == console.INTERRUPTED:
                _print_numbers(codes)
                return code
            codes[code] += 1
    except KeyboardInterrupt:
        console.print_message("note", f"interrupted at graph {reached[-1]:,}")
        _print_numbers(codes)
        return console.INTERRUPTED
    _print_numbers(codes)
    return max(codes)


def _codes(boards: Iterator[Board], ask: Ask, reached: list[int]) -> Iterator[int]:
    """Print the results in the order of the graphs and yield their exit codes."""
    answers = (_answer_graph(board, graph_number, ask) for graph_number, board in _number_boards(boards, reached))
    for answer in answers:
        if isinstance(answer, int):
            yield answer
            continue
        from knightstour.core.machine.sharing import run_pieces

        pieces = (one for one in chain((answer,), answers) if isinstance(one, WorkerCall))
        with open_workers(answer.workers) as workers:
            calls = ((one.function, one.given) for one in pieces)
            for _, (code, out, err) in run_pieces(_capture_output, calls, workers, in_order=True):
                sys.stdout.write(out)
                sys.stdout.flush()
                sys.stderr.write(err)
                yield code


def _number_boards(boards: Iterator[Board], reached: list[int]) -> Iterator[tuple[int, Board]]:
    for graph_number, board in enumerate(boards, 1):
        reached[:] = [graph_number]
        yield graph_number, board


def _capture_output(function: Callable[[Any], int], argument: object) -> tuple[int, str, str]:
    out, err = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = function(argument)
    return code, out.getvalue(), err.getvalue()


def is_folder(path: str) -> bool:
    """Return whether a path is a folder for one file per graph: it is a directory, or has no suffix."""
    return path != "-" and (os.path.isdir(path) or not os.path.splitext(path)[1])


# Names of files from an earlier run, which the folder of the output may contain.
_OURS = re.compile(r"\d+\.\w+|answers\.jsonl")


def check_folder(folder: str) -> None:
    """Raise an error if a folder contains files that no command has written."""
    others = [name for name in os.listdir(folder) if not _OURS.fullmatch(name)] if os.path.isdir(folder) else []
    if others:
        raise FileExistsError(errno.EEXIST, f"the folder contains other files, such as {min(others)}", folder)


def file_in(folder: str, graph_number: int, suffix: str) -> str:
    """Return the file of a graph in a folder, named by the index of the graph: "7.tour". The folder is created."""
    if graph_number == 1:
        check_folder(folder)
    os.makedirs(folder, exist_ok=True)
    return os.path.join(folder, f"{graph_number}{suffix}")


def _answer_graph(board: Board, graph_number: int, ask: Ask) -> int | WorkerCall:
    try:
        return ask(board, graph_number)
    except (KnightsTourError, OSError) as error:
        # An error of the first graph is an error of the command.
        if graph_number > 1:
            where = f"graph {graph_number} of the file"
            if isinstance(error, KnightsTourError):
                error.note = "; ".join(filter(None, (where, error.note)))
            else:
                error.add_note(f"note: {where}")
        raise


def _print_numbers(codes: Counter[int]) -> None:
    total = codes.total()
    words = [f"{total:,} graph{'' if total == 1 else 's'}"]
    for code, word in ((console.IMPOSSIBLE, "impossible"), (console.UNDECIDED, "undecided")):
        if codes[code]:
            words.append(f"{codes[code]:,} of them {word}")
    console.print_message("note", ", ".join(words))


def line_of(graph_number: int, board: Board, answer: str, reason: str = "") -> str:
    """Return the line of a graph: index, nodes, result and reason (up to 100 characters), separated by tabs.

    >>> from knightstour.core.model.board import Board
    >>> line_of(3, Board.from_graph([[1], [0]]), "impossible", "a closed tour has at least 3 squares")
    '3\\t2\\timpossible\\ta closed tour has at least 3 squares'
    """
    short = " ".join(reason.split())
    if len(short) > _MAX_REASON:
        short = textwrap.shorten(short, _MAX_REASON, placeholder=" ...")
    return "\t".join(filter(None, (str(graph_number), str(square_count(board)), answer, short)))
