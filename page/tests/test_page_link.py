"""Tests of links: the address contains the visible state, and boards and tours equal the library's."""

import re

import pytest

import knightstour as kt
from knightstour.core.formats.boards import board_to_dict
from tests.conftest import AXE, page_board

BOARDS = [
    kt.Board(8, 8),
    kt.Board(1, 1),
    kt.Board(3, 10),
    kt.Board(7, 4, holes=["a1", "d4"]),
    kt.Board(4, 5, wrap="torus"),
    kt.Board(3, 3, wrap="torus"),
    kt.Board(5, 6, wrap="cylinder"),
    kt.Board(5, 9, wrap="mobius"),
    kt.Board(6, 8, wrap="klein"),
    kt.Board(4, 4, wrap="klein", leaper=(1, 4)),
    kt.Board(10, 10, leaper=(2, 3)),
    kt.Board(6, 6, leaper=(0, 1)),
    kt.Board(5, 5, leaper=(1, 1)),
    kt.Board("6x6:king"),
    kt.Board("6x7:gnu:cylinder:-a1"),
    kt.Board("7x7:0,1+1,4:klein"),
    kt.Board(60, 60),
    kt.Board(12, 12, holes=[(r, c) for r in range(4, 8) for c in range(4, 8)], wrap="cylinder", leaper=(1, 2)),
]


@pytest.mark.parametrize("board", BOARDS, ids=str)
def test_page_moves_match_the_library(look, board):
    script = """(b, json) => {
        const board = b.boardFromJson(json), squares = board.rows * board.cols;
        return [b.neighbours(board), Array.from({length: squares}, (_, s) => b.squareName(board, s))];
    }"""
    near, names = look.module("model/board", script, board_to_dict(board))
    assert near == [sorted(row) for row in board.move_graph().neighbour_lists()]
    assert names == [board.square_name(divmod(s, board.cols)) for s in range(board.rows * board.cols)]


@pytest.mark.parametrize("board", [board for board in BOARDS if board.piece.leaper != (1, 1)], ids=str)
def test_a_tour_of_any_board_survives_its_link(look, board):
    result = kt.solve(board, seed=3)
    if result.tour is None:
        # A part of a tour has a link too.
        graph = board.move_graph().neighbour_lists()
        start = int(board.move_graph().squares[0])
        order = [start, *graph[start][:1]]
    else:
        order = result.tour.order.tolist()
    assert look.decoded(board, look.coded(board, order)) == order


def test_link_to_chess_board_tour_is_under_eighty_characters(look):
    sample = kt.sample((8, 8), 100, closed=True, seed=5)
    script = """(link, [board, orders]) => {
        const state = {...link.DEFAULTS, board, closed: true, style: 'ribbon', view: 'watch', seed: 4294967295};
        return orders.map((tour) => link.encodeState({...state, tour}).length);
    }"""
    assert max(look.module("model/link", script, [page_board(kt.Board(8, 8)), sample.orders.tolist()])) < 80
    # The tour itself needs some 15 characters.
    assert max(len(look.coded(kt.Board(8, 8), order)) for order in sample.orders[:20]) <= 20


def test_page_shows_the_last_of_several_quick_links(look, expect):
    links = ["8&c=1", "8&v=watch&a=a1", "5&v=play&p=3.AAM", "5x6&v=all&c=1", "8&v=check"]
    for _ in range(3):
        for link in links:
            look.show(link)
    page = look.show("5x6&v=all&c=1&k=3")
    expect(page.locator("#answer .verdict")).to_have_text("Tour number 3")
    look.show("8&c=1")
    expect(page.locator("#answer .verdict")).to_have_text("Closed tour of the 8×8 board")


