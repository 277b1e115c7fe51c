"""Tests of results: they match the problem, and all tours by number: the slider, the field, and a random tour."""

import json
import re
from typing import Any

import pytest

import knightstour as kt
from helpers.clicks import click_square
from knightstour.lab.counting.spaces.tour_space import TourSpace
from tests.conftest import IS_FOLDER, page_board

pytestmark = pytest.mark.hosts

VERDICT = "#answer .verdict"
FACTS = "#facts"


@pytest.fixture(scope="module")
def space() -> TourSpace:
    return TourSpace((5, 6), closed=True)


def resize(look, word: str) -> None:
    field = look.open("setup").get_by_role("textbox", name="Board")
    field.fill(word)
    field.press("Enter")


def check(page, text: str) -> None:
    page.get_by_role("textbox", name="Paste it here").fill(text)
    page.get_by_role("button", name="Check", exact=True).last.click()


def test_link_number_is_not_trusted_for_another_tour(look, expect, space):
    tour = space.unrank(5)
    page = look.show(f"5x6&c=1&v=all&k=3&t={look.coded(tour.board, tour.order)}")
    expect(page.locator(VERDICT)).to_have_text("Tour number 5")
    expect(page.get_by_role("textbox", name="Number of the tour")).to_have_value("5")
    assert look.tour() == tour.order.tolist()


def test_late_number_is_not_shown_for_the_next_tour(look, expect, space):
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


def test_game_continues_after_changing_kind_or_end(look, expect):
    page = look.show("8&v=play&c=1")
    for name in ("a1", "b3", "d4", "f5"):
        click_square(page, name)
    page.get_by_role("button", name="Undo").click()
    look.open("setup").get_by_role("radio", name="Open").check()
    expect(page.locator(VERDICT)).to_contain_text("3 of 64 squares")
    page.get_by_role("button", name="Redo").click()
    expect(page.locator(VERDICT)).to_contain_text("4 of 64 squares")
    # Another board has other squares.
    resize(look, "7x8")
    expect(page.locator(VERDICT)).to_contain_text("Put the knight on any square")


def test_facts_and_files_in_a_game_match_the_game(look, expect):
    page = look.show("5&a=a1")
    expect(look.facts()).to_be_visible()
    look.choose("play")
    expect(page.locator(VERDICT)).to_be_visible()
    expect(page.locator("#facts")).to_be_hidden()
    expect(page.locator("#save")).to_be_hidden()
    tour = kt.find_tour((5, 5), start="a1", end="e5")
    page = look.show(f"5&v=play&p={look.coded(tour.board, tour.order)}")
    expect(page.locator(FACTS)).to_contain_text("turns")
    page.keyboard.press("u")
    expect(page.locator("#facts")).to_be_hidden()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (str(kt.find_tour((70, 70), closed=True)), "A closed tour of the 70×70 board"),
        (str(kt.find_tour((5, 5))).replace(" 7", "30", 1), "This is not a tour"),
        ("hello", "This text cannot be read as a tour."),
        ("", "Paste or drop a tour."),
    ],
    ids=["too large", "a number missing", "unreadable", "empty"],
)
def test_unsupported_tour_shows_no_other_tour(look, expect, text, words):
    page = look.show("8&v=check")
    check(page, str(kt.find_tour((5, 5))))
    expect(page.locator(VERDICT)).to_have_text("An open tour of the 5×5 board")
    expect(page.locator(FACTS)).to_be_visible()
    check(page, text)
    expect(page.locator(VERDICT)).to_have_text(words)
    expect(page.locator("#facts")).to_be_hidden()
    expect(page.locator("#save")).to_be_hidden()
    expect(page.locator(".trail")).to_have_count(0)
    assert look.tour() is None
    if "70" in words:
        expect(page.locator("#answer")).to_contain_text("too large for the page")
    check(page, "")


