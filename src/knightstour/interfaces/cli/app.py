"""The command line: the table of its commands, and the messages and exit codes for their errors.

A command is one file of commands/ and one row of COMMANDS. Its file is loaded when the command is called, so that
`--help` appears at once.
"""

from __future__ import annotations

import importlib
import os
import re
import shlex
import signal
import sys
from typing import Any

import click

from knightstour import __version__
from knightstour.core.machine import memory
from knightstour.core.model.errors import KnightsTourError, is_full
from knightstour.core.model.result_errors import LimitReached, NoTour
from knightstour.interfaces.cli import console
from knightstour.interfaces.cli.help import ALL, TYPED

# Name -> what it does, in a line. A command `x` is the function `command` of commands/x.py.
COMMANDS = {
    "solve": "Find a tour of BOARD, or say why there is none.",
    "check": "Check the tours of a file, or of a data set.",
    "verify": "Check a certificate: the proof of an answer.",
    "convert": "Write the tours of a file in another format.",
    "measure": "Say how many turns, crossings and angles tours have.",
    "improve": "Look for tours with fewer turns, or more or less of any statistic.",
    "explain": "List the methods, distributions, formats, ..., or explain one.",
    "facts": "Say what BOARD is, and which tours it has and why.",
    "compare": "Ask every method for a tour of BOARD, and compare.",
    "sample": "Draw random tours of BOARD in bulk.",
    "enumerate": "List all tours of BOARD.",
    "count": "Count the tours of BOARD exactly.",
    "census": "Count the tours of BOARD by turns, crossings, slopes, ...",
    "oeis": "List the OEIS sequences of counts, and check them.",
    "rank": "Give the number of each tour of a file among all.",
    "unrank": "Print the tours of these numbers.",
    "puzzle": "Make puzzles with one solution; check, solve, print them.",
    "draw": "Draw the tours of a file, or a board.",
    "serve": "Show the page in the browser.",
}


HELP_ALL = "--help-all"


def main(args: list[str] | None = None) -> None:
    """Run the command line and end the process with its exit code."""
    arguments = list(sys.argv[1:] if args is None else args)
    debug = "--debug" in arguments
    if debug:
        arguments.remove("--debug")
    arguments, helps_all = _with_plain_help(arguments)
    _heed_signals()
    if os.environ.get("_KNIGHTSTOUR_COMPLETE"):
        from knightstour.interfaces.cli.completing import complete_words

        sys.exit(complete_words(group, os.environ["_KNIGHTSTOUR_COMPLETE"]))
    try:
        code = _run(arguments, debug, helps_all)
    except _Ended as ended:
        # Now as the system would have ended it.
        signal.signal(ended.number, signal.SIG_DFL)
        os.kill(os.getpid(), ended.number)
        code = 128 + ended.number
    sys.exit(code)


class _Ended(BaseException):
    """A signal ends the process, after unfinished files have been removed."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def _heed_signals() -> None:
    def end(number: int, frame: object) -> None:
        # Once only: the next one would interrupt the cleaning.
        signal.signal(number, signal.SIG_IGN)
        raise _Ended(number)

    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)  # not on every system
        # Who started it with nohup wants it to go on.
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, end)


def _with_plain_help(arguments: list[str]) -> tuple[list[str], bool]:
    """The words with --help for --help-all, and whether that was there."""
    return ["--help" if word == HELP_ALL else word for word in arguments], HELP_ALL in arguments


def _run(arguments: list[str], debug: bool, helps_all: bool = False) -> int:
    if console.open_closed_streams():
        console.say("error", "there is nowhere to print: stdout is closed")
        console.say("help", "send it to a file, or to /dev/null")
        return console.USAGE
    console.settle_encodings()
    try:
        # Not group.main(), which makes exit code 1, our "impossible", of a reader that has gone.
        with group.make_context("knightstour", list(arguments)) as context:
            context.meta.update({ALL: helps_all, TYPED: arguments})
            code = group.invoke(context)
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except (KeyboardInterrupt, click.Abort):
        console.say("note", "interrupted")
        return console.INTERRUPTED
    except BrokenPipeError:
        console.drop_stdout()
        return console.NO_READER
    except Exception as error:
        if debug:
            raise
        return _explained(error, arguments)


def run_command(words: list[str]) -> int:
    """Run one command within another, such as the dialogue; returns its exit code. Its errors are said."""
    return _run(words, debug=False)


def _explained(error: Exception, arguments: list[str]) -> int:
    if isinstance(error, click.UsageError):
        console.say("error", error.format_message().rstrip("."))
        if error.ctx is not None:
            console.say("help", _board_rightly(error, arguments) or f"{error.ctx.command_path} --help")
    elif isinstance(error, NoTour):
        from knightstour.interfaces.cli.output import tell_impossible

        tell_impossible(error.result, err=True)
        return console.IMPOSSIBLE
    elif isinstance(error, KnightsTourError):
        console.say_error(error)
        if isinstance(error, LimitReached):
            return console.UNDECIDED
    elif memory.is_exhausted(error):
        console.say("error", "there is not enough memory for this")
    elif isinstance(error, OSError):
        _explain_failed_print(error)
    else:
        console.say("error", f"this should not have happened: {type(error).__name__}: {error}")
        console.say("help", "run it again with --debug to see where, and please report it")
        return 70
    return console.USAGE


def _board_rightly(error: click.UsageError, arguments: list[str]) -> str:
    """What to type where the command is missing before a board, or a board came as two words; else ""."""
    words = shlex.join(arguments)
    if words[:1].isdigit():  # no command begins so
        return "knightstour solve " + re.sub(r"^(\d+) (\d+)(?!\S)", r"\1x\2", words)
    sizes = "extra argument" in error.message and re.match(r"[a-z]+ (\d+) (\d+)(?!\S)", words)
    return f"write a board as one word, {sizes[1]}x{sizes[2]}" if sizes else ""


def _explain_failed_print(error: OSError) -> None:
    """Say what could not be printed. Files that cannot be written raise errors of ours, with their names."""
    place = error.filename or ("standard output" if is_full(error) else "")
    try:
        sys.stdout.flush()
    except OSError:
        place = place or "standard output"
        console.drop_stdout()
    console.say("error", f"{place}: {error.strerror or error}" if place else str(error.strerror or error))
    if is_full(error):
        console.say("help", "make room there, or write to another place")


class _Commands(click.Group):
    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.commands = dict.fromkeys(COMMANDS, self)  # for their names alone, which click suggests

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(f"knightstour.interfaces.cli.commands.{name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=_Commands, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="knightstour")
@click.pass_context
def group(context: click.Context) -> int | None:
    """Knight's tours: ask for one on any board, and get it or the proof that there is none.

    Without a command it asks you what you want.

    \b
    Exit codes: 0 found or valid, 1 proved impossible or invalid,
    2 wrong usage, 3 undecided at a limit, 130 interrupted.
    """
    if context.invoked_subcommand is None:
        from knightstour.interfaces.cli.dialogue import converse

        if not converse(run_command):
            click.echo(context.get_help())
    return None
