"""The places of the page: what the first look shows, how large the board is, and where old addresses lead."""

from __future__ import annotations

from typing import Any

import pytest

SIZES = [(360, 740), (844, 390), (1280, 720), (1366, 768), (1920, 1080)]
# Pixels that the board has at least where it is not wide.
BOARD = {1280: 560, 1366: 600, 1920: 900}
LINKS = {
    "home": "home",
    "puzzle": "6&v=puzzle&g=easy//1",
    "play": "5&v=play",
    "find": "8&c=1",
    "impossible": "4x8&c=1",
    "watch": "5x6&v=watch&a=a1&r=1",
    "compare": "6&c=1&v=compare",
    "count": "5x6&c=1&v=count",
    "all": "5x6&c=1&v=all",
    "check": "8&v=check",
}
# What can be pressed or filled in; a group of radio buttons is one, and small pictures are boards.
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
def test_few_things_can_be_pressed_before_a_drawer_is_opened(look, expect, view):
    page = settled(look, expect, LINKS[view])
    controls = page.evaluate(CONTROLS)
    assert len(controls) <= (16 if view == "home" else 20), controls


@pytest.mark.parametrize("size", SIZES)
def test_the_board_is_what_one_looks_at(opener, expect, size):
    look = opener(*size)
    for view in ("home", "puzzle", "play", "find", "watch", "count", "check"):
        page = settled(look, expect, LINKS[view])
        expect(page.locator("[data-board]")).to_have_count(1)
        box = page.locator("[data-board] svg.board").bounding_box()
        if size[0] == 360:
            # Below the board of a count its number and the button are seen, too.
            assert box["width"] == 360 or view == "count", view
        else:
            assert box["height"] >= BOARD.get(size[0], 320), view
            assert box["y"] + box["height"] <= size[1], view


@pytest.mark.parametrize("link", ["8&c=1", "8&c=1&v=count", "5x6&c=1&v=all", "check"])
def test_the_main_button_is_seen_at_once_on_a_phone(opener, expect, link):
    page = settled(opener(*SIZES[0]), expect, link)
    box = page.locator("#action .primary:visible, #panel .primary:visible").first.bounding_box()
    assert box["y"] + box["height"] <= page.get_by_role("navigation").bounding_box()["y"]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("link", ["4x8&c=1", "3x4", "5&c=1", "8&c=1", "8&c=1&a=a1"])
def test_the_verdict_is_seen_at_once(opener, expect, size, link):
    page = settled(opener(*size), expect, link)
    box = page.locator("#answer .verdict").bounding_box()
    bottom = page.get_by_role("navigation").bounding_box()["y"] if size[0] == 360 else size[1]
    assert box["y"] + box["height"] <= bottom
    # Before its proof, and in the colour of text.
    proof = page.locator(".proof")
    if proof.is_visible():
        assert proof.bounding_box()["y"] >= box["y"] + box["height"]
    colour = "element => getComputedStyle(element).color"
    assert page.locator("#answer .verdict").evaluate(colour) == page.locator("body").evaluate(colour)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("view", ["home", "find", "compare", "check", "puzzle", "play"])
def test_what_a_view_is_for_is_above_the_fold(opener, expect, size, view):
    page = settled(opener(*size), expect, LINKS[view])
    name = {"puzzle": "Hint", "play": "Undo"}.get(view)
    main = page.get_by_role("button", name=name) if name else page.locator(":is(button, a).primary:visible").first
    box = main.bounding_box()
    bottom = page.get_by_role("navigation").bounding_box()["y"] if size[0] == 360 else size[1]
    assert box["y"] + box["height"] <= bottom


@pytest.mark.parametrize(
    ("link", "part", "place"),
    [
        ("home", "home", "home"),
        ("4x8&c=1", "find", "explore"),
        ("puzzle", "puzzle", "puzzle"),
        ("explore", "find", "explore"),
        ("5&v=play&p=3.AAM", "play", "play"),
        ("8&v=watch", "watch", "explore"),
        ("6&c=1&v=compare", "compare", "explore"),
        ("5&v=count", "count", "explore"),
        ("5x6&c=1&v=all", "all", "explore"),
        ("8&v=check", "check", "check"),
    ],
)
def test_addresses_of_before_lead_to_their_place(look, expect, link, part, place):
    page = look.show(link)
    expect(page.locator("body")).to_have_attribute("data-part", part)
    expect(page.locator("a[aria-current=page]")).to_have_attribute("data-view", place)


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
    expect(look.facts().first).to_be_visible()


def test_a_puzzle_and_home_have_boards_of_their_own(look, expect):
    settled(look, expect, "5x6&c=1")
    page = look.page
    words = page.locator("[aria-controls=setup] .summary-words")
    expect(words).to_have_text("5×6, closed")
    page.get_by_role("link", name="Puzzle", exact=True).click()
    expect(page.locator(".entry.given").first).to_be_visible()
    mine = look.address
    page.get_by_role("link", name="Knight’s tour").click()
    expect(page.locator(".headline")).to_be_visible()
    page.get_by_role("link", name="Explore", exact=True).first.click()
    expect(words).to_have_text("5×6, closed")
    expect(page.locator("#answer .verdict")).to_have_text("Closed tour of the 5×6 board")
    page.get_by_role("link", name="Puzzle", exact=True).click()
    expect(page.locator(".entry.given").first).to_be_visible()
    assert look.address == mine
    page.go_back()
    expect(words).to_have_text("5×6, closed")


def test_scripts_that_drive_the_page_find_their_way(look, expect):
    page = settled(look, expect, "4x8&c=1")
    expect(page.locator("html")).to_have_attribute("data-engine", "server")
    answer = page.locator("[data-answer]")
    expect(answer).to_have_attribute("data-answer", "impossible")
    look.show("8&c=1")
    expect(answer).to_have_attribute("data-answer", "found")
    look.show("8&c=1&m=backtracking&o.move_order=12345678&a=d4")
    expect(answer).to_have_attribute("data-answer", "pending")
    page.get_by_role("button", name="Stop searching").click()
    expect(answer).to_have_attribute("data-answer", "undecided")
    views = page.locator("nav a[data-view]")
    assert [view.get_attribute("data-view") for view in views.all()] == ["puzzle", "play", "explore", "check"]


def test_what_is_pasted_anywhere_is_checked(opener, expect):
    look = opener(permissions=["clipboard-read", "clipboard-write"])
    page = look.page
    page.evaluate("navigator.clipboard.writeText('a1 b3 c1 a2')")
    page.locator(".board-box").focus()
    page.keyboard.press("Control+V")
    expect(page.locator("body")).to_have_attribute("data-part", "check")
    expect(page.locator("#answer .verdict")).to_have_text("This is not a tour")
    assert look.wrong == []
