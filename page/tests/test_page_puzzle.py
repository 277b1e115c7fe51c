"""Tests of puzzles: input, help, storage, and own puzzles."""

import re
from datetime import UTC, date, datetime
from typing import Any

import pytest

import knightstour as kt
from helpers.clicks import click_square, drag
from knightstour.lab.puzzles.daily import FIRST_DAY
from knightstour.lab.puzzles.make import seeded_puzzle
from knightstour.lab.puzzles.puzzle import clue_count
from tests.test_page_access import violations

pytestmark = pytest.mark.hosts

SEED = 4
LINK = f"5&v=puzzle&g=easy//{SEED}"
VERDICT = "#answer .verdict"
OWN = "section[aria-label='Your own puzzle'] .notice"


@pytest.fixture(scope="module")
def puzzle() -> kt.Puzzle:
    return seeded_puzzle("5x5", level="easy", seed=SEED)


@pytest.fixture
def numbers(puzzle) -> dict[int, str]:
    """Return the square of each number of the solution."""
    return {k: puzzle.board.square_name(square) for k, square in enumerate(puzzle.solution, 1)}


@pytest.fixture
def page(look, expect) -> Any:
    """LINK without input."""
    look.show("5&v=check")
    expect(look.page.locator("body[data-part=check]")).to_be_attached()
    look.page.evaluate("localStorage.clear()")
    page = look.show(LINK)
    expect(page.locator(".entry.given").first).to_be_visible()
    return page


def free_number(puzzle: kt.Puzzle) -> int:
    """Return the first missing number whose predecessor is given."""
    given = set(puzzle.given.values())
    return next(n for n in range(2, 26) if n not in given and n - 1 in given)


def take_a_hint(page: Any, expect: Any, is_put: bool = True) -> None:
    """Request a hint until it is complete, and enter its number."""
    put = page.get_by_role("button", name="Put it there")
    for step in ("Look at", "Look at", "belongs on"):
        page.get_by_role("button", name="Hint").click()
        expect(page.locator(VERDICT)).to_contain_text(step)
    expect(put).to_be_visible()
    if is_put:
        put.click()


def entries(page: Any, kind: str) -> list[str]:
    return sorted(page.locator(f".entry.{kind}").all_text_contents(), key=int)


def put_cursor(page: Any, name: str) -> None:
    """Move the cursor of a 5x5 board by keys."""
    row, col = kt.Board(5, 5).square(name)
    page.locator(".board-box").focus()
    for key in ["ArrowUp"] * 4 + ["ArrowLeft"] * 4 + ["ArrowDown"] * row + ["ArrowRight"] * col:
        page.keyboard.press(key)


def solve(page: Any, puzzle: kt.Puzzle, numbers: dict[int, str]) -> None:
    """Enter all numbers by keys."""
    given = set(puzzle.given.values())
    for number in range(1, 26):
        if number not in given:
            put_cursor(page, numbers[number])
            for digit in str(number):
                page.keyboard.press(digit)


def test_clicks_enter_numbers_and_explain_refusals(page, puzzle, numbers, expect):
    free = free_number(puzzle)
    assert entries(page, "given") == sorted(map(str, puzzle.given.values()), key=int)
    # It begins at the first gap, so that a click continues.
    expect(page.locator(VERDICT)).to_contain_text(": where is ")
    expect(page.locator(".picked")).to_have_count(1)
    click_square(page, numbers[free - 1], 5, 5)
    expect(page.locator(VERDICT)).to_have_text(f"{free - 1} is on {numbers[free - 1]}: where is {free}?")
    near = puzzle.board.move_graph().neighbour_lists()
    row, col = puzzle.board.square(numbers[free - 1])
    taken = {r * 5 + c for r, c in puzzle.given}
    far = next(s for s in range(25) if s not in near[row * 5 + col] and s not in taken and s != row * 5 + col)
    far_name = puzzle.board.square_name(divmod(far, 5))
    click_square(page, far_name, 5, 5)
    expect(page.locator(VERDICT)).to_have_text(f"No move leads from {numbers[free - 1]} to {far_name}.")
    assert entries(page, "own") == []
    click_square(page, numbers[free], 5, 5)
    assert entries(page, "own") == [str(free)]
    assert page.locator(".chain").count() == 1


