"""Tests of the player for searches and tours: buttons, keys and display."""

import re

import pytest

import knightstour as kt
from helpers.clicks import click_square
from helpers.watched import last_view
from knightstour.core.model.trace import Event, Trace, View

pytestmark = pytest.mark.hosts

BACKTRACKING = "5&v=watch&a=e1&r=1&m=backtracking"
WARNSDORFF = "8&v=watch&a=a1&r=1&m=warnsdorff"
MERGE = "8&v=watch&c=1&r=1&m=merge"


Frames = list[list[Event]]


def frames_of(board: str, method: str, **question) -> Frames:
    """Return the events of the library's trace, grouped by the steps of the page."""
    trace = Trace(20_000)
    kt.solve(board, method=method, seed=1, trace=trace, **question)
    frames: Frames = []
    for event in trace:
        if frames and (event.kind in ("candidates", "count") or frames[-1][-1].kind == "stage"):
            frames[-1].append(event)
        else:
            frames.append([event])
    return frames


def view_at(board: str, frames: Frames, frame: int) -> View:
    """Return the library's view of the board after `frame` steps."""
    return last_view([event for events in frames[:frame] for event in events], board)


def seek(page, frame: int) -> None:
    page.get_by_role("slider", name="Step").evaluate(
        "(slider, value) => { slider.value = value; slider.dispatchEvent(new Event('input')); }", frame
    )


def recorded(look, expect, address: str):
    """Open a complete recording at its beginning."""
    page = look.show(address)
    expect(page.locator("#answer .verdict")).not_to_contain_text("Looking for")
    # Keys are for the page, not for a button that was pressed before.
    page.evaluate("document.activeElement.blur()")
    return page


def counters(part) -> dict[str, int]:
    """Return the visible counters by name."""
    names = part.locator("dt").all_inner_texts()
    return {
        name: int(text.replace(",", "")) for name, text in zip(names, part.locator("dd").all_inner_texts(), strict=True)
    }


def play(page):
    return page.get_by_role("group", name="Player").get_by_role("button", name="Play")


def ways(page) -> list[str]:
    return sorted(page.locator(".ways").all_text_contents())


def test_candidates_stand_on_the_board_with_their_degrees(look, expect):
    page = recorded(look, expect, WARNSDORFF)
    frames = frames_of("8x8", "warnsdorff", start="a1")
    for frame in (1, 7, 30, 61):
        seek(page, frame)
        wanted = view_at("8x8", frames, frame)
        assert ways(page) == sorted(str(degree) for degree in wanted.candidates.values()), frame
        best = page.locator(".ways.best").all_text_contents()
        assert set(best) == {str(min(wanted.candidates.values()))}


def test_steps_go_forwards_and_back_to_the_very_same_picture(look, expect):
    page = recorded(look, expect, BACKTRACKING)
    picture = page.locator(".board-box svg.board")
    page.get_by_role("button", name="To the beginning").click()
    pictures = [picture.inner_html()]
    for _ in range(12):
        page.get_by_role("button", name="One step on").click()
        pictures.append(picture.inner_html())
    assert len(set(pictures)) == 13
    for before in reversed(pictures[:-1]):
        page.get_by_role("button", name="One step back").click()
        assert picture.inner_html() == before
    # Far away and back, past snapshots.
    seek(page, 380)
    seek(page, 12)
    assert picture.inner_html() == pictures[12]


def test_backtracks_are_seen_and_counted_as_the_library_counts_them(look, expect):
    page = recorded(look, expect, BACKTRACKING)
    frames = frames_of("5x5", "backtracking", start="e1")
    back = next(i + 1 for i, events in enumerate(frames) if i > 200 and events[0].kind == "unvisit")
    seek(page, back)
    assert page.locator(".ghost").count() > 0
    assert page.locator(".retreat").count() > 0
    wanted = view_at("5x5", frames, back)
    shown = counters(page.locator(".comment"))
    assert (shown["nodes"], shown["failed moves"], shown["dead ends"]) == (
        wanted.counters["nodes"],
        wanted.counters["taken_back"],
        wanted.counters["dead_ends"],
    )
    page.get_by_role("button", name="To the end").click()
    whole = view_at("5x5", frames, len(frames))
    assert counters(page.locator(".comment"))["nodes"] == whole.counters["nodes"]
    assert look.tour() == list(whole.tour)
    assert page.locator(".ghost, .retreat, .ways").count() == 0


def test_loops_merge_in_colours(look, expect):
    page = recorded(look, expect, MERGE)
    frames = frames_of("8x8", "merge", closed=True)
    seen = []
    for frame in range(1, len(frames)):
        view = view_at("8x8", frames, frame)
        if not view.links:
            continue
        seek(page, frame)
        loops = page.locator(".loop")
        assert loops.count() == len(view.components), frame
        seen.append(len(view.components))
        classes = {loop.get_attribute("class") for loop in loops.all()}
        assert len(classes) > 1 or loops.count() == 1
    assert max(seen) > 8 and min(seen) == 1
    page.get_by_role("button", name="To the end").click()
    assert page.locator(".trail").count() == 1


