"""`knightstour puzzle`: make puzzles with one solution, print them on sheets; check a puzzle, or solve it."""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import click

from knightstour.core.model.budget import DEFAULT_SECONDS
from knightstour.core.model.errors import ProblemError
from knightstour.core.model.option import Option
from knightstour.core.model.result_errors import LimitReached
from knightstour.core.model.validation import one_of
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
from knightstour.interfaces.cli.puzzle_makers import (
    Maker,
    board_named,
    each_made,
    maker_of_day,
    makers_of_board,
    makers_of_file,
)

if TYPE_CHECKING:
    from knightstour.lab.puzzles.daily import Daily
    from knightstour.lab.puzzles.puzzle import Puzzle, Rating
    from knightstour.lab.puzzles.solve import PuzzleAnswer

# The board where none is typed.
_FIRST_BOARD = "6x6"
# Solutions that --check counts, unless -n says how many.
_MAX_COUNTED = 1000


class PuzzleWords(NamedTuple):
    """Properties of the puzzles to create."""

    closed: Annotated[bool, typed("Closed tours: the last number is a move away from 1.")]
    level: Annotated[
        str | None,
        typed(
            "easy, medium, hard, expert or any, or several as in easy,hard (default: medium; with --clues any).",
            "LEVEL,..",
        ),
    ]
    clues: Annotated[int | None, typed("Given squares (default: as few as the level allows).", "N")]
    pattern: Annotated[str | None, typed("The given squares are symmetric: 180, 90 or mirror.", "P")]
    keep: Annotated[str | None, typed("Always give these numbers, such as 1,64.", "N,N..")]
    in_order: Annotated[
        int | None,
        typed("A Zip: N squares in order, without their numbers, and walls: 7x7:wazir, 6x6:king, hex:4:wazir.", "N"),
    ]
    given: Annotated[
        tuple[str, ...], typed("A number on a square in any case, such as a6=24 for a date.", "SQ=N", multiple=True)
    ]

    where: Annotated[
        tuple[str, ...], typed("Of a tour with a statistic in a range: magic-rows=8.", "NAME=VALUE", multiple=True)
    ]

    def to_arguments(self, settings: Mapping[str, object]) -> dict[str, object]:
        """Return the arguments of make_puzzle, with those of --set."""
        return {
            **self._asdict(),
            "keep": _numbers(self.keep),
            **_of_puzzles(settings),
        }

    @property
    def levels(self) -> list[str]:
        """The levels that were named; "auto" by default."""
        from knightstour.lab.puzzles.reasoning import LEVELS

        if self.level is None:
            return ["auto"]
        levels = [one_of(level.strip(), (*LEVELS, "any"), "level") for level in self.level.split(",")]
        if len(set(levels)) < len(levels):
            raise ProblemError(f"duplicate level in --level {self.level}", help="name each level once")
        return levels


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
    title: Annotated[str | None, typed("Heading of each page.", "TEXT", needs="sheet")]

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
            Option("font", str, "of the sheet: its name (of a PDF Helvetica, Times or Courier), or a .ttf file"),
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
    BOARD may also be the file of a puzzle, to print it with others: puzzle one.json 8x8 --sheet book.pdf

    A puzzle in a file is rows of numbers, with . for an unknown square and # for a hole; the first line says `closed`
    if the tour is, or `in order` for a Zip, whose walls are in the next one. It may be JSON, too; .jsonl holds several.
    With --check and --solve, BOARD names the board of a file that does not: its piece, joined sides and holes.

    \b
    knightstour puzzle 6x6 --level easy -n 6 --sheet puzzles.pdf
    knightstour puzzle --check puzzle.txt
    """
    if n is not None and n < 1:
        raise ProblemError(f"{n} of them are none", help="give -n 1 or more")
    day = None
    if files.today is not None:
        asked = {"BOARD": board, "--seed": seed, "-n": n, "--set": _of_puzzles(options) or None}
        refuse({**asked, **_named(wanted)}, "the day says what its puzzle is like")
        day, seed = _of_day(files.today, str(options.get("kind", "easy")))
    else:
        refuse({"--set kind": options.get("kind")}, "it goes with --today")
    if files.check is None and files.solve is None:
        if print_words.worksheet is not None:
            return _make_worksheet(board, wanted, n, seed, print_words, files, limits, options)
        makers = _makers(board, wanted, n, options) if day is None else [maker_of_day(day)]
        return _make(makers, wanted, seed, print_words, files, limits, options)
    which = "--check" if files.check is not None else "--solve"
    given = {"--seed": seed, "--output": files.output, "--sheet": print_words.sheet}
    refuse({**given, **_named(wanted), "--set": options or None}, f"{which} takes all from its file")
    if len(board) > 1:
        raise ProblemError(f"{which} is of one puzzle", help="give one board at most")
    word = board[0] if board else None
    return _check(files, word, n, limits) if which == "--check" else _solve(files, word, n or 1, limits)


def _of_puzzles(settings: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in settings.items() if name not in ("kind", *_OF_SHEETS)}


def _named(wanted: PuzzleWords) -> dict[str, object]:
    return {f"--{name.replace('_', '-')}": value for name, value in wanted._asdict().items()}


def _of_day(day: str, kind: str) -> tuple[Daily, int]:
    from knightstour.lab.puzzles.daily import daily_of

    return daily_of(None if day == "today" else day, kind)


def _makers(words: Sequence[str], wanted: PuzzleWords, n: int | None, settings: Mapping[str, object]) -> list[Maker]:
    """Return what creates each puzzle: of each board those of each level, and each file of a puzzle that was named."""
    from knightstour.lab.puzzles.recognise import holds_puzzle

    levels = wanted.levels
    unnamed = PuzzleWords(wanted.closed, None, None, None, None, None, wanted.given, wanted.where)
    if not words and wanted == unnamed and not _of_puzzles(settings):
        # Without a board, a level or a kind, the puzzle is an easy one.
        levels = ["easy"]
    paths = {word for word in words if holds_puzzle(word)}
    if words and paths.issuperset(words):
        given = {"-n": n, "--set": _of_puzzles(settings) or None}
        refuse({**given, **_named(wanted)}, "the puzzles are in files")
    asked = wanted.to_arguments(settings)
    found: list[Maker] = []
    for word in words or (_FIRST_BOARD,):
        if word in paths:
            found += makers_of_file(puzzles_in(word, None), word)
        else:
            found += makers_of_board(board_named(word), levels, asked, n or 1)
    return found


def _numbers(text: str | None) -> list[int]:
    try:
        return [] if text is None else [int(word) for word in text.split(",")]
    except ValueError:
        raise ProblemError(f"not numbers: {text!r}", help="write them with commas, as in --keep 1,64") from None


def _make(
    makers: Sequence[Maker],
    wanted: PuzzleWords,
    seed: int | None,
    sheet: SheetWords,
    files: FileWords,
    limits: LimitWords,
    settings: Mapping[str, object],
) -> int:
    from knightstour.core.model.validation import seed_of

    _check_targets(sheet, files, settings)
    first = seed_of(seed)
    if files.output is not None:
        _check_names(_names(files.output, len(makers)), files.force)
    made: list[Puzzle] = []
    ended: LimitReached | KeyboardInterrupt | None = None
    try:
        for puzzle in each_made(makers, first, limits):
            made.append(puzzle)
            if sheet.sheet is None and files.output is None:
                _print(puzzle, files.as_json, is_first=len(made) == 1)
            if wanted.clues is not None and puzzle.count > wanted.clues and puzzle.seed is not None:
                more = f"so there are more than the {wanted.clues} asked for"
                console.say("note", f"none of these {puzzle.count} could be left out, {more}")
    except (LimitReached, KeyboardInterrupt) as error:
        if not made:
            raise
        ended = error
    if isinstance(ended, LimitReached):
        why = ended.result.reason.removeprefix("no puzzle was made: ")
        console.say("error", f"{len(made)} of {len(makers)} puzzles were made: {why}")
    _write_made(made, first if any(maker.is_random for maker in makers) else None, sheet, files, settings)
    if isinstance(ended, KeyboardInterrupt):
        raise ended
    return console.FOUND if ended is None else console.UNDECIDED


def _write_made(
    made: list[Puzzle], seed: int | None, sheet: SheetWords, files: FileWords, settings: Mapping[str, object]
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

        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            pages = draw_sheet(made, **sheet.to_arguments(settings))  # type: ignore[arg-type]
        for each in caught:
            console.say("note", str(each.message))
        written = pages.write(sheet.sheet, force=files.force, origin=way_back(seed, sheet.sheet))
        by = "" if seed is None else f", seed {seed}"
        console.say("note", f"{len(made)} puzzle{'s' * (len(made) != 1)}{by}: {', '.join(written)}")


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


def _make_worksheet(
    words: Sequence[str],
    wanted: PuzzleWords,
    n: int | None,
    seed: int | None,
    sheet: SheetWords,
    files: FileWords,
    limits: LimitWords,
    settings: Mapping[str, object],
) -> int:
    from knightstour.core.model.validation import seed_of
    from knightstour.interfaces.cli.output import way_back
    from knightstour.lab.puzzles.sheets import draw_worksheet

    assert sheet.worksheet is not None and sheet.sheet is not None
    if len(words) > 1:
        raise ProblemError("a worksheet is of one board", help="make one for each")
    of_puzzles = {f"--set {name}": value for name, value in _of_puzzles(settings).items()}
    refuse({"--today": files.today, **_named(wanted), **of_puzzles}, "worksheets are no puzzles")
    refuse({"--output": files.output, "--json": files.as_json}, "worksheets go to --sheet")
    refuse({"--timeout": limits.timeout, "--max-nodes": limits.max_nodes}, "worksheets take no search")
    _check_targets(sheet, files, settings)
    first = seed_of(seed)
    asked: dict[str, Any] = sheet.to_arguments(settings) | ({} if n is None else {"n": n})
    made = draw_worksheet(sheet.worksheet, board_named(words[0] if words else _FIRST_BOARD), seed=first, **asked)
    written = made.write(sheet.sheet, force=files.force, origin=way_back(first, sheet.sheet))
    console.say("note", f"seed {first}: {', '.join(written)}")
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
        walls = f"{len(puzzle.forbid)} wall{'s' * (len(puzzle.forbid) != 1)}"
        seed = "" if puzzle.seed is None else f"; seed {puzzle.seed}"
        return f"{puzzle.count} squares in order and {walls}{needed}{seed}"
    kind = "a closed tour" if puzzle.closed else "an open tour"
    harder = "" if puzzle.level == "expert" else " without making it harder"
    why = {True: f"no number can be left out{harder}; ", False: "some numbers are perhaps needless; ", None: ""}
    seed = "" if puzzle.seed is None else f"seed {puzzle.seed}"
    return f"{puzzle.level}, {puzzle.count} squares of {kind} given; {why[puzzle.is_minimal]}{seed}".removesuffix("; ")


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


def puzzles_in(path: str, word: str | None) -> list[Puzzle]:
    """Return the puzzles in a file. word: the BOARD that was named next to it, or None."""
    from knightstour.core.machine.files import source_of
    from knightstour.lab.puzzles.files import read_puzzles

    if word is None:
        puzzles = read_puzzles(source_of(path))
    else:
        given = board_named(word)
        # The knight may be said, or be that of a board of which only the size was typed.
        is_said = given.is_knights and not {"knight", "1,2"}.isdisjoint(word.lower().split(":")[1:])
        puzzles = read_puzzles(source_of(path), board=given, moves="knight" if is_said else None)
    for sentence in dict.fromkeys(sentence for puzzle in puzzles for sentence in puzzle.board.read_as):
        console.say("note", sentence)
    return puzzles


def _answers(path: str, board: str | None, n: int, limits: LimitWords) -> Iterator[PuzzleAnswer]:
    """The answer about each puzzle of a file."""
    from knightstour.lab.puzzles.solve import solve_puzzle

    status = console.StatusLine()
    for puzzle in puzzles_in(path, board):
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