def test_undo_redo_and_a_restart_that_can_be_undone(page, look, puzzle, numbers, expect):
    look.open("more")
    free = free_number(puzzle)
    click_square(page, numbers[free - 1], 5, 5)
    click_square(page, numbers[free], 5, 5)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".entry.own")).to_have_count(0)
    page.get_by_role("button", name="Redo").click()
    expect(page.locator(".entry.own")).to_have_count(1)
    page.get_by_role("button", name="Restart").click()
    expect(page.locator(".entry.own")).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".entry.own")).to_have_text([str(free)])
    expect(page.get_by_role("button", name="Redo")).to_be_enabled()
    click_square(page, numbers[free], 5, 5)
    page.get_by_role("button", name="Erase").click()
    expect(page.locator(".entry.own")).to_have_count(0)


def test_digits_make_one_number_which_backspace_takes_away(page, puzzle, numbers, expect):
    given = set(puzzle.given.values())
    number = next(n for n in range(11, 26) if n not in given)
    put_cursor(page, numbers[number])
    for digit in str(number):
        page.keyboard.press(digit)
    assert entries(page, "own") == [str(number)]
    page.keyboard.press("u")
    assert entries(page, "own") == []
    page.keyboard.press("y")
    assert entries(page, "own") == [str(number)]
    page.keyboard.press("Backspace")
    assert entries(page, "own") == []
    given_name = next(puzzle.board.square_name(square) for square in puzzle.given)
    put_cursor(page, given_name)
    page.keyboard.press("Backspace")
    expect(page.locator(VERDICT)).to_contain_text("is given.")
    assert "v=puzzle" in page.url


def test_a_number_is_on_one_square_only(page, puzzle, numbers, expect):
    number = next(n for n in puzzle.given.values() if n < 10)
    free = next(name for k, name in numbers.items() if k not in puzzle.given.values())
    put_cursor(page, free)
    page.keyboard.press(str(number))
    expect(page.locator(VERDICT)).to_have_text(f"{number} is on {numbers[number]} already.")
    assert entries(page, "own") == []


def test_hint_shows_the_librarys_reason_and_can_be_applied(page, puzzle, numbers, expect):
    hint = puzzle.hint()
    button = page.get_by_role("button", name="Hint")
    # First the place, then the reason, then the number.
    button.click()
    expect(page.locator(VERDICT)).to_have_text(f"Look at {puzzle.board.square_name(hint.square)}.")
    expect(page.locator(".hinted")).to_have_count(1)
    expect(page.locator("#answer .reason")).to_have_count(0)
    button.click()
    expect(page.locator("#answer .reason")).to_contain_text(hint.reason[1:])
    expect(page.get_by_role("button", name="Put it there")).to_have_count(0)
    page.get_by_role("button", name="The answer").click()
    expect(page.locator(VERDICT)).to_have_text(f"{hint.number} belongs on {puzzle.board.square_name(hint.square)}.")
    page.get_by_role("button", name="Put it there").click()
    assert entries(page, "own") == [str(hint.number)]
    assert numbers[hint.number] == puzzle.board.square_name(hint.square)


def test_mistakes_are_shown_on_request_alone(page, puzzle, numbers, expect):
    given = set(puzzle.given.values())
    right, wrong = [n for n in range(1, 26) if n not in given][:2]
    put_cursor(page, numbers[right])
    for digit in str(wrong):
        page.keyboard.press(digit)
    expect(page.locator(".entry.own")).to_have_text([str(wrong)])
    expect(page.locator(".crossed")).to_have_count(0)
    page.get_by_role("button", name="Mistakes?").click()
    expect(page.locator(VERDICT)).to_have_text(f"1 number does not belong there: {numbers[right]}.")
    expect(page.locator(".crossed")).to_have_count(1)
    for _ in range(3):
        page.get_by_role("button", name="Hint").click()
        expect(page.locator(VERDICT)).to_contain_text("Something is wrong on")
    page.get_by_role("button", name="Remove it").click()
    assert entries(page, "own") == []
    page.get_by_role("button", name="Mistakes?").click()
    expect(page.locator(VERDICT)).to_have_text("No mistakes so far.")


