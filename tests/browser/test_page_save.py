"""Giving a tour away on the page: sizes, progress, the web page, sharing, paper; and a server that is gone."""

from __future__ import annotations

import io
import re

import pytest
from PIL import Image

import knightstour as kt
from browser.conftest import IS_FOLDER


@pytest.fixture(scope="module")
def tour() -> kt.Tour:
    return kt.find_tour((5, 6), closed=True, rng=1)


def opened(look, tour: kt.Tour, more: str = ""):
    page = look.show(look.linked(tour) + more)
    look.saving()
    return page


def saved(page, name: str) -> bytes:
    with page.expect_download() as download:
        page.get_by_role("button", name=f"Save as {name}").click()
    return download.value.path().read_bytes()


def test_pictures_have_the_size_that_is_asked_for(look, expect, tour):
    page = opened(look, tour)
    size = page.get_by_role("spinbutton", name="Size in pixels")
    size.fill("300")
    for name in ("PNG",) if IS_FOLDER else ("PNG", "GIF"):
        with Image.open(io.BytesIO(saved(page, name))) as picture:
            assert max(picture.size) == 300
    assert b'width="300"' in saved(page, "SVG")
    expect(page.locator("#save [role=status]")).to_have_text("Saved tour-5x6-closed.svg")
    for wrong in ("15", "4001", "100.5", "-3"):
        size.fill(wrong)
        expect(page.locator("#save [role=alert]")).to_contain_text("16 to 4,000 pixels")
        page.get_by_role("button", name="Save as PNG").click()
        expect(size).to_be_focused()
    size.fill("")
    expect(page.locator("#save [role=alert]")).to_be_hidden()


def test_a_web_page_is_saved_that_holds_the_tour(look, expect, tour):
    page = opened(look, tour, "&s=curve")
    data = saved(page, "Web page").decode()
    assert data == kt.drawing.draw_html(tour, style="curve")
    expect(page.locator("#save")).to_contain_text("This link opens on this computer alone")


def test_a_moving_picture_shows_how_far_it_is_and_can_be_cancelled(look, expect):
    page = opened(look, kt.find_tour((40, 40), rng=1))
    page.get_by_role("spinbutton", name="Size in pixels").fill("1000")
    page.get_by_role("button", name="Save as GIF").click()
    note = page.locator("#save [role=status]")
    expect(note).to_contain_text(re.compile(r"frame \d+ of \d+"))
    expect(note.get_by_role("progressbar")).to_have_attribute("max", re.compile(r"\d+"))
    note.get_by_role("button", name="Cancel").click()
    expect(note).to_have_text("Nothing was saved.")
    expect(page.get_by_role("button", name="Save as GIF")).to_be_focused()
    page.get_by_role("spinbutton", name="Size in pixels").fill("")


SHARING = """window.shared = new Promise((done) => { navigator.share = async (what) => done(what); });
navigator.canShare = (what) => (what.files ?? []).every((file) => file.type === "text/html");"""


def test_where_links_open_nothing_the_file_is_shared(opener, tour):
    look = opener()
    look.page.add_init_script(SHARING)
    look.page.reload()
    look.page.locator("html[data-ready]").wait_for(state="attached")
    page = opened(look, tour)
    page.locator("#save").get_by_role("button", name="Share", exact=True).click()
    script = "async () => { const { files: [file], url } = await shared; return [file.name, await file.text(), !url]; }"
    assert page.evaluate(script) == ["tour-5x6-closed.html", kt.drawing.draw_html(tour), True]
    assert look.wrong == []


@pytest.mark.parametrize(
    ("host", "is_here"),
    [("localhost", True), ("127.0.0.1", True), ("127.1.2.3", True), ("[::1]", True), ("192.168.0.7", False)],
)
def test_which_links_open_on_this_computer_alone(look, host, is_here):
    assert look.module("model/addresses", "(addresses, host) => addresses.isHere(host)", host) is is_here


def test_one_sheet_of_paper_has_picture_caption_and_facts(look, expect, tour):
    page = opened(look, tour)
    expect(look.facts().first).to_be_visible()
    page.emulate_media(media="print", color_scheme="dark")
    try:
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        sheet = page.locator("#paper")
        expect(sheet.locator("h1")).to_have_text("Closed tour of the 5×6 board")
        expect(sheet.locator("svg .trail")).to_be_visible()
        expect(sheet.locator("dl")).to_contain_text("Crossings")
        expect(sheet.locator(".address")).to_contain_text("#5x6&c=1")
        expect(page.locator(".top")).to_be_hidden()
        expect(page.locator("#side")).to_be_hidden()
        assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == "rgb(255, 255, 255)"
        page.evaluate("dispatchEvent(new Event('afterprint'))")
        expect(sheet).to_be_empty()
        page.locator("#as-diagram").evaluate("box => { box.checked = true; }")
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        expect(sheet.locator(".number")).to_have_count(30)
        expect(sheet.locator(".trail")).to_be_hidden()
    finally:
        page.evaluate("dispatchEvent(new Event('afterprint'))")
        page.locator("#as-diagram").evaluate("box => { box.checked = false; }")
        page.emulate_media(media="null", color_scheme="light")
    pdf = page.pdf()
    pages = re.findall(rb"/Type\s*/Page\b", pdf)
    assert len(pages) == 1, "it is one sheet"


def test_without_the_server_the_page_says_so_and_what_still_works(opener, expect):
    look = opener()
    page = look.show("5x6&c=1")
    expect(page.locator("#answer .verdict")).to_have_text("Closed tour of the 5×6 board")
    look.context.set_offline(True)
    page.get_by_role("button", name="Another tour").click()
    expect(page.locator("#answer .notice")).to_contain_text("The server does not answer.")
    expect(page.locator("#answer .notice")).to_contain_text("you can play")
    # Which is true: legal moves and styles need no server.
    look.open("look").get_by_role("radio", name="Curve").check(force=True)
    expect(page.locator(".trail")).to_have_attribute("d", re.compile("C"))
    look.show("5x6&v=play&p=1.A")
    expect(page.locator(".legal").first).to_be_visible()
    assert [word for word in look.wrong if "ERR_INTERNET_DISCONNECTED" not in word] == []
