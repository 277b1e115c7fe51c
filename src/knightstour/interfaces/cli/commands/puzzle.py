"""`knightstour puzzle`: make, solve, check and print puzzles."""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from knightstour.core.model.errors import ProblemError
from knightstour.core.model.literals import WorksheetKind
from knightstour.core.model.result_errors import LimitReached
from knightstour.core.model.validation import check_count, one_of
from knightstour.interfaces.cli import console, options, parsing
from knightstour.interfaces.cli.help import Command, Group
from knightstour.interfaces.cli.option import option
from knightstour.interfaces.cli.puzzle_makers import (
    Maker,
    answers_of,
    describe_puzzle,
    each_made,
    maker_of_day,
    makers_of_board,
    makers_of_file,
    puzzles_in,
    solution_lines,
    worst_code,
)
from knightstour.lab.puzzles.puzzle import clue_count

if TYPE_CHECKING:
    from knightstour.lab.puzzles.puzzle import Puzzle

# Solutions that `check` counts.
_MAX_COUNTED = 1000
_KINDS = ("numbers", "zip")
_WORKSHEETS = ("wrong-move", "degrees", "empty")

_puzzle_output = option("-o", "--output", metavar="FILE", help="Write .txt, .json, a picture, or a .pdf to print.")
_sheet_output = option("-o", "--output", metavar="FILE", required=True, help="A .pdf, or an .svg per page.")
_title_option = option("--title", metavar="TEXT", help="Heading of each page.")


@click.group("puzzle", cls=Group, default="make")
def command() -> None:
    """Make, solve, check and print puzzles: numbered tours with squares to fill in and exactly one solution.

    knightstour puzzle BOARD is short for puzzle make BOARD.

    \b
    Commands:
      make       Make puzzles.
      today      Print the puzzle of the day.
      solve      Solve a puzzle.
      check      Check that a puzzle has exactly one solution, and rate it.
      sheet      Lay out puzzles for printing.
      worksheet  Print exercises for schools.

    \b
    $ knightstour puzzle 6x6 --level hard
    """


@command.command("make", cls=Command)
@click.argument("board", nargs=-1, required=True)
@options.closed_option
@option("--level", metavar="NAME,..", help="easy, medium (default; with --clues: any), hard, expert or any.")
@option("--clues", type=int, metavar="N", help="Number of given numbers (default: the fewest for the level).")
@option("--pattern", metavar="NAME", help="Symmetry of the given squares: 180, 90 or mirror.")
@option("--given", metavar="SQ=N", multiple=True, help="Always give this square: a6=24.")
@option("--keep", metavar="N,..", help="Always give these numbers: 1,36.")
@option("--kind", metavar="NAME", default="numbers", help="numbers (default) or zip (waypoints and walls).")
@option("-n", "n", type=int, metavar="N", default=1, help="Puzzles per board (default: 1).")
@options.seed_option
@options.timeout_option("60 for each puzzle")
@_puzzle_output
@options.json_option
def make(
    board: tuple[str, ...],
    *,
    closed: bool,
    level: str | None,
    clues: int | None,
    pattern: str | None,
    given: tuple[str, ...],
    keep: str | None,
    kind: str,
    n: int,
    seed: int | None,
    timeout: float | None,
    output: str | None,
    as_json: bool,
) -> int:
    """Make puzzles with exactly one solution.

    \b
    $ knightstour puzzle make 6x6 8x8 --level hard -n 5 -o puzzles.json
    $ knightstour puzzle make 7x7:wazir --kind zip --clues 8
    """
    from knightstour.core.model.validation import seed_of

    check_count(n, "-n")
    if one_of(kind, _KINDS, "kind of puzzle") == "zip" and clues is None:
        raise click.UsageError("--kind zip requires --clues")
    arguments: dict[str, object] = {
        "closed": closed,
        "kind": kind,
        "clues": clues,
        "pattern": pattern,
        "keep": _numbers(keep),
        "given": given,
    }
    levels = _levels(level)
    boards = [parsing.board_with_notes(word) for word in board]
    makers = [maker for each in boards for maker in makers_of_board(each, levels, arguments, n)]
    return _make(makers, first=seed_of(seed), timeout=timeout, output=output, as_json=as_json, clues=clues)


@command.command("today", cls=Command)
@click.argument("day", required=False)
@option("--kind", metavar="NAME", default="first", help="first (default), hard or other.")
@_puzzle_output
@options.json_option
def today(day: str | None, *, kind: str, output: str | None, as_json: bool) -> int:
    """Print the puzzle of today, or of DAY, such as 2026-12-24. The page shows the same puzzle.

    \b
    $ knightstour puzzle today --kind hard
    """
    from knightstour.lab.puzzles.daily import daily_of, day_of

    date = day_of(day)
    daily, seed = daily_of(date, kind)
    return _make([maker_of_day(daily)], first=seed, output=output, as_json=as_json, day=date.isoformat())


