"""Tests of finding and counting tours: boards, pieces, conditions, methods and results."""

import re
from itertools import pairwise

import pytest

import knightstour as kt
from helpers.clicks import click_square, drag, middle
from knightstour.core.model.pieces import Piece
from tests.conftest import undecided

pytestmark = pytest.mark.hosts

VERDICT = "#answer .verdict"


def names(board: kt.Board, order: list[int]) -> list[str]:
    return [board.square_name(divmod(s, board.cols)) for s in order]


def test_explore_opens_with_a_closed_chess_board_tour(opener, expect):
    look = opener(permissions=["clipboard-read", "clipboard-write"])
    look.show("explore")
    board = look.page.locator(".board-box")
    expect(board).to_have_accessible_name(re.compile("8×8 board, 64 squares, closed tour"))
    expect(look.page.locator("#answer")).to_have_attribute("data-answer", "found")
    first = board.get_attribute("aria-label")
    look.page.get_by_role("button", name="Another tour").click()
    expect(board).not_to_have_attribute("aria-label", first)
    look.page.get_by_role("button", name="Share").click()
    expect(look.page.get_by_role("status").filter(has_text="The link is copied")).to_be_attached()
    look.show(look.page.evaluate("navigator.clipboard.readText()").partition("#")[2])
    expect(look.page.locator(VERDICT)).to_have_text("Closed tour of the 8×8 board")
    assert kt.Tour.from_array(look.tour(), (8, 8)).is_closed
    expect(look.page).to_have_title(re.compile("Knight’s tour"))
    assert look.wrong == []


def test_reason_of_impossibility_appears_immediately_with_source(look, expect):
    page = look.show("4x8&c=1")
    expect(page.locator(VERDICT)).to_have_text("There is no closed tour of the 4×8 board")
    result = kt.solve((4, 8), closed=True)
    expect(page.locator(".reason")).to_contain_text(result.reason[1:])
    expect(page.locator("cite")).to_have_text(result.source)
    expect(page.get_by_role("button", name="Another tour")).to_be_hidden()


def test_undecided_problem_is_searched_longer(look, expect):
    page = look.page
    seconds: list[float] = []
    page.on("request", lambda request: "/solve" in request.url and seconds.append(request.post_data_json["seconds"]))
    page.route("**/api/solve", undecided)
    look.show("5x6")
    expect(page.locator(VERDICT)).to_have_text("Not decided: is there an open tour of the 5×6 board?")
    # A question ends with its own mark.
    expect(page.locator("#live")).to_contain_text("5×6 board? The time limit.")
    page.unroute("**/api/solve")
    page.get_by_role("button", name="Search for 30 seconds").click()
    expect(page.locator(VERDICT)).to_have_text("Open tour of the 5×6 board")
    assert seconds == [10, 30]


def test_holes_painted_by_click_and_drag_are_avoided(look, expect):
    page = look.show("8&c=1")
    expect(page.locator(VERDICT)).to_have_text("Closed tour of the 8×8 board")
    look.open("setup").get_by_role("radio", name="Holes").check()
    click_square(page, "d4")
    expect(page.locator("#answer")).to_contain_text("8×8 board with 1 hole")
    # A drag asks once, when it is over; the board has the holes before.
    asked: list[str] = []
    listen = lambda request: asked.append(request.url) if request.url.endswith("/api/solve") else None  # noqa: E731
    page.on("request", listen)
    page.mouse.move(*middle(page, "a8"))
    page.mouse.down()
    for square in ("b8", "c8"):
        page.mouse.move(*middle(page, square), steps=4)
    expect(page.locator("[aria-controls=setup] .summary-words")).to_contain_text("with 4 holes")
    assert asked == []
    page.mouse.up()
    expect(page.locator("#answer")).to_contain_text("8×8 board with 4 holes")
    assert len(asked) == 1
    page.remove_listener("request", listen)
    # A drag that begins on a hole fills it, and the others on its way.
    drag(page, "c8", "b8")
    expect(page.locator("#answer")).to_contain_text("with 2 holes")
    assert kt.Tour.from_array(look.tour(), kt.Board(8, 8, holes=["d4", "a8"])).is_closed
    look.open("setup").get_by_role("button", name="Fill all holes").click()
    expect(page.locator(VERDICT)).to_have_text("Closed tour of the 8×8 board")
    look.open("setup").get_by_role("radio", name="Start").check()


def test_holes_are_painted_by_keys(look, expect):
    page = look.show("5")
    look.open("setup").get_by_role("radio", name="Holes").check()
    page.locator(".board-box").focus()
    for key in ("ArrowLeft", "ArrowUp", "ArrowLeft", "ArrowUp", "ArrowLeft", "ArrowUp", "ArrowLeft", "ArrowUp"):
        page.keyboard.press(key)
    page.keyboard.press("Enter")
    expect(page.locator("#live")).to_contain_text("Found: open tour of the 5×5 board with 1 hole")
    page.keyboard.press("Space")
    expect(page.locator(VERDICT)).to_have_text("Open tour of the 5×5 board")
    look.open("setup").get_by_role("radio", name="Start").check()


