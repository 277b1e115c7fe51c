"""How `--help` looks: the options of a command in groups, by what they are about; and what the shell completes."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import click

# Title -> the names of the parameters that are listed there. What is in no group is the command's own.
GROUPS: Mapping[str, tuple[str, ...]] = {
    "The question": ("closed", "start", "end", "given", "through", "avoid", "symmetry", "directed", "classes"),
    "Limits and workers": (
        "timeout", "max_nodes", "memory", "threads", "workers", "scheduler", "checkpoint", "resume",
    ),
    "Input and output": ("format_name", "output", "force", "as_json", "as_csv", "shown", "proof"),
    "Pictures": ("is_recorded", "width", "is_ascii"),
}  # fmt: skip

# With fewer options than this a single list is easier to read.
_MANY = 9


class PictureOption(click.Option):
    """An option of pictures, whose group is known without the tables that such options are made from."""

    group = "Pictures"


class Command(click.Command):
    """A command whose help lists its options in the groups of GROUPS, and whose words the shell completes."""

    def __init__(self, name: str | None, **given: Any) -> None:
        super().__init__(name, context_settings={"max_content_width": 110}, **given)
        if any(name.endswith("_COMPLETE") for name in os.environ):
            from knightstour.cli.completing import teach

            teach(self.params)

    def own_groups(self, ctx: click.Context) -> dict[str, Sequence[click.Parameter]]:
        """The options, and arguments with a help, by the title of their group."""
        parameters = [each for each in click.Command.get_params(self, ctx) if isinstance(each, click.Option)]
        if len(parameters) < _MANY:
            return {"Options": parameters}
        home = {name: title for title, names in GROUPS.items() for name in names}
        groups: dict[str, list[click.Parameter]] = {"Options": [], **{title: [] for title in GROUPS}}
        for each in parameters:
            groups[getattr(each, "group", home.get(each.name or "", "Options"))].append(each)
        return {title: members for title, members in groups.items() if members}

    def help_groups(self, ctx: click.Context) -> dict[str, Sequence[click.Parameter]]:
        """All groups, in the order of the help."""
        return self.own_groups(ctx)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the groups, one below another."""
        for title, parameters in self.help_groups(ctx).items():
            records = [record for parameter in parameters if (record := parameter.get_help_record(ctx)) is not None]
            if records:
                with formatter.section(title):
                    formatter.write_dl(records)
