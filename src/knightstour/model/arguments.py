"""Keyword arguments that several functions share: each of these functions shows all of them."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, ForwardRef, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


def shows_arguments(function: F) -> F:
    """The function, whose signature names each keyword of its `**options: Unpack[Options]`.

    Type checkers and editors read `Unpack`; `help()` and notebooks read the signature.

    >>> from typing import TypedDict, Unpack
    >>> class Size(TypedDict, total=False):
    ...     width: int
    ...     height: int
    >>> def draw(text: str, **options: Unpack[Size]) -> None: ...
    >>> list(inspect.signature(shows_arguments(draw)).parameters)
    ['text', 'width', 'height']
    """
    signature = inspect.signature(function)
    shown: list[inspect.Parameter] = []
    for parameter in signature.parameters.values():
        if parameter.kind is not inspect.Parameter.VAR_KEYWORD:
            shown.append(parameter)
            continue
        named = parameter.annotation
        if isinstance(named, str):
            named = eval(named, function.__globals__)
        for name, kind in named.__args__[0].__annotations__.items():
            written = kind.__forward_arg__ if isinstance(kind, ForwardRef) else kind
            shown.append(inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=..., annotation=written))
    function.__dict__["__signature__"] = signature.replace(parameters=shown)
    return function