def test_it_plays_pauses_and_keeps_the_speed(look, expect):
    page = recorded(look, expect, WARNSDORFF)
    count = page.locator(".count")
    page.get_by_role("button", name="To the beginning").click()
    expect(count).to_have_text(re.compile(r"^0 / 6\d$"))
    page.get_by_label("Speed").select_option("100")
    play(page).click()
    # It stops at the end.
    expect(count).to_have_text(re.compile(r"^(6\d) / \1$"))
    expect(play(page)).to_be_visible()
    page.get_by_label("Speed").select_option("1")
    play(page).click()
    expect(count).to_have_text(re.compile(r"^([1-9]|[1-5]\d) / "))
    page.get_by_role("button", name="Pause").click()
    expect(play(page)).to_be_visible()
    before = count.inner_text()
    page.get_by_label("Speed").select_option("20")
    # Ten steps, were it playing.
    page.wait_for_timeout(500)
    assert count.inner_text() == before


def test_end_of_a_search_reports_its_outcome(look, expect):
    page = recorded(look, expect, WARNSDORFF)
    verdict = page.locator("#answer .verdict")
    expect(verdict).to_have_text("Recorded: a search for an open tour of the 8×8 board from a1")
    assert look.state()["tour"] is None
    page.get_by_role("button", name="To the end").click()
    expect(verdict).to_contain_text("Found: open tour")
    expect(page.locator("#live")).to_contain_text("Found")
    assert len(look.state()["tour"]) == 64
    page.get_by_role("button", name="To the beginning").click()
    expect(verdict).to_contain_text("Found: open tour")


def test_a_search_that_is_recorded_can_be_stopped(look, expect):
    page = look.page
    held: list = []
    page.route("**/api/trace", lambda route: held.append(route))
    look.show("7&v=watch&a=a1&r=1&m=backtracking")
    expect(page.locator("#answer .spinner")).to_be_visible()
    page.locator("#answer").get_by_role("button", name="Stop").click()
    expect(page.locator("#answer .spinner")).to_have_count(0)
    expect(page.locator(".now")).to_have_text("Stopped")
    expect(page.get_by_role("group", name="Player").get_by_role("button", name="Play")).to_be_focused()
    page.unroute("**/api/trace")


def test_the_player_has_keys(look, expect):
    page = recorded(look, expect, WARNSDORFF)
    page.locator("body").press("Home")
    page.locator("body").press("ArrowRight")
    page.locator("body").press("ArrowRight")
    expect(page.locator(".count")).to_have_text(re.compile(r"^2 / "))
    page.locator("body").press("ArrowLeft")
    expect(page.locator(".count")).to_have_text(re.compile(r"^1 / "))
    page.locator("body").press("Space")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    page.locator("body").press("Space")
    expect(page.get_by_role("button", name="Pause")).to_have_count(0)
    page.locator("body").press("End")
    expect(page.locator(".now")).to_contain_text(re.compile("found", re.IGNORECASE))
    # A slider has no use for the space bar: it plays there, too.
    page.get_by_role("slider", name="Step").press("Space")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    page.get_by_role("slider", name="Step").press("Space")
    expect(page.get_by_role("button", name="Pause")).to_have_count(0)


def test_watching_an_impossible_search_shows_the_reason(look, expect):
    page = look.show("4x8&v=watch&c=1&m=backtracking")
    expect(page.locator("#answer .verdict")).to_have_text("There is no closed tour of the 4×8 board")
    expect(page.locator("#answer cite")).to_have_text(kt.solve((4, 8), closed=True).source)


def test_motion_is_left_to_those_who_want_it(look, expect):
    page = look.page
    look.show(WARNSDORFF)
    expect(page.locator(".count")).to_have_text(re.compile(r"^0 / 6"))
    expect(play(page)).to_be_visible()
    page.emulate_media(reduced_motion="no-preference")
    look.show(MERGE)
    expect(page.locator(".count")).to_have_text(re.compile(r"^[1-9]\d* / "))
    page.emulate_media(reduced_motion="reduce")


# ---------------------------------------------------------------- replays


COUNT = "#transport .replay .count"


@pytest.fixture(scope="module")
def tour() -> kt.Tour:
    return kt.find_tour((5, 6), closed=True, seed=1)


def points(page) -> int:
    """Return the squares on the visible line."""
    line = page.locator(".board-box .trail")
    return line.get_attribute("d").count("L") + 1 if line.count() else 1


