"""Looking at tours on the page and giving them away: styles, turns, facts, comparison, files, sharing, and checking."""

import io
import re
from itertools import pairwise
from pathlib import Path

import pytest
from PIL import Image

import knightstour as kt
from knightstour.core.drawing import styles
from tests.conftest import IS_FOLDER, STYLES, undecided

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
    if style in ("mosaic", "filled"):
        # The library's own line, in the colours of the page.
        line = page.locator(".served-line")
        expect(line).to_have_count(2)
        picture = str(kt.draw(tour, style=style))
        assert all(f'd="{path.get_attribute("d")}"' in picture for path in line.all())
        assert page.locator(".trail").count() == 0
        return
    trail = page.locator(".trail").last.get_attribute("d")
    drawn = [(40 * (c + 0.5), 40 * (r + 0.5)) for r, c in tour.squares.tolist()]
    if style == "curve":
        # Three points for each move, the third where it ends; the controls as in the library's picture.
        ends = points(trail)[0::3]
        assert ends == [*drawn, drawn[0]]
        picture = str(kt.draw(tour, style="curve"))
        first = re.search(r'd="M(\d+) (\d+)c(-?[\d.]+)[ ]?(-?[\d.]+)', picture)
        control = points(trail)[1]
        assert control == (float(first[1]) + float(first[3]), float(first[2]) + float(first[4]))
    elif style == "steps":
        # Pieces of one colour each, and the move back; as in the library's picture.
        pieces = [(path.get_attribute("d"), path.get_attribute("stroke")) for path in page.locator(".trail").all()]
        assert [end for d, _ in pieces for end in points(d)[1:]] == [*drawn[1:], drawn[0]]
        picture = str(kt.draw(tour, style="steps"))
        assert re.findall(r'<path d="M[^"]*" fill="none" stroke="(#\w+)"', picture) == [ink for _, ink in pieces]
        seen = page.locator(".trail").first.evaluate("path => getComputedStyle(path).stroke")
        assert seen == "rgb({}, {}, {})".format(*bytes.fromhex(pieces[0][1][1:]))
    else:
        assert points(trail) == [*drawn, drawn[0]]
    # Which squares are dark, and the numbers.
    if style in ("board", "numbers"):
        dark = page.locator(".squares-dark").get_attribute("d")
        assert "M0 160h40" in dark, "a1 is dark"
    if style == "numbers":
        texts = page.locator(".number").all_text_contents()
        assert texts == [str(n) for n in range(1, 31)]
    if style == "heat":
        colours = [rect.get_attribute("fill") for rect in page.locator(".layer-tint rect").all()]
        picture = str(kt.draw(tour, style="heat"))
        assert len(colours) == 30 and all(colour in picture for colour in colours)


def test_the_tour_is_turned_and_mirrored_as_the_library_does(look, expect, tour):
    page = look.show(look.linked(tour))
    expect(look.facts().first).to_be_visible()
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
    page = look.show(look.linked(tour))
    look.facts()
    facts = page.locator("#facts")
    expect(facts.locator("dt")).to_have_text(
        ["Squares", "Kind", "From – to", "Symmetry", "Turns", "Crossings", "Magic"]
    )
    ends = f"{tour.board.name(tour.start)} – {tour.board.name(tour.squares[-1])}"
    wanted = ["30", "closed", ends, re.compile(tour.symmetry), str(tour.turns), str(tour.crossings)]
    expect(facts.locator("dd")).to_have_text([*wanted, re.compile("no|yes|magic")])


