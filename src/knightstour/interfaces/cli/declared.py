"""Options that say with what they go: declared once beside the help, and checked in one place before a command runs."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final, TypeAlias, get_args

import click

_WHOLE = re.compile(r"([+-]?\d+)(?:\.(\d+))?(?:e\+?(\d{1,3})|([kMG]))?", re.IGNORECASE)
_POWERS = {"k": 3, "K": 3, "M": 6, "G": 9}


def whole_number_of(text: str) -> int:
    """A whole number as people write large ones; a ValueError for what is none.

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


# Replaces options by the value that the command receives: the arguments of the command, which it changes.
Reader: TypeAlias = Callable[[dict[str, Any]], None]
# The attribute of a command's function that holds its readers, in the order in which they run.
READERS: Final = "readers"


def add_reader(function: Callable[..., int], read: Reader) -> None:
    """Let `Command.invoke` call `read` before the readers that the function has."""
    vars(function).setdefault(READERS, []).insert(0, read)


class Whole(click.ParamType):
    """The type of all options that are whole numbers."""

    name = "integer"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number that was typed, or the error that says how to write one."""
        try:
            return value if isinstance(value, int) else whole_number_of(value)
        except ValueError:
            self.fail(f"{value!r} is not a whole number; write it as 1000000, 1_000_000, 1e6 or 1M", param, ctx)


WHOLE = Whole()


class Declared(click.Option):
    """An option with what it `needs`, one of these names, and with what it does not go, `without`.

    `why` says what is wrong with the first that was given of `without`, where more is to be said than that.
    The help may be a function that gives it, for what is read of tables only when somebody asks for the help.
    """

    def __init__(
        self,
        *given: Any,
        needs: str = "",
        without: str = "",
        why: str = "",
        help: str | Callable[[], str] = "",
        **others: Any,
    ) -> None:
        others["help"] = help if isinstance(help, str) else None
        if others.get("type") is int:
            others["type"] = WHOLE
        super().__init__(*given, **others)
        self.needs, self.without, self.why = tuple(needs.split()), tuple(without.split()), why
        self._help = None if isinstance(help, str) else help

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """The option and its help, for a list of options."""
        if self._help is not None:
            self.help = self._help()
        return super().get_help_record(ctx)


def option(*flags: str, **given: Any) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """An option as click.option makes it. needs, without: names of other parameters, with blanks between; why.

    An option that needs `objective` is refused where no objective was given, and one `without` it where one was.
    """
    return click.option(*flags, cls=Declared, **given)


def typed(help: str, metavar: str = "", *, flags: str = "", **given: Any) -> Any:
    """How a field of a NamedTuple is typed: a row of `Annotated[int | None, typed("How many.", "N")]`.

    flags: such as "-o --output", where it is not --name. The others are those of `option`; the field's type says which
    values there are.
    """
    return {"help": help, "metavar": metavar or None, "flags": flags.split(), **given}


def option_of(field: str, kind: Any) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """The option of a field, as `typed` or a decorator in its annotation says."""
    value, said = get_args(kind)
    if callable(said):
        return said
    words = {**said}
    flags = words.pop("flags") or [f"--{field.replace('_', '-')}"]
    plain = next((each for each in get_args(value) if each is not type(None)), value)
    if plain is bool:
        words.setdefault("is_flag", True)
    elif plain in (int, float):
        words.setdefault("type", plain)
    return option(*flags, field, **words)


def typed_as(parameter: click.Parameter) -> str:
    """An option as it is typed, in its long form; an argument as the help shows it."""
    return max(parameter.opts, key=len) if isinstance(parameter, click.Option) else (parameter.name or "").upper()


def check(command: click.Command, typed: dict[str, Any]) -> None:
    """Raise a UsageError for the first option that was typed and does not go with the others."""
    flags = {each.name: typed_as(each) for each in command.params}
    given = {each.name for each in command.params if is_given(each, typed)}
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


def is_given(parameter: click.Parameter, typed: dict[str, Any]) -> bool:
    """Whether a parameter has another value than it has by itself; 0 is a value."""
    value = typed.get(parameter.name or "")
    return value is not None and value is not False and value != () and value != parameter.default
