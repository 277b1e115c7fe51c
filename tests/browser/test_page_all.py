"""All tours by number on the page: the slider, the field, and a random one."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

import knightstour as kt
from browser.conftest import page_board
from knightstour.lab.counting.spaces.tour_space import TourSpace

VERDICT = "#answer .verdict"


@pytest.fixture(scope="module")
def space() -> TourSpace:
    return TourSpace((5, 6), closed=True)


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


def test_a_number_is_typed_and_those_beside_it_are_a_key_away(look, expect):
    page = look.show("5x6&v=all&c=1")
    field = page.get_by_role("textbox", name="Number of the tour")
    expect(field).to_have_value("1")
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
    assert look.address.endswith("k=8&" + look.address.split("&")[-1])


def test_a_random_tour_has_a_number_between_one_and_the_count(look, expect, space):
    page = look.show("5x6&v=all&c=1")
    numbers = set()
    for _ in range(12):
        with page.expect_response("**/space/random") as response:
            page.get_by_role("button", name="A uniformly random tour").click()
        number = int(response.value.json()["number"])
        expect(page.locator(VERDICT)).to_have_text(f"Tour number {number}")
        assert look.tour() == space.unrank(number).order.tolist()
        numbers.add(number)
    assert 2 < len(numbers) <= 8 and numbers <= set(range(1, 9))


def test_a_tour_that_was_found_is_shown_with_its_number(look, expect, space):
    page = look.show("5x6&c=1")
    expect(page.locator(VERDICT)).to_have_text("Closed tour of the 5×6 board")
    wanted = space.rank(kt.Tour.from_order((5, 6), look.tour()))
    look.choose("all")
    expect(page.locator(VERDICT)).to_have_text(f"Tour number {wanted}")


def test_a_board_without_tours_says_so(look, expect):
    page = look.show("5&v=all&c=1")
    expect(page.locator(VERDICT)).to_have_text("There is no closed tour of the 5×5 board.")


def test_larger_boards_are_numbered_when_asked_and_tell_how_far_they_are(look, expect):
    page = look.show("3x12&v=all&c=1")
    expect(page.locator(".space-note")).to_contain_text("counted and numbered once")
    page.get_by_role("button", name="Number all tours").click()
    # The bar may be gone before it is seen; what was said stays until something else is said.
    expect(page.locator(".total")).to_have_text("176 closed tours")
    expect(page.get_by_role("progressbar")).to_be_hidden()
    expect(page.get_by_role("slider", name="Tour")).to_have_attribute("max", "175")


def test_a_number_of_millions_stays_exact(look, expect):
    reply = {"count": "13267364410532", "note": None}
    look.page.route("**/api/space/status", lambda route: route.fulfill(json=reply))
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
    look.page.unroute("**/api/space/status")
    look.page.unroute("**/api/space/unrank")


def test_the_number_of_all_tours_of_8x8_shows_its_share_and_can_be_cancelled(look, expect):
    page = look.show("8&v=all&c=1")
    page.get_by_role("button", name="Number all tours").click()
    progress = page.get_by_role("progressbar")
    # Not only that it goes on, but how far it is.
    expect(page.locator(".space-note")).to_contain_text(re.compile(r"Numbering all tours, \d+ %"))
    assert 0 <= float(progress.get_attribute("value")) < 1
    page.get_by_role("button", name="Cancel").click()
    expect(progress).to_be_hidden()
    expect(page.get_by_role("button", name="Cancel")).to_be_hidden()
    expect(page.get_by_role("button", name="Number all tours")).to_be_visible()
    question = {"board": page_board(kt.Board(8, 8)), "closed": True}
    assert look.module("api", "(api, question) => api.spaceStatus(question)", question)["count"] is None


def test_whoever_waits_for_the_numbering_of_others_is_told(look, expect):
    events = 'event: batch\ndata: {"waits": "1 board has its tours numbered", "seconds": 3.5}\n\n'
    events += 'event: error\ndata: {"error": "there is no room", "note": "", "help": "try later"}\n\n'
    held: list[Any] = []
    look.page.route("**/api/space/build", lambda route: held.append(route))
    page = look.show("4x5&v=all")
    expect(page.locator(".space-note")).to_contain_text("Numbering all tours so far")
    page.get_by_role("button", name="Cancel").click()
    # A small board stays cancelled.
    expect(page.get_by_role("button", name="Number all tours")).to_be_visible()
    look.page.unroute("**/api/space/build")
    fulfilled = {"body": events, "headers": {"Content-Type": "text/event-stream"}}
    look.page.route("**/api/space/build", lambda route: route.fulfill(**fulfilled))
    page.get_by_role("button", name="Number all tours").click()
    expect(page.locator(".space-note")).to_contain_text("there is no room", ignore_case=True)
    expect(page.locator("#live")).to_contain_text("the tours of another board are numbered first")
    look.page.unroute("**/api/space/build")


def numbered(request) -> dict:
    """A stand-in for a space that takes minutes to build: always the same tour."""
    number = json.loads(request.post_data)["number"]
    squares = kt.find_tour((8, 8), closed=True).squares.tolist()
    return {"number": number, "count": "13267364410532", "squares": squares}


@pytest.mark.slow
def test_all_closed_tours_of_six_by_six_have_numbers(look, expect):
    page = look.show("6&v=all&c=1")
    page.get_by_role("button", name="Number all tours").click()
    expect(page.locator(".total")).to_have_text("9,862 closed tours", timeout=120_000)
    page.get_by_role("textbox", name="Number of the tour").fill("4,000")
    page.get_by_role("textbox", name="Number of the tour").press("Enter")
    expect(page.locator(VERDICT)).to_have_text("Tour number 4,000")
    assert look.tour() == TourSpace((6, 6), closed=True).unrank(4000).order.tolist()


def test_a_link_to_a_number_shows_that_tour(look, expect, space):
    page = look.show("5x6&v=all&c=1&k=3")
    expect(page.locator(VERDICT)).to_have_text("Tour number 3")
    assert look.tour() == space.unrank(3).order.tolist()
