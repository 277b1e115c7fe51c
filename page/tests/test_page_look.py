"""Tests of finished tours: styles, rotations, facts, comparison, files, sharing, and checks."""

import re
from pathlib import Path

import pytest
from PIL import Image

import knightstour as kt
from tests.conftest import STYLES

VERDICT = "#answer .verdict"


@pytest.fixture(scope="module")
def tour() -> kt.Tour:
    return kt.find_tour((5, 6), closed=True, seed=1)


def points(d: str) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in re.findall(r"(-?[\d.]+) (-?[\d.]+)", d)]


@pytest.mark.parametrize("style", STYLES)
def test_each_style_draws_the_tour_as_the_library_does(look, expect, tour, style):
    page = look.show(look.linked(tour) + f"&s={style}")
    expect(look.open("look").get_by_role("radio", name=style.capitalize(), exact=True)).to_be_checked()
    if style == "ribbon":
        expect(page.locator(".knot-line")).to_have_count(30)
        return
    trail = page.locator(".trail").last.get_attribute("d")
    drawn = [(40 * (c + 0.5), 40 * (r + 0.5)) for r, c in tour.squares.tolist()]
    if style == "curve":
        # Three points per move, the third at its end; control points equal the library's.
        ends = points(trail)[0::3]
        assert ends == [*drawn, drawn[0]]
        picture = str(kt.draw(tour, style="curve"))
        first = re.search(r'd="M(\d+) (\d+)c(-?[\d.]+)[ ]?(-?[\d.]+)', picture)
        control = points(trail)[1]
        assert control == (float(first[1]) + float(first[3]), float(first[2]) + float(first[4]))
        return
    assert points(trail) == [*drawn, drawn[0]]
    assert "M0 160h40" in page.locator(".squares-dark").get_attribute("d"), "a1 is dark"


def test_the_tour_is_turned_and_mirrored_as_the_library_does(look, expect, tour):
    page = look.show(look.linked(tour))
    expect(look.facts()).to_be_visible()
    look.open("look").get_by_role("button", name="Turn right").click()
    assert look.tour() == tour.rotated(90).order.tolist()
    expect(page.locator("[aria-controls=setup] .summary-words")).to_contain_text("6×5, closed")
    look.open("look").get_by_role("button", name="Mirror").click()
    assert look.tour() == tour.rotated(90).reflected("vertical").order.tolist()
    look.open("look").get_by_role("button", name="Mirror").click()
    page.get_by_role("button", name="Turn left").click()
    assert look.tour() == tour.order.tolist()
    page.locator("body").press("]")
    assert look.tour() == tour.rotated(90).order.tolist()


def test_the_facts_are_the_librarys(look, expect, tour):
    look.show(look.linked(tour))
    words = f"symmetry .*{tour.symmetry}.* · {tour.turns} turns · {tour.crossings} crossings"
    expect(look.facts()).to_have_text(re.compile(words))


@pytest.mark.parametrize("name", ["SVG", "PNG", "Web page"])
def test_a_tour_is_saved(look, expect, tour, name, tmp_path):
    page = look.show(look.linked(tour))
    look.saving()
    with page.expect_download() as download:
        page.get_by_role("button", name=f"Save as {name}").click()
    path = tmp_path / download.value.suggested_filename
    download.value.save_as(path)
    assert path.name == f"tour-5x6-closed.{ {'Web page': 'html'}.get(name, name.lower()) }"
    # A picture holds the link to its tour, which the library reads; the page reads what the library wrote, and its own.
    if name == "Web page":
        assert path.read_text("utf-8") == str(kt.draw(tour, "html"))
        return
    assert kt.read_tours(path) == [tour]
    look.show("8&v=check")
    page.locator("#check-file").set_input_files(path)
    expect(page.locator(VERDICT)).to_have_text("A closed tour of the 5×6 board")
    assert look.tour() == tour.order.tolist()


@pytest.mark.parametrize("kind", ["png", "svg"])
def test_a_picture_of_the_library_is_checked(look, expect, tour, tmp_path, kind):
    path = tmp_path / f"tour.{kind}"
    tour.save(path)
    page = look.show("8&v=check")
    page.locator("#check-file").set_input_files(path)
    expect(page.locator(VERDICT)).to_have_text("A closed tour of the 5×6 board")
    # A picture without a tour is refused.
    Image.new("RGB", (8, 8)).save(tmp_path / "plain.png")
    page.locator("#check-file").set_input_files(tmp_path / "plain.png")
    expect(page.locator(VERDICT)).to_have_text("This text cannot be read as a tour.")


def test_page_offers_three_styles_and_drops_others(look, expect, tour):
    page = look.show(look.linked(tour))
    expect(look.open("look").locator("#look .segment:visible")).to_have_text([name.capitalize() for name in STYLES])
    look.show(look.linked(tour) + "&s=heat")
    expect(page.locator("#notice")).to_contain_text("“s=heat” is ignored")
    assert look.tour() == tour.order.tolist()


def test_open_problem_with_closed_tour_is_reported_consistently(look, expect):
    tour = kt.find_tour((5, 6), closed=True)
    page = look.show(f"5x6&t={look.coded(tour.board, tour.order)}")
    expect(page.locator("#answer")).to_contain_text("It is closed, too")
    assert len(points(page.locator(".trail").get_attribute("d"))) == 31
    expect(page.locator("circle.end")).to_have_count(0)
    expect(page.locator(".board-box")).to_have_attribute("aria-label", re.compile("closed tour from"))
    look.saving()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as SVG").click()
    assert download.value.suggested_filename == "tour-5x6-closed.svg"
    page.locator("#save > summary").click()
    # A required end stays marked.
    start, end = (tour.board.square_name(square) for square in (tour.start, tour.end))
    look.show(f"5x6&a={start}&z={end}")
    expect(page.locator("circle.end")).to_have_count(1)


