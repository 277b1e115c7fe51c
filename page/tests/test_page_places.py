"""Tests of navigation: the places of the page, its first state, addresses and undo."""

from datetime import UTC, datetime
from typing import Any

import pytest

import knightstour as kt
from helpers.clicks import click_square, drag

LINKS = {
    "puzzle": "6&v=puzzle&g=easy//1",
    "explore": "explore",
    "play": "5&v=play",
    "find": "8&c=1",
    "impossible": "4x8&c=1",
    "watch": "5x6&v=watch&a=a1&r=1",
    "count": "5x6&c=1&v=count",
    "all": "5x6&c=1&v=all",
    "check": "8&v=check",
}
# Controls: a group of radio buttons is one; small pictures are boards.
CONTROLS = """() => {
    const groups = new Set();
    return [...document.querySelectorAll('button, a[href], select, input, textarea, summary')].filter((each) => {
        if (!each.checkVisibility() || each.matches('.skip, .hidden-label, .thumb-button')) return false;
        if (each.type !== 'radio') return true;
        const isFirst = !groups.has(each.name);
        groups.add(each.name);
        return isFirst;
    }).map((each) => (each.getAttribute('aria-label') ?? each.textContent).trim().slice(0, 30));
}"""


def settled(look: Any, expect: Any, link: str) -> Any:
    page = look.show(link)
    page.locator("html:not([data-unwritten])").wait_for(state="attached")
    expect(page.locator(".spinner")).to_have_count(0)
    return page


@pytest.mark.parametrize("view", LINKS)
def test_link_in_a_bare_view_leads_to_its_place(look, expect, view):
    page = settled(look, expect, LINKS[view])
    part = {"impossible": "find", "explore": "find"}.get(view, view)
    expect(page.locator("html[data-engine=server] body")).to_have_attribute("data-part", part)
    place = part if part in ("puzzle", "play", "check") else "explore"
    expect(page.locator("a[aria-current=page]")).to_have_attribute("data-view", place)
    controls = page.evaluate(CONTROLS)
    # Step by step has the buttons of a player, too.
    assert len(controls) <= {"watch": 22}.get(view, 20), controls


MAIN, VERDICT = ":is(button, a).primary:visible", "#answer .verdict"
# Elements that are visible on every screen, besides the board.
IN_SIGHT = {
    **{LINKS[view]: [MAIN] for view in ("check", "all")},
    LINKS["count"]: ["#answer .figure"],
    LINKS["puzzle"]: ["#side button:text('Hint')"],
    LINKS["play"]: ["#side button:text('Undo')"],
    **{link: [VERDICT] for link in (LINKS["impossible"], "3x4", "5&c=1", "8&c=1&a=a1")},
    LINKS["find"]: [MAIN, VERDICT],
    LINKS["watch"]: ["[role=group][aria-label=Player]"],
}
# Minimum size of the board in pixels, unless it is wide.
BOARD = {1280: 560, 1366: 600, 1920: 900}


@pytest.mark.parametrize("size", [(360, 740), (844, 390), (1280, 720), (1366, 768), (1920, 1080)])
def test_verdict_of_board_and_view_purpose_are_visible(opener, expect, size):
    look = opener(*size)
    is_phone = size[0] == 360
    for link, parts in IN_SIGHT.items():
        page = settled(look, expect, link)
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0], link
        bottom = page.get_by_role("navigation").bounding_box()["y"] if is_phone else size[1]
        # Of all tours by number only phones have no room for more.
        for part in parts if is_phone or link != LINKS["all"] else ():
            box = page.locator(part).first.bounding_box()
            assert box["y"] + box["height"] <= bottom, (link, part)
        if link in {LINKS[view] for view in ("puzzle", "play", "find", "watch", "count", "check")}:
            expect(page.locator("[data-board]")).to_have_count(1)
            box = page.locator("[data-board] svg.board").bounding_box()
            # On a phone it is as wide as that, but for a count, whose number and button are seen, too.
            is_whole = box["y"] + box["height"] <= size[1] and box["height"] >= BOARD.get(size[0], 320)
            assert box["width"] == 360 or link == LINKS["count"] if is_phone else is_whole, link