def test_two_tours_are_compared_side_by_side(look, expect):
    one, two = (kt.find_tour((6, 6), closed=True, method="rotation", seed=seed) for seed in (1, 2))
    address = f"{look.linked(one)}&v=compare&u={look.linked(two).split('t=')[1]}"
    page = look.show(address)
    edges = [{frozenset(move) for move in pairwise([*t.order.tolist(), int(t.order[0])])} for t in (one, two)]
    common = len(edges[0] & edges[1])
    expect(page.locator("#answer")).to_contain_text(f"{common} of 36 moves in common")
    boxes = [lane.bounding_box() for lane in page.locator(".lane").all()]
    assert boxes[0]["y"] == boxes[1]["y"] and boxes[1]["x"] > boxes[0]["x"]
    same = page.locator(".lane").first.locator(".trail.same").get_attribute("d")
    assert same.count("M") == common
    row = page.get_by_role("row", name="Turns")
    expect(row.get_by_role("cell")).to_have_text([str(one.turns), str(two.turns)])
    # Shared moves are seen in every style.
    look.show(f"{address}&s=curve")
    lane = page.locator(".lane").first
    expect(lane.locator(".trail")).to_have_count(2)
    assert lane.locator(".trail.same").get_attribute("d").count("C") == common
    assert lane.locator(".trail.own").get_attribute("d").count("C") == 36 - common
    # On tiles of all colours a line needs a rim.
    look.show(f"{address}&s=heat")
    expect(lane.locator(".rim")).to_have_count(2)
    for kind in ("same", "own"):
        rim, trail = (lane.locator(f"{part}.{kind}") for part in (".rim", ".trail"))
        assert rim.get_attribute("d") == trail.get_attribute("d")
        expect(trail).to_have_css("stroke-opacity", "1")
        width = "line => parseFloat(getComputedStyle(line).strokeWidth)"
        assert rim.evaluate(width) > trail.evaluate(width) + 2


def test_undecided_comparison_is_reported(look, expect):
    page = look.page
    page.route("**/api/solve", undecided)
    look.show("7x8&v=compare&c=1")
    expect(page.locator(VERDICT)).to_have_text("Not decided: is there a closed tour of the 7×8 board?")
    page.unroute("**/api/solve")
    # It can be stopped, too.
    held: list = []
    page.route("**/api/solve", lambda route: held.append(route))
    look.show("7x10&v=compare&c=1")
    expect(page.locator(VERDICT)).to_contain_text("Looking for two tours")
    expect(page.locator("#answer .spinner")).to_be_visible()
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(VERDICT)).to_have_text("The search was stopped.")
    page.unroute("**/api/solve")


def test_open_problem_with_closed_tour_is_reported_consistently(look, expect):
    """A tour whose ends are a move apart is closed, whatever was asked: in words, picture, facts and files."""
    tour = kt.find_tour((5, 6), closed=True)
    page = look.show(f"5x6&t={look.coded(tour.board, tour.order)}")
    expect(page.locator("#answer")).to_contain_text("It is closed, too")
    expect(look.facts().nth(1)).to_have_text("closed")
    assert len(points(page.locator(".trail").get_attribute("d"))) == 31
    expect(page.locator("circle.end")).to_have_count(0)
    expect(page.locator(".board-box")).to_have_attribute("aria-label", re.compile("closed tour from"))
    look.saving()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as Text").click()
    assert download.value.suggested_filename == "tour-5x6-closed.txt"
    page.locator("#save > summary").click()
    # An end that was asked for stays marked.
    start, end = (tour.board.name(square) for square in (tour.start, tour.end))
    look.show(f"5x6&a={start}&z={end}")
    expect(page.locator("circle.end")).to_have_count(1)


@pytest.mark.parametrize("name", ["SVG", "PNG", "GIF", "Text", "JSON", "Web page"])
def test_a_tour_is_saved(look, tour, name, tmp_path):
    page = look.show(look.linked(tour))
    look.saving()
    with page.expect_download() as download:
        page.get_by_role("button", name=f"Save as {name}").click()
    path = tmp_path / download.value.suggested_filename
    download.value.save_as(path)
    assert path.name == f"tour-5x6-closed.{ {'Text': 'txt', 'Web page': 'html'}.get(name, name.lower()) }"
    if name in ("Text", "JSON"):
        assert kt.read_tours(path) == [tour]
    elif name in ("SVG", "Web page"):
        wanted = str(kt.draw(tour, style="board", theme="light")) if name == "SVG" else str(kt.draw(tour, "html"))
        assert path.read_text("utf-8") == wanted
    else:
        assert path.read_bytes().startswith({"PNG": b"\x89PNG", "GIF": b"GIF8"}[name])