def test_checked_facts_follow_the_rotated_board(look, expect):
    page = look.show("8&v=check")
    tour = kt.find_tour((5, 6), closed=True)
    check(page, str(tour))
    expect(page.locator(VERDICT)).to_have_text("A closed tour of the 5×6 board")
    look.open("look").get_by_role("button", name="Turn right").click()
    expect(page.locator(VERDICT)).to_have_text("A closed tour of the 6×5 board")
    # In another view it is a tour without a check.
    look.choose("find")
    expect(page.locator(VERDICT)).to_have_text("Closed tour of the 6×5 board")
    look.choose("check")
    look.open("look").get_by_role("button", name="Turn right").click()
    expect(page.locator("[aria-controls=setup] .summary-words")).to_contain_text("5×6, closed")
    expect(page.locator(VERDICT)).to_have_text("Paste or drop a tour.")
    check(page, str(tour))
    expect(page.locator(VERDICT)).to_have_text("A closed tour of the 5×6 board")
    resize(look, "8x6")
    expect(page.locator(VERDICT)).to_have_text("Paste or drop a tour.")


def test_path_with_a_wrong_step_stays_unchanged(look, expect):
    page = look.show("8&v=check")
    check(page, "a1 b3 a5 h8")
    fault = page.locator(".fault")
    expect(fault).to_have_count(1)
    expect(look.open("look").get_by_role("button", name="Turn right")).to_be_disabled()
    page.locator("body").press("]")
    look.open("look").get_by_role("radio", name="Curve").check()
    look.open("look").get_by_role("radio", name="Board").check()
    expect(fault).to_have_count(1)
    expect(page.locator(".reason")).to_contain_text("h8")
    look.choose("find")
    expect(look.open("look").get_by_role("button", name="Turn right")).to_be_enabled()


# ---------------------------------------------------------------- all tours by number


def slide(page, value: int) -> None:
    page.get_by_role("slider", name="Tour").evaluate(
        "(slider, value) => { slider.value = value; slider.dispatchEvent(new Event('input')); }", value
    )


def test_the_slider_goes_through_all_tours(look, expect, space):
    page = look.show("5x6&v=all&c=1")
    expect(page.locator(".total")).to_have_text("8 closed tours")
    slider = page.get_by_role("slider", name="Tour")
    assert (slider.get_attribute("min"), slider.get_attribute("max")) == ("0", "7")
    seen = set()
    for k in range(1, 9):
        slide(page, k - 1)
        expect(page.locator(VERDICT)).to_have_text(f"Tour number {k}")
        tour = look.tour()
        assert tour == space.unrank(k).order.tolist()
        seen.add(tuple(tour))
    assert len(seen) == 8
    # A number can be typed; keys change it by one.
    field = page.get_by_role("textbox", name="Number of the tour")
    expect(field).to_have_value("8")
    field.fill("5")
    field.press("Enter")
    expect(page.locator(VERDICT)).to_have_text("Tour number 5")
    page.get_by_role("button", name="Next tour").click()
    expect(page.locator(VERDICT)).to_have_text("Tour number 6")
    page.get_by_role("slider", name="Tour").press("ArrowLeft")
    expect(page.locator(VERDICT)).to_have_text("Tour number 5")
    page.locator("body").press("End")
    expect(page.locator(VERDICT)).to_have_text("Tour number 8")
    field.fill("9")
    field.press("Enter")
    expect(page.locator(VERDICT)).to_have_text("There are tours number 1 to 8.")
    field.fill("8")
    field.press("Enter")
    expect(page.locator(VERDICT)).to_have_text("Tour number 8")
    assert look.address.endswith("k=8&" + look.address.split("&")[-1])


def test_random_tour_has_a_rank_in_range(look, expect, space):
    page = look.show("5x6&v=all&c=1")
    numbers = set()
    for _ in range(12):
        with page.expect_response("**/space/random"):
            page.get_by_role("button", name="A uniformly random tour").click()
        expect(page.locator(VERDICT)).to_have_text(re.compile("Tour number [1-8]$"))
        state = look.state()
        assert state["tour"] == space.unrank(int(state["number"])).order.tolist()
        numbers.add(int(state["number"]))
    assert 2 < len(numbers) <= 8 and numbers <= set(range(1, 9))


def test_board_without_tours_reports_it(look, expect):
    page = look.show("5&v=all&c=1")
    expect(page.locator(VERDICT)).to_have_text("There is no closed tour of the 5×5 board.")


