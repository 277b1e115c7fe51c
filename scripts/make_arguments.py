"""Write core/methods/arguments.py: the keywords of `solve` and `find_tour` for type checkers, from the tables.

`make docs` calls it; a test fails when the file is stale.
"""

from pathlib import Path

from knightstour.core.methods.table import METHODS

PAGE = Path(__file__).parents[1] / "src" / "knightstour" / "core/methods" / "arguments.py"

_TEXT = '''"""Keywords of `solve` and `find_tour`. Written by `make docs` from METHODS."""

from __future__ import annotations

from typing import TypedDict

from knightstour.core.model.condition_table import QuestionArguments


class MethodOptions(TypedDict, total=False):
    """Options of all methods; for the options of one method see `METHODS[name].options`."""

{options}


class SolveArguments(QuestionArguments, MethodOptions, total=False):
    """A question and the options of its method."""
'''


def page() -> str:
    """The file as it should be."""
    kinds = {option.name: option.kind.__name__ for row in METHODS.values() for option in row.options.values()}
    return _TEXT.format(options="\n".join(f"    {name}: {kind}" for name, kind in sorted(kinds.items())))