def test_the_board_is_typed_as_one_word(look, expect):
    page = look.show("4x5&c=1")
    expect(page.locator(VERDICT)).to_contain_text("There is no")
    field = look.open("setup").get_by_role("textbox", name="Board")
    for typed, word, words in (
        ("4x5:torus", "4x5:torus", "Closed tour of the 4×5 torus"),
        ("10 × 10:zebra", "10x10:2,3", "Closed tour of the 10×10 board for the zebra"),
        ("6X6:king", "6x6:king", "Closed tour of the 6×6 board for the king"),
        ("4:-a1:torus", "4x4:torus:-a1", "There is no closed tour of the 4×4 torus with 1 hole"),
        ("60", "60x60", "Closed tour of the 60×60 board"),
        ("6", "6x6", "Closed tour of the 6×6 board"),
    ):
        field.fill(typed)
        field.press("Enter")
        expect(page.locator(VERDICT)).to_contain_text(words)
        expect(field).to_have_value(word)
    for wrong in ("", "8x", "8x8:kng", "70x70", "hex:0", "4x4:-z9"):
        field.fill(wrong)
        field.press("Enter")
        expect(page.locator("#setup .notice.bad")).to_be_visible()
        expect(field).to_have_attribute("aria-invalid", "true")
    # The board of the last good word is still there.
    expect(page.locator(VERDICT)).to_have_text("Closed tour of the 6×6 board")


def test_the_menu_has_a_board_of_each_kind(look, expect):
    page = look.show("8&c=1")
    menu = look.open("setup").get_by_label("Other kinds of boards")
    words = [value for value in menu.locator("option").evaluate_all("all => all.map((o) => o.value)") if value]
    assert len(words) == 8
    for word in words:
        menu.select_option(word)
        expect(page.locator("[data-answer]")).to_have_attribute("data-answer", re.compile("found|impossible"))
        field = page.get_by_role("textbox", name="Board")
        assert kt.Board(field.input_value()) == kt.Board(word)


def test_method_and_conditions_of_a_link_are_named(look, expect):
    page = look.show("6&c=1&m=backtracking&o.ties=first&r=7&require=c4-e3")
    line = page.locator(".carried")
    expect(line).to_contain_text("This link also sets: method backtracking, ties first, seed 7, through c4-e3.")
    line.get_by_role("button", name="Remove").click()
    expect(line).to_be_hidden()
    expect(page.locator(VERDICT)).to_have_text("Closed tour of the 6×6 board")
    assert not {"m", "r", "o.ties", "require"} & {field.split("=")[0] for field in look.address.split("&")}
    # A link without them has no such line.
    look.show("6&c=1")
    expect(line).to_be_hidden()


def test_start_and_end_are_clicked(look, expect):
    page = look.show("8")
    click_square(page, "a1")
    # The next click sets the end.
    click_square(page, "h7")
    expect(page.locator(VERDICT)).to_have_text("Open tour of the 8×8 board from a1 to h7")
    order = names(kt.Board(8, 8), look.tour())
    assert (order[0], order[-1]) == ("a1", "h7")
    click_square(page, "h7")
    expect(page.locator(VERDICT)).to_have_text("Open tour of the 8×8 board from a1")


def test_a_long_search_can_be_stopped(look, expect):
    page = look.show("8&c=1&m=backtracking&o.move_order=12345678&a=d4")
    # Scripts that drive the page find their way by these.
    answer = page.locator("[data-answer]")
    expect(answer).to_have_attribute("data-answer", "pending")
    stop = page.get_by_role("button", name="Stop searching")
    stop.click()
    expect(page.locator(VERDICT)).to_have_text("The search was stopped.")
    expect(answer).to_have_attribute("data-answer", "undecided")
    expect(stop).to_be_hidden()
    # Whoever stopped it by key does not begin at the top of the page again.
    expect(page.get_by_role("button", name="Another tour")).to_be_focused()


def test_library_error_is_shown_verbatim(look, expect):
    page = look.show("8x9&m=warnsdorff&o.ties=squirrel")
    with pytest.raises(kt.ProblemError) as refused:
        kt.solve((8, 9), method="warnsdorff", settings={"ties": "squirrel"}, seed=1)
    # As a sentence.
    words = str(refused.value)
    expect(page.locator("#answer .notice")).to_contain_text(words[0].upper() + words[1:])


# ---------------------------------------------------------------- counts


