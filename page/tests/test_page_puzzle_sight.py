"""Tests of the appearance of puzzles: rule, numbers, tools on small phones, hints, sounds."""

import itertools
from datetime import date
from typing import Any

import pytest

import knightstour as kt
from helpers.clicks import click_square, middle, touch
from knightstour.lab.puzzles.make import seeded_puzzle
from knightstour.lab.puzzles.puzzle import clue_count
from tests.test_page_access import violations

pytestmark = pytest.mark.hosts

VERDICT = "#answer .verdict"
RULE = "#answer .rule"
SEED = 4
PUZZLE = seeded_puzzle("5x5", level="easy", seed=SEED)
NAMES = [PUZZLE.board.square_name(square) for square in map(tuple, PUZZLE.solution.squares.tolist())]
# The first number to enter, after consecutive clues from 1.
FIRST = next(n for n in range(1, 25) if n + 1 not in PUZZLE.given.values())
# Record sounds and vibrations.
EAR = """
  globalThis.heard = [];
  navigator.vibrate = (push) => heard.push(["push", push].flat());
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (when) {
    heard.push(["note", this.frequency.value]);
    start.call(this, when);
  };
"""


@pytest.fixture
def phone(opener, expect) -> Any:
    """The puzzle on a small phone."""
    look = opener(360, 640, has_touch=True, is_mobile=True, locale="de-DE")
    look.show(f"5&v=puzzle&g=easy//{SEED}")
    expect(look.page.locator(".entry.given").first).to_be_visible()
    yield look
    assert look.wrong == []


@pytest.fixture
def page(opener, expect) -> Any:
    look = opener()
    page = look.show(f"5&v=puzzle&g=easy//{SEED}")
    expect(page.locator(".entry.given").first).to_be_visible()
    yield page
    assert look.wrong == []


def places(page: Any, selector: str, rows: int = 5) -> set[str]:
    """Return the names of the squares under elements of the board."""
    script = """(all, rows) => {
      const ground = document.querySelector("[data-board] .frame").getBoundingClientRect();
      const side = ground.height / rows;
      return all.map((each) => {
        const box = each.getBoundingClientRect();
        const [x, y] = [box.x + box.width / 2 - ground.x, box.y + box.height / 2 - ground.y];
        return [Math.floor(y / side), Math.floor(x / side)];
      });
    }"""
    board = kt.Board(rows, rows)
    found = page.locator(f"[data-board] {selector}").evaluate_all(script, rows)
    return {board.square_name((r, c)) for r, c in found}


def test_puzzle_starts_at_1_with_the_rule_visible(page, expect):
    assert 1 in PUZZLE.given.values()
    expect(page.locator(VERDICT)).to_have_text(f"{FIRST} is on {NAMES[FIRST - 1]}: where is {FIRST + 1}?")
    expect(page.locator(RULE)).to_contain_text("a knight’s move away, two squares one way and one to the side")
    expect(page.locator(".ell")).to_have_count(1)
    click_square(page, NAMES[FIRST], 5, 5)
    expect(page.locator(RULE)).to_have_text(f"{25 - clue_count(PUZZLE) - 1} squares left")
    expect(page.locator(".ell")).to_have_count(0)
    page.keyboard.press("u")
    expect(page.locator(RULE)).to_contain_text("a knight’s move away")


@pytest.mark.parametrize(
    ("link", "words", "has_ell"),
    [
        ("6&c=1&v=puzzle&g=easy//2", "Closed: from 36 a move leads back to 1.", True),
        ("5:torus&v=puzzle&g=medium//2", "over the sides that are joined", True),
        ("5:king&v=puzzle&g=easy//2", "on one of the squares that show it", False),
        ("5:0,1&v=puzzle&g=zip/5/2", "through no wall", False),
    ],
    ids=["closed", "torus", "king", "zip"],
)
def test_rule_matches_the_puzzle(opener, expect, link, words, has_ell):
    look = opener()
    page = look.show(link)
    expect(page.locator(RULE)).to_contain_text(words)
    expect(page.locator(".ell")).to_have_count(int(has_ell))
    # A Zip has no numbers to enter; its squares show possible continuations.
    marked = page.locator(":is(.plate, .ring).next")
    expect(marked.first).to_be_visible()
    if "zip" in link:
        assert page.locator(".entry.next:not(:empty)").count() == page.locator(".ring.next").count()
    assert look.wrong == []


