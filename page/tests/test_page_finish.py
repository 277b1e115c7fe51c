"""Tests of finished puzzles: the knot, the shared picture, the calendars, and the sender's pace."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from PIL import Image

import knightstour as kt
from helpers.clicks import click_square
from knightstour.lab.puzzles.puzzle import clue_count
from tests.test_page_access import violations

pytestmark = pytest.mark.hosts

TODAY = date(2026, 12, 9)
LINK = "6&v=puzzle&g=easy//20261209"
VERDICT = "#answer .verdict"
WEEK = "#answer .week"
SHARE = """() => {
    window.sent = [];
    navigator.canShare = ({ files }) => files.length === 1;
    navigator.share = async ({ files: [file], text }) => {
        window.sent.push([file.name, file.type, file.size, text]);
    };
}"""


def game(day: date, left: int = 0) -> dict[str, Any]:
    """Return a game of a day's first puzzle as stored, without its last numbers."""
    made = kt.puzzles.puzzle_of_day(day, "first")
    order = enumerate(made.solution.order.tolist(), 1)
    own = [[square, number] for number, square in order if divmod(square, made.board.cols) not in made.given]
    own = own[: len(own) - left]
    pace = [[number, 3 * i] for i, (_, number) in enumerate(own)]
    return {"own": own, "helped": [], "pace": pace, "seconds": 100, "hints": 0, "isDone": left == 0}


@pytest.fixture
def december(opener) -> Any:
    """Return a browser at noon of 9 December 2026, and a function store({day: squares left})."""

    def opened(games: dict[date, int], **options: Any) -> Any:
        options = {"timezone_id": "America/Los_Angeles", "accept_downloads": True, **options}
        look = opener(options.pop("width", 390), options.pop("height", 844), **options)
        look.page.clock.set_fixed_time(datetime(2026, 12, 9, 20, tzinfo=UTC))
        links = {day: look.module("model/daily", LINK_OF, f"{day:%Y%m%d}") for day in games}
        puzzles = {links[day]: game(day, left) for day, left in games.items()}
        solved = {f"{day:%Y%m%d}": [0] for day, left in games.items() if not left}
        kept = {"puzzles": puzzles, "puzzle-days": {"solved": solved, "late": {}}}
        for name, value in kept.items():
            look.page.evaluate("([name, value]) => { localStorage[name] = JSON.stringify(value); }", [name, value])
        look.links = links
        return look

    return opened


LINK_OF = "(daily, number) => daily.dailies(daily.dateOf(Number(number)))[0].link"


def finish(look: Any, expect: Any, day: date) -> Any:
    page = look.show(look.links[day])
    expect(page.locator(".entry.given").first).to_be_visible()
    made = kt.puzzles.puzzle_of_day(day, "first")
    free = set(range(1, made.solution.numbers.size + 1)) - set(made.given.values())
    square = made.board.square_name(tuple(made.solution.squares[max(free) - 1].tolist()))
    click_square(page, square, made.board.rows, made.board.cols)
    expect(page.locator(VERDICT)).to_contain_text("knot is tied")
    return page


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_pen_draws_the_knot_without_the_library(december, expect, motion):
    look = december({TODAY: 1}, reduced_motion=motion)
    asked = []
    look.page.on("request", lambda request: asked.append(request.url))
    page = finish(look, expect, TODAY)
    line = page.locator("svg.board .knot-line")
    expect(line).to_have_count(35)
    expect(line.first).to_have_css("animation-name", "draw" if motion == "no-preference" else "none")
    assert page.locator("svg.board .knot-rims").count() > 10
    assert not any("/draw" in url for url in asked)
    if motion == "reduce":
        expect(page.locator(".knot-pen")).to_have_css("opacity", "0")
    assert look.wrong == []


def test_number_waits_for_a_library_that_is_loading(december, expect):
    look = december({TODAY: 1})
    asked = []
    look.page.on("request", lambda request: asked.append(request.url))
    # As on a page without a server, as long as the library is loading.
    look.page.evaluate("""() => {
        const root = document.documentElement;
        const hold = () => { if (root.dataset.engine !== "starting") root.dataset.engine = "starting"; };
        window.held = new MutationObserver(hold);
        window.held.observe(root, { attributes: true });
        hold();
    }""")
    page = finish(look, expect, TODAY)
    number = page.get_by_role("button", name="Find the number of this tour")
    expect(number).to_be_visible()
    assert not any("/space" in url or "/rank" in url for url in asked)
    number.click()
    expect(page.locator("#answer a[href*='k=']")).to_contain_text("You drew No.")
    expect(number).to_have_count(0)


