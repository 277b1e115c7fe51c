"""All tours by number on the page: the slider, the field, and a random one."""

from __future__ import annotations

import pytest

import knightstour as kt
from knightstour.counting.space import TourSpace

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


def test_a_number_is_typed_and_those_beside_it_are_a_key_away(look, expect, space):
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
    page.locator(".view-button[data-view=all]").click()
    expect(page.locator(VERDICT)).to_have_text(f"Tour number {wanted}")


def test_a_board_without_tours_says_so(look, expect):
    page = look.show("5&v=all&c=1")
    expect(page.locator(VERDICT)).to_have_text("There is no closed tour of the 5×5 board.")


def test_large_boards_are_numbered_when_asked_with_progress(look, expect):
    page = look.show("6&v=all&c=1")
    page.get_by_role("button", name="Number all tours").click()
    expect(page.locator(".total")).to_have_text("9,862 closed tours", timeout=60_000)
    expect(page.get_by_role("slider", name="Tour")).to_have_attribute("max", "9861")
    page.get_by_role("textbox", name="Number of the tour").fill("4,000")
    page.get_by_role("textbox", name="Number of the tour").press("Enter")
    expect(page.locator(VERDICT)).to_have_text("Tour number 4,000")
    assert kt.Tour.from_order((6, 6), look.tour()).is_closed


def test_a_link_to_a_number_shows_that_tour(look, expect, space):
    page = look.show("5x6&v=all&c=1&k=3")
    expect(page.locator(VERDICT)).to_have_text("Tour number 3")
    assert look.tour() == space.unrank(3).order.tolist()
