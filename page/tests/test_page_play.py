"""Tests of Play: moves, help, and whether the tour can still be completed."""

import re

import pytest

import knightstour as kt
from helpers.clicks import click_square

VERDICT = "#answer .verdict"


def played(look) -> list[int] | None:
    """Return the path in the address."""
    return look.state()["played"]


def names(order: list[int] | None, size: int) -> list[str]:
    return [] if order is None else [kt.Board(size, size).square_name(divmod(s, size)) for s in order]


def test_knight_follows_moves_and_explains_refusals(look, expect):
    page = look.show("5&v=play")
    expect(page.locator(VERDICT)).to_have_text("Put the knight on any square.")
    click_square(page, "a1", 5, 5)
    expect(page.locator(".legal")).to_have_count(2)
    click_square(page, "c3", 5, 5)
    expect(page.locator("#live")).to_contain_text("No move leads to c3")
    # The message is also visible.
    expect(page.locator(VERDICT)).to_have_text("No move leads to c3.")
    expect(page.locator(".layer-marks .crossed")).to_have_count(1)
    click_square(page, "b3", 5, 5)
    expect(page.locator(VERDICT)).to_have_text("2 of 25 squares, 5 ways on")
    click_square(page, "d4", 5, 5)
    click_square(page, "c2", 5, 5)
    click_square(page, "b3", 5, 5)
    assert names(played(look), 5) == ["a1", "b3", "d4", "c2"] or names(played(look), 5) == ["a1", "b3", "d4"]


def test_hints_are_warnsdorffs_degrees(look, expect):
    page = look.show("8&v=play")
    look.open("helps").get_by_label("Hints").check()
    for name in ("a1", "b3", "d4"):
        click_square(page, name)
    board = kt.Board(8, 8)
    near = board.move_graph().neighbour_lists()
    visited = {r * 8 + c for r, c in (board.square(name) for name in ("a1", "b3", "d4"))}
    r, c = board.square("d4")
    wanted = [len(set(near[s]) - visited) for s in near[r * 8 + c] if s not in visited]
    expect(page.locator(".ways")).to_have_count(len(wanted))
    assert sorted(page.locator(".ways").all_text_contents()) == sorted(map(str, wanted))
    look.open("helps").get_by_label("Hints").uncheck()
    expect(page.locator(".ways")).to_have_count(0)


def test_the_knight_is_led_by_keys_alone(look, expect):
    page = look.show("5&v=play")
    board = page.locator(".board-box")
    board.focus()
    # From the top left, where the cursor is, to a1 and down there.
    for _ in range(4):
        page.keyboard.press("ArrowDown")
    expect(page.locator("#live")).to_contain_text("a1")
    page.keyboard.press("Enter")
    for key in ("ArrowUp", "ArrowUp", "ArrowRight", "Space"):
        page.keyboard.press(key)
    assert names(played(look), 5) == ["a1", "b3"]
    page.keyboard.press("n")
    expect(page.locator("#live")).to_contain_text("can be visited")
    page.keyboard.press("Enter")
    assert len(played(look)) == 3
    page.keyboard.press("Backspace")
    page.keyboard.press("u")
    assert names(played(look), 5) == ["a1"]
    page.keyboard.press("y")
    assert names(played(look), 5) == ["a1", "b3"]
    page.keyboard.press("f")
    expect(page.get_by_text("Yes, it can be finished.")).to_be_visible()
    page.keyboard.press("r")
    expect(page.locator(VERDICT)).to_have_text("Put the knight on any square.")


def test_a_closed_tour_must_come_back(look, expect):
    open_tour = next(t for t in kt.iter_tours((5, 6), start="a1") if not t.is_closed)
    text = look.coded(open_tour.board, open_tour.order)
    page = look.show(f"5x6&v=play&c=1&p={text}")
    expect(page.locator(VERDICT)).to_have_text("All squares, but no move leads back to the start.")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(VERDICT)).to_contain_text("29 of 30 squares")


def test_rotated_board_requests_its_path_again(look, expect):
    page = look.show("5&v=play")
    for name in ("a1", "c2"):
        click_square(page, name, 5, 5)
    page.get_by_role("button", name="Undo").click()
    how = page.get_by_role("button", name="Show me how")
    page.keyboard.press("f")
    expect(how).to_be_visible()
    look.open("look").get_by_role("button", name="Turn right").click()
    assert names(played(look), 5) == ["a5"]
    expect(how).to_be_hidden()
    expect(page.get_by_role("button", name="Redo")).to_be_disabled()
    page.get_by_role("button", name="Can it still be finished?").click()
    how.click()
    expect(page.locator(VERDICT)).to_contain_text("Done: a tour of all 25 squares!")
    assert names(look.tour(), 5)[0] == "a5"


