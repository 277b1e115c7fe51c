"""Options that say with what they go: declared once beside the help, and checked in one place before a command runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click


class Declared(click.Option):
    """An option with what it `needs`, one of these names, and with what it does not go, `without`.

    `why` says what is wrong with the first that was given of `without`, where more is to be said than that.
    """

    def __init__(self, *given: Any, needs: str = "", without: str = "", why: str = "", **others: Any) -> None:
        super().__init__(*given, **others)
        self.needs, self.without, self.why = tuple(needs.split()), tuple(without.split()), why

    @property
    def flag(self) -> str:
        """The option as it is typed."""
        return max(self.opts, key=len)


def option(*flags: str, **given: Any) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """An option as click.option makes it. needs, without: names of other parameters, with blanks between; why.

    An option that needs `objective` is refused where no objective was given, and one `without` it where one was.
    """
    return click.option(*flags, cls=Declared, **given)


def check(command: click.Command, typed: dict[str, Any]) -> None:
    """Raise a UsageError for the first option that was typed and does not go with the others."""
    shown = {each.name: max(each.opts, key=len) for each in command.params if isinstance(each, click.Option)}
    shown |= {each.name: (each.name or "").upper() for each in command.params if isinstance(each, click.Argument)}
    for each in command.params:
        if not isinstance(each, Declared) or not _is_given(each, typed):
            continue
        needed = [name for name in each.needs if name in shown]
        if needed and not any(_is_given_name(command, name, typed) for name in needed):
            *rest, last = [shown[name] for name in needed]
            words = f"{', '.join(rest)} or {last}" if rest else last
            raise click.UsageError(f"{each.flag} goes with {words}")
        for name in each.without:
            if _is_given_name(command, name, typed):
                raise click.UsageError(each.why or f"{each.flag} does not go with {shown[name]}")


def _is_given_name(command: click.Command, name: str, typed: dict[str, Any]) -> bool:
    return any(each.name == name and _is_given(each, typed) for each in command.params)


def _is_given(parameter: click.Parameter, typed: dict[str, Any]) -> bool:
    """Whether a parameter has another value than it has by itself."""
    value = typed.get(parameter.name or "")
    return value not in (None, False, ()) and value != parameter.default