def test_reload_keeps_numbers_that_the_link_omits(page, look, puzzle, numbers, expect):
    free = free_number(puzzle)
    click_square(page, numbers[free - 1], 5, 5)
    click_square(page, numbers[free], 5, 5)
    assert look.address == LINK
    page.reload()
    expect(page.locator(".entry.own")).to_have_text([str(free)])
    # Another puzzle has its own numbers, and does not touch these.
    look.show("5&v=puzzle&g=easy//5")
    expect(page.locator(".entry.own")).to_have_count(0)
    look.show(LINK)
    expect(page.locator(".entry.own")).to_have_text([str(free)])


def test_solver_sees_the_time_and_can_study_the_tour(page, look, puzzle, numbers, expect):
    take_a_hint(page, expect)
    solve(page, puzzle, numbers)
    expect(page.locator(VERDICT)).to_contain_text("Solved in 0:")
    expect(page.locator(".figures")).to_contain_text("1 hint")
    kinds = {"alone": "🟩", "hint": "🟨", "mistake": "🟥"}
    drawn = page.locator(".row-of-squares span")
    squares = "".join(kinds[str(square.get_attribute("class"))] for square in drawn.all())
    assert sorted(set(squares)) == ["🟨", "🟩"] and len(squares) == min(10, 25 - clue_count(puzzle))
    # It stays solved, whatever is clicked, and after a reload.
    click_square(page, "a1", 5, 5)
    expect(page.locator(VERDICT)).to_contain_text("Solved in 0:")
    page.reload()
    expect(drawn).to_have_count(len(squares))
    page.get_by_role("button", name="Share the result").click()
    expect(page.get_by_text("Your result is copied.")).to_be_visible()
    lines = page.evaluate("navigator.clipboard.readText()").splitlines()
    assert "easy" in lines[0] and lines[1] == squares
    # The link contains the time and the pace.
    shared = look.module(
        "model/link",
        "(link, text) => link.decodeState(text, {views: ['puzzle'], styles: []})",
        lines[2].partition("#")[2],
    )
    assert shared["puzzle"]["seed"] == SEED and len(shared["pace"]) == 25 - clue_count(puzzle) and shared["beat"] >= 1
    assert {number for number, _ in shared["pace"]} == set(range(1, 26)) - set(puzzle.given.values())
    page.get_by_role("button", name="Look at the tour").click()
    expect(page.locator("#answer .verdict")).to_have_text("Open tour of the 5×5 board")
    assert look.tour() == puzzle.solution.order.tolist()


DAY = date(2026, 11, 25)


def solved_game(day: date, kind: str, seconds: int) -> dict[str, Any]:
    """Return a stored daily puzzle, solved without help."""
    made = kt.puzzles.puzzle_of_day(day, kind)
    order = enumerate(made.solution.order.tolist(), 1)
    own = [[square, number] for number, square in order if divmod(square, made.board.cols) not in made.given]
    return {"own": own, "helped": [], "seconds": seconds, "hints": 0, "isDone": True}


@pytest.fixture
def wednesday(opener, expect) -> Any:
    """A page on 25 November 2026 at noon, with four solved days and today's easy puzzle in 2:14."""
    look = opener(360, 640, permissions=["clipboard-read", "clipboard-write"], timezone_id="America/Los_Angeles")
    look.page.clock.set_fixed_time(datetime(2026, 11, 25, 20, tzinfo=UTC))
    days = {str(number): [0] for number in range(20261121, 20261126)}
    link = look.module("model/daily", "(daily) => daily.dailies(new Date())[0].link")
    kept = {"puzzle-days": {"solved": days}, "puzzles": {link: solved_game(DAY, "first", 134)}}
    script = "kept => { for (const [name, value] of Object.entries(kept)) localStorage[name] = JSON.stringify(value); }"
    look.page.evaluate(script, kept)
    look.show("puzzle")
    look.page.reload()
    yield look
    assert look.wrong == []


