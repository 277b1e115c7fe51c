"""What `knightstour count`, `rank` and `unrank` do: count, number, and tell how far it has come."""

from __future__ import annotations

import json
import math
import re
import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from knightstour import checking, console, formats
from knightstour.arguments import known_proof
from knightstour.counting import count as counting
from knightstour.counting import narrow
from knightstour.counting.bfile import bfile_lines, count_title, write_bfile
from knightstour.counting.needs import in_figures, in_time
from knightstour.counting.plan import CountPlan, has_recurrence, plan_count
from knightstour.counting.space_cache import space_of
from knightstour.errors import FormatError, LimitReached, NoTour, ProblemError
from knightstour.memory import in_words
from knightstour.result import Budget, Limits, Problem, Result, Status
from knightstour.tour import Tour
from knightstour.writing import check_output, check_target, write_out

if TYPE_CHECKING:
    from knightstour.commands.options import BoardWords
    from knightstour.counting.estimate import Estimate

_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}
# Numbers that one range may give.
_MOST_NUMBERS = 1_000_000


# Options that would change nothing where another question is asked.
_NOT_WITH = {
    "estimate": ("symmetry", "memory", "checkpoint", "threads", "workers", "force"),
    "recurrence": ("symmetry", "directed", "memory", "checkpoint", "threads", "workers", "timeout", "force"),
    "bfile": ("symmetry", "json", "checkpoint", "workers"),
    "table": ("symmetry", "directed", "checkpoint", "workers", "force"),
    "classes": ("symmetry", "directed", "force"),
    "plan": ("directed", "resume", "threads", "timeout", "force"),
}


class Wish(NamedTuple):
    """What `count` is to tell; see the options of the command."""

    directed: bool
    symmetry: str | None
    classes: bool
    table: bool
    estimate: int | None
    seed: int | None
    bfile: str | None
    recurrence: bool
    as_json: bool
    force: bool
    plan: bool


def bytes_of(text: str) -> int:
    """A size as people write it.

    >>> bytes_of("8GB"), bytes_of("500 M"), bytes_of("1e9")
    (8000000000, 500000000, 1000000000)
    """
    match = re.fullmatch(r"\s*([0-9]*\.?[0-9]+(?:e[0-9]+)?)\s*([kmgt]?)i?b?\s*", text.lower())
    if match is None or float(match[1]) <= 0:
        raise ProblemError(f"not a size: {text!r}", help="write it like 8GB or 500MB")
    return int(float(match[1]) * _UNITS[match[2]])


def count_command(
    problem: Problem,
    wish: Wish,
    *,
    memory: str | None,
    checkpoint: str | None,
    resume: bool,
    threads: int | None,
    timeout: float | None,
    workers: Any = None,
    where: str = "",
) -> int:
    """Count as wished, print the answer, and return the exit code. where: the option that named the workers."""
    chosen = [name for name in ("table", "classes", "estimate", "bfile", "recurrence", "plan") if getattr(wish, name)]
    if chosen == ["classes", "plan"]:
        chosen = ["plan"]
    if len(chosen) > 1:
        raise ProblemError(f"--{chosen[0]} and --{chosen[1]} are two questions", help="ask one at a time")
    given = {
        "symmetry": wish.symmetry,
        "directed": wish.directed,
        "json": wish.as_json,
        "memory": memory,
        "checkpoint": checkpoint,
        "resume": resume,
        "threads": threads,
        "workers": workers,
        "timeout": timeout,
        "force": wish.force,
    }
    for name in _NOT_WITH.get(chosen[0] if chosen else "", ()):
        if given[name]:
            option = where.split()[0] if name == "workers" else f"--{name}"
            raise ProblemError(f"{option} does not go with --{chosen[0]}", help=f"leave out {option}")
    if checkpoint == "":
        raise ProblemError("--checkpoint needs the name of a directory", help="give one, such as counts/")
    if wish.plan:
        return _tell_plan(problem, wish, memory, checkpoint)
    status = console.StatusLine()
    means = counting.Means(
        limits=Limits(seconds=timeout),
        threads=threads,
        memory=None if memory is None else bytes_of(memory),
        checkpoint=checkpoint,
        resume=resume,
        on_step=lambda step: status.show(in_a_line(step)),
        workers=workers,
    )
    try:
        with console.told_about_compiling(status):
            if wish.estimate is not None:
                return _estimate(problem, wish, timeout, status)
            if wish.bfile is not None:
                return _write_bfile(problem, wish, means, status)
            if wish.recurrence:
                return _tell_recurrence(problem, wish)
            if wish.table:
                return _tell_table(problem, wish, means, status)
            return _tell_count(problem, wish, means, status)
    except KeyboardInterrupt:
        status.clear()
        console.say("note", "interrupted")
        if checkpoint is not None:
            console.say("help", _how_to_go_on(checkpoint, where))
        return console.INTERRUPTED
    except LimitReached as limit:
        status.clear()
        if checkpoint is not None:
            limit.help = _how_to_go_on(checkpoint, where)
        raise


