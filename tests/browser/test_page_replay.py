"""Tours replayed on the page: in every view that shows one, with the player's buttons and keys."""

from __future__ import annotations

import re

import pytest

import knightstour as kt
from helpers.clicks import click_square

COUNT = "#transport .replay .count"


@pytest.fixture(scope="module")
def tour() -> kt.Tour:
    return kt.find_tour((5, 6), closed=True, rng=1)


def points(page) -> int:
    """Squares on the line that is seen."""
    line = page.locator(".board-box .trail")
    return line.get_attribute("d").count("L") + 1 if line.count() else 1


def replayed(page, expect) -> None:
    """Begin the replay; it waits at the beginning, since motion is unwanted here."""
    page.get_by_role("button", name="Replay").click()
    expect(page.locator(COUNT)).to_be_visible()


def check_tour(page, tour: kt.Tour) -> None:
    page.get_by_label("Paste it here").fill(kt.format_tour(tour, "algebraic"))
    page.get_by_role("button", name="Check", exact=True).click()


@pytest.mark.parametrize("view", ["find", "all", "check"])
def test_a_tour_is_replayed_step_by_step_in_every_view_that_shows_one(look, expect, tour, view):
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
    expect(page.locator("#live")).to_contain_text(f"Step 2 of 30: {tour.board.name(tour.squares[2].tolist())}")
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


def test_a_replay_plays_to_the_end_at_a_chosen_speed(look, expect, tour):
    page = look.show("7") and look.show(look.linked(tour))
    replayed(page, expect)
    page.get_by_role("combobox", name="Speed").select_option("1000")
    page.keyboard.press("Tab")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press(" ")
    expect(page.locator(COUNT)).to_have_text("30 / 30")
    expect(page.locator("#live")).to_contain_text("The tour is complete")
    # Played again from its end, it begins at the beginning.
    page.keyboard.press("-")
    page.keyboard.press("Home")
    expect(page.locator(COUNT)).to_have_text("0 / 30")
    page.keyboard.press("Escape")
    expect(page.locator(COUNT)).to_have_count(0)


def test_it_plays_at_once_where_motion_is_welcome(opener, expect):
    lively = opener(reduced_motion="no-preference")
    page = lively.show("5")
    expect(page.locator("#answer .verdict")).to_have_text("Open tour of the 5×5 board")
    page.keyboard.press("p")
    expect(page.locator("#transport").get_by_role("button", name="Pause")).to_be_visible()
    expect(page.locator(COUNT)).to_have_text(re.compile(r"^[1-9]\d* / 24"))
    page.get_by_role("slider", name="Step").fill("3")
    expect(page.locator("#transport").get_by_role("button", name="Play")).to_be_visible()
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


def test_what_is_drawn_otherwise_goes_on_at_the_same_step(look, expect, tour):
    page = look.show("7") and look.show(look.linked(tour))
    replayed(page, expect)
    page.get_by_role("slider", name="Step").fill("7")
    expect(page.locator(COUNT)).to_have_text("7 / 30")
    look.open("look").get_by_role("radio", name="Numbers").check()
    assert page.locator(".board-box .number").all_text_contents() == [str(n) for n in range(1, 9)]
    expect(page.locator(COUNT)).to_have_text("7 / 30")
    look.open("look").get_by_role("radio", name="Board").check()


def test_without_a_tour_there_is_nothing_to_replay(look, expect):
    page = look.show("4x8&c=1")
    expect(page.locator("#answer .verdict")).to_have_text("There is no closed tour of the 4×8 board")
    expect(page.get_by_role("button", name="Replay")).to_have_count(0)


@pytest.mark.parametrize("link", ["8&c=1", "8&v=watch"], ids=["find", "watch"])
def test_on_a_phone_on_its_side_board_player_and_sentence_are_seen_together(opener, expect, link):
    look = opener(844, 390)
    page = look.show(link)
    if "watch" in link:
        expect(page.locator("#answer")).to_contain_text("Recorded")
    else:
        replayed(page, expect)
    page.get_by_role("slider", name="Step").fill("20")
    expect(page.locator("#transport .count:visible")).to_contain_text("20 / ")
    player = page.locator("#transport").bounding_box()
    assert player["y"] + player["height"] <= 390
    for board in page.locator("svg.board:visible").all():
        box = board.bounding_box()
        assert box["x"] + box["width"] <= player["x"], "the player is beside the board"
        assert box["y"] + box["height"] <= 390
    for sentence in page.locator(".now:visible").all():
        box = sentence.bounding_box()
        assert box["y"] + box["height"] <= 390


@pytest.mark.parametrize("style", ["Board", "Heat", "Numbers"])
def test_of_a_long_path_only_what_is_new_is_drawn_anew(look, expect, style):
    page = look.show("20&c=1&m=merge&r=1")
    expect(page.locator("#answer .verdict")).to_have_text("Closed tour of the 20×20 board")
    look.show(f"20&c=1&m=merge&r=1&s={style.lower()}")
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
        if style == "Numbers":
            assert page.locator(".board-box .number").count() == step + 1
        if step == 300:
            marks = "document.querySelectorAll('.board-box :is(.trail, .number)')"
            page.evaluate(f"{marks}.forEach((each) => {{ each.dataset.seen = 1; }})")
    # What was drawn at step 300 is there still, but for what was taken back and the last stretches.
    assert page.evaluate(marked) >= (290 if style == "Numbers" else 5)
    page.get_by_role("button", name="To the end").click()
    expect(lines).to_have_count(1)
    look.open("look").get_by_role("radio", name="Board").check()
