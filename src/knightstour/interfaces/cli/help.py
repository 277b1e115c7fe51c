"""Commands and their help: the first screen has the options that most users need, and --help-all has all of them."""

from __future__ import annotations

import os
import shutil
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import click

from knightstour.core.model.errors import ProblemError
from knightstour.interfaces.cli.option import Option

# Set in the root context's `meta` if --help-all was given.
ALL: Final = "knightstour.help_all"
# The entry of a context's `meta` with the arguments of the command line.
TYPED: Final = "knightstour.typed"
# Title of the options on the first screen.
FIRST: Final = "Options"
_WIDEST: Final = 100
# Widest column of option names, in characters.
_COLUMN: Final = 28
# Values that users write behind flags.
_VALUES: Final = ("none", "no", "off", "false", "yes", "on", "true")


class Formatter(click.HelpFormatter):
    """Formatter that uses the whole width of the terminal, up to 100 characters."""

    def __init__(self, **given: Any) -> None:
        super().__init__(width=min(shutil.get_terminal_size().columns, _WIDEST), max_width=_WIDEST)

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = _COLUMN, col_spacing: int = 2) -> None:
        """Write two columns."""
        super().write_dl(rows, col_max, col_spacing)


class Context(click.Context):
    """Context whose help has the width of the terminal."""

    formatter_class = Formatter


class Command(click.Command):
    """A command with groups of options and shell completion of values."""

    context_class = Context

    def __init__(self, name: str | None, **given: Any) -> None:
        super().__init__(name, **given)
        if any(name.endswith("_COMPLETE") for name in os.environ):
            from knightstour.interfaces.cli.completing import set_completions

            set_completions(self.params)

    @property
    def groups(self) -> dict[str, list[Option]]:
        """The options by the title of their group. The first screen comes first."""
        found: dict[str, list[Option]] = {FIRST: []}
        for each in self.params:
            if isinstance(each, Option):
                found.setdefault(each.group or FIRST, []).append(each)
        return found

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments. Raises an error for a flag with a value, and for a repeated option."""
        flags = {
            word: each for each in self.params if isinstance(each, click.Option) and each.is_flag for word in each.opts
        }
        for word, value in zip(args, args[1:], strict=False):
            if word in flags and value.lower() in _VALUES:
                off = flags[word].secondary_opts
                help = f"use {word} or {off[0]}" if off else f"use {word} alone, or omit it"
                raise ProblemError(f"{word} accepts no value, and {value!r} follows it", help=help)
        if not ctx.resilient_parsing:
            self._check_repeated(ctx, args)
        return super().parse_args(ctx, args)

    def _check_repeated(self, ctx: click.Context, args: list[str]) -> None:
        _, _, order = self.make_parser(ctx).parse_args(list(args))
        for each in self.params:
            if isinstance(each, click.Option) and not each.multiple and order.count(each) > 1:
                raise ProblemError(f"{max(each.opts, key=len)} is given {order.count(each)} times", help="give it once")

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options of the first screen, and the others in full or as a list of names."""
        shows_all = bool(ctx.find_root().meta.get(ALL))
        hidden = {title: options for title, options in self.groups.items() if title != FIRST}
        for title, options in self.groups.items():
            if options and (shows_all or title == FIRST):
                with formatter.section(title):
                    formatter.write_dl([record for each in options if (record := each.get_help_record(ctx))])
        if hidden and not shows_all:
            _write_names(hidden, formatter)


def _write_names(groups: Mapping[str, Sequence[Option]], formatter: click.HelpFormatter) -> None:
    formatter.write_paragraph()
    formatter.write("More, with --help-all:\n")
    column = max(10, *map(len, groups)) + 2
    for title, options in groups.items():
        names = " ".join(max(each.opts, key=len) for each in options)
        lines = textwrap.wrap(names, formatter.width - column - 2, break_on_hyphens=False)
        for k, line in enumerate(lines):
            formatter.write(f"  {'' if k else title:<{column}}{line}\n")


class UnknownCommand(click.UsageError):
    """The error for an unknown command."""

    def __init__(self, word: str, ctx: click.Context) -> None:
        super().__init__(f"unknown command {word!r}", ctx)
        self.word = word


class Group(click.Group):
    """A command with subcommands.

    default: The command that runs if the first word is a board or an option; "" for none.
    """

    context_class = Context

    def __init__(self, name: str | None, *, default: str = "", **given: Any) -> None:
        super().__init__(name, subcommand_metavar="COMMAND", **given)
        self.default = default

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the words; the default command is inserted before a board or an option."""
        if self.default and args and args[0] not in (*self.commands, *ctx.help_option_names) and _is_subject(args[0]):
            args = [self.default, *args]
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that was named; raises UnknownCommand for another word."""
        command = self.get_command(ctx, args[0])
        if command is None and not ctx.resilient_parsing and not args[0].startswith("-"):
            raise UnknownCommand(args[0], ctx)
        return super().resolve_command(ctx, args)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write nothing: a group has no options, and its help lists its commands."""


def _is_subject(word: str) -> bool:
    """Return whether a word is an option or a board."""
    from knightstour.interfaces.cli import parsing

    return word.startswith("-") or parsing.is_size(word) or parsing.file_word(word).is_there
