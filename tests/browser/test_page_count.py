"""How many tours there are, on the page: counts, estimates, and what a count would take."""

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
