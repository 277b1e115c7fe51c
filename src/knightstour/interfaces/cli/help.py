"""How `--help` looks: on one screen, with the groups that many commands have folded; and what the shell completes.

`--help-all` writes the folded groups out. Before a command runs, its options are checked against each other.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, Final

import click

from knightstour.core.model.condition_table import question_names
from knightstour.core.model.errors import ProblemError
from knightstour.interfaces.cli.declared import READERS, check, typed_as

# Title -> the names of the parameters that are listed there. What is in no group is the command's own.
GROUPS: Mapping[str, tuple[str, ...]] = {
    "The question": (*question_names(), "directed", "classes"),
    "Limits and workers": ("timeout", "max_nodes", "memory", "threads", "workers", "checkpoint"),
    "Output": ("format_name", "output", "force", "as_json", "as_csv", "shown", "proof", "style"),
    "Pictures": ("width", "is_ascii"),
}
# Groups that are folded to a line where the help would not fit on a screen, in this order.
_FOLDED: Final = ("Limits and workers", "The question", "Output", "Pictures")
# Lines of a screen.
_SCREEN: Final = 50

# With fewer options than this a single list is easier to read.
_MANY = 9
# Set in the root context's `meta` where --help-all was typed.
ALL: Final = "knightstour.help_all"
# Where a context keeps the words that were typed.
TYPED: Final = "knightstour.typed"


class PictureOption(click.Option):
    """An option of pictures, whose group is known without the tables that such options are made from."""

    group = "Pictures"


class Command(click.Command):
    """A command whose help lists its options in the groups of GROUPS, and whose words the shell completes."""

    def __init__(self, name: str | None, **given: Any) -> None:
        super().__init__(name, context_settings={"max_content_width": 110}, **given)
        if any(name.endswith("_COMPLETE") for name in os.environ):
            from knightstour.interfaces.cli.completing import teach

            teach(self.params)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the words, after a check that no switch is followed by a value such as none."""
        switches = {
            word: each for each in self.params if isinstance(each, click.Option) and each.is_flag for word in each.opts
        }
        for word, value in zip(args, args[1:], strict=False):
            if word in switches and value.lower() in _VALUES:
                off = switches[word].secondary_opts
                help = f"use {word} or {off[0]}" if off else f"use {word} alone, or omit it"
                raise ProblemError(f"{word} accepts no value, and {value!r} follows it", help=help)
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        """Call the command's function with the values of its options, if they can be combined."""
        assert self.callback is not None
        return ctx.invoke(self.callback, **self.read_options(ctx))

    def read_options(self, ctx: click.Context) -> dict[str, Any]:
        """Return the arguments of the command's function; a UsageError if two options cannot be combined."""
        check(self, ctx.params)
        given = dict(ctx.params)
        for read in vars(self.callback).get(READERS, ()):
            read(given)
        return given

    def help_groups(self, ctx: click.Context) -> dict[str, Sequence[click.Parameter]]:
        """The options, and arguments with a help, by the title of their group."""
        parameters = [each for each in self.get_params(ctx) if isinstance(each, click.Option)]
        if len(parameters) < _MANY:
            return {"Options": parameters}
        home = {name: title for title, names in GROUPS.items() for name in names}
        groups: dict[str, list[click.Parameter]] = {"Options": [], **{title: [] for title in GROUPS}}
        for each in parameters:
            groups[getattr(each, "group", home.get(each.name or "", "Options"))].append(each)
        return {title: members for title, members in groups.items() if members}

    def get_help(self, ctx: click.Context) -> str:
        """The help, with as many groups folded as it takes to fit on a screen; with none where all was asked for."""
        folded: list[str] = []
        ctx.meta[_FOLDING] = folded
        text = super().get_help(ctx)
        if ctx.find_root().meta.get(ALL):
            return text
        for title in _FOLDED:
            if len(text.splitlines()) <= _SCREEN:
                break
            if len(self.help_groups(ctx).get(title, ())) > 1:
                folded.append(title)
                text = super().get_help(ctx)
        return text

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the groups, one below another; the folded ones at the end, a paragraph each."""
        folded = ctx.meta.get(_FOLDING, ())
        short: list[tuple[str, str]] = []
        for title, parameters in self.help_groups(ctx).items():
            records = [record for parameter in parameters if (record := parameter.get_help_record(ctx)) is not None]
            if title in folded:
                short.append((title, " ".join(typed_as(each) for each in parameters)))
            elif records:
                with formatter.section(title):
                    formatter.write_dl(records)
        if short:
            with formatter.section("More, with --help-all"):
                formatter.write_dl(short)


_FOLDING: Final = "knightstour.folded"
# Values that users write behind switches.
_VALUES: Final = ("none", "no", "off", "false", "yes", "on", "true")