def test_daily_puzzle_is_visible_on_the_smallest_phone(opener, expect):
    look = opener(360, 640)
    page = look.page
    expect(page.locator(".entry.given").first).to_be_visible()
    today = page.evaluate("new Date().toLocaleDateString('en', {day: 'numeric', month: 'long'})")
    expect(page.locator("#lead")).to_contain_text(today)
    expect(page.get_by_role("radio", name="Daily")).to_be_checked()
    box = page.locator(VERDICT).bounding_box()
    assert box["y"] + box["height"] <= page.get_by_role("navigation").bounding_box()["y"]


def test_bare_address_shows_the_daily_puzzle(look, expect):
    page = look.page
    page.goto(look.server)
    expect(page.locator(".entry.given").first).to_be_visible()
    page.locator("html:not([data-unwritten])").wait_for(state="attached")
    assert page.evaluate("location.hash") == ""
    page.get_by_role("radio", name="Hard").check()
    expect(page.locator("#lead")).to_contain_text("8×8")
    assert look.state()["board"]["rows"] == 8
    settled(look, expect, "8&v=check")
    page.get_by_role("link", name="Knight’s tour").click()
    expect(page.get_by_role("radio", name="Daily")).to_be_checked()


def test_verdict_precedes_its_proof_in_text_colour(look, expect):
    page = settled(look, expect, "4x8&c=1")
    verdict = page.locator(VERDICT)
    box = verdict.bounding_box()
    assert page.locator(".proof").bounding_box()["y"] >= box["y"] + box["height"]
    colour = "element => getComputedStyle(element).color"
    assert verdict.evaluate(colour) == page.locator("body").evaluate(colour)


def test_the_questions_open_in_place_and_close_again(look, expect):
    page = settled(look, expect, "6&c=1")
    for question, part in (("How was it found?", "watch"), ("How many are there?", "count")):
        button = page.get_by_role("button", name=question)
        button.click()
        expect(page.locator("body")).to_have_attribute("data-part", part)
        expect(button).to_have_attribute("aria-expanded", "true")
        expect(button).to_be_focused()
        # The answer is in the question.
        expect(page.locator(".question-body #answer")).to_have_count(1)
    page.get_by_role("radio", name="By number").check()
    expect(page.locator("body")).to_have_attribute("data-part", "all")
    page.get_by_role("button", name="How many are there?").click()
    expect(page.locator("body")).to_have_attribute("data-part", "find")
    expect(page.locator(".question-body #answer")).to_have_count(0)
    expect(look.facts()).to_be_visible()


def test_puzzle_has_a_board_of_its_own(look, expect):
    settled(look, expect, "5x6&c=1")
    page = look.page
    words = page.locator("[aria-controls=setup] .summary-words")
    expect(words).to_have_text("5×6, closed")
    page.get_by_role("link", name="Puzzle", exact=True).click()
    expect(page.get_by_role("radio", name="Daily")).to_be_checked()
    expect(page.locator(".entry.given").first).to_be_visible()
    mine = look.address
    page.get_by_role("link", name="Explore", exact=True).first.click()
    expect(words).to_have_text("5×6, closed")
    expect(page.locator(VERDICT)).to_have_text("Closed tour of the 5×6 board")
    page.get_by_role("link", name="Puzzle", exact=True).click()
    expect(page.locator(".entry.given").first).to_be_visible()
    assert look.address == mine
    page.go_back()
    expect(words).to_have_text("5×6, closed")


