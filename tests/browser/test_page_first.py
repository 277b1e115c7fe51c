"""The first look at the page: what a tour is, a knight that walks one, and the main button within reach."""

from __future__ import annotations

import pytest

import knightstour as kt

VERDICT = "#answer .verdict"


def test_a_knight_walks_the_first_tour_unless_motion_is_not_wanted(opener, expect):
    moving = opener(reduced_motion="no-preference").page
    expect(moving.locator(".walker")).to_have_count(1)
    place = "document.querySelector('.walker').getAttribute('transform')"
    first = moving.evaluate(place)
    moving.wait_for_function(f"{place} !== {first!r}")
    assert moving.locator(".is-walked").evaluate("line => parseFloat(line.style.strokeDashoffset)") > 0
    # Arrows come where the knight has been.
    expect(moving.locator(".ways-on")).to_be_hidden()
    # It ends when something else is drawn.
    moving.get_by_role("radio", name="Line").check(force=True)
    expect(moving.locator(".walker")).to_have_count(0)
    expect(moving.locator(".is-walked")).to_have_count(0)
    expect(moving.locator(".ways-on")).to_be_visible()
    still = opener().page
    expect(still.locator(VERDICT)).to_be_visible()
    expect(still.locator(".walker")).to_have_count(0)


def test_the_page_says_what_a_tour_is_and_which_way_it_goes(look, expect):
    page = look.show("10&c=1")
    expect(page.locator("#lead")).to_contain_text("A knight’s tour visits every square of a board once.")
    expect(page.locator(".ways-on")).to_have_count(1)
    how = page.locator("#answer details.how")
    expect(how.locator("p")).to_be_hidden()
    how.locator("summary").click()
    expect(how.locator("p")).to_contain_text("explicit")
    page.get_by_role("button", name="Help").click()
    dialog = page.get_by_role("dialog", name="Help")
    expect(dialog).to_contain_text("It is closed if a last move leads back to the start.")
    expect(dialog.locator(".views-list dt")).to_have_count(9)
    page.keyboard.press("Escape")


@pytest.mark.parametrize(
    ("link", "button"),
    [
        ("8&c=1", "Another tour"),
        ("12~2,3&c=1&v=count", "Count"),
        ("5x6&c=1&v=many", "Draw others"),
        ("6&c=1&v=compare", "Another second tour"),
        ("5x6&c=1&v=all", "A uniformly random tour"),
    ],
)
def test_on_a_phone_the_main_button_is_right_below_the_board(opener, expect, link, button):
    page = opener(360, 740).show(link)
    main = page.locator("#action").get_by_role("button", name=button, exact=True)
    expect(main).to_be_visible()
    if "many" not in link:
        box = main.bounding_box()
        views = page.get_by_role("navigation", name="Views").bounding_box()
        assert box["y"] + box["height"] <= views["y"]


def test_on_a_phone_on_its_side_nothing_lies_over_the_board(opener, expect):
    page = opener(740, 360).show("8&c=1")
    expect(page.locator(VERDICT)).to_be_attached()
    board = page.locator(".board-box").bounding_box()
    views = page.get_by_role("navigation", name="Views").bounding_box()
    assert board["y"] >= views["y"] + views["height"] and board["y"] + board["height"] <= 360
    button = page.get_by_role("button", name="Another tour").bounding_box()
    assert button["y"] + button["height"] <= 360


def test_the_board_is_of_one_size_in_all_views(opener):
    look = opener(1440, 900)
    widths = set()
    for view in ("find", "play", "all", "count", "check", "puzzle"):
        page = look.show(f"8&c=1&v={view}")
        page.locator(f"body[data-view={view}]").wait_for()
        widths.add(round(page.locator(".board-box").bounding_box()["width"]))
    assert len(widths) == 1 and widths.pop() > 450


def test_a_large_board_shows_a_tour_that_looks_drawn_at_random_first(look, expect):
    page = look.show("20&c=1")
    expect(page.locator(VERDICT)).to_have_text("Closed tour of the 20×20 board")
    tour = kt.Tour.from_order((20, 20), look.tour())
    assert tour.is_closed and tour != kt.find_tour((20, 20), closed=True)
    expect(page.locator("#answer .how")).to_contain_text("merge")


def test_lines_are_thinner_on_small_boards(look, expect):
    widths = []
    for link in ("3x4", "8"):
        page = look.show(link)
        expect(page.locator(".trail")).to_be_visible()
        widths.append(page.locator(".trail").evaluate("line => parseFloat(getComputedStyle(line).strokeWidth)"))
    assert widths[0] < 0.8 * widths[1]
