"""Pieces on the page: the menu, links, tours that are found, drawn and played, and the text that is saved."""

from __future__ import annotations

import pytest

import knightstour as kt
from browser.conftest import page_board
from browser.test_page_play import played
from helpers.clicks import click_square
from knightstour.core.model.pieces import PIECES, Piece

VERDICT = "#answer .verdict"


def test_the_menu_has_each_piece_once_and_last_ones_own_leaps(look):
    page = look.show("8&c=1")
    names = look.open("setup").get_by_label("Piece").locator("option").evaluate_all("all => all.map((o) => o.value)")
    assert names[0] == "knight" and names[-1] == "other"
    assert [PIECES[name].leaps for name in names[:-1]] == [*dict.fromkeys(row.leaps for row in PIECES.values())]
    assert page.get_by_label("Leaps, such as").is_hidden()


def test_a_kings_tour_is_found_drawn_and_linked(look, expect):
    page = look.show("6&c=1")
    look.open("setup").get_by_label("Piece").select_option("king")
    expect(page.locator(VERDICT)).to_have_text("Closed tour of the 6×6 board for the king")
    assert look.address.startswith("6:king&c=1&")
    order = look.tour()
    tour = kt.Tour.from_order(kt.Board("6x6:king"), order)
    assert tour.is_closed
    # The line goes from square to square.
    unit = look.module("drawing/lines", "(lines) => lines.CELL")
    look.open("look").get_by_role("radio", name="Line", exact=True).check()
    points = page.locator("path.trail").first.get_attribute("d").removeprefix("M").split("L")
    drawn = [tuple(float(x) / unit - 0.5 for x in point.split()) for point in points]
    assert drawn == [(col, row) for row, col in tour.squares[[*range(36), 0]].tolist()]


@pytest.mark.parametrize(
    ("word", "again"),
    [("8:king", "8:king"), ("8:knight+camel", "8:gnu"), ("8:1,2+1,3", "8:gnu"), ("7:3,2+wazir", "7:0,1+2,3")],
)
def test_a_link_with_a_piece_opens_and_is_copied_back(look, expect, word, again):
    page = look.show(f"{word}&c=0")
    expect(page.locator(VERDICT)).to_contain_text("Open tour of the")
    assert look.address.split("&")[0] == again
    leaps = look.state()["board"]["leaps"]
    assert leaps == [list(leap) for leap in Piece.of(word.partition(":")[2]).leaps]
    assert kt.Tour.from_order(kt.Board(f"{word[0]}x{word}"), look.tour()).board.piece.word == again.partition(":")[2]


def test_ones_own_leaps_are_typed_in_any_order_and_wrong_ones_are_refused(look, expect):
    page = look.show("10&c=1")
    look.open("setup").get_by_label("Piece").select_option("other")
    field = page.get_by_label("Leaps, such as")
    expect(field).to_have_value("1,2")
    for typed, leaps, words in (
        ("5,3", [[3, 5]], "(3,5) leaper"),
        ("1,2+1,0", [[0, 1], [1, 2]], "wazir+knight"),
        ("king + 1,2", [[0, 1], [1, 1], [1, 2]], "wazir+ferz+knight"),
    ):
        field.fill(typed)
        field.press("Tab")
        expect(page.locator("[aria-controls=setup] .summary-words")).to_contain_text(words)
        expect(field).to_have_value(typed)
        assert look.state()["board"]["leaps"] == leaps
    for wrong in ("0,0", "kng", "1,2+", "1"):
        field.fill(wrong)
        field.press("Tab")
        expect(page.get_by_text("There is no such piece")).to_be_visible()
        expect(field).to_have_attribute("aria-invalid", "true")
    look.open("setup").get_by_label("Piece").select_option("camel")
    expect(field).to_be_hidden()
    look.show("10:2,3&c=1")
    expect(look.open("setup").get_by_label("Piece")).to_have_value("zebra")
    look.show("10:0,1+2,3&c=1")
    expect(field).to_have_value("0,1+2,3")


@pytest.mark.parametrize("word", ["8:kng", "8:king+", "8:0,0", "8:knight+0,0"])
def test_a_link_with_what_is_no_piece_is_refused(look, expect, word):
    look.show("5&c=0")
    page = look.show(word)
    expect(page.locator("#notice")).to_contain_text("This link cannot be shown.")


def test_a_kings_tour_is_played_by_clicks(look, expect):
    page = look.show("3:king&v=play")
    click_square(page, "b2", 3, 3)
    expect(page.locator(".legal")).to_have_count(8)
    for name in ("a2", "a1", "b1", "c1", "c2", "c3", "b3", "a3"):
        click_square(page, name, 3, 3)
    expect(page.locator(VERDICT)).to_contain_text("tour")
    order = played(look)
    assert order is not None
    assert kt.Tour.from_order(kt.Board("3x3:king"), order).start == (1, 1)


def test_what_is_saved_of_other_boards_is_read_by_the_library(look):
    script = "(tour, [board, order]) => tour.toGrid(board, order)"
    for word in ("6x6:king", "5x6:torus", "7x7:0,1+1,4:klein", "6x7:cylinder:-a1,b2", "5x5"):
        tour = kt.find_tour(kt.Board(word), rng=1)
        text = look.module("model/tour", script, [page_board(tour.board), tour.order.tolist()])
        assert [*kt.parse_tours(text)] == [tour]