def test_every_field_of_a_link_survives(look):
    board = page_board(kt.Board(6, 7, holes=[(0, 0), (5, 6)], wrap="cylinder", leaper=(1, 3)))
    state = {
        "board": board,
        "view": "watch",
        "closed": False,
        "start": 5,
        "end": 30,
        "method": "neural+merge",
        "options": {"move_order": "13572468", "prune": "a&b=c,d;e/f!"},
        "seed": 7,
        "style": "curve",
        "numbers": True,
        "number": "13267364410532",
        "puzzle": {"level": "expert", "pattern": "mirror", "seed": 20261231},
    }
    script = """(link, state) => link.decodeState(link.encodeState({...link.DEFAULTS, ...state}),
        {views: [state.view], styles: [state.style]})"""
    again = look.module("model/link", script, state)
    assert {name: again[name] for name in state} == state


@pytest.mark.parametrize(
    "puzzle",
    [
        {"level": "easy", "pattern": "", "seed": 0},
        {"numbers": [[3, 17], [41, 2]], "isMaking": False},
        {"numbers": [], "isMaking": True},
    ],
)
def test_a_puzzle_survives_its_link(look, puzzle):
    script = """(link, [board, puzzle]) =>
        link.decodeState(link.encodeState({...link.DEFAULTS, board, puzzle})).puzzle"""
    assert look.module("model/link", script, [page_board(kt.Board(6, 7, holes=["a1"])), puzzle]) == puzzle


BROKEN = (
    "5&v=play&b= 5&v=play&b=x 5&v=play&b=-5 5&v=play&b=1e3 5&v=play&b=12345678 5&v=puzzle&g=easy/45/1 "
    "5&v=puzzle&g=easy//-1 5&v=puzzle&g=given/z9.1 5&v=puzzle&g=given/a1.99 5&v=puzzle&g=given/a1.1,a1.2 "
    "5&v=puzzle&g=x 8&t=CoAW0KLWmP67FH 8&t=CoAW0KLWmP67FHoAAAA 8&t=!! 99x99 0x4 8:moon 8&a=z9 8&v=nowhere 100 8:0,0 "
    "2:-a1,a2,b1,b2 8&o.x=% 8&v=compare 8&r=99999999999999999999"
)


@pytest.mark.parametrize("address", BROKEN.split())
def test_broken_link_is_reported_and_shows_a_board(look, expect, address):
    page = look.show(address)
    expect(page.locator("#answer .verdict")).to_have_text("Closed tour of the 8×8 board")
    notice = page.locator("#notice")
    expect(notice).to_contain_text("This link cannot be shown.")
    # A sentence ends once.
    expect(notice).not_to_have_text(re.compile(r"[.?]\."))
    # It remains in the address until the problem changes.
    assert look.address == address
    look.open("setup").get_by_role("radio", name="Open").check()
    expect(notice).to_be_empty()
    # An answer that comes just then puts the writing off by another moment.
    expect(page).to_have_url(re.compile("#8"))


def test_broken_link_stays_despite_a_pending_answer(look, expect):
    page = look.show("8&c=1")
    expect(page.locator("#answer .verdict")).to_have_text("Closed tour of the 8×8 board")
    # The page writes its address a moment after a change; the link comes when that moment is just over.
    page.evaluate(
        """() => { document.querySelector("#look input[value=curve]").click();
        const began = performance.now();
        while (performance.now() < began + 100);
        location.hash = "8:nothing"; }"""
    )
    expect(page.locator("#notice")).to_contain_text("This link cannot be shown.")
    assert look.address == "8:nothing"


@pytest.mark.parametrize("flag", ["c=7", "c=yes", "n=2"])
def test_rejects_invalid_flags(look, expect, flag):
    expect(look.show(f"8&{flag}").locator("#notice")).to_contain_text(f"'{flag}' in this link is unknown")


def test_a_broken_link_is_mended_in_the_address(look, expect):
    page = look.show("8&c=1&a=z9")
    expect(page.locator("#notice")).to_contain_text("no square z9")
    assert look.address == "8&c=1&a=z9"
    look.show(look.address.replace("z9", "c3"))
    expect(page.locator("#answer .verdict")).to_have_text("Closed tour of the 8×8 board from c3")
    expect(page.locator("#notice")).to_be_empty()


