"""Tests of the rank of a finished tour, the collection of found tours, and times."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

import knightstour as kt
from helpers.clicks import click_square
from knightstour.lab.puzzles.make import seeded_puzzle
from tests.test_page_access import violations

ANSWER = "#answer"
NUMBER = "#answer a[href*='k=']"
SHELF = "section[aria-label=Shelf]"
BROKEN = "Some stored data cannot be read. It was set aside; everything else is here."
FULL = "Storage is full: new results will be lost when you close this page."
FOREIGN = "This file is not a collection of tours: choose a file that this page saved. Nothing was changed."


@pytest.fixture(scope="module")
def space() -> kt.TourSpace:
    return kt.TourSpace("5x5")


@pytest.fixture
def fresh(opener) -> Any:
    """A browser without stored data."""
    look = opener(accept_downloads=True, permissions=["clipboard-read", "clipboard-write"])
    yield look
    assert look.wrong == []


def play(look: Any, tour: kt.Tour, link: str = "5&v=play") -> Any:
    """Make the moves of a tour by clicks."""
    look.show("8&v=check")
    page = look.show(link)
    page.locator("svg.board .squares-light").first.wait_for(state="attached")
    for square in map(tuple, tour.squares.tolist()):
        click_square(page, tour.board.square_name(square), tour.board.rows, tour.board.cols)
    page.locator(".figures").wait_for()
    return page


def shelf_of(look: Any) -> Any:
    return look.open("levels").locator(SHELF)


def bring(look: Any, text: str) -> None:
    file = {"name": "shelf.json", "mimeType": "application/json", "buffer": text.encode()}
    shelf_of(look).locator("input[type=file]").set_input_files(file)


@pytest.mark.parametrize(("board", "closed"), [("5x5", False), ("6x6", True), ("4x5", False)])
def test_finished_game_shows_the_librarys_number(fresh, expect, board, closed):
    space = kt.TourSpace(board, closed=closed)
    tour = space.unrank(space.count * 7 // 8)
    page = play(fresh, tour, f"{board}&v=play{'&c=1' * closed}")
    kind = "closed" if closed else "open"
    expect(page.locator(NUMBER)).to_have_text(f"You drew No. {space.rank(tour):,} of {space.count:,} {kind} tours.")
    expect(page.locator(ANSWER)).to_contain_text(f"1 of {space.count:,} found.")
    page.get_by_role("button", name="Share the result").click()
    expect(page.get_by_text("copied").first).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()").splitlines()[1] == (
        f"No. {space.rank(tour):,} of {space.count:,}"
    )
    page.locator(NUMBER).click()
    expect(page.locator("#answer .verdict")).to_have_text(f"Tour number {space.rank(tour):,}")
    assert fresh.state()["number"] == str(space.rank(tour))
    shown = kt.Tour(tour.board, [divmod(square, tour.board.cols) for square in fresh.tour()])
    assert space.rank(shown) == space.rank(tour)


def test_collection_keeps_each_tour_once_with_its_picture(fresh, expect, space):
    tours = [space.unrank(number) for number in (5, 77, 77)]
    # A tour and its reverse are one.
    tours[2] = kt.Tour(tours[2].board, tours[2].squares[::-1])
    for tour, words in zip(tours, ("1 of 864", "2 of 864", "2 of 864"), strict=True):
        expect(play(fresh, tour).locator(ANSWER)).to_contain_text(f"{words} found.")
    fresh.page.reload()
    shelf = shelf_of(fresh)
    expect(shelf.locator("li")).to_have_text(["No. 77", "No. 5"])
    expect(shelf.locator(".small-knot")).to_have_count(2)
    expect(shelf.locator("li").first.locator(".knot-line")).to_have_count(24)
    expect(fresh.page.locator("#levels button").first).to_contain_text("2 of 864 found")
    assert violations(fresh.page) == []
    shelf.get_by_role("link", name="No. 77").click()
    expect(fresh.page.locator("#answer .verdict")).to_have_text("Tour number 77")


def test_tour_made_by_the_page_is_not_a_record(fresh, expect, space):
    tour = space.unrank(9)
    page = fresh.show(f"5&v=play&p={fresh.coded(tour.board, tour.order)}")
    expect(page.locator(NUMBER)).to_have_text("This is No. 9 of 864 open tours.")
    expect(shelf_of(fresh)).not_to_contain_text("found.")
    expect(shelf_of(fresh).locator("li")).to_have_count(0)


def test_a_solved_puzzle_has_a_number_too(fresh, expect, space):
    made = seeded_puzzle("5x5", level="easy", seed=4)
    order = enumerate(made.solution.order.tolist(), 1)
    own = [[square, number] for square, number in ((s, n) for n, s in order) if divmod(square, 5) not in made.given]
    game = {"own": own, "helped": [], "seconds": 61, "hints": 0, "isDone": True}
    link = "5&v=puzzle&g=easy//4"
    fresh.page.evaluate("([link, game]) => localStorage.puzzles = JSON.stringify({[link]: game})", [link, game])
    page = fresh.show(link)
    expect(page.locator(NUMBER)).to_have_text(f"You drew No. {space.rank(made.solution)} of 864 open tours.")


def test_a_shelf_is_saved_and_brought_back(fresh, opener, expect, space, tmp_path: Path):
    play(fresh, space.unrank(5)).locator(NUMBER).wait_for()
    with fresh.page.expect_download() as saved:
        shelf_of(fresh).get_by_role("button", name="Save the shelf").click()
    assert saved.value.suggested_filename == "knights-tours.json"
    text = saved.value.path().read_text()
    coded = fresh.coded(space.board, space.unrank(5).order)
    assert json.loads(text) == {"format": "knightstour-shelf", "tours": {f"5&k=5&t={coded}": "864"}}
    other = opener()
    play(other, space.unrank(6)).locator(NUMBER).wait_for()
    bring(other, text)
    expect(shelf_of(other).get_by_role("status")).to_have_text("1 new tour was added.")
    expect(shelf_of(other).locator("li")).to_have_text(["No. 5", "No. 6"])
    bring(other, text)
    expect(shelf_of(other).get_by_role("status")).to_have_text("0 new tours were added.")
    other.page.reload()
    expect(shelf_of(other).locator("li")).to_have_text(["No. 5", "No. 6"])


FOREIGN_FILES = ["", "{", "7", "null", "[]", '{"format": "other", "tours": {}}', '{"format": "knightstour-shelf"}']


def test_damaged_file_changes_only_valid_entries(fresh, expect, space):
    play(fresh, space.unrank(5)).locator(NUMBER).wait_for()
    status = shelf_of(fresh).get_by_role("status")
    for text in FOREIGN_FILES:
        bring(fresh, text)
        expect(status).to_have_text(FOREIGN)
        expect(shelf_of(fresh).locator("li")).to_have_text(["No. 5"])
        # The next sentence is a new one.
        status.evaluate("status => { status.textContent = ''; }")
    right, short = (fresh.coded(space.board, space.unrank(8).order[:end]) for end in (None, 20))
    tours = {
        f"5&k=8&t={right}": "864",
        f"5&k=9&t={short}": "864",
        f"5&k=900&t={right}": "864",
        f"5&k=x&t={right}": "864",
        f"5&k=10&t={right}": 7,
        f"5&k=0&t={right}": "864",
        f"5&c=1&k=1&t={right}": "1",  # it is not closed
        f"5&v=check&k=8&t={right}": "864",
        f"5&a=a1&k=8&t={right}": "864",
        f"6&k=8&t={right}": "864",
        "5&k=11": "864",
        "zzz": "864",
    }
    bring(fresh, json.dumps({"format": "knightstour-shelf", "tours": tours}))
    expect(status).to_have_text("1 new tour was added. 11 entries could not be read.")
    expect(shelf_of(fresh).locator("li")).to_have_text(["No. 8", "No. 5"])


@pytest.mark.parametrize("kept", ["{", "7", '{"5": 3, "6&k=1&t=!": "9"}'])
def test_damaged_collection_is_set_aside_without_other_loss(fresh, expect, space, kept):
    fresh.page.evaluate("text => { localStorage.shelf = text; }", kept)
    fresh.show("5&v=play")
    shelf_of(fresh)
    expect(fresh.page.locator("#side")).to_contain_text(BROKEN)
    play(fresh, space.unrank(5)).locator(NUMBER).wait_for()
    expect(shelf_of(fresh).locator("li")).to_have_text(["No. 5"])
    assert fresh.page.evaluate("localStorage['shelf-spoilt']") == kept
    assert len(json.loads(fresh.page.evaluate("localStorage.shelf"))) == 1


ROUND = {"key": "x", "undos": 0, "helps": 0, "seconds": 1, "isWhole": True}
GAME = {"own": [[0, 1]], "helped": [], "seconds": 1, "hints": 0, "isDone": False}


@pytest.mark.parametrize(
    ("link", "name", "kept", "left"),
    [
        ("5&v=play&p=3.AAM", "round", {"key": "x", "undos": 2}, None),
        ("5&v=play&p=3.AAM", "round", {**ROUND, "undos": "many"}, None),
        ("5&v=play&p=3.AAM", "round", {**ROUND, "seconds": -3}, None),
        ("5&v=play", "records", {"5": {"stars": "two", "seconds": 3}, "6": {"stars": 2, "seconds": 3}}, "6"),
        ("puzzle", "puzzle-days", {"solved": {"20260302": 5}, "late": {}}, "solved"),
        ("5&v=puzzle&g=easy//4", "puzzles", {"a": {**GAME, "own": 3}, "b": GAME, "c": {**GAME, "isDone": 1}}, "b"),
    ],
)
def test_record_of_wrong_type_is_set_aside_and_reported(fresh, expect, link, name, kept, left):
    fresh.page.evaluate("([name, kept]) => localStorage.setItem(name, JSON.stringify(kept))", [name, kept])
    fresh.page.reload()
    page = fresh.show(link)
    expect(page.locator("#side")).to_contain_text(BROKEN)
    here = "name => [`${name}-spoilt`, name].map((each) => JSON.parse(localStorage[each] ?? 'null'))"
    spoilt, now = page.evaluate(here, name)
    assert spoilt == kept
    assert left is None or left in now
    # Valid entries are kept.
    assert all(kept[key] == now[key] for key in {"6", "b"} & {left})


@pytest.mark.parametrize("method", ["setItem", "getItem"])
def test_full_storage_is_reported_and_the_collection_can_be_saved(opener, expect, space, method):
    look = opener(accept_downloads=True)
    look.context.add_init_script(f"Storage.prototype.{method} = () => {{ throw new DOMException('no'); }};")
    look.page.reload()
    play(look, space.unrank(5)).locator(NUMBER).wait_for()
    expect(look.page.locator("#side")).to_contain_text(FULL)
    expect(shelf_of(look).locator("li")).to_have_text(["No. 5"])
    with look.page.expect_download() as saved:
        shelf_of(look).get_by_role("button", name="Save the shelf").click()
    assert '"5&k=5&t=' in saved.value.path().read_text()
    assert look.wrong == []


def test_link_with_a_time_challenges_the_reader(fresh, expect, space):
    tour = space.unrank(5)
    page = fresh.show("5&v=play&b=102")
    expect(page.locator("#lead")).to_contain_text("1:42: yours?")
    page = play(fresh, tour, "5&v=play&b=102")
    expect(page.locator(".figures")).to_contain_text("1:42beaten")
    page.get_by_role("button", name="Share the result").click()
    expect(page.get_by_text("copied").first).to_be_visible()
    assert re.search(r"#5&v=play&b=\d+$", page.evaluate("navigator.clipboard.readText()").strip())
    page = play(fresh, tour, "5&v=play&b=0")
    expect(page.locator(".figures")).to_contain_text("0:00to beat")
    # Another board has no time to beat.
    page.get_by_role("button", name="Next level: 5×6").click()
    expect(page.locator("#lead")).not_to_contain_text("yours?")
    assert fresh.state()["beat"] is None and fresh.state()["board"]["cols"] == 6
