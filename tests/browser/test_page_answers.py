"""What is shown belongs to what is asked: nothing that one view found outlives its question in another."""

from __future__ import annotations

import pytest

import knightstour as kt
from helpers.clicks import click_square
from knightstour.lab.counting.spaces.tour_space import TourSpace

VERDICT = "#answer .verdict"
FACTS = "#facts dd"


@pytest.fixture(scope="module")
def space() -> TourSpace:
    return TourSpace((5, 6), closed=True)


def resize(look, side: str, size: int) -> None:
    page = look.open("setup")
    page.get_by_role("spinbutton", name=side).fill(str(size))
    page.get_by_role("spinbutton", name=side).press("Enter")


def check(page, text: str) -> None:
    page.get_by_role("textbox", name="Paste it here").fill(text)
    page.get_by_role("button", name="Check", exact=True).last.click()


def test_a_tour_that_is_taken_in_another_view_does_not_keep_the_number_of_the_last(look, expect, space):
    one, two = space.unrank(3), space.unrank(5)
    page = look.show(f"5x6&c=1&v=compare&k=3&t={look.coded(one.board, one.order)}&u={look.coded(two.board, two.order)}")
    expect(page.locator("#answer")).to_contain_text("in common")
    page.get_by_role("button", name="Swap").click()
    assert look.tour() == two.order.tolist()
    assert look.state()["number"] is None
    look.choose("all")
    expect(page.locator(VERDICT)).to_have_text("Tour number 5")
    assert look.state()["number"] == "5"


def test_the_number_in_a_link_is_not_believed_of_another_tour(look, expect, space):
    tour = space.unrank(5)
    page = look.show(f"5x6&c=1&v=all&k=3&t={look.coded(tour.board, tour.order)}")
    expect(page.locator(VERDICT)).to_have_text("Tour number 5")
    expect(page.get_by_role("textbox", name="Number of the tour")).to_have_value("5")
    assert look.tour() == tour.order.tolist()


def test_a_number_that_comes_late_is_not_given_to_the_next_tour(look, expect, space):
    tour = space.unrank(5)
    held: list = []
    look.page.route("**/api/space/rank", lambda route: held.append(route))
    with look.page.expect_request("**/api/space/rank"):
        page = look.show(f"5x6&c=1&v=all&t={look.coded(tour.board, tour.order)}")
    page.locator("body").press("End")
    expect(page.locator(VERDICT)).to_have_text("Tour number 8")
    with page.expect_response("**/api/space/rank"):
        held[0].continue_()
    assert look.tour() == space.unrank(8).order.tolist()
    assert look.state()["number"] == "8"
    page.unroute("**/api/space/rank")


def test_all_tours_say_nothing_of_the_board_before(look, expect):
    page = look.show("5&c=1&v=all")
    expect(page.locator(VERDICT)).to_have_text("There is no closed tour of the 5×5 board.")
    resize(look, "Rows", 8)
    expect(page.locator(".space-note")).to_contain_text("counted and numbered once")
    expect(page.locator("#answer")).to_be_empty()


def test_the_only_tour_is_called_so(look, expect):
    page = look.show("1&v=all")
    expect(page.locator("#answer")).to_contain_text("the only open tour of the 1×1 board")
    expect(page.locator(".total")).to_have_text("1 open tour")


def test_ends_are_not_asked_for_where_all_tours_are_shown(look, expect):
    page = look.show("5x6&a=a1&z=c2")
    expect(page.locator(VERDICT)).to_contain_text("from a1 to c2")
    look.choose("all")
    expect(look.open("setup").get_by_role("spinbutton", name="Rows")).to_be_visible()
    for name in ("Starts on", "Ends on"):
        expect(page.get_by_role("textbox", name=name)).to_be_hidden()
    look.choose("find")
    look.open("setup")
    for name in ("Starts on", "Ends on"):
        expect(page.get_by_role("textbox", name=name)).to_be_visible()


def test_a_game_goes_on_when_another_kind_or_end_is_asked_for(look, expect):
    page = look.show("8&v=play&c=1")
    for name in ("a1", "b3", "d4", "f5"):
        click_square(page, name)
    page.get_by_role("button", name="Undo").click()
    look.open("setup").get_by_role("radio", name="Open").check()
    expect(page.locator(VERDICT)).to_contain_text("3 of 64 squares")
    look.open("setup").get_by_role("textbox", name="Ends on").fill("h7")
    look.open("setup").get_by_role("textbox", name="Ends on").press("Enter")
    look.open("setup").get_by_role("textbox", name="Starts on").fill("c3")
    look.open("setup").get_by_role("textbox", name="Starts on").press("Enter")
    expect(page.locator(VERDICT)).to_contain_text("3 of 64 squares")
    page.get_by_role("button", name="Redo").click()
    expect(page.locator(VERDICT)).to_contain_text("4 of 64 squares")
    # Another board has other squares.
    resize(look, "Rows", 7)
    expect(page.locator(VERDICT)).to_contain_text("Put the knight on c3")


