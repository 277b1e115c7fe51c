"""Tests of the levels of Play, its stars and records; and drags in Play and Puzzle."""

import itertools
import re
from typing import Any

import pytest
from PIL import Image

import knightstour as kt
from helpers.clicks import click_square, drag, middle, touch
from knightstour.lab.puzzles.make import seeded_puzzle

pytestmark = pytest.mark.hosts

VERDICT = "#answer .verdict"
LEVELS = "#levels .level"


@pytest.fixture
def page(look, expect) -> Any:
    """Play on 5x5, without stored data."""
    page = look.show("8&v=check")
    page.evaluate("localStorage.clear()")
    page = look.show("5&v=play")
    expect(page.locator(VERDICT)).to_have_text("Put the knight on any square.")
    look.open("levels")
    return page


@pytest.fixture(scope="module")
def tour() -> kt.Tour:
    return kt.find_tour((5, 5), start="a1")


def lead(page: Any, tour: kt.Tour, until: int | None = None) -> None:
    """Click the squares of a 5x5 tour, up to a step."""
    for square in tour.order[:until].tolist():
        click_square(page, tour.board.square_name(divmod(square, 5)), 5, 5)


def test_each_level_can_be_chosen(look, page, expect):
    levels = look.module("model/levels", "(levels) => levels.LEVELS")
    expect(page.locator(LEVELS)).to_have_count(len(levels))
    for at, level in enumerate(levels):
        button = look.open("levels").locator(LEVELS).nth(at)
        button.click()
        expect(button).to_have_attribute("aria-pressed", "true")
        expect(page.locator(f"{LEVELS}[aria-pressed=true]")).to_have_count(1)
        state = look.state()
        assert (state["board"], state["closed"]) == (level["board"], level["closed"])
        expect(page.locator("#lead")).to_contain_text("Closed" if level["closed"] else "Open")


def test_time_runs_during_quick_moves(opener, expect, tour):
    look = opener()
    look.page.clock.install()
    page = look.show("5&v=play")
    expect(page.locator(VERDICT)).to_have_text("Put the knight on any square.")
    for square in tour.order[:6].tolist():
        click_square(page, tour.board.square_name(divmod(square, 5)), 5, 5)
        page.clock.run_for(600)
    expect(page.locator(".tally")).to_contain_text(re.compile(r"0:(0[3-9]|[1-5]\d)"))


@pytest.mark.parametrize(
    ("undo", "help_", "stars"), [(False, False, "★★★"), (True, False, "★★☆"), (False, True, "★★☆"), (True, True, "★☆☆")]
)
def test_stars_are_for_no_undo_and_no_help(page, expect, tour, undo, help_, stars):
    lead(page, tour, 3)
    if undo:
        page.keyboard.press("u")
        page.keyboard.press("y")
    if help_:
        page.keyboard.press("f")
        expect(page.get_by_text("Yes, it can be finished.")).to_be_visible()
    for square in tour.order[3:].tolist():
        click_square(page, tour.board.square_name(divmod(square, 5)), 5, 5)
    expect(page.locator(".figures .stars")).to_have_text(stars)
    expect(page.locator(".figures")).to_contain_text("your best")
    expect(page.locator(LEVELS).first.locator(".stars")).to_have_text(stars)
    page.reload()
    expect(page.locator(LEVELS).first.locator(".stars")).to_have_text(stars)
    expect(page.locator(LEVELS).nth(1).locator(".stars")).to_have_count(0)


def test_tour_from_page_or_link_is_not_a_record(look, page, expect, tour):
    lead(page, tour, 2)
    page.keyboard.press("f")
    page.get_by_role("button", name="Show me how").click()
    expect(page.locator(VERDICT)).to_contain_text("Done: a tour")
    expect(page.locator(".figures")).to_have_count(0)
    page = look.show(f"5&v=play&p={look.coded(tour.board, tour.order[:-1])}")
    lead_on = tour.board.square_name(divmod(int(tour.order[-1]), 5))
    expect(page.locator(VERDICT)).to_contain_text("24 of 25")
    click_square(page, lead_on, 5, 5)
    expect(page.locator(VERDICT)).to_contain_text("Done: a tour")
    expect(page.locator(".figures")).to_have_count(0)
    expect(page.locator(f"{LEVELS} .stars")).to_have_count(0)


def test_records_are_the_most_stars_and_the_least_time(look):
    script = """(kept, games) => games.map((game) => [kept.keepRecord("8", game), kept.keptRecord("8")])"""
    games = [
        {"stars": 1, "seconds": 50},
        {"stars": 3, "seconds": 80},
        {"stars": 3, "seconds": 90},
        {"stars": 2, "seconds": 20},
    ]
    look.page.evaluate("localStorage.clear()")
    assert look.module("model/kept", script, games) == [
        [True, {"stars": 1, "seconds": 50}],
        [True, {"stars": 3, "seconds": 50}],
        [False, {"stars": 3, "seconds": 50}],
        [False, {"stars": 3, "seconds": 20}],
    ]


def test_the_knight_is_dragged_with_the_mouse(look, page, expect):
    click_square(page, "a1", 5, 5)
    drag(page, "a1", "b3", rows=5, cols=5)
    expect(page.locator(VERDICT)).to_contain_text("2 of 25")
    # Without a move the knight stays, and the page shows the reason.
    drag(page, "b3", "c3", rows=5, cols=5)
    expect(page.locator(VERDICT)).to_have_text("No move leads to c3.")
    assert len(look.state()["played"]) == 2
    assert page.locator(".pull").count() == 0
    # After a drag a click is a click again.
    click_square(page, "d4", 5, 5)
    expect(page.locator(VERDICT)).to_contain_text("3 of 25")


