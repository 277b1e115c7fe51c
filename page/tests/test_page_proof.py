"""Tests of proofs that no tour exists, step by step on the page's board."""

import pytest

import knightstour as kt

pytestmark = pytest.mark.hosts

STEPS = ".proof-steps"


def step_on(page, times=1):
    for _ in range(times):
        page.get_by_role("button", name="One step on").click()


def test_proof_is_shown_on_the_board_step_by_step(look, expect):
    page = look.show("3x8&c=1")
    scenes = kt.solve((3, 8), closed=True).certificate().scenes
    expect(page.locator(STEPS)).to_be_visible()
    expect(page.locator(".proof .count")).to_have_text("1 / 12")
    expect(page.locator(".proof-title")).to_have_text("Forced moves")
    expect(page.get_by_role("button", name="One step back")).to_be_disabled()
    # Before the first link: the question, and on the board all its moves.
    expect(page.locator(".proof-question")).to_have_text("Is there a closed tour of the 3×8 board?")
    drawn = page.locator(".layer-proof path").get_attribute("d")
    assert drawn.count("M") == 2 * (2 * 6 + 1 * 7), "two moves in each block of 2x3 and of 3x2 squares"
    expect(page.locator(".proof-legend li")).to_have_text(["the moves of the board"])
    step_on(page)
    expect(page.locator(".proof-question")).to_be_hidden()
    expect(page.locator(".proof-sentence")).to_have_text(scenes[0].beats[0])
    expect(page.locator(".layer-proof .proof-forced.proof-line")).to_have_count(1)
    expect(page.locator(".proof-badge text")).to_have_text("1")
    expect(page.locator("#live")).to_contain_text(f"Step 2 of 12. Forced moves. {scenes[0].beats[0]}")
    step_on(page, 9)
    expect(page.locator(".layer-proof .proof-out")).to_have_count(2)
    step_on(page)
    expect(page.locator(".proof-title")).to_have_text("Too many pieces")
    expect(page.locator(".proof-sentence")).to_have_text(scenes[1].sentence)
    letters = page.locator(".layer-proof .proof-text").all_text_contents()
    # The last picture states the conclusion.
    expect(page.locator(".proof-conclusion")).to_have_text("Therefore: There is no closed tour of the 3×8 board.")
    assert sorted(letters) == sorted(mark.text for mark in scenes[1].marks for _ in mark.squares if mark.text)
    expect(page.get_by_role("button", name="One step on")).to_be_disabled()
    assert look.wrong == []


def test_keys_and_buttons_go_through_the_proof(look, expect):
    page = look.show("3x8&c=1")
    expect(page.locator(STEPS)).to_be_visible()
    page.keyboard.press(".")
    expect(page.locator(".proof .count")).to_have_text("2 / 12")
    page.keyboard.press(",")
    expect(page.locator(".proof .count")).to_have_text("1 / 12")
    page.get_by_role("button", name="One step on").focus()
    page.keyboard.press("End")
    expect(page.locator(".proof .count")).to_have_text("12 / 12")
    expect(page.get_by_role("button", name="One step back")).to_be_focused()
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".proof .count")).to_have_text("11 / 12")
    page = look.show("4x8&c=1")
    expect(page.locator(".proof .count")).to_have_text("1 / 2")
    page.get_by_role("button", name="One step on").click()
    expect(page.locator(".proof .count")).to_have_text("2 / 2")
    page.get_by_role("button", name="One step back").click()
    expect(page.locator(".proof .count")).to_have_text("1 / 2")


def test_a_tour_has_no_proof_and_another_question_has_another(look, expect):
    page = look.show("5&c=1")
    expect(page.locator(".proof-title")).to_have_text("Two colours")
    expect(page.locator(".proof-legend")).to_contain_text("13 squares of one colour")
    look.show("6&c=1")
    expect(page.locator("#answer .verdict")).to_have_text("Closed tour of the 6×6 board")
    expect(page.locator(".proof")).to_be_hidden()
    assert page.locator(".layer-proof *").count() == 0
    look.show("4&c=1")
    expect(page.locator(".proof-title")).to_have_text("Inner and outer rows")


def test_conditions_are_drawn_with_their_proof(look, expect):
    page = look.show("5x6&c=1&require=c3-d5,c3-e4")
    expect(page.locator(STEPS)).to_be_visible()
    expect(page.locator(".layer-proof .proof-required")).to_have_count(1)
    page.get_by_role("button", name="One step on").focus()
    page.keyboard.press("End")
    expect(page.locator(".proof-sentence")).to_contain_text("but that closes a loop that lacks squares")
    look.show("6&given=a1=1,f6=4")
    expect(page.locator(".proof-title")).to_have_text("The given numbers")
    expect(page.locator(".layer-proof .proof-text")).to_have_text(["4", "1"])
    expect(page.locator(".proof-sentence")).to_contain_text("cannot both be")


@pytest.mark.parametrize("link", ["hex:3", "3x3x3"])
def test_marks_of_a_cell_board_are_on_its_cells(look, expect, link):
    page = look.show(link)
    marks = page.locator(".layer-proof .proof-text")
    expect(marks.first).to_be_visible()
    board = page.locator("[data-board] .layer-ground").bounding_box()
    for box in (mark.bounding_box() for mark in marks.all()):
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        assert board["x"] <= x <= board["x"] + board["width"] and board["y"] <= y <= board["y"] + board["height"]
