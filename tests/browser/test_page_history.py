"""Going back: views and questions are places in the browser's history, and what was changed can be undone."""

from __future__ import annotations

import pytest

import knightstour as kt
from helpers.clicks import click_square, drag

VERDICT = "#answer .verdict"


def view(page) -> str:
    return page.locator("body").get_attribute("data-part")


def test_back_and_forward_go_from_view_to_view_and_from_question_to_question(look, expect):
    page = look.show("8&c=1")
    expect(page.locator(VERDICT)).to_have_text("Closed tour of the 8×8 board")
    page.get_by_role("link", name="Play").click()
    expect(page.locator("body")).to_have_attribute("data-part", "play")
    assert "v=play" in look.address
    page.get_by_role("link", name="Explore").click()
    assert "v=" not in look.address
    look.open("setup").get_by_label("Boards to look at", exact=True).select_option("5×5, the smallest square")
    expect(page.locator(VERDICT)).to_have_text("Open tour of the 5×5 board")
    tour = look.tour()
    page.go_back()
    expect(page.locator(VERDICT)).to_have_text("Closed tour of the 8×8 board")
    page.go_back()
    expect(page.locator("body")).to_have_attribute("data-part", "play")
    page.go_forward()
    page.go_forward()
    expect(page.locator(VERDICT)).to_have_text("Open tour of the 5×5 board")
    assert look.tour() == tour


def test_an_answer_is_no_place_of_its_own(look, expect):
    page = look.show("6&c=1")
    expect(page.locator(VERDICT)).to_have_text("Closed tour of the 6×6 board")
    before = page.evaluate("history.length")
    look.open("setup").get_by_role("radio", name="Open").check()
    expect(page.locator(VERDICT)).to_have_text("Open tour of the 6×6 board")
    assert look.tour()
    assert page.evaluate("history.length") == before + 1


def test_views_are_links_to_what_is_shown(look, expect):
    page = look.show("5x6&c=1&s=curve")
    expect(page.locator(VERDICT)).to_be_visible()
    tour = look.tour()
    link = page.get_by_role("link", name="Check", exact=True)
    with look.context.expect_page() as opened:
        link.click(modifiers=["Control"])
    other = opened.value
    other.locator("html[data-ready]").wait_for(state="attached")
    expect(other.locator("body")).to_have_attribute("data-part", "check")
    expect(other.locator(".trail")).to_be_visible()
    assert other.evaluate("location.hash").startswith("#5x6&v=check&c=1&s=curve&t=")
    other.close()
    assert view(page) == "find" and look.tour() == tour


def test_holes_a_start_and_a_tour_that_was_liked_come_back(look, expect):
    page = look.show("8&c=1")
    expect(page.locator(VERDICT)).to_have_text("Closed tour of the 8×8 board")
    look.another(expect)
    liked = look.tour()
    look.another(expect)
    assert look.tour() != liked
    page.keyboard.press("Control+z")
    assert look.tour() == liked
    page.keyboard.press("Control+y")
    assert look.tour() != liked
    page.keyboard.press("Control+z")
    click_square(page, "c3")
    expect(page.locator(VERDICT)).to_have_text("Closed tour of the 8×8 board from c3")
    page.keyboard.press("Control+z")
    expect(page.locator(VERDICT)).to_have_text("Closed tour of the 8×8 board")
    assert look.tour() == liked
    # A whole stroke of holes is one step.
    look.open("setup").get_by_role("radio", name="Holes").check()
    drag(page, "a8", "d8")
    expect(page.locator("[aria-controls=setup] .summary-words")).to_contain_text("with 4 holes")
    page.keyboard.press("Control+z")
    expect(page.locator("[aria-controls=setup] .summary-words")).not_to_contain_text("hole")
    assert look.tour() == liked
    page.keyboard.press("Control+Shift+Z")
    expect(page.locator("[aria-controls=setup] .summary-words")).to_contain_text("with 4 holes")
    look.open("setup").get_by_role("radio", name="Start").check()


def test_undo_in_a_field_is_the_fields_own(look, expect):
    page = look.show("8&c=1&a=c3")
    field = look.open("setup").get_by_role("textbox", name="Starts on")
    expect(page.locator(VERDICT)).to_be_visible()
    field.fill("d4")
    field.press("Control+z")
    assert look.state()["start"] == kt.Board(8, 8).square("c3")[0] * 8 + 2


@pytest.mark.parametrize("restart", ["button", "key"])
def test_a_game_that_was_restarted_comes_back(look, expect, restart):
    page = look.show("5&v=play")
    for name in ("a1", "b3", "d4"):
        click_square(page, name, 5, 5)
    played = look.state()["played"]
    if restart == "key":
        page.keyboard.press("r")
    else:
        page.get_by_role("button", name="Restart").click()
    expect(page.locator(VERDICT)).to_have_text("Put the knight on any square.")
    page.get_by_role("button", name="Undo").click()
    assert look.state()["played"] == played
    page.keyboard.press("Control+z")
    assert look.state()["played"] == played[:2]
    page.keyboard.press("Control+y")
    assert look.state()["played"] == played


def test_the_place_of_the_keyboard_is_kept_from_view_to_view(look, expect):
    page = look.show("8&c=1")
    expect(page.locator(VERDICT)).to_be_visible()
    page.locator(".board-box").focus()
    page.keyboard.press("2")
    expect(page.locator("body")).to_have_attribute("data-part", "play")
    expect(page.locator(".board-box")).to_be_focused()
    look.show("8&v=watch&a=a1&r=1")
    # The board of all views is not in this one.
    expect(page.locator(".view-button[data-view=explore]")).to_be_focused()
