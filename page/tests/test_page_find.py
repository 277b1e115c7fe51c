"""Finding and counting tours on the page: boards, pieces, questions, conditions, methods and the answers."""

import json
import re
from itertools import pairwise

import pytest

import knightstour as kt
from helpers.clicks import click_square, drag, middle
from knightstour.core.model.condition_table import CONDITIONS
from knightstour.core.model.pieces import PIECES, Piece
from tests.conftest import page_board, undecided

pytestmark = pytest.mark.hosts

VERDICT = "#answer .verdict"


def names(board: kt.Board, order: list[int]) -> list[str]:
    return [board.name(divmod(s, board.cols)) for s in order]


def test_the_page_opens_with_a_closed_tour_of_the_chess_board_and_other_ones(opener, expect):
    look = opener(permissions=["clipboard-read", "clipboard-write"])
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
    assert kt.Tour.from_order((8, 8), look.tour()).is_closed
    expect(look.page).to_have_title(re.compile("Knight’s tour"))
    assert look.wrong == []


def test_the_reason_why_a_tour_is_impossible_is_there_at_once_with_its_source(look, expect):
    page = look.show("4x8&c=1")
    expect(page.locator(VERDICT)).to_have_text("There is no closed tour of the 4×8 board")
    result = kt.solve((4, 8), closed=True)
    expect(page.locator(".reason")).to_contain_text(result.reason[1:])
    expect(page.locator("cite")).to_have_text(result.source)
    expect(page.get_by_role("button", name="Another tour")).to_be_hidden()


def test_the_sides_can_be_chosen_up_to_sixty_squares(look, expect):
    page = look.show("5")
    for side, key in (("Rows", "Tab"), ("Columns", "Enter")):
        field = look.open("setup").get_by_role("spinbutton", name=side)
        field.fill("60")
        field.press(key)
    expect(page.locator(VERDICT)).to_have_text("Open tour of the 60×60 board")
    assert len(kt.Tour.from_order((60, 60), look.tour())) == 3600


def test_a_side_out_of_bounds_or_of_half_a_square_is_refused_in_words(look, expect):
    page = look.show("5")
    rows = look.open("setup").get_by_role("spinbutton", name="Rows")
    for size in ("61", "7.5", ""):
        rows.fill(size)
        rows.press("Enter")
        expect(page.get_by_text("A side has 1 to 60 squares.")).to_be_visible()
        expect(rows).to_have_attribute("aria-invalid", "true")
        assert look.address.split("&")[0] == "5"
    rows.fill("1e1")
    rows.press("Enter")
    expect(page.locator(VERDICT)).to_have_text("Open tour of the 10×5 board")


def test_what_is_not_decided_is_searched_longer_or_by_another_method(look, expect):
    page = look.page
    seconds: list[float] = []
    page.on("request", lambda request: "/solve" in request.url and seconds.append(request.post_data_json["seconds"]))
    page.route("**/api/solve", undecided)
    look.show("5x6")
    expect(page.locator(VERDICT)).to_have_text("Not decided: is there an open tour of the 5×6 board?")
    # A question ends with its own mark.
    expect(page.locator("#live")).to_contain_text("5×6 board? The time limit.")
    page.get_by_role("button", name="Search for 30 seconds").click()
    expect(page.locator(VERDICT)).to_be_visible()
    page.unroute("**/api/solve")
    assert seconds == [10, 30]
    page.get_by_role("button", name="Try another method: rotation").click()
    expect(page.locator(VERDICT)).to_have_text("Open tour of the 5×6 board")
    assert look.state()["method"] == "rotation"


def test_holes_are_painted_by_click_and_by_drag_and_the_tour_goes_round_them(look, expect):
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
    assert kt.Tour.from_order(kt.Board(8, 8, holes=["d4", "a8"]), look.tour()).is_closed
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


def test_sides_are_joined_and_other_pieces_leap(look, expect):
    page = look.show("4x5&c=1")
    expect(page.locator(VERDICT)).to_contain_text("There is no")
    look.open("setup").get_by_label("Sides joined").select_option("torus")
    expect(page.locator(VERDICT)).to_have_text("Closed tour of the 4×5 torus")
    assert kt.Tour.from_order(kt.Board(4, 5, wrap="torus"), look.tour()).is_closed
    look.show("10&c=1")
    look.open("setup").get_by_label("Piece").select_option("zebra")
    expect(page.locator(VERDICT)).to_contain_text("Closed tour of the 10×10 board for the (2,3) leaper")
    assert kt.Tour.from_order(kt.Board(10, 10, leaper=(2, 3)), look.tour()).is_closed


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


