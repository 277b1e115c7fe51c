"""Tests of the numbers of docs/tables/pieces.md; small ones by lists."""

import re
from pathlib import Path
from typing import NamedTuple

import pytest

import knightstour as kt
from knightstour.core.model.budget import Limits, as_arguments

PAGE = Path(__file__).parents[2] / "docs" / "tables" / "pieces.md"
# Squares and tours of the boards that are counted by default; larger ones are counted by long tests. And as many as are
# listed.
FEW, FEW_TOURS, MANY = 20, 10**8, 49
FEWER, MOST_LISTED = 16, 1_000


class Entry(NamedTuple):
    """A number of the page."""

    word: str
    closed: bool
    tours: int

    @property
    def board(self) -> kt.Board:
        return kt.Board(self.word)


def entries() -> list[Entry]:
    found = []
    for data, sides, command in re.findall(
        r"```\nDATA(.*?)\nN (.*?)\nCOUNT (.*?)\n```", PAGE.read_text("utf-8"), re.DOTALL
    ):
        word = re.search(r"(?<=count )\S+", command)[0]  # type: ignore[index]
        closed = command.endswith("--closed")
        numbers = zip(data.split(","), sides.split(","), strict=True)
        found += [Entry(word.replace("N", side.strip()), closed, int(number)) for number, side in numbers]
    return found


ENTRIES = entries()


def of_size(are_small: bool) -> list[Entry]:
    """Return entries of small boards with few tours, or of larger ones that take up to a minute."""
    found = [entry for entry in ENTRIES if len(entry.board) <= MANY]
    return [each for each in found if are_small == (len(each.board) <= FEW and each.tours < FEW_TOURS)]


def test_page_has_many_sequences() -> None:
    assert len(ENTRIES) > 90 and len({re.sub(r"\d+", "", entry.word) + str(entry.closed) for entry in ENTRIES}) >= 10


@pytest.mark.parametrize("entry", of_size(are_small=True), ids=lambda entry: f"{entry.word} {entry.closed}")
def test_small_counts_of_the_page_are_equal(entry: Entry) -> None:
    assert kt.count(entry.board, closed=entry.closed) == entry.tours


@pytest.mark.long
@pytest.mark.parametrize("entry", of_size(are_small=False), ids=lambda entry: f"{entry.word} {entry.closed}")
def test_large_counts_of_the_page_are_equal(entry: Entry) -> None:
    limits = Limits(seconds=60, bytes=2 * 10**9)
    try:
        assert kt.count(entry.board, closed=entry.closed, **as_arguments(limits)) == entry.tours
    except (kt.LimitReached, kt.BoardError):
        pytest.skip("not counted within a minute and 2 GB")


@pytest.mark.parametrize(
    "entry", [entry for entry in ENTRIES if entry.tours < MOST_LISTED and len(entry.board) <= FEWER], ids=str
)
def test_small_counts_of_the_page_match_lists_of_all_tours(entry: Entry) -> None:
    assert len(set(kt.iter_tours(entry.board, closed=entry.closed))) == entry.tours