def test_knot_is_shared_as_a_picture_or_saved(december, expect):
    look = december({TODAY: 0})
    page = look.show(LINK)
    send = page.get_by_role("button", name="Send the knot")
    with page.expect_download() as saved:
        send.click()
    with Image.open(saved.value.path()) as picture:
        assert picture.size == (1080, 1080)
    page.evaluate(SHARE)
    send.click()
    page.wait_for_function("() => window.sent.length")
    [[name, kind, size, address]] = page.evaluate("window.sent")
    assert (name, kind) == ("knights-tour-6x6.png", "image/png") and size > 10_000
    assert "#6&v=puzzle&b=100&h=" in address and address.endswith("&g=easy//20261209")


def test_week_and_month_are_walls_of_knots(december, expect):
    days = [TODAY - timedelta(days=k) for k in (0, 1, 2, 8)]
    look = december(dict.fromkeys(days, 1))
    for day in days[::-1]:
        finish(look, expect, day)
    page = look.show(look.links[TODAY])
    expect(page.locator(f"{WEEK} li")).to_have_count(7)
    expect(page.locator(f"{WEEK} .small-knot")).to_have_count(3)
    # Days that were solved late are marked.
    expect(page.locator(f"{WEEK} .late")).to_have_count(2)
    expect(page.locator(f"{WEEK} .ahead")).to_have_count(4)
    page.locator("#answer").get_by_role("button", name="Show the month").click()
    expect(page.locator(f"{WEEK} .day")).to_have_count(31)
    expect(page.locator(f"{WEEK} .small-knot")).to_have_count(4)
    expect(page.locator("#answer .weeks")).to_contain_text("December 2026")
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.locator("#answer").get_by_role("button", name="The month before").click()
    expect(page.locator(f"{WEEK} .day")).to_have_count(30)
    expect(page.locator(f"{WEEK} .small-knot")).to_have_count(0)
    # Monday's puzzle is 5x5 and open.
    assert look.links[date(2026, 12, 7)] == "5&v=puzzle&g=easy//20261207"
    assert look.wrong == []


@pytest.mark.parametrize("kept", [{"20261209": 5}, {"20261209": [0, "6&t=x"], "20261208": [7, "6"]}], ids=str)
def test_invalid_knots_are_set_aside(december, expect, kept):
    look = december({TODAY: 0})
    look.page.evaluate("kept => { localStorage['puzzle-knots'] = JSON.stringify(kept); }", kept)
    page = look.show(LINK)
    expect(page.locator(f"{WEEK} .small-knot")).to_have_count(1)
    assert page.evaluate("JSON.parse(localStorage['puzzle-knots-spoilt'])") == kept
    assert look.wrong == []


def test_link_with_a_pace_shows_both_knots(december, expect):
    look = december({TODAY: 0})
    pace = game(TODAY)["pace"]
    sent = [[number, seconds + (60 if i > 4 else 0)] for i, (number, seconds) in enumerate(pace)]
    coded = look.module("model/pace", "(module, sent) => module.encodePace(sent)", sent)
    page = look.show(f"6&v=puzzle&b=160&h={coded}&g=easy//20261209")
    both = page.get_by_role("region", name="Both knots")
    expect(both.locator(".small-knot")).to_have_count(2)
    expect(both).to_contain_text(f"The sender’s was before {pace[5][0]}.")
    expect(page.locator(".figures")).to_contain_text("2:40beaten")
    # Another puzzle has no pace to compare.
    page.get_by_role("button", name="Next: Hard").click()
    expect(page.get_by_role("radio", name="Hard", exact=True)).to_be_checked()
    assert look.state()["pace"] is None
    assert look.wrong == []


def test_progress_is_shown_as_a_bar(december, expect):
    look = december({TODAY: 1})
    page = look.show(LINK)
    bar = page.get_by_role("progressbar", name="Numbers filled in")
    free = 36 - clue_count(kt.puzzles.puzzle_of_day(TODAY, "first"))
    expect(bar).to_have_attribute("aria-valuenow", str(free - 1))
    expect(bar).to_have_attribute("aria-valuemax", str(free))
    finish(look, expect, TODAY)
    expect(bar).to_be_hidden()