@command.command("solve", cls=Command)
@options.file_argument
@options.file_board_argument
@option("-n", "n", type=int, metavar="N", default=2, help="Stop after N solutions (default: 2).")
@options.timeout_option("60")
@options.format_option
@options.json_option
def solve(
    file: str, board: str | None, *, n: int, timeout: float | None, format_name: str | None, as_json: bool
) -> int:
    """Print the solutions of the puzzle in FILE (- for stdin).

    \b
    $ knightstour puzzle solve puzzle.txt
    """
    from knightstour.interfaces.cli.output import check_output, write_out

    check_count(n, "-n")
    target = options.Target(format_name, None).in_json(as_json)
    check_output(target)
    codes = list[int]()
    # A single solution is known to be the only one if a second was searched for.
    for answer in answers_of(file, board, max(2, n), timeout):
        if as_json:
            click.echo(json.dumps(answer.to_dict()))
        elif answer.tours:
            click.echo("\n" if codes and format_name in (None, "grid") else "", nl=False)
            write_out(list(answer.tours[:n]), target)
            sys.stdout.flush()
            console.print_message("note", str(answer))
        else:
            click.echo(str(answer))
        codes.append(console.exit_code(answer.status))
    return worst_code(codes)


@command.command("check", cls=Command)
@click.argument("file", nargs=-1, required=True, metavar="FILE... [BOARD]")
@options.timeout_option("60")
@options.json_option
def check(file: tuple[str, ...], *, timeout: float | None, as_json: bool) -> int:
    """Check that each puzzle has exactly one solution, and rate its difficulty.

    \b
    $ knightstour puzzle check puzzles.json
    """
    files, board = _files_and_board(file)
    codes = list[int]()
    for path in files:
        for answer in answers_of(path, board, _MAX_COUNTED, timeout):
            rating = answer.puzzle.rate() if answer.is_unique and answer.puzzle.kind != "zip" else None
            if as_json:
                click.echo(json.dumps(answer.to_dict(rating)))
            else:
                heading = f"{path}: " if len(files) > 1 else ""
                click.echo(("\n" if codes else "") + heading + "\n".join(solution_lines(answer, rating)))
            is_decided = answer.is_complete or len(answer.tours) > 1
            others = console.IMPOSSIBLE if is_decided else console.UNDECIDED
            codes.append(console.FOUND if answer.is_unique else others)
    return worst_code(codes)


@command.command("sheet", cls=Command)
@click.argument("file", nargs=-1, required=True, metavar="FILE... [BOARD]")
@_sheet_output
@option("--per-page", type=int, metavar="N", help="Puzzles per page: 1, 2, 4, 6 or 12.")
@option("--solutions", metavar="WHERE", help="Place of the solutions: below (upside down), last (page), none.")
@_title_option
@option("--paper", metavar="SIZE", default="A4", help="A4 (default), Letter, ...")
def sheet(
    file: tuple[str, ...],
    *,
    output: str,
    per_page: int | None,
    solutions: str | None,
    title: str | None,
    paper: str,
) -> int:
    """Lay out the puzzles in FILE on pages for printing.

    \b
    $ knightstour puzzle sheet *.json -o book.pdf --per-page 4
    """
    _check_sheet(output, {"per_page": per_page, "solutions": solutions, "title": title, "paper": paper})
    files, board = _files_and_board(file)
    makers = [maker for path in files for maker in makers_of_file(puzzles_in(path, board), path)]
    solved = list(each_made(makers, 0, None))
    _write_sheet(solved, output, per_page=per_page, solutions=solutions, title=title, paper=paper)
    return console.FOUND


@command.command("worksheet", cls=Command)
@options.board_argument
@_sheet_output
@option("--kind", metavar="NAME", default="wrong-move", help="wrong-move (default), degrees or empty.")
@option("-n", "n", type=int, metavar="N", default=6, help="Number of exercises (default: 6).")
@options.seed_option
@_title_option
def worksheet(board: str, *, output: str, kind: WorksheetKind, n: int, seed: int | None, title: str | None) -> int:
    """Print exercises for schools.

    \b
    $ knightstour puzzle worksheet 6x6 -o sheet.pdf
    """
    from knightstour.core.model.validation import seed_of
    from knightstour.interfaces.cli.output import repeat_command
    from knightstour.lab.puzzles.sheets import draw_worksheet

    check_count(n, "-n")
    one_of(kind, _WORKSHEETS, "kind of worksheet")
    _check_sheet(output, {"title": title})
    first = seed_of(seed)
    made = draw_worksheet(kind, parsing.board_with_notes(board), n=n, seed=first, title=title)
    written = made.write(output, origin=repeat_command(output, seed=first))
    console.print_message("note", f"seed {first}: {', '.join(written)}")
    return console.FOUND


def _files_and_board(words: Sequence[str]) -> tuple[Sequence[str], str | None]:
    return (words[:-1], words[-1]) if len(words) > 1 and parsing.is_size(words[-1]) else (words, None)


