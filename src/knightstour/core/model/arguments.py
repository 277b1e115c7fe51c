"""Keyword arguments of public functions: complete signatures, and hints for unknown names."""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Callable, Collection, Iterable
from typing import Any, Final, ForwardRef, NoReturn, TypeVar, cast

from knightstour.core.model.validation import did_you_mean

F = TypeVar("F", bound=Callable[..., Any])

# Hints for frequent names of arguments that have another name or belong to another function.
_MEANT: Final = {
    **dict.fromkeys(("rng", "random_state"), "the seed is seed="),
    **dict.fromkeys(("holes", "wrap", "leaper", "moves"), "it belongs to the board: Board(8, 8, {name}=...)"),
    **dict.fromkeys(("rows", "cols"), 'the board is the first argument: (8, 8), "8x8" or Board(8, 8)'),
    "limits": "limits are timeout= (seconds), max_nodes= and memory=",
    **dict.fromkeys(("piece", "pieces"), "it belongs to the board: Board(8, 8, moves=...)"),
    "distribution": "distributions are for random tours: sample(board, n, distribution=...)",
    "method": "methods are for searches: solve(board, method=...)",
}

# Other frequent names for an argument, for functions that have this argument.
_OWN: Final = {
    "moves": ("piece", "pieces"),
    "timeout": ("seconds", "time_limit"),
    "max_nodes": ("nodes",),
    "workers": ("threads", "processes", "jobs", "n_jobs"),
    "require": ("require", "required"),
    "forbid": ("forbid", "forbidden"),
    "method": ("algorithm", "algorithms", "solver", "strategy"),
}

# The classes with the defaults of a TypedDict of keywords.
_HOLDERS: dict[type, tuple[type, ...]] = {}


def meant_by(name: str, known: Collection[str]) -> str:
    """Return a one-line hint for an unknown argument, or "" if no name is similar.

    >>> meant_by("rng", ("seed", "closed")), meant_by("clsed", ("seed", "closed"))
    ('the seed is seed=', "did you mean 'closed'?")
    """
    own = next((own for own, words in _OWN.items() if name in words and own in known), None)
    if own is not None:
        return f"it is called {own}="
    # The hint is valid only if the function has the suggested argument.
    hint = _MEANT.get(name, "").format(name=name)
    needed = [word for word in ("seed", "timeout") if f"{word}=" in hint]
    return hint if hint and set(needed) <= set(known) else did_you_mean(name, known).removeprefix("; ")


def explains_arguments(function: F, more: Collection[str] | None = None) -> F:
    """Return a function whose errors for unknown arguments contain the names that were probably meant.

    more: further supported names that are not in its signature; names may be added later.

    >>> @explains_arguments
    ... def solve(board, *, seed=None): ...
    >>> try:
    ...     solve((8, 8), rng=3)
    ... except TypeError as error:
    ...     error.args[0], error.__notes__
    ("solve() has no argument 'rng'", ['help: the seed is seed='])
    """
    parameters = list(inspect.signature(function).parameters.values())
    # Functions that accept any name raise their own errors.
    takes_any = more is None and bool(function.__code__.co_flags & inspect.CO_VARKEYWORDS)
    is_shown = not any(p.kind is p.VAR_KEYWORD for p in parameters)
    names = {p.name for p in parameters}
    places = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    most = math.inf if any(p.kind is p.VAR_POSITIONAL for p in parameters) else len(places)
    needed = [(k, p.name) for k, p in enumerate(places) if p.default is p.empty]

    @functools.wraps(function)
    def explained(*args: Any, **options: Any) -> Any:
        if len(args) > most or (not takes_any and not options.keys() <= names):
            strange = options.keys() - names.union(more or ())
            if strange or len(args) > most:
                _refuse(function, args, strange)
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
    """Raise the error for unknown arguments, or for too many positional arguments."""
    parameters = [p for p in inspect.signature(function).parameters.values() if p.name not in ("self", "cls")]
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
    """Return a function with the keywords of its `**options: Unpack[Options]` in its signature, and with hints.

    Type checkers and editors read `Unpack`; `help()` and notebooks read the signature.

    >>> from typing import TypedDict, Unpack
    >>> class Size(TypedDict, total=False):
    ...     width: int
    ...     height: int
    >>> def draw(text: str, **options: Unpack[Size]) -> None: ...
    >>> list(inspect.signature(shows_arguments(draw)).parameters)
    ['text', 'width', 'height']
    """
    return explains_arguments(showing(function))


def takes_shown_arguments(function: F) -> F:
    """Return the same as `shows_arguments`, for a function that passes further keywords to other functions."""
    return explains_arguments(showing(function), ())


def defaults_in(options: type, *holders: type) -> None:
    """Register NamedTuples or dataclasses whose fields contain the defaults of these keywords.

    The default of any other keyword is False for the type bool, and else None.
    """
    _HOLDERS[options] = holders


def _default_of(name: str, kind: str, holders: tuple[type, ...]) -> object:
    for holder in holders:
        fields = {each: field.default for each, field in getattr(holder, "__dataclass_fields__", {}).items()}
        fields |= getattr(holder, "_field_defaults", {})
        if name in fields:
            return fields[name]
    return False if kind in ("bool", "<class 'bool'>") else None


def taken_from(options: dict[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """Remove the options with these names from `options`, and return them.

    >>> options = {"closed": True, "turns": 7}
    >>> taken_from(options, ("closed", "start")), options
    ({'closed': True}, {'turns': 7})
    """
    return {name: options.pop(name) for name in names if name in options}


def showing(function: F, only: type | None = None) -> F:
    """Set the signature to all keywords with their defaults, or only to the keywords of the TypedDict `only`."""
    signature = inspect.signature(function)
    shown: list[inspect.Parameter] = []
    options: list[inspect.Parameter] = []
    for parameter in signature.parameters.values():
        if parameter.kind is not inspect.Parameter.VAR_KEYWORD:
            shown.append(parameter)
            continue
        named = parameter.annotation
        if isinstance(named, str):
            named = eval(named, function.__globals__)
        (taken,) = named.__args__
        listed = taken if only is None else only
        for name, kind in listed.__annotations__.items():
            written = kind.__forward_arg__ if isinstance(kind, ForwardRef) else kind
            default = _default_of(name, str(written), _HOLDERS.get(listed, ()))
            if default is None and "None" not in str(written):
                written = f"{written} | None"
            options.append(inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=written))
        if only is not None and taken is not only:
            shown.append(parameter.replace(annotation=taken.__name__))
    if only is None:
        shown += options
    else:
        # Conditions come first.
        at = sum(each.kind < inspect.Parameter.KEYWORD_ONLY for each in shown)
        shown[at:at] = options
    function.__dict__["__signature__"] = signature.replace(parameters=shown)
    return function
