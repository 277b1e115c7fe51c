"""Conditions on the page: given numbers, required and forbidden moves, symmetry, in the words of the command line."""

from __future__ import annotations

from itertools import pairwise

import pytest

import knightstour as kt

VERDICT = "#answer .verdict"


def fill(look, name: str, text: str) -> None:
    field = look.open("conditions").get_by_role("textbox", name=name)
    field.fill(text)
    field.press("Enter")


def moves(tour: kt.Tour) -> set[frozenset[str]]:
    names = [tour.board.name(square) for square in tour.squares.tolist()]
    return {frozenset(pair) for pair in pairwise([*names, names[0]])}


def test_moves_are_required_and_forbidden(look, expect):
    page = look.show("6&c=1")
    fill(look, "Through", "c4-e3")
    expect(page.locator(VERDICT)).to_have_text("Closed tour of the 6×6 board through c4-e3")
    fill(look, "Avoid", "D4-E2")
    expect(page.locator(VERDICT)).to_have_text("Closed tour of the 6×6 board through c4-e3 without D4-E2")
    found = moves(kt.Tour.from_order((6, 6), look.tour()))
    assert frozenset(("c4", "e3")) in found and frozenset(("d4", "e2")) not in found
    page.keyboard.press("Escape")
    fill(look, "Through", "c4-e3 hello")
    expect(page.get_by_text("“hello” is not understood. Write it as a1-b3.")).to_be_visible()


def test_numbers_are_given(look, expect):
    page = look.show("6&c=1")
    fill(look, "Given", "a1=1, c2=2 f6=10..20")
    expect(page.locator(VERDICT)).to_have_text("Closed tour of the 6×6 board with a1=1, c2=2, f6=10..20")
    order = look.tour()
    board = kt.Board(6, 6)
    places = {board.name(divmod(square, 6)): number for number, square in enumerate(order, 1)}
    assert places["a1"] == 1 and places["c2"] == 2 and 10 <= places["f6"] <= 20


def test_a_symmetry_is_asked_for_and_a_proof_comes_where_there_is_none(look, expect):
    page = look.show("6&c=1&symmetry=90")
    expect(page.locator(VERDICT)).to_have_text("Closed tour of the 6×6 board with symmetry 90")
    assert kt.Tour.from_order((6, 6), look.tour()).symmetry == "90"
    look.show("8&c=1&symmetry=90")
    expect(page.locator(VERDICT)).to_have_text("There is no closed tour of the 8×8 board with symmetry 90")
    expect(page.locator(".reason")).to_be_visible()


@pytest.mark.parametrize(
    "fields",
    [
        "through=c4-e3",
        "given=a1%3D1%20f6%3D10..20&avoid=d4-e2",
        "given=c3%3Dnot%205%2C%207-9%2C%20a1%3D1",
        "symmetry=180",
    ],
)
def test_conditions_survive_their_link(look, expect, fields):
    page = look.show(f"6&c=1&{fields}")
    expect(page.locator(VERDICT)).to_contain_text("Closed tour of the 6×6 board")
    assert fields in look.address and "&t=" in look.address


def test_tours_under_conditions_are_counted(look, expect):
    page = look.show("6&c=1&v=count&through=c4-e3")
    page.get_by_role("button", name="Count", exact=True).last.click()
    expect(page.locator("#answer .figure")).to_have_text(str(kt.count_tours((6, 6), closed=True, through=["c4-e3"])))


def test_where_conditions_cannot_be_asked_the_page_says_so(look, expect):
    page = look.show("6&c=1&v=count&through=c4-e3")
    page.get_by_role("radio", name="Roughly").check(force=True)
    page.get_by_role("button", name="Estimate").click()
    expect(page.locator("#answer .notice")).to_contain_text("cannot be asked for with the conditions through")
    page.get_by_role("radio", name="Exactly").check(force=True)