def _how_to_go_on(checkpoint: str, where: str) -> str:
    """The options that go on from a directory; work that was shared out is so again."""
    words = ("--checkpoint", shlex.quote(checkpoint), where, "--resume")
    return f"go on with {' '.join(word for word in words if word)}"


def in_a_line(step: counting.Step) -> str:
    """How far a count has come, for a status line."""
    words = [step.text]
    if step.states:
        words.append(f"{step.states:,} states")
    if step.bytes:
        words.append(in_words(step.bytes))
    words.append(f"{step.seconds:.0f} s")
    if step.part is not None and step.part > 0.02 and step.seconds > 2:
        words.append(f"about {in_time(max(1, step.seconds * (1 - step.part) / step.part))} to go")
    return ", ".join(words)


def kind_of(problem: Problem, *, directed: bool = False, symmetry: str | None = None, classes: bool = False) -> str:
    """What is counted, in words; always with the convention.

    >>> kind_of(Problem.of((6, 6), closed=True))
    'undirected closed tours of the 6x6 board'
    """
    board = problem.board
    if problem.has_given_end:
        ends = f" from {board.name(problem.start)}" if problem.start is not None else ""
        ends += f" to {board.name(problem.end)}" if problem.end is not None else ""
        return f"open tours of the {board}{ends}"
    first = "classes of" if classes else "directed" if directed else "undirected"
    last = "" if symmetry is None else f" with symmetry {symmetry}"
    return f"{first} {'closed' if problem.closed else 'open'} tours of the {board}{last}"


def _tell_count(problem: Problem, wish: Wish, means: counting.Means, status: console.StatusLine) -> int:
    found = counting.count(
        problem.board,
        **problem.conditions,
        directed=wish.directed,
        symmetry=wish.symmetry,
        up_to_symmetry=wish.classes,
        means=means,
    )
    status.clear()
    if wish.as_json:
        click.echo(json.dumps(_record(found)))
        return console.FOUND
    click.echo(in_digits(found.tours))
    what = kind_of(problem, directed=found.directed, symmetry=wish.symmetry, classes=wish.classes)
    by = f"by {found.route}" + (f", {found.states:,} states" if found.states else "")
    console.say("note", f"{what}; {by}, {found.seconds:.2f} s")
    if found.reason:
        console.say("note", f"{found.reason} ({found.source})")
    return console.FOUND


@contextmanager
def _any_digits() -> Iterator[None]:
    """Within, Python reads and writes numbers of any length; else only of some thousand digits."""
    most = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(most)


@_any_digits()
def in_digits(number: int) -> str:
    """A number of any length.

    >>> len(in_digits(10**6000))
    6001
    """
    return str(number)


def _question(problem: Problem) -> dict[str, Any]:
    board = problem.board
    return {
        "board": str(board),
        "rows": board.rows,
        "cols": board.cols,
        "closed": problem.closed,
        "start": None if problem.start is None else board.name(problem.start),
        "end": None if problem.end is None else board.name(problem.end),
    }


def _record(found: counting.Counted) -> dict[str, Any]:
    return {
        **_question(found.problem),
        "directed": found.directed,
        "symmetry": found.symmetry,
        "up_to_symmetry": found.up_to_symmetry,
        "count": in_digits(found.tours),
        "route": found.route,
        "reason": found.reason or None,
        "source": found.source or None,
        "states": found.states,
        "peak_bytes": found.peak_bytes or None,
        "seconds": round(found.seconds, 6),
    }


