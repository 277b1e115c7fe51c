"""Options of the command line: their class, and the numbers that users write in them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final, TypeAlias

import click

# A command is decorated with its options and arguments.
Decorator: TypeAlias = Callable[[Callable[..., int]], Callable[..., int]]
_WHOLE = re.compile(r"([+-]?\d+)(?:\.(\d+))?(?:e\+?(\d{1,3})|([kMG]))?", re.IGNORECASE)
_POWERS = {"k": 3, "K": 3, "M": 6, "G": 9}


def whole_number_of(text: str) -> int:
    """Return the integer of a text such as 1e6; raises ValueError for any other text.

    >>> whole_number_of("1_000_000"), whole_number_of("1.5M"), whole_number_of("2e6"), whole_number_of("-3")
    (1000000, 1500000, 2000000, -3)
    """
    match = _WHOLE.fullmatch(re.sub(r"(?<=\d)_(?=\d)", "", text.strip()))
    letter = match[4] if match else None
    if match is None or (letter and letter not in _POWERS):
        raise ValueError(text)
    # 2.50e1 is 250 times 10 to the power of 1 - 2.
    fraction = match[2] or ""
    number, power = int(match[1] + fraction), int(match[3] or _POWERS.get(letter or "", 0)) - len(fraction)
    if power < 0 and number % 10**-power:
        raise ValueError(text)
    return number * 10**power if power >= 0 else number // 10**-power


class Whole(click.ParamType):
    """Type of all options that are integers."""

    name = "integer"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number, or raise the error that shows how to write one."""
        try:
            return value if isinstance(value, int) else whole_number_of(value)
        except ValueError:
            self.fail(f"{value!r} is not a whole number; write it as 1000000, 1_000_000, 1e6 or 1M", param, ctx)


WHOLE: Final = Whole()


class Option(click.Option):
    """An option of a command.

    group: The title under which --help-all lists it; "" for the first screen.
    """

    def __init__(self, *given: Any, group: str = "", **others: Any) -> None:
        if others.get("type") is int:
            others["type"] = WHOLE
        super().__init__(*given, **others)
        self.group = group

    def get_help_extra(self, ctx: click.Context) -> Any:
        """Return nothing: the help text itself has the default and the range."""
        return {}


def option(*flags: str, **given: Any) -> Decorator:
    """Add an option to a command. The arguments are passed to Option."""
    return click.option(*flags, cls=Option, **given)