def test_next_number_is_visible_and_own_numbers_are_round(page, expect):
    near = PUZZLE.board.move_graph().neighbour_lists()
    row, col = PUZZLE.board.square(NAMES[FIRST - 1])
    free = {divmod(s, 5) for s in near[row * 5 + col]} - set(PUZZLE.given)
    ghosts = page.locator(".entry.next")
    assert set(ghosts.all_text_contents()) == {str(FIRST + 1)}
    assert places(page, ".entry.next") == {PUZZLE.board.square_name(square) for square in free}
    assert places(page, "circle.badge") == {NAMES[FIRST - 1]}
    assert places(page, "rect.plate.given") == {PUZZLE.board.square_name(square) for square in PUZZLE.given}
    # The labels of squares contain it for keyboard users.
    page.locator(".board-box").focus()
    click_square(page, NAMES[FIRST], 5, 5)
    assert places(page, "circle.plate.own") == {NAMES[FIRST]}
    assert page.locator(".layer-trail .chain").count() == 1
    given = set(PUZZLE.given.values())
    down = next(n for n in given if n - 1 not in {0, FIRST + 1, *given})
    # A second click on a number asks for the number before it.
    click_square(page, NAMES[down - 1], 5, 5)
    click_square(page, NAMES[down - 1], 5, 5)
    assert set(ghosts.all_text_contents()) == {str(down - 1)}
    click_square(page, NAMES[down - 2], 5, 5)
    assert str(down - 1) in page.locator(".entry.own").all_text_contents()


def test_small_phone_has_one_row_of_tools_and_digits(phone, expect):
    page = phone.page
    bar = page.locator("#views").bounding_box()["y"]
    boxes = [button.bounding_box() for button in page.locator(".tools > *").all()]
    middles = {round(box["y"] + box["height"] / 2) for box in boxes}
    assert max(middles) - min(middles) <= 1 and len(boxes) == 5
    rule = page.locator(RULE).bounding_box()
    assert max(box["y"] + box["height"] for box in boxes) <= rule["y"] and rule["y"] + rule["height"] <= bar
    page.get_by_role("button", name="Hinweis").click()
    page.get_by_role("button", name="Ziffern").click()
    keys = [key.bounding_box() for key in page.locator("#keypad button").all()]
    assert len(keys) == 11 and len({round(key["y"]) for key in keys}) == 2
    assert all(key["y"] + key["height"] <= bar and key["width"] > 43.9 and key["height"] > 43.9 for key in keys)
    assert all(key["x"] >= 0 and key["x"] + key["width"] <= 360 for key in keys)
    assert violations(page) == []
    # They write where the cursor is.
    page.touchscreen.tap(keys[10]["x"] + 5, keys[10]["y"] + 5)
    expect(page.locator(VERDICT)).to_be_visible()


def test_hint_is_counted_regardless_of_earlier_checks(page, expect):
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    given = set(PUZZLE.given.values())
    hint = PUZZLE.hint()
    square = NAMES[hint.number - 1]
    wrong = next(n for n in range(1, 10) if n not in given and n != hint.number)
    page.locator(".board-box").focus()
    row, col = kt.Board(5, 5).square(square)
    for key in ["ArrowUp"] * 4 + ["ArrowLeft"] * 4 + ["ArrowDown"] * row + ["ArrowRight"] * col + [str(wrong)]:
        page.keyboard.press(key)
    page.keyboard.press("f")
    expect(page.locator(VERDICT)).to_contain_text("1 number does not belong there")
    page.keyboard.press("u")
    for words in ("Look at", "Look at", "belongs on"):
        page.keyboard.press("h")
        expect(page.locator(VERDICT)).to_contain_text(words)
    page.get_by_role("button", name="Put it there").click()
    for step in PUZZLE.hints()[1:]:
        for _ in range(3):
            page.keyboard.press("h")
        expect(page.locator(VERDICT)).to_have_text(f"{step.number} belongs on {NAMES[step.number - 1]}.")
        page.get_by_role("button", name="Put it there").click()
    expect(page.locator(VERDICT)).to_contain_text("Solved in")
    expect(page.locator(".figures")).to_contain_text(f"{len(PUZZLE.hints())} hints")
    assert [url for url in asked if "hint" in url] == []


