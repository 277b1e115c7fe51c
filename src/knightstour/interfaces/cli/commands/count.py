"""`knightstour count`: how many tours there are."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, NamedTuple, TypeGuard

import click

from knightstour.core.machine.memory import available_bytes
from knightstour.core.model.budget import Budget, Limits
from knightstour.core.model.errors import ProblemError
from knightstour.core.model.problem import Problem
from knightstour.core.model.result_errors import LimitReached
from knightstour.core.model.wording import in_words
from knightstour.interfaces.cli import console
from knightstour.interfaces.cli.console import Answer, any_digits
from knightstour.interfaces.cli.declared import option, typed
from knightstour.interfaces.cli.each_graph import ONE_LINE, GraphsCommand, line_of
from knightstour.interfaces.cli.efforts import EffortWords, effort_options, say_if_many, say_what_it_takes
from knightstour.interfaces.cli.options import (
    WorkerWords,
    declared,
    holds_something,
    json_option,
    questions,
    refuse,
    worker_options,
)
from knightstour.lab.counting import count as counting
from knightstour.lab.counting.plan import CountPlan
from knightstour.lab.counting.plan import plan as plan_of
from knightstour.lab.counting.settings import CountOptions, CountSettings, Watch
from knightstour.lab.counting.ways import NAMES

# The modules of the rarer questions are loaded with them.
if TYPE_CHECKING:
    from knightstour.lab.counting.estimate import Estimate

# Questions of which one is asked at a time; `classes` goes with `plan`, and `estimate` with `steps`.
_QUESTIONS = ("table", "classes", "estimate", "recurrence", "moves", "steps", "starts", "plan", "proof")
# --by -> the question; and what --growth asks.
_BY = {"symmetry": "table", "moves": "moves", "steps": "steps", "starts": "starts"}
_OF_ALL_LENGTHS = ("recurrence",)
# How a question is typed, where its name is no option.
_TYPED = {name: f"--by {word}" for word, name in _BY.items()} | {name: f"--growth {name}" for name in _OF_ALL_LENGTHS}
# Options of counts alone; and those that would change nothing where another question is asked.
_OF_COUNTS = ("across", "way")
_NOT_WITH = {
    "estimate": (*_OF_COUNTS, "symmetry", "memory", "max_nodes", "checkpoint", "threads", "workers", "force"),
    "recurrence": (*_OF_COUNTS, "symmetry", "directed", *EffortWords._fields, "checkpoint", "workers", "force"),
    "table": (*_OF_COUNTS, "symmetry", "directed", "checkpoint", "workers", "force"),
    "classes": ("symmetry", "directed", "force"),
    "moves": (*_OF_COUNTS, "symmetry", "directed", "checkpoint", "workers", "force"),
    "steps": (*_OF_COUNTS, "symmetry", "checkpoint", "workers", "force"),
    "starts": (*_OF_COUNTS, "symmetry", "checkpoint", "workers", "force"),
    "proof": ("symmetry", "memory", "checkpoint", "threads", "workers"),
    "plan": ("directed", "threads", "timeout", "max_nodes", "force"),
}
# From how many seconds on a count says at its start what it takes; boards of fewer squares never take as long.
_LONG_SECONDS, _LONG_SQUARES = 60, 40
# Questions whose answer is no line.
_NOT_OF_SEVERAL = ("table", "moves", "steps", "starts", "recurrence", "plan", "proof")


class CountWords(NamedTuple):
    """What is to be counted, and in which form it is printed."""

    directed: Annotated[bool, typed("Count a tour and its reverse as two.")]
    classes: Annotated[bool, typed("Count tours that are rotations or reflections of each other once.")]
    by: Annotated[
        str | None,
        typed(
            "Print the tours and classes of each symmetry, or how many tours use each move, visit each square at each "
            "step, or start at each square (directed).",
            type=click.Choice(list(_BY)),
            multiple=True,
            callback=_only_one,
        ),
    ]
    estimate: Annotated[
        int | None, typed("Estimate the count from N random walks or tours, with the standard error.", "N")
    ]
    seed: Annotated[int | None, typed("With --estimate: any whole number.", "N", needs="estimate")]
    growth: Annotated[
        str | None,
        typed(
            "Give the recurrence of the counts of all lengths, up to 4 rows.",
            type=click.Choice(_OF_ALL_LENGTHS),
            multiple=True,
            callback=_only_one,
        ),
    ]
    plan: Annotated[
        bool,
        typed(
            "Do not count: say which way would be taken, and about how much time and memory.",
            without="workers",
            why="--plan says what it takes in all, and shares nothing out",
        ),
    ]
    as_json: Annotated[bool, json_option(" a board: the question and the count")]
    force: Annotated[bool, typed("Overwrite FILE.")]
    proof: Annotated[str | None, typed("Write the count there with all that `verify` needs to check it.", "FILE")]
    across: Annotated[
        int | None, typed("Cut the board into halves across its side of N squares: another way to the number.", "N")
    ]
    way: Annotated[str | None, typed("Count by this way; --plan names the best.", type=click.Choice(NAMES))]


def _only_one(context: click.Context, parameter: click.Parameter, typed: tuple[str, ...]) -> str | None:
    """The one question of an option; two are refused, since the last would hide the others."""
    asked = list(dict.fromkeys(typed))
    if len(asked) > 1:
        both = " and ".join(f"{parameter.opts[0]} {word}" for word in asked[:2])
        raise ProblemError(f"{both} are two questions", help="ask one at a time")
    return asked[0] if asked else None


def _clear(context: click.Context, parameter: click.Parameter, is_asked: bool) -> None:
    """Delete the files of spaces, and end the command."""
    if not is_asked:
        return
    from knightstour.lab.counting.spaces import file as space_file

    files = space_file.kept_files()
    for path in files:
        path.unlink(missing_ok=True)
    click.echo(f"{in_words(sum(files.values()))} in {len(files)} files deleted from {space_file.cache_folder()}")
    context.exit()


@click.command("count", cls=GraphsCommand)
@questions
@declared("wanted", CountWords)
@effort_options(memory="Memory that may be used, such as 8GB; beyond it the disk, or an error.")
@option(
    "--checkpoint",
    metavar="DIR",
    help="Keep there what is needed to go on later, and what does not fit into memory; go on with what is there.",
)
@worker_options("Count", note="; their layers are files, in DIR or a temporary folder")
@option(
    "--clear",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_clear,
    help="Count nothing: delete the files of all tours that `rank`, `unrank` and `count` keep between commands.",
)
def command(
    problem: Problem,
    place: int | None,
    wanted: CountWords,
    effort: EffortWords,
    checkpoint: str | None,
    worker_words: WorkerWords,
) -> int:
    """Count the tours of BOARD exactly.

    Tours are undirected unless --directed; open ones are Hamiltonian paths, those that happen to be closed included.
    BOARD may be a file of several graphs, and each gets a line: its place, its nodes, and the count; - is stdin.

    \b
    knightstour count 6x6 --closed
    knightstour count 8x8 --closed --plan
    """
    with worker_words.open() as workers:
        asked = {
            "symmetry": problem.symmetry,
            **wanted._asdict(),
            **{name: wanted.by == word for word, name in _BY.items()},
            **{name: wanted.growth == name for name in _OF_ALL_LENGTHS},
            **effort._asdict(),
            "checkpoint": checkpoint,
            "json": wanted.as_json,
            "workers": workers,
        }
        _check(asked, worker_words.option)
        if place is not None:
            several = (*_NOT_OF_SEVERAL, "checkpoint")
            refuse({_TYPED.get(name, f"--{name}"): asked[name] or None for name in several}, ONE_LINE)
        if wanted.plan:
            plan = _plan(problem, wanted, effort.limits, checkpoint)
            console.print_answer(plan, wanted.as_json, "; ".join(plan.instead))
            return console.FOUND
        limits = effort.limits
        if workers is not None and effort.memory is None:
            # The default is for one process; workers look after their own memory.
            limits = replace(limits, bytes=None)
        settings = CountSettings(
            limits,
            effort.threads,
            workers,
            checkpoint,
            holds_something(checkpoint),
            across=wanted.across,
            way=wanted.way,
        )
        return _counted(problem, place, wanted, settings, worker_words.option)


@any_digits()
def _counted(
    problem: Problem, place: int | None, wanted: CountWords, settings: CountSettings, workers_option: str
) -> int:
    """Count as wished, print the answer, and return the exit code. where: the option that named the workers.

    place: that of the graph in a file of several.
    """
    status = console.StatusLine("" if place is None else f"graph {place:,}: ")
    settings = settings._replace(on_progress=status.progress)
    try:
        if place is None and not (wanted.estimate or wanted.growth):
            _say_if_long(problem, wanted, settings)
        with console.saying_what_is_kept(status):
            answer = _answer(problem, wanted, settings, status)
            status.clear()
            return _print(answer, problem, place, wanted.as_json)
    except KeyboardInterrupt:
        status.clear()
        console.say("note", "interrupted" if place is None else f"interrupted at graph {place:,}")
        if settings.checkpoint is not None:
            console.say("help", _how_to_go_on(str(settings.checkpoint), workers_option))
        return console.INTERRUPTED
    except LimitReached as limit:
        status.clear()
        if place is not None:
            record = {**problem.to_dict(), "directed": wanted.directed, "count": None, "reason": str(limit)}
            _print_line(place, problem, record if wanted.as_json else None, "undecided", str(limit))
            return console.UNDECIDED
        if settings.checkpoint is not None:
            limit.help = _how_to_go_on(str(settings.checkpoint), workers_option)
        raise


def _plan(problem: Problem, wanted: CountWords, limits: Limits | None, checkpoint: str | None = None) -> CountPlan:
    return plan_of(
        problem,
        up_to_symmetry=wanted.classes,
        limits=limits,
        checkpoint=checkpoint,
        across=wanted.across,
        way=wanted.way,
    )


def _say_if_long(problem: Problem, wanted: CountWords, settings: CountSettings) -> None:
    """Say at the start what a count takes that needs over a minute or a third of the free memory."""
    is_listed = problem.is_numbered or problem.checked_conditions or wanted.way == "listing"
    if wanted.by is None and is_listed:
        from knightstour.lab.counting import listed

        # A list that takes hours is refused without a limit, and the error has the estimate.
        if not listed.is_unlimited(settings.limits) or listed.nodes_without_limit(problem) is None:
            say_if_many(problem)
        return
    if problem.board.square_count < _LONG_SQUARES:
        return
    plan = _plan(problem, wanted, settings.limits)
    if plan.is_refused or not (plan.seconds > _LONG_SECONDS or 3 * plan.bytes > available_bytes()):
        return
    say_what_it_takes("this count", plan.seconds, plan.bytes)
    if settings.checkpoint is None:
        console.say("help", "--checkpoint DIR keeps what is done, --memory SIZE is a limit, --estimate answers at once")


def _print(answer: Answer, problem: Problem, place: int | None, as_json: bool) -> int:
    """Print an answer, or the line of a graph of several, and return the exit code."""
    reason = answer.reason if isinstance(answer, counting.Counted) else ""
    code, help = console.FOUND, ""
    if _is_estimate(answer):
        reason = answer.reason
        if not answer.is_known:
            code, help = console.UNDECIDED, "give more samples"
        elif answer.is_limited:
            code, help = console.UNDECIDED, "give a higher limit, or fewer samples"
    if place is not None:
        _print_line(place, problem, answer.to_dict() if as_json else None, answer.lines()[0], reason)
    else:
        console.print_answer(answer, as_json, help)
    return code


def _is_estimate(answer: Answer) -> TypeGuard[Estimate]:
    # Its module is loaded with the question.
    return hasattr(answer, "is_limited")


def _print_line(place: int, problem: Problem, record: Mapping[str, object] | None, answer: str, reason: str) -> None:
    text = line_of(place, problem.board, answer, reason) if record is None else json.dumps({"number": place, **record})
    click.echo(text)


def _answer(problem: Problem, wanted: CountWords, settings: CountSettings, status: console.StatusLine) -> Answer:
    """The answer to what is asked; modules of the rarer questions are loaded with them."""
    limits, threads, on_progress = settings.limits, settings.threads, settings.on_progress
    options: CountOptions = {"limits": limits, "threads": threads, "on_progress": on_progress}
    if wanted.by == "starts":
        from knightstour.lab.counting.starts import start_counts

        return start_counts(problem, **options)
    if wanted.by in ("moves", "steps"):
        return _uses(problem, wanted, settings, status)
    if wanted.by == "symmetry":
        from knightstour.lab.counting.by_symmetry import symmetry_table

        return symmetry_table(problem, **options)
    if wanted.estimate is not None:
        from knightstour.lab.counting.estimate import estimate as estimate_of

        samples, directed, seed = wanted.estimate, wanted.directed, wanted.seed
        return estimate_of(
            problem, directed=directed, samples=samples, seed=seed, limits=limits, on_progress=on_progress
        )
    if wanted.growth == "recurrence":
        from knightstour.lab.counting.narrow import count_recurrence

        return count_recurrence(problem)
    if wanted.proof is not None:
        _check_proof(wanted.proof, problem, wanted.force)
    # A certificate contains a number that was counted, not a published one.
    allow_known = wanted.proof is None
    found = counting.count_problem(
        problem,
        directed=wanted.directed,
        up_to_symmetry=wanted.classes,
        settings=settings,
        allow_known=allow_known,
    )
    if wanted.proof is not None:
        _write_proof(wanted.proof, found, wanted, settings)
    return found


def _uses(problem: Problem, wanted: CountWords, settings: CountSettings, status: console.StatusLine) -> Answer:
    """How many tours use each move, or visit each square at each step."""
    from knightstour.interfaces.cli.deadline import Deadline
    from knightstour.lab.counting.spaces.asked import no_tours_error, space_of, uses_of_moves, uses_of_steps

    began = time.monotonic()
    with status.timing("numbering all tours"):
        space = space_of(problem, limits=settings.limits, threads=settings.threads, on_progress=settings.on_progress)
    if not space.count:
        raise no_tours_error(problem)
    seconds = None if settings.limits is None else settings.limits.seconds
    clock = Deadline(None if seconds is None else max(1e-3, seconds - (time.monotonic() - began)))
    try:
        with clock, status.timing(f"counting {wanted.by}"):
            if wanted.by == "moves":
                return uses_of_moves(space)
            return uses_of_steps(space, directed=wanted.directed, samples=wanted.estimate, seed=wanted.seed)
    except KeyboardInterrupt:
        if not clock.is_over:
            raise
        raise Watch(problem, method="space").stopped(Budget(Limits(seconds=seconds)).why_stopped()) from None


def _check(asked: Mapping[str, object], workers_option: str) -> None:
    """The errors of options that do not go together. asked: what was typed, by option."""
    chosen = [name for name in _QUESTIONS if asked[name]]
    if chosen == ["classes", "plan"]:
        chosen = ["plan"]
    if chosen == ["estimate", "steps"]:
        chosen = ["steps"]
    if len(chosen) > 1:
        both = " and ".join(_TYPED.get(name, f"--{name}") for name in chosen[:2])
        raise ProblemError(f"{both} are two questions", help="ask one at a time")
    for name in _NOT_WITH.get(chosen[0] if chosen else "", ()):
        if asked[name]:
            flag = workers_option.split()[0] if name == "workers" else "--" + name.replace("_", "-")
            question = _TYPED.get(chosen[0], f"--{chosen[0]}")
            raise ProblemError(f"{flag} does not go with {question}", help=f"leave out {flag}")
    if asked["checkpoint"] == "":
        raise ProblemError("--checkpoint needs the name of a directory", help="give one, such as counts/")


def _how_to_go_on(checkpoint: str, workers_option: str) -> str:
    """The options that go on from a directory; work that was shared out is shared out again."""
    import shlex

    words = ("--checkpoint", shlex.quote(checkpoint), workers_option)
    return f"go on with {' '.join(word for word in words if word)}"


def _check_proof(path: str, problem: Problem, force: bool) -> None:
    from knightstour.interfaces.cli.output import check_target
    from knightstour.lab.certificates.certify import check_countable

    check_countable(problem)
    check_target(path, force)


def _write_proof(path: str, found: counting.Counted, wanted: CountWords, settings: CountSettings) -> None:
    from knightstour.lab.certificates.certify import count_certificate

    certificate = count_certificate(
        found.problem, found.tours, directed=found.directed, limits=settings.limits, on_progress=settings.on_progress
    )
    certificate.write(path, force=wanted.force)