def test_pasted_tour_is_checked_and_its_wrong_step_named(look, expect, tour):
    page = look.show("8&v=check")
    box = page.get_by_role("textbox", name="Paste it here")
    check = page.get_by_role("button", name="Check", exact=True).last
    box.fill(tour.to_text("algebraic"))
    check.click()
    expect(page.locator(VERDICT)).to_have_text("A closed tour of the 5×6 board")
    assert look.tour() == tour.order.tolist()
    broken = str(tour).replace(" 7", "31", 1)
    box.fill(broken)
    check.click()
    expect(page.locator(VERDICT)).to_have_text("This is not a tour")
    swapped = tour.order.tolist()
    swapped[10], swapped[20] = swapped[20], swapped[10]
    box.fill(" ".join(tour.board.square_name(divmod(s, 6)) for s in swapped))
    check.click()
    # As the board does, words count from 1.
    expect(page.locator(".reason")).to_have_text(re.compile(r"^Number 11: [a-z]\d to [a-z]\d is not a knight's move"))
    # The path is shown up to the step that is wrong.
    expect(page.locator(".fault")).to_have_count(1)
    assert points(page.locator(".trail").get_attribute("d")) == [
        (40 * (s % 6 + 0.5), 40 * (s // 6 + 0.5)) for s in swapped[:10]
    ]
    box.fill("hello")
    check.click()
    expect(page.locator(VERDICT)).to_have_text("This text cannot be read as a tour.")
    box.fill("")


def test_a_file_is_dropped_anywhere_and_checked(look, expect, tour):
    page = look.show("8&c=1")
    page.evaluate(
        """text => {
            const data = new DataTransfer();
            data.items.add(new File([text], 'tour.txt', {type: 'text/plain'}));
            for (const kind of ['dragenter', 'dragover', 'drop']) {
                document.body.dispatchEvent(new DragEvent(kind, {dataTransfer: data, bubbles: true, cancelable: true}));
            }
        }""",
        str(tour),
    )
    expect(page.locator(VERDICT)).to_have_text("A closed tour of the 5×6 board")
    assert page.locator("body").get_attribute("data-part") == "check"
    expect(page.locator("#drop")).to_be_hidden()


def test_a_file_is_chosen_and_its_tours_are_gone_through(look, expect, tour, tmp_path):
    path: Path = tmp_path / "tours.txt"
    others = [kt.find_tour((5, 6), closed=True, seed=seed, method="rotation") for seed in (1, 2, 3)]
    kt.write_tours(path, others)
    page = look.show("8&v=check")
    page.locator("#check-file").set_input_files(path)
    expect(page.locator(".number-row")).to_contain_text("tour 1 of 3")
    step = page.get_by_role("button", name="Next tour")
    step.press("Enter")
    expect(page.locator(".number-row")).to_contain_text("tour 2 of 3")
    assert look.tour() == others[1].order.tolist()
    # By key they are gone through without looking for the buttons again.
    expect(step).to_be_focused()
    step.press("Enter")
    expect(page.get_by_role("button", name="Previous tour")).to_be_focused()
    assert look.tour() == others[2].order.tolist()


# ---------------------------------------------------------------- giving a tour away


def opened(look, tour: kt.Tour, more: str = ""):
    page = look.show(look.linked(tour) + more)
    look.saving()
    return page


def saved(page, name: str) -> bytes:
    with page.expect_download() as download:
        page.get_by_role("button", name=f"Save as {name}").click()
    return download.value.path().read_bytes()


SHARING = """window.shared = new Promise((done) => { navigator.share = async (what) => done(what); });
navigator.canShare = (what) => (what.files ?? []).every((file) => file.type === "text/html");"""


def test_file_is_shared_if_links_open_nothing(opener, tour):
    look = opener()
    look.page.add_init_script(SHARING)
    look.page.reload()
    look.page.locator("html[data-ready]").wait_for(state="attached")
    page = opened(look, tour)
    page.locator("#save").get_by_role("button", name="Share", exact=True).click()
    script = "async () => { const { files: [file], url } = await shared; return [file.name, await file.text(), !url]; }"
    assert page.evaluate(script) == ["tour-5x6-closed.html", str(kt.draw(tour, "html")), True]
    assert look.wrong == []


@pytest.mark.parametrize(
    ("host", "is_here"),
    [("localhost", True), ("127.0.0.1", True), ("127.1.2.3", True), ("[::1]", True), ("192.168.0.7", False)],
)
def test_which_links_open_on_this_computer_alone(look, host, is_here):
    assert look.module("panels/share", "(share, host) => share.isHere(host)", host) is is_here


def test_one_sheet_of_paper_has_picture_caption_and_facts(look, expect, tour):
    page = opened(look, tour)
    expect(look.facts()).to_be_visible()
    page.emulate_media(media="print", color_scheme="dark")
    try:
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        sheet = page.locator("#paper")
        expect(sheet.locator("h1")).to_have_text("Closed tour of the 5×6 board")
        expect(sheet.locator("svg .trail")).to_be_visible()
        expect(sheet).to_contain_text("crossings")
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


def test_page_without_server_reports_what_still_works(opener, expect):
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
