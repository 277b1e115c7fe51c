"""The first look at the page: what a tour is, a knight that walks one, and the main button within reach."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

import knightstour as kt
from helpers.clicks import click_square

VERDICT = "#answer .verdict"


def test_a_knight_walks_the_first_tour_unless_motion_is_not_wanted(opener, expect):
    moving = opener(reduced_motion="no-preference").page
    expect(moving.locator(".walker")).to_have_count(1)
    place = "document.querySelector('.walker').getAttribute('transform')"
    first = moving.evaluate(place)
    moving.wait_for_function(f"() => {place} !== {first!r}")
    assert moving.locator(".is-walked").evaluate("line => parseFloat(line.style.strokeDashoffset)") > 0
    # Arrows come where the knight has been.
    expect(moving.locator(".ways-on")).to_be_hidden()
    # It ends when something else is drawn.
    moving.get_by_role("button", name="Another tour").click()
    expect(moving.locator(".walker")).to_have_count(1)
    moving.get_by_role("link", name="Play", exact=True).click()
    expect(moving.locator(".walker")).to_have_count(0)
    expect(moving.locator(".is-walked")).to_have_count(0)
    still = opener().page
    expect(still.locator(".trail")).to_be_visible()
    expect(still.locator(".walker")).to_have_count(0)


def test_the_page_says_what_a_tour_is_and_which_way_it_goes(look, expect):
    page = look.show("home")
    expect(page.locator("#panel")).to_contain_text("A knight can visit all 64 squares of a chessboard")
    look.show("10&c=1")
    expect(page.locator(".ways-on")).to_have_count(1)
    expect(page.locator("#answer .how")).to_contain_text("explicit")
    look.open("more-list").get_by_role("button", name="Help").click()
    dialog = page.get_by_role("dialog", name="Help")
    expect(dialog).to_contain_text("It is closed if a last move leads back to the start.")
    expect(dialog.locator(".views-list dt")).to_have_count(4)
    page.keyboard.press("Escape")


@pytest.mark.parametrize(
    ("link", "button"),
    [
        ("8&c=1", "Another tour"),
        ("12:2,3&c=1&v=count", "Count"),
        ("6&c=1&v=compare", "Another second tour"),
        ("5x6&c=1&v=all", "A uniformly random tour"),
        ("8&c=1&v=check", "Check"),
    ],
)
def test_on_a_phone_the_main_button_is_right_below_the_board(opener, expect, link, button):
    page = opener(360, 740).show(link)
    main = page.locator("#action").get_by_role("button", name=button, exact=True)
    expect(main).to_be_visible()
    # The choice between three ways to count is before the button.
    if not any(view in link for view in ("count", "all")):
        box = main.bounding_box()
        views = page.get_by_role("navigation", name="Views").bounding_box()
        assert box["y"] + box["height"] <= views["y"]


@pytest.mark.parametrize(("link", "button"), [("6&v=puzzle", "Today’s puzzle"), ("5&v=puzzle&g=easy//7", "Hint")])
def test_on_a_phone_a_puzzle_is_chosen_and_solved_right_below_the_board(opener, expect, link, button):
    page = opener(360, 740).show(link)
    main = page.locator("#side").get_by_role("button", name=button, exact=True)
    expect(main).to_be_visible()
    box = main.bounding_box()
    assert box["y"] + box["height"] <= page.get_by_role("navigation", name="Views").bounding_box()["y"]


@pytest.mark.parametrize("locale", ["en", "de", "fr"])
def test_on_a_phone_the_puzzles_of_any_day_leave_room_for_the_button(opener, expect, locale):
    look = opener(360, 740, locale=locale)
    page = look.show("6&v=puzzle")
    seen = set()
    for day in range(7):
        look.context.clock.set_fixed_time(datetime(2026, 11, 23 + day, 12, tzinfo=UTC))
        page.reload()
        main = page.locator("#side button.primary:visible").first
        expect(main).to_be_visible()
        box = main.bounding_box()
        assert box["y"] + box["height"] <= page.get_by_role("navigation").bounding_box()["y"], day
        names = page.locator(".drawer-row .segment")
        assert not names.evaluate_all("all => all.some((one) => one.scrollWidth > one.clientWidth)"), day
        seen.add(names.last.inner_text())
    assert len(seen) > 1


def test_on_a_phone_the_next_level_is_in_sight(opener, expect):
    look = opener(360, 740)
    page = look.show("5&v=play")
    tour = kt.find_tour((5, 5))
    for square in tour.squares.tolist():
        click_square(page, tour.board.name(square), 5, 5)
    button = page.get_by_role("button", name="Next level: 6×6")
    expect(button).to_be_visible()
    box = button.bounding_box()
    assert box["y"] + box["height"] <= page.get_by_role("navigation", name="Views").bounding_box()["y"]


ON_ITS_SIDE = {"find": "Another tour", "watch": "Play", "play": "Restart", "check": "Check", "puzzle": "Hint"}


@pytest.mark.parametrize("view", ON_ITS_SIDE)
@pytest.mark.parametrize("size", [(740, 360), (844, 390)])
def test_on_a_phone_on_its_side_all_that_matters_is_in_sight(opener, expect, view, size):
    page = opener(*size).show("5x6&c=1&v=" + view + ("&g=easy//7" if view == "puzzle" else ""))
    main = page.locator("#side").get_by_role("button", name=ON_ITS_SIDE[view], exact=True)
    expect(main).to_be_visible()
    views = page.get_by_role("navigation", name="Views").bounding_box()
    said = page.locator("#answer > *").first
    expect(said).to_be_visible()
    board, button, verdict = (part.bounding_box() for part in (page.locator("svg.board").first, main, said))
    for box in (board, button, verdict):
        assert box["y"] >= views["y"] + views["height"] and box["y"] + box["height"] <= size[1], box
    expect(page.get_by_role("heading", level=1, name="Knight’s tour")).to_have_count(1)
    # Nothing lies over the board.
    assert board["width"] > (0.25 if view == "compare" else 0.28) * size[0]
    boards = [box.bounding_box() for box in page.locator("svg.board:visible").all()]
    assert min(button["x"], verdict["x"]) >= max(box["x"] + box["width"] for box in boards)


def test_the_board_is_of_one_size_in_all_views(opener):
    look = opener(1440, 900)
    widths = set()
    for view in ("find", "play", "all", "count", "check", "puzzle"):
        page = look.show(f"8&c=1&v={view}" + ("&g=easy//1" if view == "puzzle" else ""))
        page.locator(f"body[data-part={view}]").wait_for()
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


@pytest.mark.parametrize("size", [(1366, 768), (1920, 1080), (2560, 1440)])
def test_on_a_wide_screen_one_board_has_its_height_in_all_views(opener, size):
    own = opener(*size)
    sizes = set()
    for view in ("find", "watch", "play", "all", "count", "check"):
        page = own.show("6&v=" + view)
        box = page.locator("svg.board").first.bounding_box()
        assert box["y"] + box["height"] <= size[1], view
        sizes.add((round(box["width"]), round(box["height"])))
        # What was below it is beside it, and nothing is wider than the screen.
        side = page.locator("#side").bounding_box()
        assert side["x"] >= box["x"] + box["width"] and side["x"] + side["width"] <= size[0], view
    assert len(sizes) == 1
    assert sizes.pop()[1] >= 0.72 * size[1]
    # A wide board has more of the width.
    page = own.show("6x12")
    assert page.locator("svg.board").first.bounding_box()["width"] >= 0.55 * size[0]