def test_a_number_is_felt_and_heard_where_sound_is_wanted(opener, expect):
    look = opener(390, 844, reduced_motion="no-preference")
    page = look.page
    page.add_init_script(EAR)
    page.goto(f"{look.server}#5&v=puzzle&g=easy//{SEED}")
    page.reload()
    expect(page.locator(".entry.given").first).to_be_visible()
    click_square(page, NAMES[FIRST], 5, 5)
    assert page.evaluate("heard") == [["push", 6]]
    page.locator("[aria-controls=more-list]").click()
    page.get_by_role("button", name="Sound: off").click()
    expect(page.get_by_role("button", name="Sound: on")).to_be_visible()
    page.keyboard.press("Escape")
    # The choice is kept.
    page.reload()
    expect(page.locator(".entry.own")).to_have_count(1)
    order = [n for n in range(FIRST + 2, 26) if n not in PUZZLE.given.values()]
    for number in order:
        click_square(page, NAMES[number - 2], 5, 5)
        click_square(page, NAMES[number - 1], 5, 5)
    expect(page.locator(VERDICT)).to_contain_text("Solved in")
    heard = page.evaluate("heard")
    ticks = [["push", 6], ["note", 620]] * len(order)
    assert heard == [*ticks, ["push", 12, 40, 12, 40, 30], ["note", 523], ["note", 659], ["note", 784]]
    assert look.wrong == []


def test_a_hard_puzzle_is_solved_with_one_finger(opener, expect):
    look = opener(390, 844, has_touch=True, is_mobile=True)
    made = kt.puzzles.puzzle_of_day(date(2026, 11, 28), "hard")
    names = [made.board.square_name(square) for square in map(tuple, made.solution.squares.tolist())]
    least = min(made.given.values())
    assert least > 1
    page = look.show("8&v=puzzle&g=hard//20261128")
    expect(page.locator(".entry.given").first).to_be_visible()
    session = look.context.new_cdp_session(page)

    def draw(*numbers: int) -> None:
        places = [middle(page, names[number - 1]) for number in numbers]
        touch(session, "touchStart", places[0])
        for (x0, y0), (x1, y1) in itertools.pairwise(places):
            for k in range(1, 7):
                touch(session, "touchMove", (x0 + (x1 - x0) * k / 6, y0 + (y1 - y0) * k / 6))
        touch(session, "touchEnd")

    draw(*range(least, 65))
    # Nothing is missing above, so that it goes on below.
    expect(page.locator(VERDICT)).to_have_text(f"{least} is on {names[least - 1]}: where is {least - 1}?")
    page.touchscreen.tap(*middle(page, names[least - 2]))
    expect(page.locator(VERDICT)).to_contain_text(f"where is {least - 2}?")
    draw(*range(least - 1, 0, -1))
    expect(page.locator(VERDICT)).to_have_text("Saturday’s knot is tied")
    assert page.evaluate("scrollY") == 0
    assert look.wrong == []


def test_a_refused_square_shakes_and_a_new_number_pops(opener, expect):
    look = opener(reduced_motion="no-preference")
    page = look.show(f"5&v=puzzle&g=easy//{SEED}")
    expect(page.locator(".entry.given").first).to_be_visible()
    near = PUZZLE.board.move_graph().neighbour_lists()
    row, col = PUZZLE.board.square(NAMES[FIRST - 1])
    far = next(s for s in range(25) if divmod(s, 5) not in PUZZLE.given and s not in near[row * 5 + col])
    click_square(page, PUZZLE.board.square_name(divmod(far, 5)), 5, 5)
    expect(page.locator("g.refused .crossed")).to_have_count(1)
    expect(page.locator("g.refused")).to_have_css("animation-name", "shake")
    click_square(page, NAMES[FIRST], 5, 5)
    expect(page.locator("g.popped .plate")).to_have_count(1)
    expect(page.locator("g.refused")).to_have_count(0)
    assert look.wrong == []
