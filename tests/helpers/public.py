"""The public names of the package and of its public modules."""

import inspect
from collections.abc import Callable, Iterator
from operator import attrgetter
from typing import Any

import knightstour as kt
from knightstour import _names

# Name after `kt.` -> value.
PUBLIC: dict[str, Any] = {path: attrgetter(path)(kt) for path in _names.public()}


def _functions() -> Iterator[tuple[str, Callable[..., Any]]]:
    for name, value in PUBLIC.items():
        if inspect.isfunction(value):
            yield name, value
        # The boards of one kind have the methods of Board.
        elif inspect.isclass(value) and kt.Board not in value.__mro__[1:]:
            for inner, member in vars(value).items():
                function = member.__func__ if isinstance(member, classmethod | staticmethod) else member
                if inspect.isfunction(function) and not inner.startswith("_"):
                    yield f"{name}.{inner}", function


# The public functions, and the methods of the public classes.
FUNCTIONS = dict(_functions())