def replayed(page, expect) -> None:
    """Start the replay, which waits at its beginning with reduced motion."""
    page.get_by_role("button", name="Replay").click()
    expect(page.locator(COUNT)).to_be_visible()


def check_tour(page, tour: kt.Tour) -> None:
    page.get_by_label("Paste it here").fill(tour.to_text("algebraic"))
    page.get_by_role("button", name="Check", exact=True).click()


@pytest.mark.parametrize("view", ["find", "all", "check"])
def test_every_view_with_a_tour_can_replay_it(look, expect, tour, view):
    page = look.show("7") and look.show(f"{look.linked(tour)}&v={view}")
    if view == "check":
        check_tour(page, tour)
    if view == "all":
        expect(page.locator("#answer .verdict")).to_contain_text("Tour number")
    replayed(page, expect)
    count = page.locator(COUNT)
    expect(count).to_have_text("0 / 30")
    expect(page.locator(".board-box .knight")).to_have_count(1)
    # Motion is unwanted here: it waits. The focus is on the button that plays.
    expect(page.locator("#transport").get_by_role("button", name="Play")).to_be_focused()
    page.get_by_role("button", name="One step on").click()
    page.get_by_role("button", name="One step on").click()
    expect(count).to_have_text("2 / 30")
    assert points(page) == 3
    expect(page.locator("#live")).to_contain_text(f"Step 2 of 30: {tour.board.square_name(tour.squares[2].tolist())}")
    page.keyboard.press("ArrowLeft")
    expect(count).to_have_text("1 / 30")
    slider = page.get_by_role("slider", name="Step")
    slider.focus()
    slider.press("End")
    expect(count).to_have_text("30 / 30")
    assert points(page) == 31
    page.get_by_role("button", name="End the replay").click()
    expect(count).to_have_count(0)
    expect(page.get_by_role("button", name="Replay")).to_be_visible()
    assert points(page) == 31
    assert look.tour() == tour.order.tolist()


def test_it_plays_at_once_where_motion_is_welcome(opener, expect):
    lively = opener(reduced_motion="no-preference")
    page = lively.show("5")
    expect(page.locator("#answer .verdict")).to_have_text("Open tour of the 5×5 board")
    page.keyboard.press("p")
    expect(page.locator("#transport").get_by_role("button", name="Pause")).to_be_visible()
    expect(page.locator(COUNT)).to_have_text(re.compile(r"^[1-9]\d* / 24"))
    page.get_by_role("slider", name="Step").fill("3")
    expect(page.locator("#transport").get_by_role("button", name="Play")).to_be_visible()
    page.get_by_role("combobox", name="Speed").select_option("1000")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press(" ")
    expect(page.locator(COUNT)).to_have_text("24 / 24")
    expect(page.locator("#live")).to_contain_text("The tour is complete")
    page.keyboard.press("Home")
    expect(page.locator(COUNT)).to_have_text("0 / 24")
    page.keyboard.press("Escape")
    expect(page.locator(COUNT)).to_have_count(0)
    assert lively.wrong == []


@pytest.mark.parametrize("how", ["another view", "another start", "another tour", "turned"])
def test_something_else_ends_a_replay(look, expect, tour, how):
    page = look.show("7") and look.show(look.linked(tour))
    replayed(page, expect)
    if how == "another view":
        page.get_by_role("link", name="Play", exact=True).click()
    elif how == "another start":
        click_square(page, "a1", 5, 6)
    elif how == "another tour":
        page.get_by_role("button", name="Another tour").click()
    else:
        look.open("look").get_by_role("button", name="Turn right").click()
    expect(page.locator(COUNT)).to_have_count(0)
    expect(page.locator("body")).not_to_have_class("is-replaying")
    if how == "another view":
        page.get_by_role("link", name="Explore").click()
    expect(page.get_by_role("button", name="Replay")).to_be_visible()
    assert page.locator(".board-box .trail").count() == 1


def test_changed_style_continues_at_the_same_step(look, expect, tour):
    page = look.show("7") and look.show(look.linked(tour))
    replayed(page, expect)
    page.get_by_role("slider", name="Step").fill("7")
    expect(page.locator(COUNT)).to_have_text("7 / 30")
    look.open("look").get_by_role("button", name="Step numbers").click()
    assert page.locator(".board-box .number").all_text_contents() == [str(n) for n in range(1, 9)]
    expect(page.locator(COUNT)).to_have_text("7 / 30")
    look.open("look").get_by_role("button", name="Step numbers").click()


def test_landscape_phone_shows_the_player_beside_the_board(opener, expect):
    page = opener(844, 390).show("8&c=1")
    replayed(page, expect)
    player = page.locator("#transport").bounding_box()
    board = page.locator("svg.board").bounding_box()
    assert board["x"] + board["width"] <= player["x"]
    assert max(box["y"] + box["height"] for box in (player, board)) <= 390


