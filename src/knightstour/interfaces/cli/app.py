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

import click

from knightstour import __version__
from knightstour.core.machine import memory
from knightstour.core.model.errors import KnightsTourError, is_full, with_notes
from knightstour.core.model.result_errors import LimitReached, NoTour
from knightstour.interfaces.cli import console
from knightstour.interfaces.cli.help import ALL, TYPED, Group

# Title of the help -> name -> summary. A command `x` is the function `command` of commands/x.py.
GROUPS = {
    "Find tours": {
        "solve": "Find a tour, or prove that none exists.",
        "sample": "Draw random tours.",
        "enumerate": "Print all tours.",
        "improve": "Make tours with fewer turns, crossings, ...",
    },
    "Count tours": {
        "count": "Count exactly.",
        "estimate": "Estimate a count.",
        "census": "Count by turns, crossings, symmetry, ...",
        "rank": "Print the numbers of tours.",
        "unrank": "Print the tours of numbers.",
        "oeis": "Look up, check and extend sequences.",
    },
    "Files and pictures": {
        "check": "Check tours and certificates.",
        "measure": "Print statistics of tours, such as turns.",
        "convert": "Write tours or graphs in another format.",
        "draw": "Draw tours and boards.",
        "examples": "Print known tours and graphs.",
    },
    "Puzzles and the page": {
        "puzzle": "Make, solve, check and print puzzles.",
        "serve": "Start the page in the browser.",
    },
    "Help": {
        "facts": "Print facts about a board.",
        "explain": "Explain a method, statistic, format, ...",
        "compare": "Compare the methods.",
        "cache": "Show or clear the cache.",
    },
}
COMMANDS = {name: summary for rows in GROUPS.values() for name, summary in rows.items()}


HELP_ALL = "--help-all"


def main(args: list[str] | None = None) -> None:
    """Run the command line and end the process with its exit code."""
    arguments = list(sys.argv[1:] if args is None else args)
    debug = "--debug" in arguments
    if debug:
        arguments.remove("--debug")
    arguments, helps_all = _with_plain_help(arguments)
    _handle_signals()
    if os.environ.get("_KNIGHTSTOUR_COMPLETE"):
        from knightstour.interfaces.cli.completing import complete_words

        sys.exit(complete_words(group, os.environ["_KNIGHTSTOUR_COMPLETE"]))
    try:
        code = _run(arguments, debug, helps_all)
    except _EndSignal as ended:
        # Restore the default handler, which then ends the process.
        signal.signal(ended.number, signal.SIG_DFL)
        os.kill(os.getpid(), ended.number)
        code = 128 + ended.number
    sys.exit(code)