def test_what_is_being_typed_stays_when_an_answer_comes(look, expect):
    page = look.show("5")
    expect(page.locator(VERDICT)).to_be_visible()
    asked: list = []
    page.route("**/api/solve", lambda route: asked.append(route))
    start = look.open("setup").get_by_role("textbox", name="Starts on")
    with page.expect_request("**/api/solve"):
        start.fill("a1")
        start.press("Enter")
    start.fill("c")
    asked[0].continue_()
    expect(page.locator(VERDICT)).to_have_text("Open tour of the 5×5 board from a1")
    assert start.input_value() == "c"
    page.unroute("**/api/solve")
    # A square is understood as row and column, too.
    start.fill("0,0")
    start.press("Enter")
    expect(page.locator(VERDICT)).to_have_text("Open tour of the 5×5 board from a5")
    start.fill("5,0")
    start.press("Enter")
    expect(page.get_by_text("The board has no square “5,0”")).to_be_visible()


def test_method_options_and_seed_go_with_the_question_and_repeat_the_tour(look, expect):
    page = look.show("8")
    expect(page.locator(VERDICT)).to_be_visible()
    look.open("conditions")
    asked: list[dict] = []
    page.on("request", lambda request: "/api/solve" in request.url and asked.append(json.loads(request.post_data)))
    page.get_by_label("Method", exact=True).select_option("warnsdorff")
    page.get_by_label("ties").select_option("random")
    page.get_by_role("spinbutton", name="Seed").fill("7")
    page.get_by_role("spinbutton", name="Seed").press("Enter")
    expect(page.locator("#question-how .how")).to_contain_text("warnsdorff")
    expect(page.locator("#question-how .how")).to_contain_text("seed 7")
    assert asked[-1]["method"] == "warnsdorff" and asked[-1]["options"] == {"ties": "random"} and asked[-1]["seed"] == 7
    wanted = kt.solve((8, 8), method="warnsdorff", ties="random", rng=7).tour
    assert look.tour() == wanted.order.tolist()


def test_every_method_and_option_of_the_library_is_offered(look):
    look.show("8")
    page = look.open("conditions")
    offered = page.get_by_label("Method", exact=True).locator("option").all_inner_texts()
    assert offered == list(kt.METHODS)
    names = look.module("language", "({ texts }) => texts.options")
    for name, method in kt.METHODS.items():
        page.get_by_label("Method", exact=True).select_option(name)
        assert page.locator("#method .options label").all_inner_texts() == [
            *(names[name] for name in method.options),
            *([names["workers"]] if method.shares else []),
        ]


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


def test_what_the_library_refuses_is_shown_in_its_words(look, expect):
    page = look.show("8x9&m=warnsdorff&o.ties=squirrel")
    with pytest.raises(kt.MethodError) as refused:
        kt.solve((8, 9), method="warnsdorff", ties="squirrel", rng=1)
    # As a sentence.
    words = str(refused.value)
    expect(page.locator("#answer .notice")).to_contain_text(words[0].upper() + words[1:])


# ---------------------------------------------------------------- counts


def test_a_count_says_the_number_and_a_small_board_is_counted_unasked(look, expect):
    page = look.show("5x6&v=count&c=1")
    page.get_by_role("button", name="Count", exact=True).last.click()
    expect(page.locator("#answer .figure")).to_have_text("8")
    once = page.get_by_label("Count turned and mirrored tours once")
    once.check()
    page.get_by_role("button", name="Count", exact=True).last.click()
    expect(page.locator("#answer .figure")).to_have_text("3")
    once.uncheck()
    look.show("5&v=count&c=1")
    expect(page.locator("#answer .figure")).to_have_text("0")
    expect(page.locator("#answer cite")).to_contain_text("Schwenk")


