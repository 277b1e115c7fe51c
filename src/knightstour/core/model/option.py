"""Option: one keyword argument of a method or a distribution, as every interface shows and checks it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from knightstour.core.model.arguments import meant_by
from knightstour.core.model.errors import ProblemError
from knightstour.core.model.validation import did_you_mean, quoted, real_number, whole_number, wrong_type

# Values of an option with their descriptions.
Choices: TypeAlias = "Mapping[str, str] | Mapping[int, str]"


@dataclass(frozen=True, slots=True)
class Option:
    """Keyword argument of a method or a distribution, used by command line, page, documents and checks.

    Attributes:
        name: Name in Python; at the command line `--set burn_in=100`.
        kind: int, float or str.
        help: Short description.
        choices: The allowed values with descriptions ("" if the name is enough); empty if any value is allowed.
        least, most: Inclusive bounds of a number; `above` is an exclusive bound.
        default: Default value; None if the method chooses, as described by `help`.
        examples: Some values of a free text, for selection from a list.
        check: Function that raises ProblemError for invalid texts, besides `choices`.

    >>> Option("randomness", int, "how loops are joined", choices={0: "in order", 1: "at random"}).check_value(1)
    1
    >>> Option("population", int, "individuals", least=2, most=1000).check_value(7)
    7
    """

    name: str
    kind: type
    help: str
    choices: Choices = field(default_factory=dict)
    least: float | None = None
    most: float | None = None
    above: float | None = None
    default: int | float | str | None = None
    examples: tuple[str, ...] = ()
    check: Callable[[object], object] | None = None

    @property
    def flag(self) -> str:
        """Its form at the command line.

        >>> Option("burn_in", int, "turns before the first reading").flag
        '--set burn_in='
        """
        return f"--set {self.name}="

    def check_value(self, value: object) -> object:
        """Return the value in its plain form; raise ProblemError with the allowed values if it is invalid."""
        if self.kind is int:
            value = self._within(whole_number(value, self.name, error=ProblemError))
        elif self.kind is float:
            value = self._within(real_number(value, self.name, error=ProblemError))
        elif not isinstance(value, self.kind):
            raise wrong_type(self.name, "a text", value, help="one of " + self.listed_choices if self.choices else "")
        if self.choices and value not in self.choices:
            meant = did_you_mean(value, map(str, self.choices))
            raise ProblemError(f"unknown {self.name} {quoted(value)}{meant}", help="one of " + self.listed_choices)
        if self.check is not None:
            self.check(value)
        return value

    def _within(self, value: float) -> float:
        is_low = (self.least is not None and value < self.least) or (self.above is not None and value <= self.above)
        if is_low or (self.most is not None and value > self.most):
            raise ProblemError(f"{self.name} must be {self.bounds}, not {quoted(value)}")
        return value

    @property
    def listed_choices(self) -> str:
        """The choices, one after another."""
        return ", ".join(map(str, self.choices))

    @property
    def bounds(self) -> str:
        """Which numbers are allowed, in words.

        >>> Option("mutation", int, "mutated squares", least=0, most=3).bounds
        'from 0 to 3'
        """
        if self.above is not None:
            return f"above {self.above:g}"
        if self.most is None:
            return f"{self.least:,} or more"
        return f"from {self.least:,} to {self.most:,}"

    @property
    def text(self) -> str:
        """Description and allowed values, in a line.

        >>> Option("cover", str, "the first paths", choices={"greedy": "long", "random": ""}, default="greedy").text
        'the first paths: greedy (long) or random; default greedy'
        """
        words = self.help
        if self.choices:
            *first, last = [f"{value} ({what})" if what else str(value) for value, what in self.choices.items()]
            words += ": " + (f"{', '.join(first)} or {last}" if first else last)
        elif self.least is not None or self.above is not None:
            words += f", {self.bounds}"
        return words if self.default is None else f"{words}; default {self.default}"

    def to_dict(self) -> dict[str, object]:
        """Return the row as a JSON-serialisable dict."""
        return {
            "kind": self.kind.__name__,
            "help": self.text,
            "choices": list(map(str, self.choices)),
            "examples": list(self.examples),
            "least": self.least,
            "most": self.most,
            "default": self.default,
        }


def by_name(*options: Option) -> dict[str, Option]:
    """Options as a row of a table holds them."""
    return {option.name: option for option in options}


def checked_options(options: Mapping[str, Option], given: Mapping[str, object], owner: str) -> dict[str, object]:
    """Return the checked values of these options; raise ProblemError for an unknown option of `owner`."""
    for name in given:
        if name not in options:
            hint = meant_by(name, (*options, "seed", "timeout", "max_nodes"))
            known = f"its options are {', '.join(options)}" if options else "it has none"
            raise ProblemError(f"{owner} has no option {name!r}", note=known if hint else "", help=hint or known)
    return {name: options[name].check_value(value) for name, value in given.items()}