def _tell_plan(problem: Problem, wish: Wish, memory: str | None, checkpoint: str | None) -> int:
    """What a count would take."""
    plan = plan_count(
        problem.board,
        **problem.conditions,
        symmetry=wish.symmetry,
        up_to_symmetry=wish.classes,
        memory=None if memory is None else bytes_of(memory),
        checkpoint=checkpoint,
    )
    if wish.as_json:
        click.echo(json.dumps(_plan_record(plan)))
        return console.FOUND
    click.echo(f"way      {plan.way}")
    if plan.has_figures:
        least = "at least " if plan.is_least else ""
        held = f"of {in_words(plan.limit)} that may be used"
        if plan.disk is not None:
            held = f"in memory and on disk, where {in_words(plan.disk)} are free"
        if plan.states:
            click.echo(f"states   {least}{in_figures(plan.states)}, {in_figures(plan.widest)} at once")
        click.echo(f"memory   {least}{in_words(int(plan.bytes))} {held}")
        click.echo(f"time     {least}{in_time(plan.seconds)} of one processor")
        what = kind_of(problem, symmetry=wish.symmetry, classes=wish.classes)
        console.say("note", f"{what}; estimates, that may be some times too high or too low")
    if plan.reason:
        console.say("note", f"{plan.reason} ({plan.source})")
    if plan.is_refused:
        console.say("note", f"out of reach: even {plan.margin:g} times less would be too much")
        console.say("help", "; ".join(plan.instead))
    return console.FOUND


def _plan_record(plan: CountPlan) -> dict[str, Any]:
    figures = {
        **{name: float(f"{getattr(plan, name):.3g}") for name in ("states", "widest", "bytes", "seconds")},
        "is_least": plan.is_least,
        "margin": plan.margin,
        "memory": plan.limit,
        "disk": plan.disk,
    }
    return {
        **_question(plan.problem),
        "symmetry": plan.symmetry,
        "up_to_symmetry": plan.up_to_symmetry,
        "way": plan.way,
        "reason": plan.reason or None,
        "source": plan.source or None,
        **{name: figure if plan.has_figures else None for name, figure in figures.items()},
        "is_refused": plan.is_refused,
        "instead": list(plan.instead),
    }


def _estimate(problem: Problem, wish: Wish, timeout: float | None, status: console.StatusLine) -> int:
    from knightstour.counting.estimate import Estimate, estimate_count

    proof = known_proof(problem)
    if proof is not None:
        none = Estimate(0.0, 0.0, -math.inf, math.inf, 0, 0, "proof", "")
        click.echo(json.dumps(_estimate_record(problem, wish, none)) if wish.as_json else "0")
        console.say("note", f"{proof.reason} ({proof.source})")
        return console.FOUND
    assert wish.estimate is not None
    found = estimate_count(
        problem.board,
        **problem.conditions,
        directed=wish.directed,
        samples=wish.estimate,
        rng=wish.seed,
        seconds=timeout,
        on_progress=lambda done, todo: status.show(f"{done:,} of {todo:,} walks (Ctrl-C stops)"),
    )
    status.clear()
    is_known = found.log10_mean > -math.inf
    if wish.as_json:
        click.echo(json.dumps(_estimate_record(problem, wish, found)))
    elif is_known:
        click.echo(_in_powers(found))
        console.say("note", f"{kind_of(problem, directed=wish.directed)}, from {found.samples:,} samples")
    else:
        click.echo(f"undecided: {found}")
        console.say("help", "give more samples")
    return console.FOUND if is_known else console.UNDECIDED


def _in_powers(found: Estimate) -> str:
    if found.mean < math.inf:
        return f"{found.mean:.4g} +- {found.standard_error:.2g}"
    power = math.floor(found.log10_mean)
    first = 10 ** (found.log10_mean - power)
    return f"{first:.3f}e+{power} +- {first * found.relative_error:.2g}e+{power}"


