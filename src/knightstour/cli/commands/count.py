"""`knightstour count`: how many tours there are."""

from __future__ import annotations

import json
import math
import re
import shlex
from collections.abc import Iterator
from typing import Any, NamedTuple

import click

from knightstour.cli import console
from knightstour.cli.options import WorkerWords, bundled, json_option, question, worker_options
from knightstour.cli.output import check_target
from knightstour.cli.wording import in_digits, kind_of, question_record
from knightstour.counting import count as counting
from knightstour.counting import narrow
from knightstour.counting.bfile import bfile_lines, count_title, write_bfile
from knightstour.counting.estimate import Estimate, estimate_count
from knightstour.counting.plan import CountPlan, has_recurrence, plan_count
from knightstour.machine.sharing import Workers
from knightstour.model.budget import Limits
from knightstour.model.errors import LimitReached, ProblemError
from knightstour.model.problem import Problem
from knightstour.model.wording import in_figures, in_time, in_words
from knightstour.proofs.arguments import known_proof

_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}
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
    """What is to be counted, and in which form it is printed."""

    directed: bool
    symmetry: str | None
    classes: bool
    table: bool
    estimate: int | None
    seed: int | None
    bfile: str | None
    recurrence: bool
    plan: bool
    as_json: bool
    force: bool


class _MeansWords(NamedTuple):
    """What the count may use."""

    memory: str | None
    checkpoint: str | None
    resume: bool
    threads: int | None
    timeout: float | None

    @property
    def limits(self) -> Limits:
        """Its limits of time and memory."""
        return Limits(seconds=self.timeout, bytes=None if self.memory is None else bytes_of(self.memory))


_wish_options = bundled(
    "wish",
    Wish,
    click.option("--directed", is_flag=True, help="A tour and the same walked backwards are two."),
    click.option("--symmetry", metavar="NAME", help="Only tours with this symmetry: 180, 90, vertical, ..."),
    click.option("--classes", is_flag=True, help="Count tours that are images of each other once."),
    click.option("--table", is_flag=True, help="How many tours and classes have which symmetries."),
    click.option("--estimate", type=int, metavar="N", help="Estimate from N random walks, with its standard error."),
    click.option("--seed", type=int, metavar="N", help="With --estimate: any whole number."),
    click.option(
        "--bfile",
        metavar="FILE",
        help="Write the counts of all lengths up to BOARD's, as the OEIS wants them; - is stdout.",
    ),
    click.option("--recurrence", is_flag=True, help="Boards of up to 4 rows: the recurrence for all lengths."),
    click.option("--plan", is_flag=True, help="Do not count: say by which way, and what it would take, about."),
    json_option,
    click.option("--force", is_flag=True, help="Overwrite FILE."),
)
_means_options = bundled(
    "means",
    _MeansWords,
    click.option(
        "--memory", metavar="SIZE", help="Memory that may be used, such as 8GB; beyond it the disk, or an error."
    ),
    click.option(
        "--checkpoint", metavar="DIR", help="Keep there what is needed to go on, and what memory cannot hold."
    ),
    click.option("--resume", is_flag=True, help="Go on from what DIR holds."),
    click.option("--threads", type=int, metavar="N", help="Default one a core."),
    click.option("--timeout", type=float, metavar="S", help="Seconds before giving up; default none."),
)


@click.command("count")
@question
@_wish_options
@_means_options
@worker_options("Count", note="; with --checkpoint")
def command(problem: Problem, wish: Wish, means: _MeansWords, where: WorkerWords) -> int:
    """Count the tours of BOARD exactly.

    Tours are undirected unless --directed; open ones are Hamiltonian paths, those that happen to be closed included.
    """
    if means.resume and means.checkpoint is None:
        raise click.UsageError("--resume goes with --checkpoint")
    if wish.seed is not None and wish.estimate is None:
        raise click.UsageError("--seed goes with --estimate")
    if wish.plan and where != (None, None):
        raise click.UsageError("--plan says what it takes in all, and shares nothing out")
    with where.open() as workers:
        return _counted(problem, wish, means, workers, where.option)


def bytes_of(text: str) -> int:
    """A size as people write it.

    >>> bytes_of("8GB"), bytes_of("500 M"), bytes_of("1e9")
    (8000000000, 500000000, 1000000000)
    """
    match = re.fullmatch(r"\s*([0-9]*\.?[0-9]+(?:e[0-9]+)?)\s*([kmgt]?)i?b?\s*", text.lower())
    if match is None or float(match[1]) <= 0:
        raise ProblemError(f"not a size: {text!r}", help="write it like 8GB or 500MB")
    return int(float(match[1]) * _UNITS[match[2]])