def test_pasted_text_is_checked_anywhere(opener, expect):
    look = opener(permissions=["clipboard-read", "clipboard-write"])
    page = look.page
    page.evaluate("navigator.clipboard.writeText('a1 b3 c1 a2')")
    page.locator(".board-box").focus()
    page.keyboard.press("Control+V")
    expect(page.locator("body")).to_have_attribute("data-part", "check")
    expect(page.locator(VERDICT)).to_have_text("This is not a tour")
    assert look.wrong == []


# ---------------------------------------------------------------- going back


def view(page) -> str:
    return page.locator("body").get_attribute("data-part")


def test_back_and_forward_move_between_views_and_problems(look, expect):
    page = look.show("8&c=1")
    expect(page.locator(VERDICT)).to_have_text("Closed tour of the 8×8 board")
    page.get_by_role("link", name="Play").click()
    expect(page.locator("body")).to_have_attribute("data-part", "play")
    assert "v=play" in look.address
    page.get_by_role("link", name="Explore").click()
    assert "v=" not in look.address
    field = look.open("setup").get_by_role("textbox", name="Board")
    field.fill("6x6")
    field.press("Enter")
    expect(page.locator(VERDICT)).to_have_text("Closed tour of the 6×6 board")
    tour = look.tour()
    page.go_back()
    expect(page.locator(VERDICT)).to_have_text("Closed tour of the 8×8 board")
    page.go_back()
    expect(page.locator("body")).to_have_attribute("data-part", "play")
    page.go_forward()
    page.go_forward()
    expect(page.locator(VERDICT)).to_have_text("Closed tour of the 6×6 board")
    assert look.tour() == tour


def test_answer_adds_no_history_entry(look, expect):
    page = look.show("6&c=1")
    expect(page.locator(VERDICT)).to_have_text("Closed tour of the 6×6 board")
    before = page.evaluate("history.length")
    held: list[Any] = []
    page.route("**/api/solve", lambda route: held.append(route))
    with page.expect_request("**/api/solve"):
        look.open("setup").get_by_role("radio", name="Open").check()
    assert look.address
    held[0].continue_()
    expect(page.locator(VERDICT)).to_have_text("Open tour of the 6×6 board")
    page.unroute("**/api/solve")
    assert look.tour() and page.evaluate("history.length") == before + 1


def test_views_link_to_their_content(look, expect):
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


def test_holes_start_and_saved_tour_are_restored(look, expect):
    page = look.show("8&c=1")
    expect(page.locator(VERDICT)).to_have_text("Closed tour of the 8×8 board")
    look.another(expect)
    liked = look.tour()
    look.another(expect)
    assert look.tour() != liked
    page.go_back()
    assert look.tour() == liked
    page.go_forward()
    assert look.tour() != liked
    page.go_back()
    assert look.tour() == liked
    # A whole stroke of holes is one step.
    look.open("setup").get_by_role("radio", name="Holes").check()
    drag(page, "a8", "d8")
    expect(page.locator("[aria-controls=setup] .summary-words")).to_contain_text("with 4 holes")
    assert look.address
    page.go_back()
    expect(page.locator("[aria-controls=setup] .summary-words")).not_to_contain_text("hole")
    assert look.tour() == liked
    look.open("setup").get_by_role("radio", name="Start").check()


def test_a_click_on_a_closed_tour_begins_it_there(look, expect):
    page = look.show("8&c=1")
    expect(page.locator(VERDICT)).to_have_text("Closed tour of the 8×8 board")
    look.another(expect)
    liked = look.tour()
    click_square(page, "c3")
    expect(page.locator(VERDICT)).to_have_text("Closed tour of the 8×8 board from c3")
    square = 5 * 8 + 2
    at = liked.index(square)
    assert look.tour() == [*liked[at:], *liked[:at]]


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


def test_keyboard_focus_is_kept_between_views(look, expect):
    page = look.show("8&c=1")
    expect(page.locator(VERDICT)).to_be_visible()
    page.locator(".board-box").focus()
    page.keyboard.press("2")
    expect(page.locator("body")).to_have_attribute("data-part", "play")
    expect(page.locator(".board-box")).to_be_focused()
    look.show("8&v=watch&a=a1&r=1")
    expect(page.locator(".board-box")).to_be_focused()