def _levels(text: str | None) -> list[str]:
    from knightstour.lab.puzzles.reasoning import LEVELS

    if text is None:
        return ["auto"]
    levels = [one_of(level.strip(), (*LEVELS, "any"), "level") for level in text.split(",")]
    if len(set(levels)) < len(levels):
        raise ProblemError(f"duplicate level in --level {text}", help="name each level once")
    return levels


def _numbers(text: str | None) -> list[int]:
    try:
        return [] if text is None else [int(word) for word in text.split(",")]
    except ValueError:
        raise ProblemError(f"invalid numbers: {text!r}", help="write them with commas: --keep 1,64") from None


def _make(
    makers: Sequence[Maker],
    *,
    first: int,
    timeout: float | None = None,
    output: str | None,
    as_json: bool,
    clues: int | None = None,
    day: str = "",
) -> int:
    """Create puzzles, and print or write them; return the exit code."""
    options.check_only_one({"--json": as_json, "-o": output})
    is_sheet = output is not None and output.lower().endswith(".pdf")
    if is_sheet:
        _check_sheet(str(output), {})
    elif output is not None:
        _check_names(_names(output, len(makers)))
    made: list[Puzzle] = []
    ended: LimitReached | KeyboardInterrupt | None = None
    try:
        for puzzle in each_made(makers, first, timeout):
            made.append(puzzle)
            if output is None:
                _print(puzzle, as_json, is_first=len(made) == 1)
            if clues is not None and clue_count(puzzle) > clues and puzzle.seed is not None:
                console.print_message("note", f"the puzzle has {clue_count(puzzle)} clues, since it needs all of them")
    except (LimitReached, KeyboardInterrupt) as error:
        if not made:
            raise
        ended = error
    if isinstance(ended, LimitReached):
        why = ended.result.reason.removeprefix("no puzzle was made: ")
        console.print_message("error", f"{len(made)} of {len(makers)} puzzles were made: {why}")
    if is_sheet:
        _write_sheet(made, str(output), seed=None if day else first, day=day)
    elif output is not None:
        _write_files(made, output)
    if isinstance(ended, KeyboardInterrupt):
        raise ended
    return console.FOUND if ended is None else console.UNDECIDED


def _print(puzzle: Puzzle, as_json: bool, *, is_first: bool) -> None:
    from knightstour.lab.puzzles.files import check_text_holds, heading_of

    if as_json:
        click.echo(puzzle.to_text("json"), nl=False)
        return
    check_text_holds(puzzle.board)
    if not is_first:
        click.echo()
    click.echo(heading_of(puzzle) + str(puzzle))
    sys.stdout.flush()
    console.print_message("note", describe_puzzle(puzzle))


def _write_files(puzzles: Sequence[Puzzle], output: str) -> None:
    """Write each puzzle to a file of its own, or all to a file of JSON Lines."""
    names = _names(output, len(puzzles))
    if len(names) < len(puzzles):
        from knightstour.lab.puzzles.files import write_puzzles

        write_puzzles(output, puzzles)
        console.print_message("note", f"{output}: {len(puzzles)} puzzles")
        return
    for puzzle, name in zip(puzzles, names, strict=True):
        puzzle.save(name)
        console.print_message("note", (f"{name}: " if len(puzzles) > 1 else "") + describe_puzzle(puzzle))


def _names(path: str, count: int) -> list[str]:
    """Return the file names: puzzle.svg, puzzle-2.svg, ..., or a single file of JSON Lines."""
    name = Path(path)
    more = () if name.suffix.lower() == ".jsonl" else range(2, count + 1)
    return [path, *(str(name.with_name(f"{name.stem}-{k}{name.suffix}")) for k in more)]


def _check_names(names: Sequence[str]) -> None:
    from knightstour.interfaces.cli.output import check_target
    from knightstour.lab.puzzles.files import check_puzzle_name

    for name in names:
        check_puzzle_name(name)
        check_target(name)


def _check_sheet(output: str, style: dict[str, Any]) -> None:
    """Raise errors of a sheet before puzzles are created."""
    from knightstour.interfaces.cli.output import check_target
    from knightstour.lab.puzzles.layout import SheetStyle, sheet_kind

    options = {name: value for name, value in style.items() if name in SheetStyle._fields and value is not None}
    SheetStyle(**options).check(sheet_kind(output))
    check_target(output)


def _write_sheet(
    puzzles: Sequence[Puzzle], output: str, *, seed: int | None = None, day: str = "", **style: Any
) -> None:
    """Write pages, and print notes. seed, day: for the command that repeats them."""
    from knightstour.interfaces.cli.output import repeat_command
    from knightstour.lab.puzzles.sheets import draw_sheet

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        pages = draw_sheet(puzzles, **style)
    for each in caught:
        console.print_message("note", str(each.message))
    written = pages.write(output, origin=repeat_command(output, seed=seed, day=day))
    by = "" if seed is None else f", seed {seed}"
    console.print_message("note", f"{len(puzzles)} puzzle{'s' if len(puzzles) != 1 else ''}{by}: {', '.join(written)}")
