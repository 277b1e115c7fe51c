"""The views about many tours: counts, samples, listings, the table of methods; and a tour that is improved."""

from __future__ import annotations

import re


def test_a_count_says_the_number_and_a_small_board_is_counted_unasked(look, expect):
    page = look.show("5x6&v=count&c=1")
    page.get_by_role("button", name="Count", exact=True).last.click()
    expect(page.locator("#answer .figure")).to_have_text("8")
    page.get_by_label("Count turned and mirrored tours once").check()
    page.get_by_role("button", name="Count", exact=True).last.click()
    expect(page.locator("#answer .figure")).to_have_text("3")
    look.show("5&v=count&c=1")
    expect(page.locator("#answer .figure")).to_have_text("0")
    expect(page.locator("#answer cite")).to_contain_text("Schwenk")


def test_a_count_names_the_sequences_that_have_it(look, expect):
    page = look.show("6&v=count&c=1")
    page.get_by_label("Count turned and mirrored tours once").uncheck()
    page.get_by_role("button", name="Count", exact=True).last.click()
    expect(page.locator("#answer .figure")).to_have_text("9,862")
    terms = page.locator("#answer .terms")
    terms.get_by_text("In 4 sequences of the OEIS").click()
    expect(terms).to_contain_text("Term 3 of A001230: undirected closed tours of 2n x 2n boards.")
    expect(terms.get_by_text("It shows the same number")).to_have_count(4)
    look.show("6&v=count&c=1&s=a1")
    expect(page.locator("#answer .terms")).to_have_count(0)


def test_a_number_that_is_known_is_shown_at_once_and_can_be_counted(look, expect):
    page = look.show("8&v=count&c=1")
    expect(page.locator("#answer .figure")).to_have_text("13,267,364,410,532")
    expect(page.locator("#answer cite")).to_have_text("OEIS A001230, a(4)")
    page.get_by_role("button", name="Count it yourself").click()
    expect(page.locator("#answer .spinner")).to_have_count(1)


def test_a_count_can_be_estimated_and_its_effort_shown(look, expect):
    page = look.show("8&v=count&c=1")
    page.get_by_role("radio", name="Effort").check()
    page.get_by_role("button", name="Show the effort").click()
    expect(page.locator("#answer .verdict")).to_have_text("An exact count is possible")
    expect(page.locator("#answer .facts")).to_contain_text("halves")
    page.get_by_role("radio", name="Roughly").check()
    page.get_by_role("button", name="Estimate").click()
    expect(page.locator("#answer .figure")).to_have_text(re.compile("about 1\\.[0-9]+ × 10¹³"))


def test_tours_are_drawn_at_random_or_listed_and_one_can_be_chosen(look, expect):
    page = look.show("5x6&v=many&c=1")
    expect(page.locator("#answer .verdict")).to_have_text("8 random closed tours of the 5×6 board")
    page.get_by_role("radio", name="In order").check()
    expect(page.locator("#answer .verdict")).to_have_text("All 8 closed tours of the 5×6 board")
    expect(page.locator(".thumb")).to_have_count(8)
    page.get_by_role("button", name="Tour 3").click()
    expect(page.locator("#answer .verdict")).to_have_text("Closed tour of the 5×6 board")
    assert look.state()["view"] == "find" and len(look.tour()) == 30


def test_a_sheet_without_tours_shows_the_boards_and_what_to_do(look, expect):
    page = look.show("5x6&v=many&c=1")
    page.get_by_role("radio", name="At random").check(force=True)
    look.show("24&v=many&c=1")
    expect(page.locator("#answer")).to_have_text("Press the button to draw tours of this large board.")
    expect(page.locator(".is-blank .thumb")).to_have_count(6)
    look.show("5&v=many&c=1")
    expect(page.locator("#answer .notice")).to_contain_text("25 is odd")
    expect(page.locator(".thumb")).to_have_count(0)
    look.show("6&v=many&c=1")
    expect(page.locator(".thumb-button")).to_have_count(12)
    expect(page.locator(".is-blank .thumb")).to_have_count(0)


def test_many_tours_are_saved_as_one_sheet(look, expect):
    page = look.show("5x6&v=many&c=1")
    expect(page.locator(".thumb")).to_have_count(8)
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Save the sheet").click()
    text = waiting.value.path().read_text(encoding="utf-8")
    assert text.count("<svg ") == 9


def test_all_methods_are_compared_in_a_table(look, expect):
    page = look.show("6&v=compare&c=1")
    page.locator("#methods summary").click()
    page.get_by_role("button", name="Compare all methods").click()
    row = page.locator("table.methods tr", has=page.get_by_role("rowheader", name="explicit"))
    expect(row).to_contain_text("5 of 5")
    page.locator("#methods").get_by_role("button", name="Stop").click()
    expect(page.locator("#methods [role=status]")).to_have_text("Stopped.")


def test_the_tour_that_is_shown_is_improved(look, expect):
    page = look.show("8&c=1")
    expect(look.facts().first).to_be_visible()
    before = look.tour()
    look.open("question-better")
    page.get_by_role("button", name="Improve for").click()
    expect(page.locator("#improve [role=status]")).to_contain_text("turns before")
    assert look.tour() != before


def test_a_tour_is_improved_in_squares_or_moves_of_ones_own(look, expect):
    page = look.show("6&c=1")
    # The first tour of the page is one of 8x8.
    expect(look.facts().first).to_have_text("36")
    section = page.locator("#improve")
    squares, moves = section.get_by_label("Squares"), section.get_by_label("Moves")
    expect(squares).to_be_hidden()
    section.get_by_label("The tour should have").select_option("among=MOVES")
    expect(moves).to_be_visible()
    section.get_by_label("The tour should have").select_option("most-inside=SQUARES")
    expect(moves).to_be_hidden()
    go, note = section.get_by_role("button", name="Improve for"), section.get_by_role("status")
    go.click()
    expect(note).to_contain_text("names nothing")
    squares.fill("a1..d4 + e5")
    go.click()
    expect(note).to_contain_text("inside=a1..d4+e5")
    squares.fill("z9")
    go.click()
    expect(note).to_contain_text("no square")


def test_small_pictures_have_the_styles_that_the_library_draws(look, expect):
    page = look.show("5x6&v=many&c=1&s=weave")
    page.get_by_role("radio", name="In order").check()
    expect(page.locator(".thumb")).to_have_count(8)
    expect(page.locator(".thumb .served-line.edge")).to_have_count(8)
    expect(page.locator(".thumb-path")).to_have_count(0)
    look.show("5x6&v=many&c=1&s=line")
    expect(page.locator(".thumb .thumb-path")).to_have_count(8)
    look.show("5x6:torus&v=many&c=1&s=mosaic")
    expect(page.get_by_role("status").get_by_text("over joined borders")).to_be_visible()