@pytest.mark.parametrize(
    ("link", "before", "after"),
    [
        ("8&v=play&c=1", "Closed: the last square must be a move from the first.", "a move from e4."),
        ("8&v=play&c=1&a=e4", "Closed: the last square must be a move from e4.", "a move from e4."),
        ("8&v=play&z=d8&a=e4", "Open: the last square must be d8.", "must be d8."),
        ("8&v=play", "Open: the tour may end on any square.", "any square."),
    ],
)
def test_goal_is_shown_before_the_first_move(look, expect, link, before, after):
    page = look.show(link)
    goal = page.locator("#lead")
    expect(goal).to_have_text(f"Lead the knight over every square once. {before}")
    click_square(page, "e4")
    expect(page.locator(VERDICT)).to_contain_text("1 of 64")
    expect(goal).to_contain_text(after)


def test_counted_features_are_shown_and_can_be_hidden(look, expect):
    page = look.show("5&v=play")
    page.evaluate("localStorage.clear()")
    for name in ("a1", "b3", "d4"):
        click_square(page, name, 5, 5)
    tally = page.locator(".tally")
    expect(tally).to_contain_text("22 squares to go")
    expect(tally).to_contain_text("0 undos")
    page.keyboard.press("u")
    page.keyboard.press("u")
    expect(tally).to_contain_text("2 undos")
    # The time goes on.
    expect(tally).not_to_contain_text("0:00")
    box = look.open("helps").get_by_label("Show squares to go, undos and time")
    box.uncheck()
    expect(tally).to_be_hidden()
    page.reload()
    expect(page.locator(VERDICT)).to_contain_text("1 of 25")
    expect(tally).to_be_hidden()
    look.open("helps")
    box.check()
    # The counters of this game are restored.
    expect(tally).to_contain_text("2 undos")
    page.get_by_role("button", name="Restart").click()
    expect(tally).to_contain_text("0 undos")


def test_a_game_is_printed_on_one_sheet(look, expect):
    page = look.show("5&v=play&p=3.AAM")
    expect(page.locator("#answer .verdict")).to_be_visible()
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(page.locator("#paper h1")).to_have_text("5×5 board, open")
    expect(page.locator("#paper .trail")).to_be_visible()
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    page.emulate_media(media="null")
    assert len(re.findall(rb"/Type\s*/Page\b", page.pdf())) == 1


@pytest.mark.parametrize(
    ("board", "count", "verdict"),
    [("4x5", 20, "Put the knight"), ("4:-b2", 15, "There is no"), ("hex:3", 19, "There is no")],
)
def test_keys_reach_every_square_and_announce_like_clicks(look, expect, board, count, verdict):
    page = look.show(f"{board}&v=play")
    expect(page.locator(VERDICT)).to_contain_text(verdict)
    live = page.locator("#live")
    expect(live).to_contain_text(verdict)
    page.locator(".board-box").focus()

    def said(act) -> str:
        page.evaluate("document.getElementById('live').textContent = ''")
        act()
        # The words of the restart before may come late.
        expect(live).not_to_have_text(re.compile(r"^\s*$|^Restarted. Undo restores your game"))
        return live.inner_text().strip()

    def press(key: str) -> str:
        return said(lambda: page.keyboard.press(key)).split(",")[0]

    heard: dict[str, tuple[str, str]] = {}
    name = ""
    while name != (name := press("ArrowUp")):
        pass
    # Each row to both of its ends, and then the next one.
    for way in ("ArrowLeft", "ArrowRight") * 10:
        while True:
            box = page.locator(".cursor").bounding_box()
            if name not in heard:
                by_key = said(lambda: page.keyboard.press("Enter"))
                page.keyboard.press("r")
                x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
                heard[name] = (by_key, said(lambda x=x, y=y: page.mouse.click(x, y)))
                page.keyboard.press("r")
            before, name = name, press(way)
            if name == before:
                break
        if way == "ArrowRight":
            name = press("ArrowDown")
        if sum("hole" not in words for words, _ in heard.values()) >= count:
            break
    assert sum("hole" not in words for words, _ in heard.values()) == count
    assert all(by_key == by_click for by_key, by_click in heard.values())


@pytest.fixture(scope="module")
def lively(module_opener):
    """A page with animations."""
    return module_opener(reduced_motion="no-preference")


def last_moves(look, tour: kt.Tour, left: int, *, closed: int = 0) -> str:
    """Return a link to a game with this number of squares left."""
    board = tour.board
    return f"{board.rows}x{board.cols}&c={closed}&v=play&p={look.coded(board, tour.order[:-left])}"