def test_home_and_the_three_know_what_is_solved(wednesday, expect):
    page = wednesday.page
    expect(page.get_by_role("radio", name="Daily solved")).to_be_checked()
    expect(page.locator(VERDICT)).to_have_text("Wednesday’s knot is tied")
    expect(page.locator("svg.board .knot-line")).to_have_count(35)
    page.get_by_role("button", name="Next: Hard").click()
    expect(page.locator(".entry.given").first).to_be_visible()
    assert wednesday.state()["puzzle"]["seed"] == 20261125 and wednesday.state()["board"]["rows"] == 8
    page.get_by_role("radio", name="Daily solved").check()
    expect(page.locator(VERDICT)).to_have_text("Wednesday’s knot is tied")
    # Tomorrow's board is there, covered, with its kind.
    expect(page.locator("#answer .tomorrow")).to_contain_text("Tomorrow: 6×6 board, closed, easy")
    expect(page.locator("#answer .tomorrow .covered")).to_be_visible()


def test_result_shows_its_number_and_the_streak(wednesday, expect):
    page = wednesday.show("puzzle")
    figures = page.locator(".figures > div")
    expect(figures).to_have_text(["2:14no hint, no mistake", "5days in a row", "329puzzle"])
    send, button = (page.get_by_role("button", name=name) for name in ("Send the knot", "Share the result"))
    box = send.bounding_box()
    # On a small phone it is in sight, above the bar of the places.
    assert box["y"] + box["height"] <= page.locator("#views").bounding_box()["y"]
    button.click()
    expect(page.get_by_text("Your result is copied.")).to_be_visible()
    lines = page.evaluate("navigator.clipboard.readText()").splitlines()
    assert lines[0] == f"Knight's tour {(DAY - FIRST_DAY).days + 1} · easy · 2:14 · 5 days"
    assert set(lines[1]) == {"🟩"} and lines[2].endswith("#6&v=puzzle&b=134&g=easy//20261125") and len(lines) == 3
    page.get_by_role("button", name="Next: Hard").click()
    expect(page.get_by_role("radio", name="Hard", exact=True)).to_be_checked()


def test_the_days_of_the_week_lead_to_their_puzzles(wednesday, expect):
    page = wednesday.show("puzzle")
    days = page.locator("#answer .week li")
    expect(days).to_have_count(7)
    expect(days.locator("a")).to_have_count(3)
    expect(days.locator("a.solved")).to_have_count(3)
    assert violations(page) == []
    expect(days.locator("[aria-current=date]")).to_have_attribute("aria-label", "November 25: 1 puzzle solved")
    page.get_by_role("button", name="The week before").click()
    expect(days.locator("a.solved")).to_have_count(2)
    expect(page.get_by_role("button", name="The week before")).to_be_focused()
    page.get_by_role("link", name="November 20: 0 puzzles solved").click()
    expect(page.locator(".entry.given").first).to_be_visible()
    assert wednesday.address == "6&v=puzzle&c=1&g=easy//20261120"
    expect(page.locator("#lead")).to_contain_text("November 20")
    # The three are those of that day, a Friday.
    expect(page.get_by_role("radio", name="Mirrored")).to_have_count(1)


def test_late_solved_puzzle_gets_a_tick_without_a_streak(wednesday, expect):
    day, link = date(2026, 11, 20), "6&v=puzzle&c=1&g=easy//20261120"
    game = solved_game(day, "first", 59) | {"isDone": False}
    square, _ = game["own"].pop()
    script = "([link, game]) => localStorage.setItem('puzzles', JSON.stringify({[link]: game}))"
    wednesday.page.evaluate(script, [link, game])
    page = wednesday.show(link)
    expect(page.locator("#answer")).to_contain_text("1 square left")
    click_square(page, kt.Board(6, 6).square_name(divmod(square, 6)), 6, 6)
    expect(page.locator(VERDICT)).to_have_text("Friday’s knot is tied")
    expect(page.get_by_role("radio", name="Daily solved")).to_be_checked()
    page.get_by_role("button", name="The week before").click()
    expect(page.get_by_role("link", name="November 20: 1 puzzle solved")).to_be_visible()
    # With the day itself it would be six.
    expect(page.locator(".figures")).to_contain_text("5days in a row")


