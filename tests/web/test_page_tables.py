"""Tables that the page's modules have as well, so that the page asks nobody for them: they are those of the library."""

from __future__ import annotations

import json
import re
from typing import Any

from knightstour.core.model.board import Board
from knightstour.core.model.pieces import LEAPERS
from knightstour.interfaces.web.modules import STATIC
from knightstour.lab.puzzles.daily import WEEK, Daily
from knightstour.lab.puzzles.make import PATTERNS
from knightstour.lab.puzzles.reasoning import LEVELS


def table(module: str, name: str) -> Any:
    """The constant of a module whose text is JSON but for names without quotes and a last comma."""
    code = (STATIC / module).read_text("utf-8")
    found = re.search(rf"^(?:export )?const {name} = ([\[{{].*?[\]}}]);$", code, re.MULTILINE | re.DOTALL)
    assert found is not None, name
    quoted = re.sub(r"^( *)(\w+):", r'\1"\2":', found[1], flags=re.MULTILINE)
    return json.loads(re.sub(r",(\s*[\]}])", r"\1", quoted))


def test_the_third_puzzles_of_a_week_are_those_of_the_library():
    rows = [
        Daily(str(Board(rows, cols, wrap=wrap)), True, level, pattern or None)
        for _, rows, cols, wrap, level, pattern in table("model/puzzle.js", "WEEK")
    ]
    # The page begins the week with Sunday, as JavaScript does, and the library with Monday.
    assert (*rows[1:], rows[0]) == WEEK


def test_the_page_has_the_levels_and_patterns_of_puzzles():
    assert table("model/puzzle.js", "LEVELS") == list(LEVELS)
    assert table("model/puzzle.js", "PATTERNS") == list(PATTERNS)


def test_the_page_has_the_names_of_the_pieces_in_the_words_of_boards():
    assert {name: tuple(pair) for name, pair in table("model/link.js", "LEAPERS").items()} == LEAPERS