def test_a_small_board_is_counted_at_once(look, expect):
    page = look.show("5&v=count")
    expect(page.locator("#answer .figure")).to_have_text("864 open tours of the 5×5 board")
    expect(page.locator("#answer")).to_contain_text("Counted in")
    expect(page.get_by_role("button", name="Count it")).to_be_hidden()
    look.show("5&v=count&c=1")
    expect(page.locator("#answer .figure")).to_have_text("0 closed tours of the 5×5 board")
    expect(page.locator("#answer cite")).to_contain_text("Schwenk")


def test_an_unknown_number_is_estimated_and_can_be_counted(look, expect):
    page = look.show("5x7:torus&v=count&c=1")
    expect(page.locator("#answer .figure")).to_have_text(
        re.compile(r"about [\d,.]+ (× 10[⁰¹²³⁴⁵⁶⁷⁸⁹]+ )?± [\d.]+ % closed tours of the 5×7 torus")
    )
    expect(page.locator("#answer")).to_contain_text("random walks")
    expect(page.get_by_role("button", name="Count it")).to_be_visible()


def test_known_number_is_shown_immediately_and_can_be_counted(look, expect):
    page = look.show("8&v=count&c=1")
    expect(page.locator("#answer .figure")).to_contain_text("13,267,364,410,532")
    expect(page.locator("#answer cite")).to_have_text("OEIS A001230, a(4)")
    page.get_by_role("button", name="Count it").click()
    expect(page.locator("#answer .spinner")).to_have_count(1)
    # Meanwhile it stays in sight, beside how far the count is.
    expect(page.get_by_role("progressbar")).to_have_attribute("value", re.compile(r"0\.\d+"))
    expect(page.locator("#answer")).to_contain_text(re.compile(r"Counting, \d+ %, [a-z ]+: \d+ of \d+"))
    expect(page.locator("#answer .figure")).to_contain_text("13,267,364,410,532")


# ---------------------------------------------------------------- conditions


def moves(tour: kt.Tour) -> set[frozenset[str]]:
    names = [tour.board.square_name(square) for square in tour.squares.tolist()]
    return {frozenset(pair) for pair in pairwise([*names, names[0]])}


def test_symmetry_request_returns_a_tour_or_a_proof(look, expect):
    page = look.show("6&c=1&symmetry=90")
    expect(page.locator(VERDICT)).to_have_text("Closed tour of the 6×6 board with symmetry 90")
    assert kt.Tour.from_array(look.tour(), (6, 6)).symmetry == "90"
    look.show("8&c=1&symmetry=90")
    expect(page.locator(VERDICT)).to_have_text("There is no closed tour of the 8×8 board with symmetry 90")
    expect(page.locator(".reason")).to_be_visible()


@pytest.mark.parametrize(
    "fields",
    [
        "require=c4-e3",
        "given=a1%3D1%20f6%3D10..20&forbid=d4-e2",
        "given=c3%3Dnot%205%2C%207-9%2C%20a1%3D1",
        "symmetry=180",
        "where=turns%3D32..33",
    ],
)
def test_conditions_survive_their_link(look, expect, fields):
    page = look.show(f"6&c=1&{fields}")
    expect(page.locator(VERDICT)).to_contain_text("Closed tour of the 6×6 board")
    assert fields in look.address and "&t=" in look.address


# ---------------------------------------------------------------- pieces


def test_a_kings_tour_is_found_drawn_and_linked(look, expect):
    page = look.show("6&c=1")
    look.open("setup").get_by_label("Other kinds").select_option("8x8:king")
    field = look.open("setup").get_by_role("textbox", name="Board")
    field.fill("6x6:king")
    field.press("Enter")
    expect(page.locator(VERDICT)).to_have_text("Closed tour of the 6×6 board for the king")
    assert look.address.startswith("6:king&c=1&")
    order = look.tour()
    tour = kt.Tour.from_array(order, kt.Board("6x6:king"))
    assert tour.is_closed
    # The line goes from square to square.
    unit = look.module("drawing/lines", "(lines) => lines.CELL")
    points = page.locator("path.trail").first.get_attribute("d").removeprefix("M").split("L")
    drawn = [tuple(float(x) / unit - 0.5 for x in point.split()) for point in points]
    assert drawn == [(col, row) for row, col in tour.squares[[*range(36), 0]].tolist()]


@pytest.mark.parametrize(
    ("word", "again"),
    [("8:king", "8:king"), ("8:knight+camel", "8:gnu"), ("8:1,2+1,3", "8:gnu"), ("7:3,2+wazir", "7:0,1+2,3")],
)
def test_a_link_with_a_piece_opens_and_is_copied_back(look, expect, word, again):
    page = look.show(f"{word}&c=0")
    expect(page.locator(VERDICT)).to_contain_text("Open tour of the")
    assert look.address.split("&")[0] == again
    leaps = look.state()["board"]["leaps"]
    assert leaps == [list(leap) for leap in Piece.of(word.partition(":")[2]).leaps]
    assert kt.Tour.from_array(look.tour(), kt.Board(f"{word[0]}x{word}")).board.piece.word == again.partition(":")[2]
