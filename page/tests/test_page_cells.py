"""Tests of boards of cells: hexagons and boxes are drawn, clicked, used by keys, solved, watched and linked."""

import pytest

import knightstour as kt
from knightstour.core.formats.tours import format_tour, parse_tours
from knightstour.core.model.board import square_names
from knightstour.core.model.graph_board import CellBoard, GraphBoard

pytestmark = pytest.mark.hosts

WORDS = ("hex:3:king", "tri:5", "tri:5:1,2", "2x3x4", "2x2x3x3:king", "hex:4:1,2+0,2")
VERDICT = "#answer .verdict"


def board_of(look, word: str):
    return look.module("model/board", "(board, word) => board.boardOfCells(word)", word)


def click_cell(look, word: str, name: str) -> None:
    script = """([cells, word], name) => {
        const shape = cells.shapeOf(word), [x, y] = shape.places[shape.named.get(name)];
        const svg = document.querySelector("svg.board");
        const point = new DOMPoint(40 * x, 40 * y).matrixTransform(svg.getScreenCTM());
        return [point.x, point.y];
    }"""
    board = board_of(look, word)
    place = look.module("model/cells", f"(cells, [board, name]) => ({script})([cells, board], name)", [board, name])
    look.page.mouse.click(*place)


@pytest.mark.parametrize("word", WORDS)
def test_names_and_moves_match_the_library(look, word):
    board, mine = kt.Board(word), board_of(look, word)
    assert isinstance(board, CellBoard) and isinstance(board, GraphBoard)
    assert look.module("model/cells", "(cells, board) => cells.shapeOf(board).names", mine) == square_names(board)
    near = look.module("model/board", "(board, own) => board.neighbours(own)", mine)
    assert near == [sorted(others) for others in board.graph]
    assert look.module("model/board", "(board, own) => board.boardWord(own)", mine) == str(board)


@pytest.mark.parametrize(("word", "corners"), [("hex:3:king", 6), ("tri:5", 6), ("2x3x4", 4)])
def test_a_link_to_a_tour_of_cells_shows_it(look, expect, word, corners):
    tour = kt.find_tour(word, seed=1)
    link = format_tour(tour, "link").strip()
    page = look.show(link)
    assert look.tour() == tour.order.tolist() and look.address == link
    outlines = "".join(page.locator(".board .cell").nth(k).get_attribute("d") for k in range(2 + (corners == 6)))
    assert outlines.count("z") == len(tour.board) and outlines.count("L") == (corners - 1) * len(tour)
    numbers = page.locator(".layer-text text")
    expect(numbers).to_have_count(24 if word == "2x3x4" else 0)
    if word == "2x3x4":
        cells = tour.board.cells
        within = sum(cells[a][0] == cells[b][0] for a, b in zip(tour.order, tour.order[1:], strict=False))
        runs = page.locator(".trail").first.get_attribute("d")
        assert runs.count("L") == within


def test_the_piece_is_led_over_cells_by_clicks_and_keys(look, expect):
    page = look.show("hex:3:king&v=play")
    for name in ("c5", "d5", "b2"):
        click_cell(look, "hex:3:king", name)
    expect(page.locator("#live")).to_contain_text("No move leads to b2")
    click_cell(look, "hex:3:king", "d4")
    board = kt.Board("hex:3:king")
    free = set(board.neighbors("d4")) - {board.square("c5"), board.square("d5")}
    expect(page.locator(VERDICT)).to_have_text(f"3 of 19 squares, {len(free)} ways on")
    names = square_names(board)
    assert [names[k] for k in look.state()["played"]] == ["c5", "d5", "d4"]
    page.get_by_role("button", name="Can it still be finished?").click()
    expect(page.get_by_text("Yes, it can be finished.")).to_be_visible()
    page = look.show("2x3x4&v=play")
    page.locator(".board-box.is-live").focus()
    # Over the gap into the next layer, and down.
    for key in [*["ArrowUp"] * 2, *["ArrowLeft"] * 8, *["ArrowRight"] * 4, "ArrowDown", "Enter"]:
        page.keyboard.press(key)
    names = square_names(kt.Board("2x3x4"))
    assert [names[k] for k in look.state()["played"]] == ["a2.2"]


def test_finished_tour_of_cells_is_a_line_to_send(look, expect):
    tour = kt.find_tour("tri:3", closed=True, seed=1)
    page = look.show("tri:3&v=play")
    for square in tour:
        click_cell(look, "tri:3", tour.board.square_name(square))
    expect(page.locator(VERDICT)).to_contain_text("Done: a closed tour of all 6 squares!")
    expect(page.locator("svg.board")).to_have_attribute("data-style", "line")
    assert page.locator("svg.board .trail").count() == 1 and page.locator("svg.board .knot").count() == 0
    with page.expect_download() as saved:
        page.get_by_role("button", name="Send the picture").click()
    assert saved.value.suggested_filename == "knights-tour-tri-3.png"


def test_cells_are_chosen_by_their_word_and_answered(look, expect):
    page = look.show("5x6")
    look.open("setup")
    field = page.locator("#setup input[type=text]")
    for wrong in ("hex6", "4x4x", "tri:0", "hex:6:kng"):
        field.fill(wrong)
        field.press("Tab")
        expect(page.locator("#setup .notice.bad:visible")).to_contain_text("rite 4x4x4 for a box")
    assert look.address.startswith("5x6")
    field.fill("2x3x4:king")
    field.press("Tab")
    expect(page.locator("#setup .notice.bad:visible")).to_have_count(0)
    expect(page.locator("[aria-controls=setup]")).to_contain_text("2×3×4 for the king")
    assert look.address.startswith("2x3x4:0,0,1+0,1,1+1,1,1")
    expect(page.get_by_role("button", name="Another tour")).to_be_enabled()
    expect(page.locator("#question-how .how")).not_to_be_empty()
    tour = parse_tours(look.address)[0]
    assert tour.board == kt.Board("2x3x4:king") and look.tour() == tour.order.tolist()


@pytest.mark.parametrize("wrong", ["hex6", "4x4x", "tri:0", "hex:6:kng", "hex:3:king:torus"])
def test_link_to_invalid_cell_board_explains_the_syntax(look, expect, wrong):
    page = look.show(wrong)
    said = page.get_by_text("write 4x4x4 for a box, hex:6 or tri:8 for hexagons")
    expect(said.locator("visible=true").first).to_contain_text("hex:6:king")


def test_a_search_over_cells_is_watched(look, expect):
    page = look.show("hex:3:king&v=watch&r=1")
    expect(page.locator("#answer .verdict")).to_contain_text("Recorded")
    page.get_by_role("button", name="To the beginning").click()
    page.get_by_role("button", name="One step on").click()
    expect(page.locator(".knight").first).to_be_attached()
    page.get_by_role("button", name="To the end").click()
    expect(page.locator(".trail").first).to_be_attached()
    board = kt.Board("hex:3:king")
    assert kt.Tour.from_array(look.tour(), board).board == board
