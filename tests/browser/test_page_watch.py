"""Watching searches on the page: the player, and what it shows."""

from __future__ import annotations

import itertools
import re

import pytest

import knightstour as kt
from knightstour.core.model.trace import Event, Trace, View, last_view

BACKTRACKING = "5&v=watch&a=e1&r=1&w=backtracking"
WARNSDORFF = "8&v=watch&a=a1&r=1&w=warnsdorff"
MERGE = "8&v=watch&c=1&r=1&w=merge"


Frames = list[list[Event]]


def frames_of(board: str, method: str, **question) -> Frames:
    """The events of the library's own trace, those of one step of the page together."""
    trace = Trace(20_000)
    kt.solve(board, method=method, rng=1, trace=trace, **question)
    frames: Frames = []
    for event in trace:
        if frames and (event.kind in ("candidates", "count") or frames[-1][-1].kind == "stage"):
            frames[-1].append(event)
        else:
            frames.append([event])
    return frames


def view_at(board: str, frames: Frames, frame: int) -> View:
    """The library's view of the board after `count` steps."""
    return last_view([event for events in frames[:frame] for event in events], board)


def seek(page, frame: int) -> None:
    page.get_by_role("slider", name="Step").evaluate(
        "(slider, value) => { slider.value = value; slider.dispatchEvent(new Event('input')); }", frame
    )


def recorded(look, expect, address: str):
    """The page with a whole recording, standing at its beginning."""
    page = look.show(address)
    expect(page.locator("#answer .verdict")).not_to_contain_text("Looking for")
    # Keys are for the page, not for a button that was pressed before.
    page.evaluate("document.activeElement.blur()")
    return page


def counters(lane) -> dict[str, int]:
    """What a lane counts, by name."""
    names = lane.locator("dt").all_inner_texts()
    return {
        name: int(text.replace(",", "")) for name, text in zip(names, lane.locator("dd").all_inner_texts(), strict=True)
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
    picture = page.locator(".lane svg.board")
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
    assert (shown["moves"], shown["failed moves"], shown["dead ends"]) == (
        wanted.counters["moves"],
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
    # It plays to the end and stops there by itself.
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


def test_the_end_of_a_search_says_how_it_came_out(look, expect):
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
    look.show("7&v=watch&a=a1&r=1&w=backtracking")
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


def test_watching_a_search_for_a_tour_that_does_not_exist_shows_the_reason(look, expect):
    page = look.show("4x8&v=watch&c=1&w=backtracking")
    expect(page.locator("#answer .verdict")).to_have_text("There is no closed tour of the 4×8 board")
    expect(page.locator("#answer cite")).to_have_text(kt.solve((4, 8), closed=True).source)


def test_whoever_changes_the_method_by_key_stays_there(look, expect):
    page = recorded(look, expect, "8&v=watch&a=a1&r=1&w=rotation")
    page.locator("#watched").evaluate("part => { part.open = true; }")
    method = page.locator("#watched").get_by_label("Method", exact=True)
    method.press("ArrowUp")
    expect(page.locator(".lane h2")).to_have_text("merge")
    expect(method).to_be_focused()
    method.press("ArrowUp")
    expect(page.locator(".lane h2")).to_have_text("warnsdorff")
    expect(method).to_be_focused()
    expect(page).to_have_url(re.compile("w=warnsdorff"))


def test_motion_is_left_to_those_who_want_it(look, expect):
    page = look.page
    look.show(WARNSDORFF)
    expect(page.locator(".count")).to_have_text(re.compile(r"^0 / 6"))
    expect(play(page)).to_be_visible()
    page.emulate_media(reduced_motion="no-preference")
    look.show(MERGE)
    expect(page.locator(".count")).to_have_text(re.compile(r"^[1-9]\d* / "))
    page.emulate_media(reduced_motion="reduce")


def test_on_a_narrow_screen_the_answer_stands_above_the_views(opener, expect):
    look = opener(width=360, height=740)
    page = recorded(look, expect, "8&v=watch&a=a1&r=1&w=backtracking")
    page.get_by_role("button", name="To the end").click()
    verdict = page.locator("#answer .verdict")
    expect(verdict).to_have_text("Found: open tour of the 8×8 board from a1")
    views = page.get_by_role("navigation", name="Views").bounding_box()
    shown = verdict.bounding_box()
    assert shown["y"] > 0 and shown["y"] + shown["height"] <= views["y"]
    # Nothing covers anything else, or beyond the screen.
    parts = ["#answer .verdict", ".transport-bar", ".speed-bar", ".scrub-bar", ".now", ".counters"]
    boxes = [page.locator(part).bounding_box() for part in parts]
    assert all(box["x"] >= 0 and box["x"] + box["width"] <= 360 for box in boxes)
    for before, after in itertools.pairwise([boxes[0], boxes[1], boxes[3]]):
        assert before["y"] + before["height"] <= after["y"]
    assert boxes[4]["y"] + boxes[4]["height"] <= boxes[5]["y"]
    assert boxes[1]["x"] + boxes[1]["width"] <= boxes[2]["x"] and look.wrong == []


@pytest.mark.parametrize(("width", "height"), [(360, 740), (1280, 850)])
def test_a_search_and_its_player_are_on_the_screen_at_once(opener, expect, width, height):
    look = opener(width=width, height=height)
    page = recorded(look, expect, MERGE)
    # By key: a click would first scroll to where it is made.
    page.locator("body").press("End")
    expect(page.locator("#answer")).to_contain_text("Found")
    bottom = page.get_by_role("navigation", name="Views").bounding_box()["y"] if width == 360 else height
    player = page.get_by_role("group", name="Player").bounding_box()
    box = page.locator(".lane .board-box").bounding_box()
    # The player is below the board, or beside it.
    is_beside = box["x"] + box["width"] <= player["x"]
    assert box["y"] > 0 and box["y"] + box["height"] <= (bottom if is_beside else player["y"]) and box["width"] > 150
    assert player["y"] + player["height"] <= bottom
