"""Write the page of `man knightstour`, build/knightstour.1, from the commands: python scripts/make_man.py

A wheel that is built from a folder where the page was made installs it as share/man/man1/knightstour.1; the released
ones are (hatch_build.py). A build by itself, which has no more than the compiler, leaves it out.
"""

import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import click

from knightstour.interfaces.cli.app import COMMANDS, all_commands, group
from knightstour.interfaces.cli.help import Command

PAGE = Path(__file__).parent.parent / "build" / "knightstour.1"

EXAMPLES = (
    ("knightstour solve", "a dialogue that ends with a tour, and with the command for it"),
    ("knightstour solve 8x8 --closed --start a1", "a closed tour from a1"),
    ("knightstour solve 5x5 --start a2", "why there is none"),
    ("knightstour solve 8x8 --closed -o tour.svg", "a tour as a picture"),
    ("knightstour count 6x6 --closed", "how many closed tours there are"),
    ("knightstour puzzle 8x8 -n 6 -o puzzles.pdf", "six puzzles to print"),
    ("knightstour serve --open", "the page in the browser"),
)
EXITS = (
    ("0", "found, or valid"),
    ("1", "proved impossible, or invalid"),
    ("2", "wrong usage"),
    ("3", "undecided at a limit"),
    ("130", "interrupted"),
)
ENVIRONMENT = (
    ("NO_COLOR", "if set, nothing is coloured"),
    ("XDG_CACHE_HOME", "where spaces of tours are kept between commands, in knightstour/"),
    ("_KNIGHTSTOUR_COMPLETE", "`bash_source`, `zsh_source` or `fish_source` prints the script for completion"),
)


def escaped(text: str) -> str:
    """Text as roff shows it unchanged; one line."""
    text = " ".join(text.split()).replace("\\", "\\e").replace("-", "\\-")
    text = text.replace("\u2019", "'").replace("`", "")
    return f"\\&{text}" if text.startswith((".", "'")) else text


def definitions(rows: Iterator[tuple[str, str]]) -> Iterator[str]:
    """A list of words and their meanings."""
    for word, meaning in rows:
        yield f".TP\n\\fB{escaped(word)}\\fR\n{escaped(meaning)}"


def command_part(name: str, command: click.Command) -> Iterator[str]:
    """Yield a command: its usage, its help, and its options by group."""
    context = click.Context(group, info_name="knightstour")
    below = click.Context(command, info_name=name, parent=context)
    words = " ".join(command.collect_usage_pieces(below))
    yield f".SS knightstour {name} {escaped(words)}"
    paragraphs = re.split(r"\n\s*\n", inspect.cleandoc(command.help or "").strip())
    yield "\n.PP\n".join(escaped(paragraph.replace("\b", "")) for paragraph in paragraphs)
    groups = command.groups if isinstance(command, Command) else {}
    for title, parameters in groups.items():
        records = [record for each in parameters if (record := each.get_help_record(below))]
        if records:
            yield f".PP\n.B {escaped(title)}"
            yield from definitions(iter(records))


def page() -> str:
    """The whole page."""
    lines = [
        '.TH KNIGHTSTOUR 1 "" knightstour "Knight\'s tours"',
        ".SH NAME",
        "knightstour \\- find, prove, count and draw knight's tours",
        ".SH SYNOPSIS",
        ".B knightstour\n[\\fICOMMAND\\fR [\\fIARGUMENTS\\fR]]",
        ".SH DESCRIPTION",
        "Asks for a knight's tour of any board, and prints it, or the proof that there is none.",
        ".PP",
        escaped(
            "BOARD is rows x columns such as 8x12, one number for a square board, or a file that draws the board with "
            ". and #, or holds a graph. A square is a1 (bottom left) or row,col such as 0,0 (top left)."
        ),
        ".SH COMMANDS",
        *definitions(iter(COMMANDS.items())),
    ]
    lines.append(".SH OPTIONS OF THE COMMANDS")
    for name, command in all_commands().items():
        lines += command_part(name, command)
    lines += [".SH EXAMPLES", *definitions(iter(EXAMPLES))]
    lines += [".SH EXIT STATUS", *definitions(iter(EXITS))]
    lines += [".SH ENVIRONMENT", *definitions(iter(ENVIRONMENT))]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Write the page."""
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