class _EndSignal(BaseException):
    """A signal ends the process after the removal of unfinished files."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def _handle_signals() -> None:
    def end(number: int, frame: object) -> None:
        # Only once: a second signal would interrupt the cleanup.
        signal.signal(number, signal.SIG_IGN)
        raise _EndSignal(number)

    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)  # not on every system
        # A program that was started with nohup continues.
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, end)


def _with_plain_help(arguments: list[str]) -> tuple[list[str], bool]:
    """Replace --help-all by --help; return whether it was given."""
    return ["--help" if word == HELP_ALL else word for word in arguments], HELP_ALL in arguments


def _run(arguments: list[str], debug: bool, helps_all: bool = False) -> int:
    if console.open_closed_streams():
        console.print_message("error", "there is nowhere to print: stdout is closed")
        console.print_message("help", "send it to a file, or to /dev/null")
        return console.USAGE
    console.settle_encodings()
    try:
        # Not group.main(), which returns exit code 1, our "impossible", for a closed pipe.
        with group.make_context("knightstour", list(arguments)) as context:
            context.meta.update({ALL: helps_all, TYPED: arguments})
            code = group.invoke(context)
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.exceptions.NoArgsIsHelpError as missing:
        click.echo(missing.format_message())
        return 0
    except (KeyboardInterrupt, click.Abort):
        console.print_message("note", "interrupted")
        return console.INTERRUPTED
    except BrokenPipeError:
        console.drop_stdout()
        return console.NO_READER
    except Exception as error:
        if debug:
            raise
        return _print_error(error, arguments)


def run_command(words: list[str]) -> int:
    """Run a command from another one, such as the dialogue; return its exit code. Its errors are printed."""
    return _run(words, debug=False)


def _print_error(error: Exception, arguments: list[str]) -> int:
    if isinstance(error, click.UsageError):
        from knightstour.interfaces.cli.hints import hint_for

        hint = hint_for(error)
        console.print_message("error", _message_of(error))
        if error.ctx is not None:
            console.print_message(
                "help", hint or _correct_command(error, arguments) or f"{error.ctx.command_path} --help"
            )
    elif isinstance(error, NoTour):
        from knightstour.interfaces.cli.output import print_impossible

        print_impossible(error.result, err=True)
        return console.IMPOSSIBLE
    elif isinstance(error, KnightsTourError):
        console.print_error(error)
        if isinstance(error, LimitReached):
            return console.UNDECIDED
    elif memory.is_exhausted(error):
        console.print_message("error", "there is not enough memory for this")
    elif isinstance(error, OSError):
        _explain_os_error(error)
    else:
        console.print_message("error", f"this should not have happened: {type(error).__name__}: {error}")
        console.print_message("help", "run it again with --debug to see where, and please report it")
        return 70
    return console.USAGE


def _message_of(error: click.UsageError) -> str:
    """Return the message in lower case, without a full stop."""
    if isinstance(error, click.NoSuchOption):
        return f"unknown option {error.option_name!r}"
    text = error.format_message().rstrip(".").removeprefix("Got ")
    return text[:1].lower() + text[1:]


def _correct_command(error: click.UsageError, arguments: list[str]) -> str:
    """Return the correct command if the command's name or a part of the board is missing, else ""."""
    words = shlex.join(arguments)
    if words[:1].isdigit():  # no command begins with a digit
        return "knightstour solve " + re.sub(r"^(\d+) (\d+)(?!\S)", r"\1x\2", words)
    sizes = "extra argument" in error.message and re.match(r"[a-z]+ (\d+) (\d+)(?!\S)", words)
    return f"write a board as one word, {sizes[1]}x{sizes[2]}" if sizes else ""


def _explain_os_error(error: OSError) -> None:
    """Print the error of a file, or of output that could not be written."""
    is_print = error.filename is None and is_full(error)
    try:
        sys.stdout.flush()
    except OSError:
        is_print = error.filename is None
        console.drop_stdout()
    if is_print:
        error = OSError(error.errno, error.strerror, "standard output")
        with_notes(error, help="make room there, or write to another place" if is_full(error) else "")
    console.print_error(error)


_EXIT_CODES = "Exit codes: 0 found or valid, 1 impossible or invalid, 2 usage error, 3 undecided at a limit."


class _Commands(Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(f"knightstour.interfaces.cli.commands.{name}").command
        return command

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write_usage(ctx.command_path, "COMMAND ...")

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for title, rows in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl(list(rows.items()))
        with formatter.section("Options"):
            formatter.write_dl([("-h, --help", "Show this help."), ("--version", "Print the version.")])
        formatter.write_paragraph()
        formatter.write_text(_EXIT_CODES)


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, prog_name="knightstour")
def group() -> None:
    """Find a knight's tour on any board, prove that there is none, or count them all.

    \b
    knightstour solve 8x8
    knightstour count 6x6 --closed
    knightstour puzzle 6x6
    knightstour COMMAND --help
    """


def all_commands() -> dict[str, click.Command]:
    """Return all commands by name, with the commands of a group as "puzzle make"."""
    context = click.Context(group)
    found: dict[str, click.Command] = {}
    for name in COMMANDS:
        command = group.get_command(context, name)
        assert command is not None
        found[name] = command
        if isinstance(command, click.Group):
            found |= {f"{name} {below}": each for below, each in command.commands.items()}
    return found