def test_the_page_offers_the_styles_of_the_library(look, expect, tour):
    page = look.show(look.linked(tour))
    assert [name for name, row in styles.STYLES.items() if not row.is_for_boxes] == STYLES
    names = [kind.capitalize() for kind in ("board", "line", "curve", "numbers", "ribbon")]
    expect(look.open("look").locator("#look .segment:visible")).to_have_text(names)
    # A link may ask for any other, which then is there, too.
    for style in STYLES:
        look.show(look.linked(tour) + f"&s={style}")
        expect(page.locator(f"#look input[value={style}]")).to_be_checked()
        expect(page.locator("#look .segment:visible")).to_have_count(5 if style.capitalize() in names else 6)


def refusal(ask) -> tuple[str, str]:
    """The words of the library's refusal, as sentences of the page."""
    with pytest.raises(kt.FormatError) as refused:
        ask()
    said = str(refused.value).splitlines()[0]
    return f"{said[0].upper()}{said[1:]}.", refused.value.help


@pytest.mark.parametrize(
    ("style", "kind", "format"),
    [("plotter", "GIF", "gif"), ("ribbon", "GIF", "gif"), ("mosaic", "web page", "html")],
)
def test_rejects_file_format_unsupported_by_the_style(look, expect, tour, style, kind, format):
    page = look.show(look.linked(tour) + f"&s={style}")
    expect(look.facts().first).to_be_visible()
    look.saving()
    page.get_by_role("button", name=f"Save as {kind}").click()
    said, advice = refusal(lambda: bytes(kt.draw(tour, format, style=style)))
    expect(page.locator("#save div.notice strong")).to_have_text(said)
    expect(page.locator("#save div.notice")).to_contain_text(advice[1:])


def test_unsupported_style_explains_and_falls_back_to_lines(look, expect, tour):
    torus = kt.Board(5, 6, wrap="torus")
    round_it = kt.find_tour(torus, closed=True, seed=1)
    page = look.show(f"5x6:torus&c=1&t={look.coded(torus, round_it.order.tolist())}&s=mosaic")
    said, advice = refusal(lambda: str(kt.draw(round_it, style="mosaic")))
    expect(page.locator(".look-note strong")).to_have_text(said)
    expect(page.locator(".look-note")).to_contain_text(advice[1:])
    expect(page.locator(".trail")).to_have_count(1)
    look.open("look").get_by_role("radio", name="Ribbon").check()
    expect(page.locator(".knot-line").nth(20)).to_be_attached()
    expect(page.locator(".look-note")).to_be_empty()
    look.show(look.linked(tour) + "&s=mosaic&n=1")
    said, _ = refusal(lambda: str(kt.draw(tour, style="mosaic", numbers=True)))
    expect(page.locator(".look-note strong")).to_have_text(said)
    look.open("look").get_by_role("button", name="Step numbers").click()
    expect(page.locator(".served-line")).to_have_count(2)
    expect(page.locator(".look-note")).to_be_empty()


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
    box.fill(" ".join(tour.board.name(divmod(s, 6)) for s in swapped))
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
    expect(page.locator(VERDICT)).to_have_text("This cannot be read as a tour.")
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


def test_pictures_have_the_requested_size(look, expect, tour):
    page = opened(look, tour)
    size = page.get_by_role("spinbutton", name="Size in pixels")
    size.fill("300")
    for name in ("PNG",) if IS_FOLDER else ("PNG", "GIF"):
        with Image.open(io.BytesIO(saved(page, name))) as picture:
            assert max(picture.size) == 300
    assert b'width="300"' in saved(page, "SVG")
    expect(page.locator("#save [role=status]")).to_have_text("Saved tour-5x6-closed.svg")
    expect(page.locator("#save")).to_contain_text("This link opens on this computer alone")
    for wrong in ("15", "4001", "100.5", "-3"):
        size.fill(wrong)
        expect(page.locator("#save [role=alert]")).to_contain_text("16 to 4,000 pixels")
        page.get_by_role("button", name="Save as PNG").click()
        expect(size).to_be_focused()
    size.fill("")
    expect(page.locator("#save [role=alert]")).to_be_hidden()


def test_animation_shows_progress_and_can_be_cancelled(look, expect):
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
