"""Test that the tables of the page equal the library's; `make docs` writes them."""

import datetime
import json

import pytest

import page_tables as tables
from knightstour.core.formats.foreign import FOREIGN
from knightstour.core.formats.table import FORMATS
from knightstour.core.methods.solve import solve
from knightstour.core.model.board import Board
from knightstour.core.model.result import Status
from knightstour.lab.puzzles.daily import dailies_of

WRITTEN = json.loads(tables.PAGE.read_text("utf-8"))


def test_file_matches_the_library():
    assert tables.PAGE.read_text("utf-8") == tables.page(), "run make docs"


def test_third_daily_puzzle_matches_the_library():
    for day in (datetime.date(2026, 11, 23) + datetime.timedelta(days=n) for n in range(7)):
        name, board, closed, level, pattern, in_order = WRITTEN["week"][day.weekday()]
        daily = dailies_of(day)[0]["other"]
        assert (Board(board), *daily[1:]) == (Board(daily.board), closed, level, pattern or None, in_order)
        assert name in json.loads((tables.STATIC / "texts/en.json").read_text("utf-8"))["daily"]["names"]


def test_check_accepts_its_declared_formats():
    assert set(tables.READ) <= FORMATS.keys() | FOREIGN.keys()


@pytest.mark.parametrize("board", tables.BOARDS)
def test_boards_of_the_menu_have_a_tour(board):
    assert solve(board, seed=1).status is Status.FOUND


@pytest.mark.parametrize("name", tables.GAMES)
def test_a_level_of_play_can_be_won(name):
    board, closed = tables.GAMES[name]
    assert solve(board, closed=closed, seed=1).status is Status.FOUND