def _estimate_record(problem: Problem, wish: Wish, found: Estimate) -> dict[str, Any]:
    """JSON knows no infinity: what cannot be told is null."""
    figures = {
        "mean": found.mean,
        "standard_error": found.standard_error,
        "log10_mean": found.log10_mean,
        "relative_error": found.relative_error,
    }
    is_known = found.log10_mean > -math.inf or not found.samples
    told = {name: figure if is_known and math.isfinite(figure) else None for name, figure in figures.items()}
    return {**_question(problem), "directed": wish.directed, **told, "samples": found.samples}


def _write_bfile(problem: Problem, wish: Wish, means: counting.Means, status: console.StatusLine) -> int:
    """Counts of rows x 1, rows x 2, ... up to the board's length."""
    assert wish.bfile is not None
    if not problem.board.is_rectangle or (problem.start, problem.end) != (None, None):
        raise ProblemError("a b-file holds the counts of plain boards of all lengths", help="give rows x cols only")
    rows, cols = problem.board.rows, problem.board.cols

    def terms() -> Iterator[tuple[int, int]]:
        if narrow.has_recurrence(rows, closed=problem.closed) or (rows <= cols and has_recurrence(problem)):
            yield from narrow.narrow_terms(rows, 1, cols, closed=problem.closed, directed=wish.directed)
            return
        for n in range(1, cols + 1):
            status.show(f"counting {rows}x{n}")
            found = counting.count((rows, n), closed=problem.closed, directed=wish.directed, means=means)
            yield n, found.tours

    title = count_title(rows, closed=problem.closed, directed=wish.directed)
    if wish.bfile == "-":
        for line in bfile_lines(terms(), title):
            status.clear()
            click.echo(line)
        return console.FOUND
    check_target(wish.bfile, wish.force)
    write_bfile(wish.bfile, terms(), title, force=True)
    status.clear()
    return console.FOUND


def _tell_recurrence(problem: Problem, wish: Wish) -> int:
    if not problem.board.is_rectangle or (problem.start, problem.end) != (None, None):
        raise ProblemError("recurrences are those of plain boards, all tours", help="give rows x cols only")
    rows = min(problem.board.rows, problem.board.cols)
    found = narrow.narrow_recurrence(rows, closed=problem.closed)
    if wish.as_json:
        click.echo(json.dumps({**found._asdict(), "order": found.order}))
        return console.FOUND
    click.echo(f"numerator    {_polynomial(found.numerator)}")
    click.echo(f"denominator  {_polynomial(found.denominator)}")
    kind = "closed" if problem.closed else "open"
    console.say(
        "note",
        f"the sum of a(n) x^n, a(n) undirected {kind} tours of {rows} x n; order {found.order}, "
        f"found from {found.fitted} terms and checked with {found.checked} more",
    )
    return console.FOUND


def _polynomial(coefficients: tuple[int, ...]) -> str:
    """Lowest power first.

    >>> _polynomial((1, 0, -6, 1))
    '1 - 6 x^2 + x^3'
    """
    text = ""
    for k, c in enumerate(coefficients):
        if c:
            power = "" if k == 0 else "x" if k == 1 else f"x^{k}"
            size = str(abs(c)) if abs(c) != 1 or k == 0 else ""
            sign = ("-" if c < 0 else "") if not text else (" - " if c < 0 else " + ")
            text += sign + " ".join(part for part in (size, power) if part)
    return text or "0"


def _tell_table(problem: Problem, wish: Wish, means: counting.Means, status: console.StatusLine) -> int:
    if (problem.start, problem.end) != (None, None):
        raise ProblemError("the table is of all undirected tours", help="leave out the start and the end")
    total, rows = counting.count_table(problem.board, closed=problem.closed, means=means)
    status.clear()
    if wish.as_json:
        listed = [{"symmetry": r.symmetry, "tours": str(r.tours), "classes": str(r.classes)} for r in rows]
        click.echo(json.dumps({**_question(problem), "count": str(total.tours), "table": listed}))
        return console.FOUND
    cells = [("symmetry", "tours", "classes"), *((r.symmetry, f"{r.tours:,}", f"{r.classes:,}") for r in rows)]
    cells.append(("all", f"{sum(r.tours for r in rows):,}", f"{sum(r.classes for r in rows):,}"))
    widths = [max(len(line[k]) for line in cells) for k in range(3)]
    for name, tours, classes in cells:
        click.echo(f"{name:<{widths[0]}}  {tours:>{widths[1]}}  {classes:>{widths[2]}}")
    console.say("note", kind_of(problem))
    return console.FOUND