# ---------------------------------------------------------------- the first look


def test_a_pen_draws_a_new_tour_unless_motion_is_reduced(opener, expect):
    moving = opener(reduced_motion="no-preference").show("explore")
    expect(moving.locator(".trail.is-drawn")).to_have_count(1)
    assert moving.locator(".trail").evaluate("line => getComputedStyle(line).animationName") == "draw"
    still = opener().show("explore")
    expect(still.locator(".trail")).to_be_visible()
    assert still.locator(".trail").evaluate("line => getComputedStyle(line).animationName") == "none"


def test_page_describes_a_tour_and_its_direction(look, expect):
    page = look.show("10&c=1")
    expect(page.locator(".ways-on")).to_have_count(1)
    expect(page.locator("#question-how .how")).to_contain_text("explicit")


@pytest.mark.parametrize("locale", ["en", "de", "fr"])
def test_phone_puzzles_leave_room_for_the_button(opener, expect, locale):
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


ON_ITS_SIDE = {"find": "Another tour", "watch": "Play", "play": "Restart", "check": "Check", "puzzle": "Hint"}


@pytest.mark.parametrize("view", ON_ITS_SIDE)
@pytest.mark.parametrize("size", [(740, 360), (844, 390)])
def test_landscape_phone_shows_everything_important(opener, expect, view, size):
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
    assert board["width"] > 0.28 * size[0]
    boards = [box.bounding_box() for box in page.locator("svg.board:visible").all()]
    assert min(button["x"], verdict["x"]) >= max(box["x"] + box["width"] for box in boards)


def test_large_board_shows_a_random_looking_tour_first(look, expect):
    page = look.show("20&c=1")
    expect(page.locator(VERDICT)).to_have_text("Closed tour of the 20×20 board")
    tour = kt.Tour.from_array(look.tour(), (20, 20))
    assert tour.is_closed and tour != kt.find_tour((20, 20), closed=True)
    expect(page.locator("#question-how .how")).to_contain_text("merge")


@pytest.mark.parametrize("size", [(1366, 768), (1920, 1080), (2560, 1440)])
def test_wide_screen_boards_have_equal_height_in_all_views(opener, size):
    own = opener(*size)
    sizes = set()
    for view in ("find", "watch", "play", "all", "count", "check"):
        page = own.show("6&v=" + view)
        box = page.locator("svg.board").first.bounding_box()
        assert box["y"] + box["height"] <= size[1], view
        sizes.add((round(box["width"]), round(box["height"])))
        # The lower part moves to the side, without overflow.
        side = page.locator("#side").bounding_box()
        assert side["x"] >= box["x"] + box["width"] and side["x"] + side["width"] <= size[0], view
    assert len(sizes) == 1
    assert sizes.pop()[1] >= 0.72 * size[1]
    # A wide board has more of the width.
    page = own.show("6x12")
    assert page.locator("svg.board").first.bounding_box()["width"] >= 0.55 * size[0]


@pytest.mark.parametrize(("link", "count"), [("5x6&v=play", 30), ("8:-d4&v=play", 63), ("hex:3&v=play", 19)])
def test_each_square_is_found_by_its_name(look, expect, link, count):
    page = look.show(link)
    squares = page.locator("[data-board] [data-square]")
    expect(squares).to_have_count(count)
    names = squares.evaluate_all("all => all.map((each) => each.dataset.square)")
    assert len(set(names)) == count and ("d4" in names) == (link != "8:-d4&v=play")
    for name in (names[0], names[-1]):
        box = page.locator(f'[data-square="{name}"]').bounding_box()
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        if name == names[0]:
            expect(page.locator("#live")).to_contain_text(name)
            page.get_by_role("button", name="Undo").click()