@pytest.mark.parametrize("address", ["5x6%3Aklein&c=1&a=a1", "5x6:klein%26c%3D1%26a%3Da1", "5x6:klein&c=1&a=%61%31"])
def test_a_link_with_signs_written_as_numbers_is_understood(look, expect, address):
    page = look.show(address)
    expect(page.locator("#answer .verdict")).to_have_text("Closed tour of the 5×6 Klein bottle from a1")
    expect(page.locator("#notice")).to_be_empty()
    assert look.address.startswith("5x6:klein&c=1&a=a1&t=")


@pytest.mark.parametrize("end", [").", ")", ".", ",", ";", ">", "].", '"', "?!"])
def test_a_bracket_or_stop_behind_a_link_is_left_out(look, expect, end):
    page = look.show(f"5x6&c=1&a=a1{end}")
    expect(page.locator("#answer .verdict")).to_have_text("Closed tour of the 5×6 board from a1")
    expect(page.locator("#notice")).to_be_empty()
    look.show(f"6&v=puzzle&c=1&g=easy//20261128{end}")
    expect(page.locator(".entry.given").first).to_be_visible()
    assert look.state()["puzzle"]["seed"] == 20261128


def test_number_out_of_range_is_reported(look, expect):
    page = look.show("5x6&v=all&c=1&k=99999")
    expect(page.locator("#answer .verdict")).to_have_text("There are tours number 1 to 8.")
    expect(page.locator(".trail")).to_have_count(0)
    # A number without a view belongs to all tours.
    look.show("5x6&c=1&k=3")
    expect(page.locator("body")).to_have_attribute("data-part", "all")
    expect(page.locator("#answer .verdict")).to_have_text("Tour number 3")
    look.show("5x6&c=1&k=0")
    expect(page.locator("#answer .verdict")).to_have_text("There are tours number 1 to 8.")


def test_unknown_parts_of_a_link_are_omitted_with_a_note(look, expect):
    page = look.show("5x6&c=1&utm_source=mail&hello")
    expect(page.locator("#answer .verdict")).to_have_text("Closed tour of the 5×6 board")
    expect(page.locator("#notice")).to_contain_text("“utm_source=mail”, “hello” is ignored; the rest is shown")


def test_the_library_reads_and_writes_the_links_of_the_page(look):
    for board in (kt.Board(8, 8), kt.Board(6, 8, wrap="klein"), kt.Board(7, 6, holes=["a1", "f7"])):
        tour = kt.find_tour(board, seed=5)
        script = (
            "(link, [board, tour, closed]) => link.encodeState({board, tour, closed, view: 'play', style: 'curve'})"
        )
        text = look.module("model/link", script, [page_board(board), tour.order.tolist(), tour.is_closed])
        assert kt.parse_tours(f"{look.server}#{text}") == [tour]
        written = tour.to_text("link").strip()
        state = look.module("model/link", "(link, text) => link.decodeState(text)", written)
        assert state["tour"] == tour.order.tolist() and state["board"] == page_board(board)


def test_help_link_opens_the_servers_guide(look, expect):
    page = look.show("help")
    dialog = page.get_by_role("dialog", name="Help")
    expect(dialog).to_be_visible()
    links = dialog.get_by_role("link").all()
    assert len(links) == 3
    targets = [link.get_attribute("href") for link in links]
    page.keyboard.press("Escape")
    guide = look.context.new_page()
    for target in targets:
        guide.goto(f"{look.server}/{target}".replace("//guide", "/guide"))
        place = target.split("#")[1]
        expect(guide.locator(f"#{place}")).to_be_in_viewport()
    # Every link of the guide leads to a place on it, or back to the page.
    for link in guide.locator("a[href^='#']").all():
        assert guide.locator(f"[id='{link.get_attribute('href')[1:]}']").count() == 1, link.get_attribute("href")
    assert guide.locator("a:not([href^='#'])").count() == 1
    for width in (360, 1280):
        guide.set_viewport_size({"width": width, "height": 800})
        assert guide.evaluate("document.documentElement.scrollWidth") <= width
    if AXE.exists():
        guide.evaluate(AXE.read_text())
        found = guide.evaluate("axe.run().then(({violations}) => violations.map((v) => v.id))")
        assert found == []
    guide.close()