def test_larger_boards_are_numbered_on_request_with_progress(look, expect):
    page = look.show("3x12&v=all&c=1")
    expect(page.locator(".space-note")).to_contain_text("counted and numbered once")
    page.get_by_role("button", name="Number all tours").click()
    # The bar may disappear early; its last message remains.
    expect(page.locator(".total")).to_have_text("176 closed tours")
    expect(page.get_by_role("progressbar")).to_be_hidden()
    expect(page.get_by_role("slider", name="Tour")).to_have_attribute("max", "175")


def test_a_number_of_millions_stays_exact(look, expect):
    reply = {"count": "13267364410532", "note": None, "bytes": None}
    events = {"body": f"event: result\ndata: {json.dumps(reply)}\n\n", "headers": {"Content-Type": "text/event-stream"}}
    look.page.route("**/api/space/build", lambda route: route.fulfill(**events))
    look.page.route("**/api/space/unrank", lambda route: route.fulfill(json=numbered(route.request)))
    page = look.show("8&v=all&c=1")
    expect(page.locator(".total")).to_have_text("13,267,364,410,532 closed tours")
    # One step of the slider is thirteen million tours.
    slide(page, 500_000)
    expect(page.locator(VERDICT)).to_have_text("Tour number 6,633,682,205,266")
    page.get_by_role("slider", name="Tour").press("ArrowRight")
    expect(page.locator(VERDICT)).to_have_text("Tour number 6,633,682,205,267")
    page.locator("body").press("End")
    expect(page.locator(VERDICT)).to_have_text("Tour number 13,267,364,410,532")
    look.page.unroute("**/api/space/build")
    look.page.unroute("**/api/space/unrank")


def test_number_of_8x8_tours_shows_progress_and_can_be_cancelled(look, expect):
    page = look.show("8&v=all&c=1")
    page.get_by_role("button", name="Number all tours").click()
    if IS_FOLDER:
        expect(page.locator(".space-note")).to_contain_text("does not fit in a browser")
        return
    progress = page.get_by_role("progressbar")
    # The progress is visible.
    expect(page.locator(".space-note")).to_contain_text(re.compile(r"Numbering all tours, \d+ %"))
    assert 0 <= float(progress.get_attribute("value")) < 1
    page.get_by_role("button", name="Cancel").click()
    expect(progress).to_be_hidden()
    expect(page.get_by_role("button", name="Cancel")).to_be_hidden()
    expect(page.get_by_role("button", name="Number all tours")).to_be_visible()
    question = {"board": page_board(kt.Board(8, 8)), "closed": True}
    assert look.module("api", "(api, question) => api.spaceBuild(question, 0, () => {})", question)["count"] is None


def test_small_board_stays_cancelled_and_refusal_has_a_reason(look, expect):
    events = 'event: batch\ndata: {"made": "states", "done": 0.5, "seconds": 3.5}\n\n'
    events += 'event: error\ndata: {"error": "there is no room", "note": "", "help": "try later"}\n\n'
    held: list[Any] = []
    status = 'event: result\ndata: {"count": null, "note": null, "bytes": 1}\n\n'
    answered = {"body": status, "headers": {"Content-Type": "text/event-stream"}}

    def hold(route) -> None:
        if route.request.post_data_json["max_bytes"] == 0:
            route.fulfill(**answered)
        else:
            held.append(route)

    look.page.route("**/api/space/build", hold)
    page = look.show("5x4:-a1,d5&v=all")
    expect(page.locator(".space-note")).to_contain_text("Numbering all tours so far")
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("button", name="Number all tours")).to_be_visible()
    look.page.unroute("**/api/space/build")
    fulfilled = {"body": events, "headers": {"Content-Type": "text/event-stream"}}
    look.page.route("**/api/space/build", lambda route: route.fulfill(**fulfilled))
    page.get_by_role("button", name="Number all tours").click()
    expect(page.locator(".space-note")).to_contain_text("there is no room", ignore_case=True)
    expect(page.get_by_role("button", name="Number all tours")).to_be_hidden()
    look.page.unroute("**/api/space/build")


def numbered(request) -> dict:
    """Replace a space that takes minutes to build: always the same tour."""
    number = json.loads(request.post_data)["number"]
    squares = kt.find_tour((8, 8), closed=True).squares.tolist()
    return {"number": number, "count": "13267364410532", "squares": squares}
