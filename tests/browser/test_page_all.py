"""All tours by number on the page: the slider, the field, and a random one."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

import knightstour as kt
from browser.conftest import page_board
from browser.test_page_access import violations
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
    expect(page.locator(".space-note")).to_contain_text("counted and numbered in the background")
    page.get_by_role("button", name="Number all tours").click()
    # The bar may be gone before it is seen; what was said stays until something else is said.
    expect(page.locator(".total")).to_have_text("176 closed tours")
    expect(page.get_by_role("progressbar")).to_be_hidden()
    expect(page.get_by_role("slider", name="Tour")).to_have_attribute("max", "175")


def test_progress_is_shown_while_all_tours_are_numbered(look, expect):
    reply = {
        "state": "building",
        "done": 0.25,
        "made": "1,234,567 states",
        "seconds": 3.5,
        "count": None,
        "error": None,
    }
    look.page.route("**/api/space/status", lambda route: route.fulfill(json=reply))
    page = look.show("8&v=all&c=1")
    expect(page.get_by_role("progressbar")).to_have_attribute("value", "0.25")
    expect(page.locator(".space-note")).to_contain_text("25 %, 1,234,567 states, 3.5 s so far")
    reply["state"], reply["count"] = "ready", "13267364410532"
    look.page.route("**/api/space/unrank", lambda route: route.fulfill(json=numbered(route.request)))
    expect(page.locator(".total")).to_have_text("13,267,364,410,532 closed tours")
    # One step of the slider is thirteen million tours, and the number stays exact.
    slide(page, 500_000)
    expect(page.locator(VERDICT)).to_have_text("Tour number 6,633,682,205,266")
    page.get_by_role("slider", name="Tour").press("ArrowRight")
    expect(page.locator(VERDICT)).to_have_text("Tour number 6,633,682,205,267")
    page.locator("body").press("End")
    expect(page.locator(VERDICT)).to_have_text("Tour number 13,267,364,410,532")
    look.page.unroute("**/api/space/status")
    look.page.unroute("**/api/space/unrank")


def test_the_numbering_shows_its_share_and_can_be_cancelled(look, expect):
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
    assert look.module("api", "(api, question) => api.spaceStatus(question)", question)["state"] == "absent"


def test_a_small_board_stays_cancelled(look, expect):
    reply = {"state": "building", "done": 0.5, "states": 7, "seconds": 1.0, "count": None, "error": None, "note": None}
    look.page.route("**/api/space/status", lambda route: route.fulfill(json=reply))
    look.page.route("**/api/space/cancel", lambda route: route.fulfill(json={**reply, "state": "absent"}))
    page = look.show("4x5&v=all")
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("button", name="Number all tours")).to_be_visible()
    reply["note"] = "somebody else waits for them too, so it goes on"
    look.page.route("**/api/space/build", lambda route: route.fulfill(json=reply))
    page.get_by_role("button", name="Number all tours").click()
    expect(page.locator(".space-note")).to_contain_text("Somebody else waits")
    for path in ("status", "cancel", "build"):
        look.page.unroute(f"**/api/space/{path}")


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


HISTOGRAM = "#histogram"


def opened_histogram(page, expect):
    """The section with the bars, opened."""
    section = page.locator(HISTOGRAM)
    expect(section).to_be_visible()
    if section.get_attribute("open") is None:
        section.locator("summary").click()
    return section


def test_the_bars_are_those_of_the_census_and_each_shows_a_tour_with_its_value(look, expect):
    page = look.show("5x6&v=all&c=1")
    section = opened_histogram(page, expect)
    for name in ("crossings", "steep-up"):
        section.get_by_role("combobox").select_option(name)
        counts = kt.census("5x6", name, closed=True).counts
        bars = section.get_by_role("listitem")
        expect(bars.locator(".value")).to_have_text([str(value) for value in counts])
        expect(bars.locator(".figure")).to_have_text([str(count) for count in counts.values()])
        for place, value in enumerate(counts):
            called = re.compile(rf"^{value}\s*:\s*{counts[value]} of the tours")
            bar = bars.nth(place).get_by_role("button", name=called)
            bar.focus()
            bar.press("Enter")
            expect(bar).to_have_attribute("aria-current", "true")
            expect(section.locator("[aria-current]")).to_have_count(1)
            shown = kt.Tour.from_order((5, 6), look.tour())
            assert kt.measure_tours(shown, [name])[name].tolist() == [value]


def test_the_tours_with_the_fewest_and_the_most_are_a_button_away(look, expect, space):
    page = look.show("5x6&v=all&c=1")
    section = opened_histogram(page, expect)
    section.get_by_role("combobox").select_option("turns")
    turns = [tour.turns for tour in space]
    for words, value in (("fewest", min(turns)), ("most", max(turns))):
        section.get_by_role("button", name=f"A tour with the {words}: {value}").click()
        expect(section.locator("[aria-current] .value")).to_have_text(str(value))
        assert kt.Tour.from_order((5, 6), look.tour()).turns == value


def test_the_census_is_not_asked_before_its_section_is_opened(opener, expect):
    own = opener()
    asked: list[str] = []
    own.page.on("request", lambda request: asked.append(request.url))
    page = own.show("5x6&v=all&c=1")
    expect(page.locator(VERDICT)).to_have_text("Tour number 1")
    assert not any("census" in url or "statistics" in url for url in asked)
    section = opened_histogram(page, expect)
    expect(section.locator(".histogram .value").first).to_be_visible()
    assert any("census" in url for url in asked)
    # Another board has other tours, and they are counted while the section is open.
    own.show("3x10&v=all&c=1")
    counts = kt.census("3x10", "turns", closed=True).counts
    expect(section.locator(".value")).to_have_text([str(value) for value in counts])
    assert own.wrong == [] and violations(page) == []


def test_of_many_tours_a_sample_is_measured_and_can_be_stopped(opener, expect):
    own = opener()
    status = {"state": "ready", "done": 1, "made": "", "seconds": 1, "count": "13267364410532", "error": None}
    own.page.route("**/api/space/status", lambda route: route.fulfill(json=status))
    own.page.route("**/api/space/unrank", lambda route: route.fulfill(json=numbered(route.request)))
    rows = [{"value": value, "hits": 100 * (value % 7 + 1), "tours": 1.0, "number": str(value)} for value in range(50)]
    held: list[Any] = []
    own.page.route("**/api/census", lambda route: held.append(route))
    page = own.show("8&v=all&c=1")
    section = opened_histogram(page, expect)
    section.get_by_role("button", name="Stop").click()
    expect(section.get_by_role("status")).to_have_text("Stopped.")
    page.unroute("**/api/census")
    asked: list[dict[str, Any]] = []

    def answer(route: Any) -> None:
        asked.append(json.loads(route.request.post_data))
        route.fulfill(json={"values": rows, "samples": 20_000, "mean": 24.5})

    own.page.route("**/api/census", answer)
    section.get_by_role("button", name="Count the tours").click()
    expect(section.get_by_role("status")).to_contain_text("A random sample of 20,000 of all 13,267,364,410,532 tours")
    assert asked[-1]["samples"] == 20_000
    # 50 values are too many bars: they come in classes, of which each shows its most frequent value.
    expect(section.locator(".value").first).to_have_text("0 to 2")
    expect(section.locator(".figure").first).to_have_text("3 %")
    section.locator(".histogram button").first.click()
    expect(page.locator(VERDICT)).to_have_text("Tour number 2")


def test_boards_with_joined_sides_say_why_there_is_nothing_to_count(look, expect):
    page = look.show("3:torus&v=all&c=1")
    section = opened_histogram(page, expect)
    expect(section.get_by_role("status")).to_contain_text("On boards with joined sides")
    expect(section.get_by_role("button")).to_have_count(0)