def test_a_number_that_is_known_is_shown_at_once_and_can_be_counted(look, expect):
    page = look.show("8&v=count&c=1")
    expect(page.locator("#answer .figure")).to_have_text("13,267,364,410,532")
    expect(page.locator("#answer cite")).to_have_text("OEIS A001230, a(4)")
    page.get_by_role("button", name="Count it yourself").click()
    expect(page.locator("#answer .spinner")).to_have_count(1)
    # Meanwhile it stays in sight, beside how far the count is.
    expect(page.get_by_role("progressbar")).to_have_attribute("value", re.compile(r"0\.\d+"))
    expect(page.locator("#answer")).to_contain_text(re.compile(r"Counting, \d+ %, [a-z ]+: \d+ of \d+"))
    expect(page.locator("#answer .figure")).to_have_text("13,267,364,410,532")


def test_a_count_can_be_estimated_and_its_effort_shown(look, expect):
    page = look.show("8&v=count&c=1")
    page.get_by_role("radio", name="Effort").check()
    page.get_by_role("button", name="Show the effort").click()
    expect(page.locator("#answer .verdict")).to_have_text("An exact count is possible")
    expect(page.locator("#answer .facts")).to_contain_text("halves")
    page.get_by_role("radio", name="Roughly").check()
    page.get_by_role("button", name="Estimate").click()
    expect(page.locator("#answer .figure")).to_have_text(re.compile("about 1\\.[0-9]+ × 10¹³"))


# ---------------------------------------------------------------- conditions


def fill(look, name: str, text: str) -> None:
    field = look.open("conditions").get_by_role("textbox", name=name)
    field.fill(text)
    field.press("Enter")


def moves(tour: kt.Tour) -> set[frozenset[str]]:
    names = [tour.board.name(square) for square in tour.squares.tolist()]
    return {frozenset(pair) for pair in pairwise([*names, names[0]])}


def test_moves_are_required_and_forbidden(look, expect):
    page = look.show("6&c=1")
    fill(look, "Through", "c4-e3")
    expect(page.locator(VERDICT)).to_have_text("Closed tour of the 6×6 board through c4-e3")
    fill(look, "Avoid", "D4-E2")
    expect(page.locator(VERDICT)).to_have_text("Closed tour of the 6×6 board through c4-e3 without D4-E2")
    found = moves(kt.Tour.from_order((6, 6), look.tour()))
    assert frozenset(("c4", "e3")) in found and frozenset(("d4", "e2")) not in found
    page.keyboard.press("Escape")
    fill(look, "Through", "c4-e3 hello")
    expect(page.get_by_text("“hello” is not understood. Write it as a1-b3.")).to_be_visible()


def test_statistics_are_in_a_range_and_numbers_are_given(look, expect):
    page = look.show("6&c=1")
    fill(look, "Statistics", "crossings=52..60 turns=32..33")
    expect(page.locator(VERDICT)).to_have_text("Closed tour of the 6×6 board with crossings=52..60, turns=32..33")
    found = kt.Tour.from_order((6, 6), look.tour())
    assert found.is_closed and 52 <= found.crossings <= 60 and 32 <= found.turns <= 33
    page = look.show("6&c=1")
    fill(look, "Given", "a1=1, c2=2 f6=10..20")
    expect(page.locator(VERDICT)).to_have_text("Closed tour of the 6×6 board with a1=1, c2=2, f6=10..20")
    places = names(kt.Board(6, 6), look.tour())
    assert (places[0], places[1]) == ("a1", "c2") and 10 <= 1 + places.index("f6") <= 20


def test_each_condition_of_the_library_has_a_field_that_shows_its_example(look):
    look.show("6&c=1")
    fields = look.open("conditions").locator("#conditions input[autocapitalize]")
    shown = fields.evaluate_all("all => all.map((input) => input.placeholder)")
    assert shown == [row.example for row in CONDITIONS.values() if row.name != "symmetry"]


def test_a_symmetry_is_asked_for_and_a_proof_comes_where_there_is_none(look, expect):
    page = look.show("6&c=1&symmetry=90")
    expect(page.locator(VERDICT)).to_have_text("Closed tour of the 6×6 board with symmetry 90")
    assert kt.Tour.from_order((6, 6), look.tour()).symmetry == "90"
    look.show("8&c=1&symmetry=90")
    expect(page.locator(VERDICT)).to_have_text("There is no closed tour of the 8×8 board with symmetry 90")
    expect(page.locator(".reason")).to_be_visible()


