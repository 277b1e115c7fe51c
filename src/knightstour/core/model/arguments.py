"""Keyword arguments of public functions: each function shows all of them, and says which one was meant by a slip."""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Callable, Collection
from typing import Any, Final, ForwardRef, NoReturn, TypeVar, cast

from knightstour.core.model.validation import did_you_mean

F = TypeVar("F", bound=Callable[..., Any])

# What people write for an argument that has another name, or that belongs elsewhere: what to write instead.
_MEANT: Final = {
    **dict.fromkeys(("seed", "random_state"), "the seed is rng="),
    **dict.fromkeys(("holes", "wrap", "leaper"), "it belongs to the board: Board(8, 8, {name}=...)"),
    **dict.fromkeys(("rows", "cols"), 'the board is the first argument: (8, 8), "8x8" or Board(8, 8)'),
    **dict.fromkeys(("seconds", "timeout", "time_limit"), "it is a limit: limits=Limits(seconds=...)"),
    **dict.fromkeys(("nodes", "max_nodes"), "it is a limit: limits=Limits(nodes=...)"),
    "law": "laws are for random tours: sample_tours(board, n, law=...)",
    "method": "methods are for searches: solve(board, method=...)",
}


def meant_by(name: str, known: Collection[str]) -> str:
    """What to write instead of a name that is no argument, one line; "" where nothing is like it.

    >>> meant_by("seed", ("rng", "closed")), meant_by("clsed", ("rng", "closed"))
    ('the seed is rng=', "did you mean 'closed'?")
    """
    # What a hint names must be there: "rng=", "limits=".
    hint = _MEANT.get(name, "").format(name=name)
    needed = [word for word in ("rng", "limits") if f"{word}=" in hint]
    return hint if hint and set(needed) <= set(known) else did_you_mean(name, known).removeprefix("; ")


def explains_arguments(function: F) -> F:
    """The function, which says of arguments that it does not take which were probably meant, in its own name.

    >>> @explains_arguments
    ... def solve(board, *, rng=None): ...
    >>> try:
    ...     solve((8, 8), seed=3)
    ... except TypeError as error:
    ...     error.args[0], error.__notes__
    ("solve() has no argument 'seed'", ['help: the seed is rng='])
    """
    parameters = list(inspect.signature(function).parameters.values())
    # Some take any names, and know best what to say of those that they do not show.
    takes_any = bool(function.__code__.co_flags & inspect.CO_VARKEYWORDS)
    is_shown = not any(p.kind is p.VAR_KEYWORD for p in parameters)
    names = {p.name for p in parameters}
    places = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    most = math.inf if any(p.kind is p.VAR_POSITIONAL for p in parameters) else len(places)
    needed = [(k, p.name) for k, p in enumerate(places) if p.default is p.empty]

    @functools.wraps(function)
    def explained(*args: Any, **options: Any) -> Any:
        if len(args) > most or (not takes_any and not options.keys() <= names):
            _refuse(function, args, options.keys() - names)
        for k, name in needed:
            if k >= len(args) and name not in options:
                raise TypeError(f"{_name_of(function)}() needs {name!r}")
        try:
            return function(*args, **options)
        except TypeError:
            if is_shown and not options.keys() <= names:
                _refuse(function, args, options.keys() - names)
            raise

    return cast(F, explained)


def _refuse(function: Callable[..., Any], args: tuple[Any, ...], strange: Collection[str]) -> NoReturn:
    """Raise the error about names that are no arguments; or about too many arguments without a name."""
    parameters = [p for p in inspect.signature(function).parameters.values() if p.name != "self"]
    known = [p.name for p in parameters if p.kind is not p.VAR_KEYWORD]
    if strange:
        name = min(strange)
        error = TypeError(f"{_name_of(function)}() has no argument {name!r}")
        hint = meant_by(name, known) or f"its arguments are {', '.join(known)}"
    else:
        places = [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
        error = TypeError(f"{_name_of(function)}() takes {' and '.join(places) or 'nothing'} without a name, no more")
        hint = "give the others by their names: " + ", ".join(name for name in known if name not in places)
        if places[:1] == ["board"] and [type(value) for value in args[:2]] == [int, int]:
            hint = f'the board is one argument: ({args[0]}, {args[1]}) or "{args[0]}x{args[1]}"'
    error.add_note(f"help: {hint}")
    raise error


def _name_of(function: Callable[..., Any]) -> str:
    return function.__qualname__.removesuffix(".__init__").removesuffix(".__new__")


def shows_arguments(function: F) -> F:
    """The function, whose signature names each keyword of its `**options: Unpack[Options]`, and which explains them.

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
    return explains_arguments(function)
