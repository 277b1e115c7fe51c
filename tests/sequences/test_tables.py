"""The tables of docs/tables: their small terms are what listing all tours gives."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import make_tables

ROOT = Path(__file__).parents[2]
FEW = 9
TABLES = [(name, table) for name, (_, tables) in make_tables.TABLES.items() for table in tables]


def terms_in(name: str, title: str) -> list[int]:
    """The terms that a page shows of a table."""
    text = (ROOT / "docs" / "tables" / name).read_text(encoding="utf-8")
    part = text[text.index(f"## {title}\n") :]
    data = re.search(r"DATA(.*?)OFFSET", part, re.DOTALL)
    assert data is not None
    return [int(term) for term in data[1].split(",")]


@pytest.mark.parametrize("name, table", TABLES, ids=[table.title for _, table in TABLES])
def test_small_terms_are_what_listing_gives(name, table):
    shown = terms_in(name, table.title)
    small = [n for n in range(table.first, table.first + len(shown)) if table.board(n).square_count <= FEW]
    assert len(shown) > 1
    for n in small or [table.first]:
        assert shown[n - table.first] == make_tables.counted(table, n, "listing")