def test_zip_is_solved_by_clicks_and_blocked_by_walls(look, expect):
    made = seeded_puzzle("5x5:wazir", level=None, in_order=5, seed=2)
    look.page.evaluate("localStorage.clear()")
    page = look.show("5:0,1&v=puzzle&g=zip/5/2")
    expect(page.locator(".entry.ring")).to_have_text(["1", "2", "3", "4", "5"])
    expect(page.locator(".wall")).to_have_attribute("d", re.compile("M[^M]+" * len(made.walls) + "$"))
    names = [made.board.square_name(square) for square in map(tuple, made.solution.squares.tolist())]
    expect(page.locator(VERDICT)).to_have_text(f"The path is on {names[0]}: where does it go on?")
    # No move leads through a wall.
    walled = {wall for pair in made.walls for wall in (pair, pair[::-1])}
    for step, name in enumerate(names[1:], 1):
        here = made.board.square(names[step - 1])
        for other in (there for one, there in walled if one == here):
            click_square(page, made.board.square_name(other), 5, 5)
            assert len(entries(page, "own")) + len(entries(page, "ring")) <= step + 5
        click_square(page, names[step - 1], 5, 5)
        click_square(page, name, 5, 5)
    expect(page.locator(VERDICT)).to_contain_text("Solved")
    assert look.state()["puzzle"] == {"inOrder": 5, "seed": 2}
    assert look.wrong == []


def test_a_puzzle_of_the_king_is_played_with_its_moves(look, expect):
    look.page.evaluate("localStorage.clear()")
    page = look.show("5:king&v=puzzle&g=easy//2")
    expect(page.locator(".entry.given").first).to_be_visible()
    made = seeded_puzzle("5x5:king", level="easy", seed=2)
    assert entries(page, "given") == sorted(map(str, made.given.values()), key=int)


def test_late_solved_days_are_kept_without_a_streak(look):
    script = """(kept, days) => {
        for (const [day, which, isLate] of days) kept.keepDay(new Date(day), which, isLate);
        return days.map(([day]) => [kept.solvedOn(new Date(day)), kept.streak(new Date(day))]);
    }"""
    look.page.evaluate("localStorage.clear()")
    days = [
        ["2026-03-01T12:00", 2, True],
        ["2026-03-02T12:00", 0, False],
        ["2026-03-02T20:00", 1, False],
        ["2026-03-02T21:00", 1, True],
        ["2026-03-03T23:59", 0, False],
    ]
    # As if the clock had gone back: the day after counts.
    both = [[0, 1], 2]
    assert look.module("model/kept", script, days) == [[[2], 1], both, both, both, [[0], 2]]
    look.page.evaluate("localStorage.clear()")


@pytest.mark.parametrize("spoilt", ["7", "null", '{"solved": 3}', '{"solved": {"20260302": 5}, "late": []}', "{"])
def test_days_that_are_spoilt_are_begun_again(look, spoilt):
    script = """(kept) => {
        const day = new Date("2026-03-02T12:00");
        const before = [kept.streak(day), kept.solvedOn(day)];
        kept.keepDay(day, 1);
        return [before, kept.streak(day), kept.solvedOn(day)];
    }"""
    look.page.evaluate("text => localStorage.setItem('puzzle-days', text)", spoilt)
    assert look.module("model/kept", script) == [[0, []], 1, [1]]
    look.page.evaluate("localStorage.clear()")


def test_second_tab_continues_the_puzzle_and_keeps_its_solution(opener, expect, puzzle, numbers):
    look = opener()
    first = look.show(LINK)
    expect(first.locator(".entry.given").first).to_be_visible()
    second = look.context.new_page()
    second.goto(f"{look.server}#{LINK}")
    expect(second.locator(".entry.given").first).to_be_visible()
    free = free_number(puzzle)
    click_square(first, numbers[free - 1], 5, 5)
    click_square(first, numbers[free], 5, 5)
    expect(second.locator(".entry.own")).to_have_text([str(free)])
    solve(first, puzzle, numbers)
    for page in (first, second):
        expect(page.locator(VERDICT)).to_contain_text("Solved")
    # Data stored by a tab without updates.
    kept = "JSON.parse(localStorage.puzzles)[link]"
    stale = {"own": [], "helped": {}, "seconds": 9, "hints": 0, "isDone": False}
    look.module(
        "model/kept", "(kept, [link, game]) => kept.keepGame(link, {...game, helped: new Map()})", [LINK, stale]
    )
    game = second.evaluate(f"link => {kept}", LINK)
    assert game["isDone"] and len(game["own"]) == 25 - clue_count(puzzle)
    assert look.wrong == []