@pytest.mark.parametrize(
    "fields",
    [
        "through=c4-e3",
        "given=a1%3D1%20f6%3D10..20&avoid=d4-e2",
        "given=c3%3Dnot%205%2C%207-9%2C%20a1%3D1",
        "symmetry=180",
        "where=turns%3D32..33",
    ],
)
def test_conditions_survive_their_link(look, expect, fields):
    page = look.show(f"6&c=1&{fields}")
    expect(page.locator(VERDICT)).to_contain_text("Closed tour of the 6×6 board")
    assert fields in look.address and "&t=" in look.address


def test_where_conditions_cannot_be_asked_the_page_says_so(look, expect):
    page = look.show("6&c=1&v=count&through=c4-e3")
    page.get_by_role("radio", name="Roughly").check(force=True)
    page.get_by_role("button", name="Estimate").click()
    expect(page.locator("#answer .notice")).to_contain_text("cannot be asked for with the conditions through")
    page.get_by_role("radio", name="Exactly").check(force=True)


# ---------------------------------------------------------------- pieces


def test_the_menu_has_each_piece_once_and_last_ones_own_leaps(look):
    page = look.show("8&c=1")
    names = look.open("setup").get_by_label("Piece").locator("option").evaluate_all("all => all.map((o) => o.value)")
    assert names[0] == "knight" and names[-1] == "other"
    assert [PIECES[name].leaps for name in names[:-1]] == [*dict.fromkeys(row.leaps for row in PIECES.values())]
    assert page.get_by_label("Leaps, such as").is_hidden()


def test_a_kings_tour_is_found_drawn_and_linked(look, expect):
    page = look.show("6&c=1")
    look.open("setup").get_by_label("Piece").select_option("king")
    expect(page.locator(VERDICT)).to_have_text("Closed tour of the 6×6 board for the king")
    assert look.address.startswith("6:king&c=1&")
    order = look.tour()
    tour = kt.Tour.from_order(kt.Board("6x6:king"), order)
    assert tour.is_closed
    # The line goes from square to square.
    unit = look.module("drawing/lines", "(lines) => lines.CELL")
    look.open("look").get_by_role("radio", name="Line", exact=True).check()
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
    assert kt.Tour.from_order(kt.Board(f"{word[0]}x{word}"), look.tour()).board.piece.word == again.partition(":")[2]


def test_ones_own_leaps_are_typed_in_any_order_and_wrong_ones_are_refused(look, expect):
    page = look.show("10&c=1")
    look.open("setup").get_by_label("Piece").select_option("other")
    field = page.get_by_label("Leaps, such as")
    expect(field).to_have_value("1,2")
    for typed, leaps, words in (
        ("5,3", [[3, 5]], "(3,5) leaper"),
        ("1,2+1,0", [[0, 1], [1, 2]], "wazir+knight"),
        ("king + 1,2", [[0, 1], [1, 1], [1, 2]], "wazir+ferz+knight"),
    ):
        field.fill(typed)
        field.press("Tab")
        expect(page.locator("[aria-controls=setup] .summary-words")).to_contain_text(words)
        expect(field).to_have_value(typed)
        assert look.state()["board"]["leaps"] == leaps
    for wrong in ("0,0", "kng", "1,2+", "1"):
        field.fill(wrong)
        field.press("Tab")
        expect(page.get_by_text("There is no such piece")).to_be_visible()
        expect(field).to_have_attribute("aria-invalid", "true")
    look.open("setup").get_by_label("Piece").select_option("camel")
    expect(field).to_be_hidden()
    look.show("10:2,3&c=1")
    expect(look.open("setup").get_by_label("Piece")).to_have_value("zebra")
    look.show("10:0,1+2,3&c=1")
    expect(field).to_have_value("0,1+2,3")


def test_what_is_saved_of_other_boards_is_read_by_the_library(look):
    script = "(tour, [board, order]) => tour.toGrid(board, order)"
    for word in ("6x6:king", "5x6:torus", "7x7:0,1+1,4:klein", "6x7:cylinder:-a1,b2", "5x5"):
        tour = kt.find_tour(kt.Board(word), rng=1)
        text = look.module("model/tour", script, [page_board(tour.board), tour.order.tolist()])
        assert [*kt.parse_tours(text)] == [tour]
