"""Errors for wrong arguments of public functions, with a hint at the right ones."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Collection
from typing import Any, Final, ParamSpec, TypeVar

from knightstour.core.model.validation import did_you_mean

P = ParamSpec("P")
R = TypeVar("R")

# Arguments of other libraries or functions, and their replacements.
_MEANT: Final = {
    **dict.fromkeys(("rng", "random_state"), "the seed is seed="),
    **dict.fromkeys(("holes", "wrap", "leaper", "moves"), "it belongs to the board: Board(8, 8, {name}=...)"),
    **dict.fromkeys(("piece", "pieces"), 'it belongs to the board: moves="king", or "8x8:king"'),
    **dict.fromkeys(("rows", "cols"), 'the board is the first argument: (8, 8), "8x8" or Board(8, 8)'),
    **dict.fromkeys(("limits", "time_limit"), "limits are timeout= (seconds), max_nodes= and memory="),
    **dict.fromkeys(("circuit", "cycle", "close"), "it is called closed="),
    "seed": "the result is not random; estimate() and sample() have a seed",
    "objective": 'use minimize="turns" or maximize="turns"',
    "distribution": "distributions are for random tours: sample(board, n, distribution=...)",
    "method": "methods are for searches: solve(board, method=...)",
    "n": "for several tours, use iter_tours(board) or sample(board, n)",
}
# Other words for an argument, if the function has it.
_OWN: Final = {
    "moves": ("piece", "pieces"),
    "timeout": ("seconds", "time_limit"),
    "max_nodes": ("nodes",),
    "workers": ("threads", "processes", "jobs", "n_jobs"),
    "require": ("through", "required"),
    "forbid": ("avoid", "forbidden"),
    "partial": ("visits",),
    "closed": ("circuit", "cycle", "close"),
    "colors": ("color", "colour", "colours"),
    "settings": ("options",),
    "method": ("algorithm", "algorithms", "solver", "strategy", "way"),
}


def meant_by(name: str, known: Collection[str]) -> str:
    """Return what to write instead of an unknown argument, in one line; "" if no argument is similar.

    >>> meant_by("rng", ("seed", "closed")), meant_by("clsed", ("seed", "closed"))
    ('the seed is seed=', "did you mean 'closed'?")
    """
    own = next((own for own, words in _OWN.items() if name in words and own in known), None)
    if own is not None:
        return f"it is called {own}="
    if f"{name}s" in known:
        return f"did you mean '{name}s'?"
    hint = _MEANT.get(name, "").format(name=name)
    # The hint is valid only if the function has the argument that it names.
    needed = [word for word in ("seed", "timeout") if f"{word}=" in hint]
    return hint if hint and set(needed) <= set(known) else did_you_mean(name, known).removeprefix("; ")


def unexpected(function: Callable[..., Any], name: str, more: Collection[str] = ()) -> TypeError:
    """Return the error for a keyword that a function does not support, with a hint at the right one.

    Args:
        function: The public function.
        name: The keyword.
        more: Supported keywords that are not in the signature.

    >>> def solve(board, *, seed=None): ...
    >>> error = unexpected(solve, "rng")
    >>> error.args[0], error.__notes__
    ("solve() got an unexpected keyword argument 'rng'", ['help: the seed is seed='])
    """
    hint = meant_by(name, (*inspect.signature(function).parameters, *more))
    # As Python 3.13.
    guess = f"; {hint}" if hint.startswith("did you mean") else ""
    error = TypeError(f"{function.__qualname__}() got an unexpected keyword argument {name!r}{guess}")
    if hint and not guess:
        error.add_note(f"help: {hint}")
    return error


def with_hints(function: Callable[P, R]) -> Callable[P, R]:
    """Add hints to the TypeErrors of calls whose arguments do not fit the signature.

    >>> @with_hints
    ... def solve(board, *, seed=None): ...
    >>> solve(8, 8)
    Traceback (most recent call last):
    ...
    TypeError: solve() takes 1 positional argument but 2 were given
    help: the board is one argument: (8, 8) or "8x8"
    """

    @functools.wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except TypeError as error:
            # Errors within the function have a further frame.
            if error.__traceback__ is not None and error.__traceback__.tb_next is None:
                unknown = re.search(r"unexpected keyword argument '(\w+)'$", str(error))
                if unknown:
                    raise unexpected(function, unknown[1]) from None
                sizes = [str(value) for value in args if type(value) is int]
                if "positional argument" in str(error) and len(sizes) > 1:
                    error.add_note(f'help: the board is one argument: ({", ".join(sizes)}) or "{"x".join(sizes)}"')
            raise

    return call
