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
    """Type of all options that are integers. least, most: the range, or None."""

    name = "integer"

    def __init__(self, least: int | None = None, most: int | None = None) -> None:
        self._least, self._most = least, most

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number, or raise the error that shows how to write one."""
        try:
            number = value if isinstance(value, int) else whole_number_of(value)
        except ValueError:
            self.fail(f"{value!r} is not a whole number; write it in digits, such as 20 or 1e6", param, ctx)
        if self._least is not None and self._most is not None and not self._least <= number <= self._most:
            self.fail(f"{number} is not from {self._least} to {self._most}", param, ctx)
        return number


class Real(click.ParamType):
    """Type of all options that are numbers."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the number, or raise the error that shows how to write one."""
        try:
            return float(value)
        except ValueError:
            self.fail(f"{value!r} is not a number; write it in digits, such as 20 or 0.5", param, ctx)


WHOLE: Final = Whole()
REAL: Final = Real()


class Option(click.Option):
    """An option of a command.

    group: The title under which --help-all lists it; "" for the first screen.
    """

    def __init__(self, *given: Any, group: str = "", **others: Any) -> None:
        if others.get("type") is int:
            others["type"] = WHOLE
        elif others.get("type") is float:
            others["type"] = REAL
        super().__init__(*given, **others)
        self.group = group

    def get_help_extra(self, ctx: click.Context) -> Any:
        """Return nothing: the help text itself has the default and the range."""
        return {}


def option(*flags: str, **given: Any) -> Decorator:
    """Add an option to a command. The arguments are passed to Option."""
    return click.option(*flags, cls=Option, **given)