def slide(session: Any, places: list[tuple[float, float]]) -> None:
    touch(session, "touchStart", places[0])
    for place in places[1:]:
        touch(session, "touchMove", place)
    touch(session, "touchEnd")


def test_the_knight_is_dragged_with_a_finger(opener, expect):
    look = opener(360, 740, has_touch=True, is_mobile=True)
    page = look.show("5&v=play")
    expect(page.locator(VERDICT)).to_have_text("Put the knight on any square.")
    page.touchscreen.tap(*middle(page, "c3", 5, 5))
    expect(page.locator(VERDICT)).to_contain_text("1 of 25")
    session = look.context.new_cdp_session(page)
    (x0, y0), (x1, y1) = middle(page, "c3", 5, 5), middle(page, "d1", 5, 5)
    slide(session, [(x0 + (x1 - x0) * k / 8, y0 + (y1 - y0) * k / 8) for k in range(9)])
    expect(page.locator(VERDICT)).to_contain_text("2 of 25")
    # The page stays where it was under the finger.
    assert page.evaluate("scrollY") == 0
    assert look.wrong == []


def test_one_drag_fills_a_puzzle_and_back_clears_it(opener, expect):
    seed = 3
    puzzle = seeded_puzzle("5x5", level="easy", seed=seed)
    assert 1 in puzzle.given.values()
    look = opener(390, 844, has_touch=True, is_mobile=True)
    page = look.show(f"5&v=puzzle&g=easy//{seed}")
    expect(page.locator(".entry.given").first).to_be_visible()
    order = [puzzle.board.square_name(square) for square in map(tuple, puzzle.solution.squares.tolist())]
    first = next(n for n in range(1, 25) if n + 1 not in puzzle.given.values())
    ways = [middle(page, name, 5, 5) for name in order[first - 1 :]]
    between = [
        (x0 + (x1 - x0) * k / 6, y0 + (y1 - y0) * k / 6)
        for (x0, y0), (x1, y1) in itertools.pairwise(ways)
        for k in range(1, 7)
    ]
    board = page.locator("svg.board")
    place = board.bounding_box()
    session = look.context.new_cdp_session(page)
    there = [ways[0], *between[:60]]
    # Ten numbers on, and back.
    slide(session, [*there, *reversed(there)])
    expect(page.locator(".entry.own")).to_have_count(0)
    slide(session, [ways[0], *between])
    expect(page.locator(VERDICT)).to_contain_text("Solved in")
    # Messages do not shift the board under the finger.
    assert abs(board.bounding_box()["y"] - place["y"]) < 2 and look.wrong == []
    # The board is the picture: no number, no plate, no dot is left on it.
    expect(board.locator(".knot-line")).to_have_count(24)
    assert board.locator(".entry, .plate, .start, .end, .ways-on").count() == 0


def test_a_finished_tour_is_a_picture_to_keep(page, expect, tour):
    lead(page, tour)
    board = page.locator("svg.board")
    expect(board.locator(".knot-line")).to_have_count(24)
    # Nothing but the knot: no arrow, no number, no dot.
    assert board.locator(".start, .end, .ways-on, .joints, .number, .knight").count() == 0
    with page.expect_download() as saved:
        page.get_by_role("button", name="Send the knot").click()
    assert saved.value.suggested_filename == "knights-tour-5x5.png"
    with Image.open(saved.value.path()) as picture:
        assert picture.size == (1080, 1080)
        # Paper at the edge, and a knot of many colours.
        colours = picture.convert("RGB").getcolors(1 << 20)
        assert picture.getpixel((2, 2))[:3] == max(colours)[1] and len(colours) > 100
    page.get_by_role("button", name="Share the result").click()
    expect(page.get_by_text("copied", exact=False).first).to_be_visible()
    lines = page.evaluate("navigator.clipboard.readText()").splitlines()
    assert re.fullmatch(r"Knight's tour · 5×5 board, open · 0:\d\d · ★★★", lines[0])
    assert re.search(r"#5&v=play&b=[1-9]\d*$", lines[-1])
    # Only another game is offered; the key undoes the last move.
    expect(page.get_by_role("button", name="Undo", exact=True)).to_be_hidden()
    expect(page.get_by_role("button", name="Again", exact=True)).to_be_visible()
    page.keyboard.press("u")
    expect(board.locator(".knot")).to_have_count(0)
    expect(page.get_by_role("button", name="Undo", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Send the knot")).to_be_hidden()


def test_a_stroke_draws_a_whole_tour(look, page, expect):
    order = kt.find_tour((5, 5), start="a1").order.tolist()
    names = [kt.Board(5, 5).square_name(divmod(square, 5)) for square in order]
    drag(page, *names[:12], *names[10:7:-1], rows=5, cols=5)
    expect(page.locator(VERDICT)).to_contain_text("9 of 25")
    # It continues from the knight, at whatever visited square it starts.
    drag(page, names[2], *names[9:], rows=5, cols=5)
    expect(page.locator(VERDICT)).to_contain_text("Done: a tour of all 25 squares!")