def test_after_undo_the_knight_is_on_the_number_before(page, puzzle, numbers, expect):
    free = free_number(puzzle)
    click_square(page, numbers[free - 1], 5, 5)
    click_square(page, numbers[free], 5, 5)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(VERDICT)).to_have_text(f"{free - 1} is on {numbers[free - 1]}: where is {free}?")
    # A click is enough to write it again.
    click_square(page, numbers[free], 5, 5)
    assert entries(page, "own") == [str(free)]


def test_a_drag_back_over_given_numbers_writes_none(look, expect):
    day = date(2026, 11, 28)
    made = kt.puzzles.puzzle_of_day(day, "first")
    names = [made.board.square_name(square) for square in map(tuple, made.solution.squares.tolist())]
    page = look.show("6&v=puzzle&c=1&g=easy//20261128")
    expect(page.locator(".entry.given").first).to_be_visible()
    first = next(k for k in range(1, 36) if k + 1 not in made.given.values())
    last = first + 8
    assert any(k in made.given.values() for k in range(first + 2, last)), "the way leads over a given number"
    there = names[first - 1 : last]
    drag(page, *there, *there[-2::-1], rows=6, cols=6)
    expect(page.locator(VERDICT)).to_contain_text(": where is ")
    script = "link => JSON.parse(localStorage.puzzles)[link].own"
    own = page.evaluate(script, "6&v=puzzle&c=1&g=easy//20261128")
    right = {square: number for number, square in enumerate(made.solution.order.tolist(), 1)}
    assert all(right[square] == number for square, number in own), own
    page.evaluate("localStorage.clear()")


@pytest.mark.parametrize("own", [[[999, 2]], [[0, 99]], [["x", None], [None, 1]], [[0, 2.5], [-1, 3]]], ids=str)
def test_numbers_that_no_puzzle_has_are_left_out(page, look, expect, own):
    game = {"own": own, "helped": [], "seconds": 1, "hints": 0, "isDone": False}
    keep = "([link, game]) => localStorage.setItem('puzzles', JSON.stringify({[link]: game}))"
    page.evaluate(keep, [LINK, game])
    look.show("8&v=check")
    look.show(LINK)
    expect(page.locator(VERDICT)).to_contain_text(": where is ")
    assert entries(page, "own") == []


def test_day_with_invalid_numbers_does_not_stop_the_page(wednesday, expect):
    script = "days => localStorage.setItem('puzzle-days', JSON.stringify(days))"
    wednesday.page.evaluate(script, {"solved": {"20261124": [0, 3], "20261125": ["x", 9, 1]}, "late": {"x": 1}})
    wednesday.page.reload()
    page = wednesday.show("puzzle")
    expect(page.locator(VERDICT)).to_have_text("Wednesday’s knot is tied")
    # Valid data stays; data of another version is set aside.
    kept = page.evaluate("JSON.parse(localStorage['puzzle-days']).solved")
    assert kept == {"20261124": [0], "20261125": [1]}


