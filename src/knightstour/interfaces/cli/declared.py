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


def option(*flags: str, **given: Any) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """An option as click.option makes it. needs, without: names of other parameters, with blanks between; why.

    An option that needs `objective` is refused where no objective was given, and one `without` it where one was.
    """
    return click.option(*flags, cls=Declared, **given)


def typed_as(parameter: click.Parameter) -> str:
    """An option as it is typed, in its long form; an argument as the help shows it."""
    return max(parameter.opts, key=len) if isinstance(parameter, click.Option) else (parameter.name or "").upper()


def check(command: click.Command, typed: dict[str, Any]) -> None:
    """Raise a UsageError for the first option that was typed and does not go with the others."""
    flags = {each.name: typed_as(each) for each in command.params}
    given = {each.name for each in command.params if _is_given(each, typed)}
    for each in command.params:
        if not isinstance(each, Declared) or each.name not in given:
            continue
        needed = [name for name in each.needs if name in flags]
        if needed and given.isdisjoint(needed):
            *rest, last = [flags[name] for name in needed]
            words = f"{', '.join(rest)} or {last}" if rest else last
            raise click.UsageError(f"{typed_as(each)} goes with {words}")
        for name in each.without:
            if name in given:
                raise click.UsageError(each.why or f"{typed_as(each)} does not go with {flags[name]}")


def _is_given(parameter: click.Parameter, typed: dict[str, Any]) -> bool:
    """Whether a parameter has another value than it has by itself; 0 is a value."""
    value = typed.get(parameter.name or "")
    return value is not None and value is not False and value != () and value != parameter.default