@pytest.mark.parametrize("motion", ["lively", "look"])
def test_knight_slides_and_a_pen_draws_the_knot_with_motion(request, expect, motion):
    look = request.getfixturevalue(motion)
    tour = kt.find_tour((5, 5), start="a1")
    page = look.show(last_moves(look, tour, 2))
    expect(page.locator(VERDICT)).to_contain_text("23 of 25")
    page.evaluate(
        """() => {
            window.slides = 0;
            const layer = document.querySelector(".layer-knight");
            const animate = layer.animate;
            layer.animate = function (...words) { window.slides += 1; return animate.apply(this, words); };
        }"""
    )
    for square in tour.order[-2:].tolist():
        click_square(page, tour.board.square_name(divmod(square, 5)), 5, 5)
    expect(page.locator(VERDICT)).to_contain_text("Done: a tour of all 25 squares!")
    assert page.evaluate("window.slides") == int(motion == "lively")
    line = page.locator(".knot-line.is-new")
    expect(line).to_have_count(24)
    expect(line.last).to_have_css("animation-name", "draw" if motion == "lively" else "none")
    expect(page.locator(".knot-pen")).to_have_css("animation-name", "write" if motion == "lively" else "none")


def test_impossible_game_is_announced_before_playing(look, expect):
    page = look.show("5&c=1&v=play")
    none = kt.solve((5, 5), closed=True)
    expect(page.locator(VERDICT)).to_have_text("There is no closed tour of the 5×5 board")
    expect(page.locator("#answer .reason")).to_contain_text(none.reason[1:])
    expect(page.locator("#answer cite")).to_have_text(none.source)
    expect(page.locator("#live")).to_contain_text("There is no closed tour of the 5×5 board")
    click_square(page, "a1", 5, 5)
    expect(page.locator(VERDICT)).to_have_text("1 of 25 squares, 2 ways on")
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(page.locator(VERDICT)).to_have_text("There is no closed tour of the 5×5 board")
    look.show("5&v=play")
    expect(page.locator(VERDICT)).to_have_text("Put the knight on any square.")
    expect(page.locator("#answer .reason")).to_have_count(0)


def test_one_button_leads_back_from_a_dead_end(look, expect):
    page = look.show("5&v=play")
    board = kt.Board(5, 5)
    order = [board.square(name) for name in ("a1", "b3", "a5")]
    # The square with the most ways on leads to a dead end soon.
    while free := [s for s in board.neighbors(board.square_name(order[-1])) if s not in order]:
        order.append(max(free, key=lambda s: (sum(t not in order for t in board.neighbors(board.square_name(s))), s)))
    assert len(order) < 25
    for square in order:
        click_square(page, board.square_name(square), 5, 5)
    expect(page.locator(VERDICT)).to_contain_text("A dead end, with")
    steps = {board.square_name(square): k for k, square in enumerate(order, 1)}
    longest = max(
        k
        for k in range(1, len(order))
        if kt.solve(board, given={name: step for name, step in steps.items() if step <= k}).status.value == "found"
    )
    back = page.get_by_role("button", name="to a position that can still be finished")
    expect(back).to_contain_text(f"Back {len(order) - longest} move")
    back.click()
    assert played(look) == [r * 5 + c for r, c in order[:longest]]
    expect(back).to_be_hidden()
    page.get_by_role("button", name="Can it still be finished?").click()
    expect(page.get_by_text("Yes, it can be finished.")).to_be_visible()
    # All moves back are one step that can be undone.
    page.get_by_role("button", name="Undo").click()
    assert played(look) == [r * 5 + c for r, c in order]


def test_unfinishable_position_is_explained(look, expect):
    page = look.show("5&v=play")
    click_square(page, "a2", 5, 5)
    page.get_by_role("button", name="Can it still be finished?").click()
    notice = page.locator("p.notice.bad:visible")
    expect(notice).to_contain_text("No, from here it cannot be finished. ")
    assert notice.inner_text().strip().endswith(".") and " ms" not in notice.inner_text()
    expect(page.get_by_role("button", name="Back to the start: no tour begins on a2")).to_be_visible()


def test_play_begins_with_the_easiest_level_that_was_not_won(opener, expect):
    own = opener(width=390, height=844)
    page = own.page
    page.get_by_role("link", name="Play", exact=True).click()
    expect(page.locator(".board-box")).to_have_attribute("aria-label", "25 squares, 0 visited")
    own.open("levels").locator("button.level").nth(1).click()
    # The drawer is closed, and the board is in sight.
    expect(page.locator("#levels")).to_be_hidden()
    expect(page.locator(".board-box")).to_have_attribute("aria-label", "30 squares, 0 visited")
    record = '{"5&v=play": {"stars": 3, "seconds": 9}, "5": {"stars": 3, "seconds": 9}}'
    page.evaluate("record => localStorage.setItem('records', record)", record)
    page.goto(f"{page.url.partition('#')[0]}#play")
    page.reload()
    expect(page.locator(".board-box")).to_have_attribute("aria-label", "30 squares, 0 visited")
    # A link contains its board.
    own.show("8&c=1&v=play")
    expect(page.locator(".board-box")).to_have_attribute("aria-label", "64 squares, 0 visited")
