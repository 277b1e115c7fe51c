"""Playing on the page: leading the knight, help, and whether it can still be finished."""

from __future__ import annotations

import knightstour as kt
from helpers.clicks import click_square

VERDICT = "#answer .verdict"


def played(look) -> list[int] | None:
    """The path that the address holds."""
    return look.state()["played"]


def names(order: list[int] | None, size: int) -> list[str]:
    return [] if order is None else [kt.Board(size, size).name(divmod(s, size)) for s in order]


def test_the_knight_goes_where_it_may_and_says_why_not_elsewhere(look, expect):
    page = look.show("5&v=play")
    expect(page.locator(VERDICT)).to_have_text("Put the knight on any square.")
    click_square(page, "a1", 5, 5)
    expect(page.locator(".legal")).to_have_count(2)
    click_square(page, "c3", 5, 5)
    expect(page.locator("#live")).to_contain_text("No move leads to c3")
    click_square(page, "b3", 5, 5)
    expect(page.locator(VERDICT)).to_have_text("2 of 25 squares, 5 ways on")
    click_square(page, "d4", 5, 5)
    click_square(page, "c2", 5, 5)
    click_square(page, "b3", 5, 5)
    assert names(played(look), 5) == ["a1", "b3", "d4", "c2"] or names(played(look), 5) == ["a1", "b3", "d4"]


def test_moves_are_undone_redone_and_begun_afresh(look, expect):
    page = look.show("5&v=play")
    for name in ("a1", "b3", "d4"):
        click_square(page, name, 5, 5)
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("button", name="Undo").click()
    assert names(played(look), 5) == ["a1"]
    page.get_by_role("button", name="Redo").click()
    assert names(played(look), 5) == ["a1", "b3"]
    page.get_by_role("button", name="Restart").click()
    expect(page.locator(VERDICT)).to_have_text("Put the knight on any square.")
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()
    expect(page.get_by_role("button", name="Redo")).to_be_disabled()


def test_hints_are_warnsdorffs_degrees(look, expect):
    page = look.show("8&v=play")
    page.get_by_label("Hints").check()
    for name in ("a1", "b3", "d4"):
        click_square(page, name)
    board = kt.Board(8, 8)
    near = kt.move_graph(board).neighbour_lists()
    visited = {r * 8 + c for r, c in (board.square(name) for name in ("a1", "b3", "d4"))}
    r, c = board.square("d4")
    wanted = [len(set(near[s]) - visited) for s in near[r * 8 + c] if s not in visited]
    expect(page.locator(".ways")).to_have_count(len(wanted))
    assert sorted(page.locator(".ways").all_text_contents()) == sorted(map(str, wanted))
    page.get_by_label("Hints").uncheck()
    expect(page.locator(".ways")).to_have_count(0)


def test_whether_it_can_be_finished_is_answered_exactly(look, expect):
    page = look.show("5&v=play")
    ask = page.get_by_role("button", name="Can it still be finished?")
    click_square(page, "a1", 5, 5)
    ask.click()
    expect(page.get_by_text("Yes, it can be finished.")).to_be_visible()
    # A walk over all corners' neighbours first leaves corners that cannot be reached.
    for name in ("b3", "c1", "a2", "c3"):
        click_square(page, name, 5, 5)
    path = ["a1", "b3", "c1", "a2", "c3"]
    order = [r * 5 + c for r, c in map(kt.Board(5, 5).square, path)]
    rest = any(tour.order[:5].tolist() == order for tour in kt.iter_tours((5, 5), start="a1", directed=True))
    ask.click()
    wanted = "Yes, it can be finished." if rest else "No, it cannot be finished any more."
    expect(page.get_by_text(wanted)).to_be_visible()


def test_it_can_be_asked_after_every_move_and_the_way_on_is_shown(look, expect):
    page = look.show("5&v=play")
    page.get_by_label("Tell me after every move").check()
    click_square(page, "a2", 5, 5)
    expect(page.get_by_text("No, it cannot be finished any more.")).to_be_visible()
    page.get_by_role("button", name="Restart").click()
    click_square(page, "a1", 5, 5)
    expect(page.get_by_text("Yes, it can be finished.")).to_be_visible()
    page.get_by_role("button", name="Show me how").click()
    expect(page.locator(VERDICT)).to_contain_text("Done: a tour of all 25 squares!")
    tour = kt.Tour.from_order((5, 5), look.tour())
    assert tour.board.name(tour.start) == "a1"
    page.get_by_label("Tell me after every move").uncheck()


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


def test_a_dead_end_is_announced(look, expect):
    page = look.show("3x4&v=play")
    near = kt.move_graph(kt.Board(3, 4)).neighbour_lists()
    path = [0]
    while True:
        free = [s for s in near[path[-1]] if s not in path]
        if not free:
            break
        # The square with the most ways on leads to a dead end soon.
        path.append(max(free, key=lambda s: (len(set(near[s]) - set(path)), s)))
    assert len(path) < 12
    for square in path:
        click_square(page, kt.Board(3, 4).name(divmod(square, 4)), 3, 4)
    expect(page.locator(VERDICT)).to_contain_text("A dead end, with")


def test_a_closed_tour_must_come_back(look, expect):
    open_tour = next(t for t in kt.iter_tours((5, 6), start="a1") if not t.is_closed)
    text = look.coded(open_tour.board, open_tour.order)
    page = look.show(f"5x6&v=play&c=1&p={text}")
    expect(page.locator(VERDICT)).to_have_text("All squares, but no move leads back to the start.")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(VERDICT)).to_contain_text("29 of 30 squares")


def test_the_way_on_is_asked_again_of_a_board_that_was_turned(look, expect):
    page = look.show("5&v=play")
    for name in ("a1", "c2"):
        click_square(page, name, 5, 5)
    page.get_by_role("button", name="Undo").click()
    how = page.get_by_role("button", name="Show me how")
    page.keyboard.press("f")
    expect(how).to_be_visible()
    page.get_by_role("button", name="Turn right").click()
    assert names(played(look), 5) == ["a5"]
    expect(how).to_be_hidden()
    expect(page.get_by_role("button", name="Redo")).to_be_disabled()
    page.get_by_role("button", name="Can it still be finished?").click()
    how.click()
    expect(page.locator(VERDICT)).to_contain_text("Done: a tour of all 25 squares!")
    assert names(look.tour(), 5)[0] == "a5"


def test_before_the_first_move_there_is_nothing_to_ask(look, expect):
    asked: list[str] = []
    page = look.show("8&v=play")
    page.on("request", lambda request: asked.append(request.url))
    expect(page.get_by_role("button", name="Can it still be finished?")).to_be_disabled()
    page.keyboard.press("f")
    page.get_by_label("Tell me after every move").check()
    page.get_by_label("Tell me after every move").uncheck()
    click_square(page, "a1")
    expect(page.get_by_role("button", name="Can it still be finished?")).to_be_enabled()
    assert not any("completable" in url for url in asked)


def test_a_start_that_is_asked_for_is_shown(look, expect):
    page = look.show("8&v=play&a=c3")
    wanted = "Put the knight on c3, where it is to start."
    expect(page.locator(VERDICT)).to_have_text(wanted)
    click_square(page, "a5")
    expect(page.locator("#live")).to_have_text(wanted)
    click_square(page, "c3")
    expect(page.locator(VERDICT)).to_contain_text("1 of 64 squares")