# ---------------------------------------------------------------- numbers of tours


@_any_digits()
def rank_command(
    file: str,
    *,
    as_open: bool,
    from_start: bool,
    to_end: bool,
    words: BoardWords,
    format_name: str | None,
    path: str | None,
    as_json: bool,
) -> int:
    """Print the number of each tour in the file; returns the exit code."""
    board = checking.board_for(*words)
    tours = formats.read_tours(checking.source_of(file), format_name, board)
    status = console.StatusLine()
    for tour in tours:
        problem = _among(tour, as_open=as_open, from_start=from_start, to_end=to_end)
        with console.told_about_compiling(status), status.timing("numbering all tours"):
            space = space_of(problem, path, on_progress=_numbering(status))
            number = space.rank(tour)
        status.clear()
        if as_json:
            click.echo(json.dumps({**_question(problem), "number": str(number), "count": str(space.count)}))
        else:
            click.echo(str(number))
            console.say("note", f"of {space.count:,} {kind_of(problem)}")
    return console.FOUND


def _among(tour: Tour, *, as_open: bool, from_start: bool, to_end: bool) -> Problem:
    closed = tour.is_closed and not (as_open or from_start or to_end)
    return Problem(tour.board, closed, tour.start if from_start else None, tour.end if to_end else None)


def _numbering(status: console.StatusLine) -> Callable[[Budget], None]:
    def tell(budget: Budget) -> None:
        part = "" if budget.done is None else f"{100 * budget.done:.0f} %, "
        status.show(f"numbering all tours: {part}{budget.nodes:,} states, {budget.seconds:.0f} s")

    return tell


@_any_digits()
def unrank_command(
    problem: Problem,
    words: tuple[str, ...],
    *,
    path: str | None,
    format_name: str | None,
    output: str | None,
    force: bool,
) -> int:
    """Print or write the tours of these numbers; returns the exit code."""
    check_output(format_name, output, force)
    status = console.StatusLine()
    with console.told_about_compiling(status), status.timing("numbering all tours"):
        space = space_of(problem, path, on_progress=_numbering(status))
    if not space.count:
        proof = known_proof(problem)
        reason, source = ("all were counted", "exact count") if proof is None else (proof.reason, proof.source)
        raise NoTour(Result(Status.IMPOSSIBLE, problem, (), reason, source, "count", 0, 0, 0.0))
    numbers: list[int] = []
    for word in words:
        numbers += _numbers_of(word, space.count, lambda: space.random_numbers(1)[0])
    with status.timing("making the tours"):
        tours = [Tour.from_order(problem.board, order) for order in space.orders(numbers)]
    status.clear()
    write_out(tours, format_name, output, force)
    told = f"number {numbers[0]:,}" if len(numbers) == 1 else f"{len(numbers):,}"
    console.say("note", f"{told} of {space.count:,} {kind_of(problem)}")
    return console.FOUND


def _numbers_of(word: str, count: int, random: Any) -> list[int]:
    """The numbers that a word means: 17, 5..9, first, last, random.

    >>> _numbers_of("8..last", 10, None), _numbers_of("1,000", 5000, None)
    ([8, 9, 10], [1000])
    """

    def one(text: str) -> int:
        named = {"first": 1, "last": count}
        if text in named:
            return named[text]
        plain = text.replace(",", "").replace("_", "")
        if not re.fullmatch(r"\d+", plain):
            raise ProblemError(
                f"not the number of a tour: {text!r}", help="give a whole number, first, last, random, or 5..9"
            )
        return int(plain)

    if word == "random":
        return [random()]
    if ".." not in word:
        return [one(word)]
    low, high = (one(part) for part in word.split("..", 1))
    if high < low:
        raise ProblemError(f"{word} goes down", help=f"write {high}..{low}")
    if high - low >= _MOST_NUMBERS:
        raise FormatError(f"{word} is {high - low + 1:,} tours", help=f"at most {_MOST_NUMBERS:,} at once")
    return list(range(low, high + 1))
