"""Public names, imported on first use. A stub next to a module, `module.pyi`, defines where each name comes from."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable, Mapping

_TOP = __name__.rpartition(".")[0]


def origins(file: str) -> dict[str, str]:
    """Return the module of each name, relative to the package of the file, from the stub of the file."""
    found = {}
    with open(os.path.splitext(file)[0] + ".pyi", encoding="utf-8") as stub:
        for line in stub:
            if line.startswith("from ."):
                _, origin, _, name, _, _ = line.split()
                found[name] = origin
    return found


def attach(module: str, file: str) -> tuple[Callable[[str], object], Callable[[], list[str]], list[str]]:
    """Return `__getattr__`, `__dir__` and `__all__` of a module with a stub."""
    found = origins(file)
    package = module if os.path.basename(file).startswith("__init__.") else module.rpartition(".")[0]

    def load(name: str) -> object:
        if name not in found:
            answer = _answer(module, file, name)
            if "; " in answer:
                # If obj is the module, Python adds its own suggestion.
                raise AttributeError(answer, name=name, obj=None)
            raise AttributeError(answer, name=name, obj=sys.modules[module])
        if found[name] == ".":
            return importlib.import_module(f".{name}", package)
        value = getattr(importlib.import_module(found[name], package), name)
        setattr(sys.modules[module], name, value)
        return value

    names = sorted(found)
    return load, lambda: sorted({*vars(sys.modules[module]), *names}), names


def public() -> list[str]:
    """Return all public names as written after `knightstour.`, top-level names first.

    >>> [path for path in public() if path.endswith("check")]
    ['check', 'sequences.check']
    """
    file = sys.modules[_TOP].__file__ or ""
    top = origins(file)
    found = list(top)
    for module in (name for name, origin in top.items() if origin == "."):
        found += [f"{module}.{name}" for name in origins(os.path.join(os.path.dirname(file), f"{module}.py"))]
    return found


def _answer(module: str, file: str, name: str) -> str:
    wrong = f"{module} has no {name!r}"
    inner = os.path.join(os.path.dirname(file), name)
    # The import system looks up submodules that are not loaded yet. Their errors need no hint.
    if name.startswith("_") or any(os.path.exists(inner + ending) for ending in ("", ".py", ".pyc")):
        return wrong
    names = {path.rpartition(".")[2]: path for path in reversed(public())}
    if name in names:
        here = f"{module}.{name}"
        return f"{here} is now {_TOP}.{names[name]}" if module == _TOP else f"{wrong}; it is {_TOP}.{names[name]}"
    return wrong + _hint(module, name, names)


def _hint(module: str, name: str, names: Mapping[str, str]) -> str:
    """Return the probably meant name as the end of an error, or nothing."""
    from knightstour.core.model.slips import NAMES, hint_of
    from knightstour.core.model.validation import did_you_mean

    if module != _TOP:
        ours = f"{module.removeprefix(_TOP + '.')}."
        return did_you_mean(name, [path.removeprefix(ours) for path in names.values() if path.startswith(ours)])
    near = did_you_mean(name, names)
    return hint_of(name, NAMES) or (f"; did you mean {names[near.split(chr(39))[1]]!r}?" if near else "")
