"""`knightstour puzzle`: make puzzles with one solution, print them on sheets; check a puzzle, or solve it."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import click

from knightstour.core.model.budget import DEFAULT_SECONDS, Budget
from knightstour.core.model.errors import LimitReached, ProblemError
from knightstour.core.model.option import Option
from knightstour.core.model.progress import Reporter
from knightstour.interfaces.cli import console
from knightstour.interfaces.cli.declared import option, typed
from knightstour.interfaces.cli.help import Command
from knightstour.interfaces.cli.options import (
    FORMAT_NAMES,
    LimitWords,
    Target,
    declared,
    json_option,
    limit_options,
    refuse,
    seed_option,
    settings,
    together,
)

if TYPE_CHECKING:
    from knightstour.core.model.board import Board
    from knightstour.lab.puzzles.puzzle import Puzzle, Rating
    from knightstour.lab.puzzles.solve import PuzzleAnswer

# The board where none is typed.
_FIRST_BOARD = "6x6"
# Seconds for a puzzle where the time of all of them is over: it ends at once.
_NO_TIME = 1e-9
# Solutions that --check counts, unless -n says how many.
_MAX_COUNTED = 1000


class PuzzleWords(NamedTuple):
    """What the puzzles are to be like."""

    closed: Annotated[bool, typed("Closed tours: the last number is a move away from 1.")]
    level: Annotated[
        str | None, typed("easy, medium, hard, expert or any; default medium, unless the clues are asked for.", "LEVEL")
    ]
    clues: Annotated[int | None, typed("How many numbers are given; default as few as possible.", "N")]
    pattern: Annotated[str | None, typed("The given squares are symmetric: 180, 90 or mirror.", "P")]
    keep: Annotated[str | None, typed("Always give these numbers, such as 1,64.", "N,N..")]
    in_order: Annotated[
        int | None, typed("A Zip: N squares in order, without their numbers, and walls; of 7x7:wazir.", "N")
    ]
    given: Annotated[
        tuple[str, ...], typed("A number on a square in any case, such as a6=24 for a date.", "SQ=N", multiple=True)
    ]

    where: Annotated[
        tuple[str, ...], typed("Of a tour with a statistic in a range: magic-rows=8.", "NAME=VALUE", multiple=True)
    ]

    def to_arguments(self, settings: Mapping[str, object]) -> dict[str, object]:
        """As make_puzzle takes them, with what --set said of the puzzle."""
        return {
            **self._asdict(),
            "keep": _numbers(self.keep),
            **_of_puzzles(settings),
            "level": None if self.level == "any" else self.level,
        }


class SheetWords(NamedTuple):
    """How they are printed."""

    sheet: Annotated[str | None, typed("Lay the puzzles out for printing: a .pdf, or an .svg for each page.", "FILE")]
    worksheet: Annotated[
        str | None, typed("Print a worksheet for schools instead: empty, degrees or wrong-move.", "KIND", needs="sheet")
    ]
    per_page: Annotated[int | None, typed("Puzzles on a page: 1, 2, 4, 6 or 12.", "N", needs="sheet")]
    solutions: Annotated[
        str | None,
        typed(
            "Where to print solutions: below (upside down), last (on the last page) or none.", "WHERE", needs="sheet"
        ),
    ]
    title: Annotated[str | None, typed("The head of each page.", "TEXT", needs="sheet")]

    def to_arguments(self, settings: Mapping[str, object]) -> dict[str, object]:
        """As draw_sheet takes them: those that were typed, and what --set said of the paper."""
        others = {name: settings.get(name) for name in _OF_SHEETS} | {
            name: value for name, value in self._asdict().items() if name not in ("sheet", "worksheet")
        }
        return {name: value for name, value in others.items() if value is not None} | _colors(settings)


def _colors(settings: Mapping[str, object]) -> dict[str, Any]:
    from knightstour.interfaces.cli.picture_options import pairs_of

    return {"colors": pairs_of(str(settings["colors"]))} if "colors" in settings else {}


class FileWords(NamedTuple):
    """A puzzle that was named, and where answers go."""

    check: Annotated[
        str | None,
        typed(
            "Say whether this puzzle has exactly one solution, and how hard it is.",
            "FILE",
            without="solve",
            why="--check and --solve at once; give one of them",
        ),
    ]
    solve: Annotated[str | None, typed("Print the solution of this puzzle.", "FILE")]
    output: Annotated[
        str | None,
        typed(
            "Write the puzzle there: .txt, .json, or a picture, .svg, .png, .pdf; .jsonl holds several.",
            "FILE",
            flags="-o --output",
        ),
    ]
    force: Annotated[bool, typed("Overwrite files.")]
    as_json: Annotated[bool, json_option(" a puzzle: the numbers given; of --check and --solve the answer")]
    format_name: Annotated[
        str | None, typed(f"With --solve: {FORMAT_NAMES}; default grid.", "FORMAT", flags="--format", needs="solve")
    ]
    today: Annotated[
        str | None,
        typed(
            "The puzzle of this day, or of a DAY such as 2026-12-24, the same as on the page.",
            "[DAY]",
            is_flag=False,
            flag_value="today",
        ),
    ]


_SETTINGS = {
    "puzzle": {
        option.name: option
        for option in (
            Option("every", int, "every K-th number is given, and others as needed"),
            Option("places", int, "the squares of every K-th number are marked, without the number"),
            Option("text", str, "is written on the squares, a letter each: only the solution spells it"),
            Option("paper", str, "of the sheet: A4 or Letter"),
            Option("square_mm", float, "of the sheet: the side of a square in mm"),
            Option("shade", float, "of the sheet: how dark the dark squares are, 0 to 0.5"),
            Option("font", str, "of the sheet: its name; of a PDF Helvetica, Times or Courier"),
            Option("colors", str, "of the sheet: NAME=COLOUR,.. of light, dark, number, text or frame"),
            Option("kind", str, "which puzzle of a day: easy, hard or other"),
        )
    }
}
_SET_HELP = (
    "every=K: give every K-th number. places=K: mark their squares. text=TEXT: a letter a square. kind=hard: of a day. "
    "Of the sheet: paper=A4, square_mm=MM, shade=0..0.5, font=Times, colors=dark=ivory,number=#a00000."
)
_OF_SHEETS = ("paper", "square_mm", "shade", "font", "colors")


@click.command("puzzle", cls=Command)
@together(
    click.argument("board", nargs=-1),
    declared("wanted", PuzzleWords),
    settings(lambda: _SETTINGS, "puzzle", help=_SET_HELP),
)
@option("-n", "n", type=int, metavar="N", help="How many puzzles of each board; of --check and --solve, solutions.")
@seed_option("puzzles")
@together(declared("print_words", SheetWords), declared("files", FileWords))
@limit_options(
    "60 of processor time for each puzzle",
    nodes="Steps of the search before giving up; of the search for needless numbers default 10000.",
)
def command(
    board: tuple[str, ...],
    wanted: PuzzleWords,
    n: int | None,
    seed: int | None,
    print_words: SheetWords,
    files: FileWords,
    limits: LimitWords,
    options: dict[str, object],
) -> int:
    """Make puzzles of each BOARD with exactly one solution, or check one, or solve it; without BOARD an easy 6x6.

    A puzzle in a file is rows of numbers, with . for an unknown square and # for a hole; the first line says `closed`
    if the tour is, or `in order` for a Zip, whose walls are in the next one. It may be JSON, too; .jsonl holds several.
    With --check and --solve, BOARD names the board of a file that does not: its piece, joined sides and holes.

    \b
    knightstour puzzle 6x6 --level easy -n 6 --sheet puzzles.pdf
    knightstour puzzle --check puzzle.txt
    """
    if n is not None and n < 1:
        raise ProblemError(f"{n} of them are none", help="give -n 1 or more")
    if files.today is not None:
        asked = {"BOARD": board, "--seed": seed, "-n": n, "--set": _of_puzzles(options) or None}
        refuse({**asked, **_named(wanted)}, "the day says what its puzzle is like")
        today, wanted, seed = _of_day(files.today, str(options.get("kind", "easy")), wanted)
        board = (today,)
    else:
        refuse({"--set kind": options.get("kind")}, "it goes with --today")
    if files.check is None and files.solve is None:
        unsaid = PuzzleWords(wanted.closed, None, None, None, None, None, wanted.given, wanted.where)
        is_plain = wanted == unsaid and not _of_puzzles(options)
        if is_plain and print_words.worksheet is None:
            # Whoever says nothing gets a puzzle for people; the first is easy.
            wanted = wanted._replace(level="medium" if board else "easy")
        of_boards = [_board_named(word) for word in board or (_FIRST_BOARD,)]
        if print_words.worksheet is not None and len(of_boards) > 1:
            raise ProblemError("a worksheet is of one board", help="make one for each")
        return _make(of_boards, wanted, n, seed, print_words, files, limits, options)
    which = "--check" if files.check is not None else "--solve"
    given = {"--seed": seed, "--output": files.output, "--sheet": print_words.sheet}
    refuse({**given, **_named(wanted), "--set": options or None}, f"{which} takes all from its file")
    if len(board) > 1:
        raise ProblemError(f"{which} is of one puzzle", help="give one board at most")
    word = board[0] if board else None
    return _check(files, word, n, limits) if which == "--check" else _solve(files, word, n or 1, limits)


def _board_named(word: str) -> Board:
    from knightstour.interfaces.cli import parsing

    return console.note_reading(parsing.board_of(word))


def _of_puzzles(settings: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in settings.items() if name not in ("kind", *_OF_SHEETS)}


def _named(wanted: PuzzleWords) -> dict[str, object]:
    return {f"--{name.replace('_', '-')}": value for name, value in wanted._asdict().items()}


def _of_day(day: str, kind: str, wanted: PuzzleWords) -> tuple[str, PuzzleWords, int]:
    from knightstour.lab.puzzles.daily import daily_of

    daily, seed = daily_of(None if day == "today" else day, kind)
    words = daily._asdict()
    return words.pop("board"), wanted._replace(**words), seed


def _numbers(text: str | None) -> list[int]:
    try:
        return [] if text is None else [int(word) for word in text.split(",")]
    except ValueError:
        raise ProblemError(f"not numbers: {text!r}", help="write them with commas, as in --keep 1,64") from None


def _make(
    boards: Sequence[Board],
    wanted: PuzzleWords,
    n: int | None,
    seed: int | None,
    sheet: SheetWords,
    files: FileWords,
    limits: LimitWords,
    settings: Mapping[str, object],
) -> int:
    from knightstour.core.model.validation import seed_of

    _check_targets(sheet, files, settings)
    first = seed_of(seed)
    if sheet.worksheet is not None:
        of_puzzles = {f"--set {name}": value for name, value in _of_puzzles(settings).items()}
        refuse({**_named(wanted), **of_puzzles}, "worksheets are no puzzles")
        refuse({"--output": files.output, "--json": files.as_json}, "worksheets go to --sheet")
        refuse({"--timeout": limits.timeout, "--max-nodes": limits.max_nodes}, "worksheets take no search")
        return _make_worksheet(boards[0], n, first, sheet, files.force, settings)
    asked = [board for board in boards for _ in range(n or 1)]
    if files.output is not None:
        _check_names(_names(files.output, len(asked)), files.force)
    made: list[Puzzle] = []
    ended: LimitReached | KeyboardInterrupt | None = None
    try:
        for puzzle in _each_made(asked, wanted, first, limits, settings):
            made.append(puzzle)
            if sheet.sheet is None and files.output is None:
                _print(puzzle, files.as_json, is_first=len(made) == 1)
            if wanted.clues is not None and puzzle.count > wanted.clues:
                more = f"so there are more than the {wanted.clues} asked for"
                console.say("note", f"none of these {puzzle.count} could be left out, {more}")
    except (LimitReached, KeyboardInterrupt) as error:
        if not made:
            raise
        ended = error
    if isinstance(ended, LimitReached):
        why = ended.result.reason.removeprefix("no puzzle was made: ")
        console.say("error", f"{len(made)} of {len(asked)} puzzles were made: {why}")
    _write_made(made, first, sheet, files, settings)
    if isinstance(ended, KeyboardInterrupt):
        raise ended
    return console.FOUND if ended is None else console.UNDECIDED


def _write_made(
    made: list[Puzzle], seed: int, sheet: SheetWords, files: FileWords, settings: Mapping[str, object]
) -> None:
    if files.output is not None and len(names := _names(files.output, len(made))) < len(made):
        from knightstour.lab.puzzles.files import write_puzzles

        write_puzzles(files.output, made, force=files.force)
        console.say("note", f"{files.output}: {len(made)} puzzles")
    elif files.output is not None:
        for puzzle, name in zip(made, names, strict=True):
            puzzle.save(name, force=files.force, **_colors(settings))
            console.say("note", (f"{name}: " if len(made) > 1 else "") + _about(puzzle))
    if sheet.sheet is not None:
        from knightstour.interfaces.cli.output import way_back
        from knightstour.lab.puzzles.sheets import draw_sheet

        pages = draw_sheet(made, **sheet.to_arguments(settings))  # type: ignore[arg-type]
        written = pages.write(sheet.sheet, force=files.force, origin=way_back(seed, sheet.sheet))
        console.say("note", f"{len(made)} puzzle{'s' * (len(made) != 1)}, seed {seed}: {', '.join(written)}")


def _names(path: str, count: int) -> list[str]:
    """The files of that number of puzzles: puzzle.svg, puzzle-2.svg, ...; one of JSON Lines holds all."""
    name = Path(path)
    more = () if name.suffix.lower() == ".jsonl" else range(2, count + 1)
    return [path, *(str(name.with_name(f"{name.stem}-{k}{name.suffix}")) for k in more)]


def _check_names(names: Sequence[str], force: bool) -> None:
    from knightstour.interfaces.cli.output import check_target
    from knightstour.lab.puzzles.files import check_puzzle_name

    for name in names:
        check_puzzle_name(name)
        check_target(name, force)


def _each_made(
    boards: Sequence[Board], wanted: PuzzleWords, first: int, limits: LimitWords, settings: Mapping[str, object]
) -> Iterator[Puzzle]:
    """A puzzle of each of the boards. A time that somebody named is for all of them; the default one is for each.

    LimitReached where a limit ends the work.
    """
    from knightstour.lab.puzzles.make import make_puzzle

    status = console.StatusLine()
    each = limits.limits(DEFAULT_SECONDS)
    whole = Budget(each) if limits.timeout is not None else None
    if status.is_on and wanted.level not in (None, "any"):
        time = f"at most {each.seconds:g} s" + (" for each" if whole is None else "")
        console.say("note", f"looking for {wanted.level} puzzles, {time}; Ctrl-C stops")
    asked: dict[str, Any] = wanted.to_arguments(settings)
    report = Reporter(status.progress, "making puzzles", len(boards))
    try:
        for k, board in enumerate(boards):
            report(k)
            if whole is not None and k:
                each = replace(each, seconds=max(whole.seconds_left, _NO_TIME))
            puzzle = make_puzzle(board, rng=first + k, limits=each, **asked)
            status.clear()
            yield puzzle
    except LimitReached as error:
        if whole is not None and whole.is_spent:  # its limit is what was left of the whole
            result = replace(error.result, reason=f"no puzzle was made: {whole.why_stopped()}")
            raise LimitReached(result) from None
        raise
    finally:
        status.clear()


def _make_worksheet(
    board: Board, n: int | None, seed: int, sheet: SheetWords, force: bool, settings: Mapping[str, object]
) -> int:
    from knightstour.interfaces.cli.output import way_back
    from knightstour.lab.puzzles.sheets import draw_worksheet

    assert sheet.worksheet is not None and sheet.sheet is not None
    asked: dict[str, Any] = sheet.to_arguments(settings) | ({} if n is None else {"n": n})
    made = draw_worksheet(sheet.worksheet, board, rng=seed, **asked)
    written = made.write(sheet.sheet, force=force, origin=way_back(seed, sheet.sheet))
    console.say("note", f"seed {seed}: {', '.join(written)}")
    return console.FOUND


def _check_targets(sheet: SheetWords, files: FileWords, settings: Mapping[str, object]) -> None:
    if sheet.sheet is None:
        of_sheets = {name: settings.get(name) for name in _OF_SHEETS if name != "colors" or files.output is None}
        refuse({f"--set {name}": value for name, value in of_sheets.items()}, "it goes with --sheet")
    else:
        from knightstour.lab.puzzles.layout import SheetStyle, sheet_kind

        asked = sheet.to_arguments(settings)
        style: dict[str, Any] = {name: asked[name] for name in SheetStyle._fields if name in asked}
        SheetStyle(**style).check(sheet_kind(sheet.sheet))
        from knightstour.interfaces.cli.output import check_target

        check_target(sheet.sheet, files.force)


def _about(puzzle: Puzzle) -> str:
    if puzzle.visit_order:
        needed = ", some of them perhaps needless" if puzzle.is_minimal is False else ""
        walls = f"{len(puzzle.avoid)} wall{'s' * (len(puzzle.avoid) != 1)}"
        return f"{puzzle.count} squares in order and {walls}{needed}; seed {puzzle.rng}"
    kind = "a closed tour" if puzzle.closed else "an open tour"
    at_level = "" if puzzle.level == "expert" else " at this level"
    why = {True: f", none of them needless{at_level}", False: ", some of them perhaps needless", None: ""}
    return f"{puzzle.level}, {puzzle.count} squares of {kind} given{why[puzzle.is_minimal]}; seed {puzzle.rng}"


def _print(puzzle: Puzzle, as_json: bool, *, is_first: bool) -> None:
    from knightstour.lab.puzzles.files import check_text_holds, format_puzzle, heading_of

    if as_json:
        click.echo(format_puzzle(puzzle, "json"), nl=False)
        return
    check_text_holds(puzzle.board)
    if not is_first:
        click.echo()
    # Letters and places are for people; no text of them is read back.
    click.echo(heading_of(puzzle) + str(puzzle))
    sys.stdout.flush()
    console.say("note", _about(puzzle))


def _puzzles_in(path: str, word: str | None) -> list[Puzzle]:
    """The puzzles in a file, of the BOARD that was typed beside it, if one was."""
    from knightstour.core.machine.files import source_of
    from knightstour.lab.puzzles.files import read_puzzles

    if word is None:
        puzzles = read_puzzles(source_of(path))
    else:
        given = _board_named(word)
        # The knight may be said, or be that of a board of which only the size was typed.
        is_said = given.is_knights and not {"knight", "1,2"}.isdisjoint(word.lower().split(":")[1:])
        puzzles = read_puzzles(source_of(path), board=given, moves=given.piece if is_said else None)
    for sentence in dict.fromkeys(sentence for puzzle in puzzles for sentence in puzzle.board.read_as):
        console.say("note", sentence)
    return puzzles


def _answers(path: str, board: str | None, n: int, limits: LimitWords) -> Iterator[PuzzleAnswer]:
    """The answer about each puzzle of a file."""
    from knightstour.lab.puzzles.solve import solve_puzzle

    status = console.StatusLine()
    for puzzle in _puzzles_in(path, board):
        answer = solve_puzzle(puzzle, n=n, limits=limits.limits(DEFAULT_SECONDS), on_progress=status.progress)
        status.clear()
        yield answer


def _worst(codes: list[int]) -> int:
    """The exit code of several puzzles: of one that has not exactly one solution, if there is such, else of a limit."""
    return next((code for code in (console.IMPOSSIBLE, console.UNDECIDED) if code in codes), console.FOUND)


def _check(files: FileWords, board: str | None, n: int | None, limits: LimitWords) -> int:
    """Say whether each puzzle of a file has exactly one solution, and how to find it; or where its solutions differ."""
    assert files.check is not None
    codes = list[int]()
    for answer in _answers(files.check, board, n or _MAX_COUNTED, limits):
        rating = answer.puzzle.rate() if answer.is_unique and not answer.puzzle.visit_order else None
        if files.as_json:
            click.echo(json.dumps(answer.to_dict(rating)))
        else:
            click.echo("\n" * bool(codes) + _said(answer, rating))
        is_decided = answer.is_complete or len(answer.tours) > 1
        others = console.IMPOSSIBLE if is_decided else console.UNDECIDED
        codes.append(console.FOUND if answer.is_unique else others)
    return _worst(codes)


def _said(answer: PuzzleAnswer, rating: Rating | None) -> str:
    """The lines of an answer."""
    lines, board = [str(answer)], answer.puzzle.board
    if rating is not None:
        lines.append(str(rating))
        for k, step in enumerate(rating.steps, 1):
            lines.append(f"{k:3}. {step.number} on {board.name(step.square)}, by {step.kind}: {step.reason}")
    elif len(answer.tours) > 1:
        lines.append(f"they differ on {' '.join(board.name(square) for square in answer.doubtful)}")
    return "\n".join(lines)


def _solve(files: FileWords, board: str | None, n: int, limits: LimitWords) -> int:
    from knightstour.interfaces.cli.output import check_output, write_out

    assert files.solve is not None
    target = Target(files.format_name, None, False).in_json(files.as_json)
    check_output(target)
    codes = list[int]()
    for answer in _answers(files.solve, board, max(2, n), limits):
        if files.as_json:
            click.echo(json.dumps(answer.to_dict()))
        elif answer.tours:
            click.echo("\n" * (bool(codes) and files.format_name in (None, "grid")), nl=False)
            write_out(list(answer.tours[:n]), target)
            sys.stdout.flush()
            console.say("note", str(answer))
        else:
            click.echo(str(answer))
        codes.append(console.exit_code(answer.status))
    return _worst(codes)