def test_facts_and_files_in_a_game_are_those_of_the_game(look, expect):
    page = look.show("5&a=a1")
    expect(look.facts().first).to_be_visible()
    look.choose("play")
    expect(page.locator(VERDICT)).to_be_visible()
    expect(page.locator("#facts")).to_be_hidden()
    expect(page.locator("#save")).to_be_hidden()
    tour = kt.find_tour((5, 5), start="a1", end="e5")
    page = look.show(f"5&v=play&p={look.coded(tour.board, tour.order)}")
    expect(page.locator(FACTS).nth(2)).to_have_text("a1 – e5")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#facts")).to_be_hidden()


def test_a_comparison_says_nothing_of_the_board_before(look, expect):
    page = look.show("6&c=1&v=compare")
    expect(page.locator("table.compare td").first).to_be_visible()
    resize(look, "Rows", 4)
    expect(page.locator("#answer")).to_contain_text("There is no closed tour of the 4×6 board")
    expect(page.locator("table.compare td")).to_have_count(0)


def test_a_tour_and_the_same_walked_backwards_take_the_same_moves(look, expect):
    tour = kt.find_tour((6, 6), closed=True)
    backwards = look.coded(tour.board, tour.order[::-1])
    page = look.show(f"{look.linked(tour)}&v=compare&u={backwards}")
    expect(page.locator("#answer")).to_contain_text("36 of 36 moves in common")
    expect(page.locator(VERDICT)).to_have_text("The two take the same moves.")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (str(kt.find_tour((70, 70), closed=True)), "A closed tour of the 70×70 board"),
        (str(kt.find_tour((5, 5))).replace(" 7", "30", 1), "This is not a tour"),
        ("hello", "This cannot be read as a tour."),
        ("", "Paste or drop a tour."),
    ],
    ids=["too large", "a number missing", "unreadable", "empty"],
)
def test_of_a_tour_that_cannot_be_shown_no_other_is_shown(look, expect, text, words):
    page = look.show("8&v=check")
    check(page, str(kt.find_tour((5, 5))))
    expect(page.locator(VERDICT)).to_have_text("An open tour of the 5×5 board")
    expect(page.locator(FACTS).first).to_be_visible()
    check(page, text)
    expect(page.locator(VERDICT)).to_have_text(words)
    expect(page.locator("#facts")).to_be_hidden()
    expect(page.locator("#save")).to_be_hidden()
    expect(page.locator(".trail")).to_have_count(0)
    assert look.tour() is None
    if "70" in words:
        expect(page.locator("#answer")).to_contain_text("too large to be shown")
    check(page, "")


def test_what_was_checked_is_told_of_the_board_as_it_is_turned(look, expect):
    page = look.show("8&v=check")
    tour = kt.find_tour((5, 6), closed=True)
    check(page, str(tour))
    expect(page.locator(VERDICT)).to_have_text("A closed tour of the 5×6 board")
    look.open("look").get_by_role("button", name="Turn right").click()
    expect(page.locator(VERDICT)).to_have_text("A closed tour of the 6×5 board")
    # In another view it is a tour like others, which nobody checked.
    look.choose("find")
    expect(page.locator(VERDICT)).to_have_text("Closed tour of the 6×5 board")
    look.choose("check")
    look.open("look").get_by_role("button", name="Turn right").click()
    expect(page.locator("[aria-controls=setup] .summary-words")).to_contain_text("5×6, closed")
    expect(page.locator(VERDICT)).to_have_text("Paste or drop a tour.")
    check(page, str(tour))
    expect(page.locator(VERDICT)).to_have_text("A closed tour of the 5×6 board")
    resize(look, "Rows", 8)
    expect(page.locator(VERDICT)).to_have_text("Paste or drop a tour.")


def test_a_path_with_a_wrong_step_stays_as_it_was_read(look, expect):
    page = look.show("8&v=check")
    check(page, "a1 b3 a5 h8")
    fault = page.locator(".fault")
    expect(fault).to_have_count(1)
    expect(look.open("look").get_by_role("button", name="Turn right")).to_be_disabled()
    page.locator("body").press("]")
    look.open("look").get_by_role("radio", name="Line").check()
    look.open("look").get_by_role("radio", name="Board").check()
    expect(fault).to_have_count(1)
    expect(page.locator(".reason")).to_contain_text("h8")
    look.choose("find")
    expect(look.open("look").get_by_role("button", name="Turn right")).to_be_enabled()