@pytest.mark.parametrize("has_numbers", [False, True])
def test_long_path_redraws_only_new_parts(look, expect, has_numbers):
    page = look.show("20&c=1&m=merge&r=1")
    expect(page.locator("#answer .verdict")).to_have_text("Closed tour of the 20×20 board")
    look.show(f"20&c=1&m=merge&r=1&n={int(has_numbers)}")
    expect(page.locator(".trail").first).to_be_visible()
    tour = look.tour()
    replayed(page, expect)
    lines = page.locator(".board-box .trail")
    marked = "document.querySelectorAll('.board-box [data-seen]').length"
    for step in (300, 310, 290):
        page.get_by_role("slider", name="Step").fill(str(step))
        expect(page.locator(COUNT)).to_have_text(f"{step} / 400")
        drawn = [line.get_attribute("d")[1:].split("L") for line in lines.all()]
        assert all(one[-1] == two[0] for one, two in zip(drawn, drawn[1:], strict=False)), "the line has no gap"
        corners = [drawn[0][0], *(corner for part in drawn for corner in part[1:])]
        assert corners == [f"{40 * (s % 20) + 20} {40 * (s // 20) + 20}" for s in tour[: step + 1]]
        if has_numbers:
            assert page.locator(".board-box .number").count() == step + 1
        if step == 300:
            marks = "document.querySelectorAll('.board-box :is(.trail, .number)')"
            page.evaluate(f"{marks}.forEach((each) => {{ each.dataset.seen = 1; }})")
    # Elements of step 300 remain, except undone ones and the last stretches.
    assert page.evaluate(marked) >= (290 if has_numbers else 5)
    page.get_by_role("button", name="To the end").click()
    expect(lines).to_have_count(1)


# ---------------------------------------------------------------- how the tour on the board was found


ORIGIN = "#panel .origin"


def test_watch_shows_the_search_that_found_the_tour(look, expect):
    page = look.show("7") and look.show("8&c=1&m=rotation&r=7")
    expect(page.locator("#question-how .how")).to_contain_text("rotation")
    # Another seed than that of the question.
    look.another(expect)
    tour = look.tour()
    assert tour != kt.find_tour((8, 8), closed=True, method="rotation", seed=7).order.tolist()
    look.choose("watch")
    expect(page.locator("#answer .verdict")).to_contain_text("Recorded")
    expect(page.locator("[data-board]")).to_have_attribute("aria-label", re.compile("^rotation: "))
    expect(page.locator(ORIGIN)).to_be_hidden()
    page.locator("body").press("End")
    expect(page.locator("#answer .verdict")).to_contain_text("Found")
    assert look.tour() == tour


def test_construction_is_reported_and_a_search_starts_alike(look, expect):
    page = look.show("7") and look.show("8&c=1")
    expect(page.locator("#question-how .how")).to_contain_text("explicit")
    name = kt.Board(8, 8).square_name(divmod(look.tour()[0], 8))
    look.choose("watch")
    expect(page.locator(ORIGIN)).to_have_text(
        f"This tour was constructed, not searched for. This search finds a tour from {name}."
    )
    expect(page.locator("#answer .verdict")).to_have_text(
        f"Recorded: a search for a closed tour of the 8×8 board from {name}"
    )
    page.locator("body").press("Home")
    page.locator("body").press("ArrowRight")
    expect(page.locator(".now")).to_contain_text(name)


def test_another_tour_and_conditions_stay_while_a_question_is_open(look, expect):
    page = look.show("7") and look.show("8&c=1&m=rotation&r=7")
    expect(page.locator("#answer .verdict")).to_have_text("Closed tour of the 8×8 board")
    names = page.locator(".questions > section > h2").all_text_contents()
    again = page.get_by_role("button", name="Another tour")
    for view in ("watch", "count"):
        look.choose(view)
        expect(page.locator(f"body[data-part={view}]")).to_have_count(1)
        expect(again).to_be_visible()
        assert page.locator(".questions > section > h2").all_text_contents() == names
    look.choose("watch")
    before = look.tour()
    again.click()
    expect(page.locator("#answer .verdict")).to_contain_text("Recorded")
    expect(page).not_to_have_url(re.compile(f"t={look.coded(kt.Board(8, 8), before)}"))
    tour = look.tour()
    page.locator("body").press("End")
    expect(page.locator("#answer .verdict")).to_contain_text("Found")
    assert look.tour() == tour != before


def test_machine_events_are_reported_where_requested(look, expect):
    page = look.show("7") and look.show("8&a=a1&z=h8")
    expect(page.locator("#answer .verdict")).to_contain_text("There is no open tour")
    expect(page.locator("#answer")).not_to_contain_text("nodes")
    page.get_by_role("button", name="Why does no search find one?").click()
    expect(page.locator("#question-how .how")).to_contain_text("nodes")
