"""Test of the public surface: names with signatures, and commands with options, as listed in surface.txt.

After a change of the surface, `python tests/house/test_surface.py` rewrites the file.
"""

import inspect
import pathlib
from collections.abc import Iterator

import click
import pytest

import knightstour as kt
from knightstour.interfaces.cli.app import group

GOLDEN = pathlib.Path(__file__).with_name("surface.txt")
MOST_NAMES, MOST_KEYWORDS = 60, 14
MODULES = ("certificates", "constructions", "datasets", "examples", "notebook", "puzzles", "sequences", "typing")


def commands(parent: click.Command = group, name: str = "knightstour") -> Iterator[tuple[str, click.Command]]:
    """Yield names and commands, including groups."""
    yield name, parent
    if isinstance(parent, click.Group):
        context = click.Context(parent)
        for inner in parent.list_commands(context):
            command = parent.get_command(context, inner)
            assert command is not None
            yield from commands(command, f"{name} {inner}")


def members(kind: type) -> list[str]:
    fields = getattr(kind, "__dataclass_fields__", {})
    slots = {name for base in kind.__mro__ for name in vars(base).get("__slots__", ())}
    return sorted(name for name in {*dir(kind), *fields, *slots} if not name.startswith("_"))


def surface() -> str:
    """Return the surface as text, one name or option per line."""
    lines = []
    for module in ("", *MODULES):
        home = getattr(kt, module) if module else kt
        for name in home.__all__:
            value, path = getattr(home, name), f"kt.{module}.{name}" if module else f"kt.{name}"
            is_class = inspect.isclass(value) and not issubclass(value, Exception)
            lines.append(path + (str(inspect.signature(value)) if inspect.isfunction(value) else ""))
            lines += [f"{path}.{member}" for member in members(value)] if is_class and not module else []
    for name, command in commands():
        lines += [f"{name} {option.opts[-1]}" for option in command.params if isinstance(option, click.Option)]
    return "\n".join(lines) + "\n"


def test_surface_matches_the_golden_file() -> None:
    assert surface() == GOLDEN.read_text(encoding="utf-8"), "write it again: python tests/house/test_surface.py"


def test_the_top_has_few_names() -> None:
    modules = {name for name in kt.__all__ if inspect.ismodule(getattr(kt, name))}
    assert len(kt.__all__) <= MOST_NAMES and modules == set(MODULES)


@pytest.mark.parametrize("name", [name for name in kt.__all__ if inspect.isfunction(getattr(kt, name))])
def test_functions_have_few_keywords(name: str) -> None:
    parameters = inspect.signature(getattr(kt, name)).parameters.values()
    assert sum(p.kind is p.KEYWORD_ONLY for p in parameters) <= MOST_KEYWORDS


def test_help_of_the_package_starts_with_examples() -> None:
    assert (kt.__doc__ or "").startswith(
        "Knight's tours and other Hamiltonian paths: find, count, sample, check, draw."
    )
    assert all(f"kt.{module}" in (kt.__doc__ or "") for module in MODULES)


if __name__ == "__main__":
    GOLDEN.write_text(surface(), encoding="utf-8")