def _counted(problem: Problem, wish: Wish, words: _MeansWords, workers: Workers, where: str) -> int:
    """Count as wished, print the answer, and return the exit code. where: the option that named the workers."""
    _check(wish, words, workers, where)
    if wish.plan:
        return _tell_plan(problem, wish, words.memory, words.checkpoint)
    status = console.StatusLine()
    means = counting.Means(
        limits=words.limits,
        threads=words.threads,
        workers=workers,
        checkpoint=words.checkpoint,
        resume=words.resume,
        on_progress=status.progress,
    )
    try:
        with console.told_about_compiling(status):
            if wish.estimate is not None:
                return _tell_estimate(problem, wish, words.limits, status)
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
        if words.checkpoint is not None:
            console.say("help", _how_to_go_on(words.checkpoint, where))
        return console.INTERRUPTED
    except LimitReached as limit:
        status.clear()
        if words.checkpoint is not None:
            limit.help = _how_to_go_on(words.checkpoint, where)
        raise


def _check(wish: Wish, means: _MeansWords, workers: Workers, where: str) -> None:
    """The errors of options that do not go together."""
    chosen = [name for name in ("table", "classes", "estimate", "bfile", "recurrence", "plan") if getattr(wish, name)]
    if chosen == ["classes", "plan"]:
        chosen = ["plan"]
    if len(chosen) > 1:
        raise ProblemError(f"--{chosen[0]} and --{chosen[1]} are two questions", help="ask one at a time")
    given = {**wish._asdict(), **means._asdict(), "json": wish.as_json, "workers": workers}
    for name in _NOT_WITH.get(chosen[0] if chosen else "", ()):
        if given[name]:
            option = where.split()[0] if name == "workers" else f"--{name}"
            raise ProblemError(f"{option} does not go with --{chosen[0]}", help=f"leave out {option}")
    if means.checkpoint == "":
        raise ProblemError("--checkpoint needs the name of a directory", help="give one, such as counts/")


def _how_to_go_on(checkpoint: str, where: str) -> str:
    """The options that go on from a directory; work that was shared out is so again."""
    words = ("--checkpoint", shlex.quote(checkpoint), where, "--resume")
    return f"go on with {' '.join(word for word in words if word)}"


def _tell_count(problem: Problem, wish: Wish, means: counting.Means, status: console.StatusLine) -> int:
    found = counting.count(
        problem,
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


def _record(found: counting.Counted) -> dict[str, Any]:
    return {
        **question_record(found.problem),
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
        problem,
        symmetry=wish.symmetry,
        up_to_symmetry=wish.classes,
        limits=Limits(bytes=None if memory is None else bytes_of(memory)),
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
        **question_record(plan.problem),
        "symmetry": plan.symmetry,
        "up_to_symmetry": plan.up_to_symmetry,
        "way": plan.way,
        "reason": plan.reason or None,
        "source": plan.source or None,
        **{name: figure if plan.has_figures else None for name, figure in figures.items()},
        "is_refused": plan.is_refused,
        "instead": list(plan.instead),
    }


def _tell_estimate(problem: Problem, wish: Wish, limits: Limits | None, status: console.StatusLine) -> int:
    proof = known_proof(problem)
    if proof is not None:
        none = Estimate(0.0, 0.0, -math.inf, math.inf, 0, 0, "proof", "")
        click.echo(json.dumps(_estimate_record(problem, wish, none)) if wish.as_json else "0")
        console.say("note", f"{proof.reason} ({proof.source})")
        return console.FOUND
    assert wish.estimate is not None
    found = estimate_count(
        problem,
        directed=wish.directed,
        samples=wish.estimate,
        rng=wish.seed,
        limits=limits,
        on_progress=status.progress,
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
    return {**question_record(problem), "directed": wish.directed, **told, "samples": found.samples}


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
            found = counting.count(Problem.of((rows, n), closed=problem.closed), directed=wish.directed, means=means)
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
    total, rows = counting.count_table(problem, means=means)
    status.clear()
    if wish.as_json:
        listed = [{"symmetry": r.symmetry, "tours": str(r.tours), "classes": str(r.classes)} for r in rows]
        click.echo(json.dumps({**question_record(problem), "count": str(total.tours), "table": listed}))
        return console.FOUND
    cells = [("symmetry", "tours", "classes"), *((r.symmetry, f"{r.tours:,}", f"{r.classes:,}") for r in rows)]
    cells.append(("all", f"{sum(r.tours for r in rows):,}", f"{sum(r.classes for r in rows):,}"))
    widths = [max(len(line[k]) for line in cells) for k in range(3)]
    for name, tours, classes in cells:
        click.echo(f"{name:<{widths[0]}}  {tours:>{widths[1]}}  {classes:>{widths[2]}}")
    console.say("note", kind_of(problem))
    return console.FOUND