def test_a_result_that_is_shared_fits_the_screen(wednesday, expect):
    page = wednesday.show("puzzle")
    page.get_by_role("button", name="Share the result").click()
    expect(page.locator("pre.address")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


REFUSED = "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no'); } });"
FULL = "Storage.prototype.setItem = () => { throw new DOMException('no'); };"


@pytest.mark.parametrize("script", [REFUSED, FULL])
def test_missing_storage_is_reported_and_a_puzzle_survives_the_visit(opener, expect, puzzle, numbers, script):
    look = opener()
    look.context.add_init_script(script)
    look.page.reload()
    page = look.show(LINK)
    expect(page.locator(".entry.given").first).to_be_visible()
    solve(page, puzzle, numbers)
    expect(page.locator(VERDICT)).to_contain_text("Solved")
    note = page.locator("#now > .notice.bad.row")
    expect(note).to_contain_text("Storage is full")
    look.show("8&v=check")
    look.show(LINK)
    expect(page.locator(VERDICT)).to_contain_text("Solved")
    note.get_by_role("button", name="Close").click()
    expect(note).to_have_count(0)
    assert look.wrong == []


def test_clock_set_back_is_reported_and_loses_nothing(wednesday, expect):
    wednesday.page.clock.set_fixed_time(datetime(2026, 11, 24, 20, tzinfo=UTC))
    page = wednesday.show("puzzle")
    calendar = wednesday.open("more").get_by_role("region", name="The week")
    expect(calendar).to_contain_text("5 days in a row")
    said = page.get_by_text("Your clock seems to have been set back.")
    expect(said).to_be_visible()
    wednesday.page.clock.set_fixed_time(datetime(2026, 11, 25, 20, tzinfo=UTC))
    wednesday.show("8&v=check")
    wednesday.show("puzzle")
    expect(wednesday.open("more").get_by_role("region", name="The week")).to_contain_text("5 days in a row")
    expect(said).to_be_hidden()


@pytest.mark.parametrize(("link", "board", "closed"), [("1x7&v=puzzle", "1x7", False), ("5&c=1&v=puzzle", "5x5", True)])
def test_board_without_tours_reports_it_before_making_a_puzzle(look, expect, link, board, closed):
    page = look.show(link)
    kind, size = "closed" if closed else "open", board.replace("x", "×")
    expect(page.locator(VERDICT)).to_have_text(f"There is no {kind} tour of the {size} board")
    expect(page.locator("#answer .reason")).to_contain_text(kt.solve(board, closed=closed).reason[1:])
    look.show("5&v=puzzle")
    expect(page.locator(VERDICT)).to_contain_text("a new one of this 5×5 board")
    look.open("more").get_by_role("button", name="New puzzle").click()
    expect(page.locator(".entry.given").first).to_be_visible()


def test_ones_own_puzzle_has_none_one_or_several_solutions(look, expect):
    page = look.show("5x6&v=puzzle")
    look.open("more").get_by_role("button", name="Make your own").click()
    verdict = page.locator(OWN)
    expect(verdict).to_contain_text("Several solutions.")
    click_square(page, "a1", 5, 6)
    click_square(page, "b1", 5, 6)
    expect(verdict).to_contain_text("No solution.")
    assert entries(page, "given") == ["1", "2"]
    page.get_by_role("button", name="Undo").click()
    expect(verdict).to_contain_text("Several solutions.")
    expect(page.locator(".doubtful").first).to_be_visible()
    assert look.address == "5x6&v=puzzle&g=making/a1.1"
    solution = kt.make_puzzle("5x6", level="easy", seed=3)
    given = ",".join(f"{solution.board.square_name(square)}.{number}" for square, number in solution.given.items())
    look.show(f"5x6&v=puzzle&g=making/{given}")
    expect(verdict).to_contain_text("One solution. Easy.")
    expect(page.locator(".doubtful")).to_have_count(0)
    page.get_by_role("button", name="Solve it").click()
    expect(page.get_by_role("button", name="Hint")).to_be_enabled()
    assert look.address == f"5x6&v=puzzle&g=given/{given}"


def test_link_to_ambiguous_puzzle_is_reported(look, expect):
    page = look.show("5&v=puzzle&g=given/a1.1")
    expect(page.get_by_text("This puzzle does not have exactly one solution.").first).to_be_visible()
    expect(page.get_by_role("button", name="Hint")).to_be_disabled()


def test_puzzle_view_passes_accessibility_rules(page, look, expect):
    take_a_hint(page, expect, is_put=False)
    assert violations(page) == []
    look.open("more").get_by_role("button", name="Make your own").click()
    expect(page.locator(OWN)).to_contain_text("Several solutions.")
    assert violations(page) == []


def test_printed_sheet_has_puzzle_level_and_address(page, expect):
    page.emulate_media(media="print")
    try:
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        sheet = page.locator("#paper")
        expect(sheet.locator("svg.board")).to_be_visible()
        expect(sheet.locator("h1")).to_contain_text("puzzle")
        expect(sheet.locator("p").first).to_contain_text("numbers are given")
        expect(sheet.locator(".address")).to_contain_text("v=puzzle&g=")
        for part in (".top", "#panel", "#side", "#answer"):
            expect(page.locator(part)).to_be_hidden()
    finally:
        page.evaluate("dispatchEvent(new Event('afterprint'))")
        page.emulate_media(media="screen")
