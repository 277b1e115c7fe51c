"""Check without a server: the page finds what the library finds, for names of squares and numbered diagrams."""

import json
import random
import re

import pytest

import knightstour as kt
from browser.conftest import page_board
from knightstour.interfaces.web import answers

pytestmark = pytest.mark.hosts

VERDICT = "#answer .verdict"
KINDS = {
    "off": "is not on the",
    "hole": "is a hole of the board",
    "again": "was visited before",
    "noMove": "is not a",
    "left": "squares are visited",
    "missing": "is missing from the grid",
    "twice": "is there twice",
}


def spoiled(rng: random.Random, names: list[str], others: list[str]) -> list[str]:
    """The squares of a tour, or with one fault."""
    names, place = list(names), rng.randrange(len(names))
    match rng.randrange(6):
        case 0:
            names[place] = rng.choice(others)
        case 1:
            del names[place]
        case 2:
            other = rng.randrange(len(names))
            names[place], names[other] = names[other], names[place]
        case 3:
            names.insert(place, names[rng.randrange(len(names))])
        case 4:
            names = names[place:] + names[:place]
    return names


def texts_of_names(rng: random.Random, tour: kt.Tour) -> str:
    board = tour.board
    squares = [board.name(square) for square in tour.squares.tolist()]
    names = spoiled(rng, squares, [*squares, "z9", "a30"])
    if rng.random() < 0.2:
        between, apart = rng.choice([(" ", "\n"), ("\n", "\n\n")])
        return apart.join([between.join(names), between.join(reversed(squares))])
    return rng.choice([" ", ", ", "-", "\n", " - "]).join(names).replace("a", rng.choice("aA"))


def diagram(rng: random.Random, tour: kt.Tour) -> str:
    numbers = tour.numbers.astype(object)
    first = rng.randrange(2)
    cells = [(r, c) for r in range(tour.board.rows) for c in range(tour.board.cols) if (r, c) not in tour.board.holes]
    values = {cell: numbers[cell] - 1 + first for cell in cells}
    one, other = rng.sample(cells, 2)
    match rng.randrange(4):
        case 0:
            values[one], values[other] = values[other], values[one]
        case 1:
            values[one] = values[other]
        case 2:
            values[one] = 999
    gap = rng.choice([" ", ",", "\t", "  "])
    return "\n".join(
        gap.join(str(values.get((r, c), ".")) for c in range(tour.board.cols)) for r in range(tour.board.rows)
    )


BOARDS = [
    kt.Board(5, 5),
    kt.Board(3, 10),
    kt.Board(6, 6, holes=["a1", "a6"]),
    kt.Board(4, 7),
    kt.Board(5, 6, wrap="torus"),
    kt.Board(7, 7, leaper=(1, 2), wrap="klein"),
]


@pytest.mark.parametrize("write", [texts_of_names, diagram])
def test_the_page_finds_what_the_library_finds(look, write):
    rng = random.Random(7)
    cases = []
    for k in range(150):
        board = rng.choice(BOARDS)
        text = write(rng, kt.find_tour(board, rng=k))
        # A plain rectangle may be what the text says.
        cases.append((text, None if board.is_rectangle and rng.random() < 0.5 else board))
    asked = [[text, board and page_board(board)] for text, board in cases]
    script = "(checking, asked) => asked.map(([text, board]) => checking.readTours(text, '', board))"
    found = look.module("model/checking", script, asked)
    kinds = set()
    for (text, board), here in zip(cases, found, strict=True):
        there = json.loads(answers.check(text, None, board))["tours"]
        assert here is not None and len(here) == len(there), text
        for mine, theirs in zip(here, there, strict=True):
            assert mine["valid"] == theirs["valid"], (text, mine, theirs)
            shape = theirs["shape"]
            assert (mine["board"]["rows"], mine["board"]["cols"]) == (shape["rows"], shape["cols"]), text
            if mine["valid"]:
                assert mine["closed"] == theirs["closed"] and mine["squares"] == theirs["squares"], text
                continue
            kinds.add(mine["wrong"]["kind"])
            assert KINDS[mine["wrong"]["kind"]] in theirs["fault"] and mine["step"] == theirs["step"], (text, theirs)
            number = re.search(r"number (\d+)|only (\d+)", theirs["fault"])
            assert number and str(mine["wrong"]["number"]) in number.groups(), (text, mine, theirs)
    assert kinds >= ({"noMove", "missing", "twice"} if write is diagram else {"off", "again", "noMove", "left"})


@pytest.mark.parametrize("text", ["hello", "1 2\n3", '{"rows": 3}', "X: 1 Y: 1", "1. a1 b3", "a1 b0", "61x61"])
def test_what_only_the_library_reads_is_left_to_it(look, text):
    assert look.module("model/checking", "(checking, text) => checking.readTours(text, '', null)", text) is None


def test_without_a_server_a_tour_is_checked_all_the_same(opener, expect):
    own = opener()
    page = own.show("5&v=check")
    expect(page.locator(VERDICT)).to_have_text("Paste or drop a tour.")
    own.state()  # what this test reads addresses with is loaded
    own.context.set_offline(True)
    tour = kt.find_tour((5, 5))
    names = [tour.board.name(square) for square in tour.squares.tolist()]
    field = page.get_by_role("textbox", name="Paste it here")
    check = page.get_by_role("button", name="Check", exact=True)
    field.fill(" ".join(names))
    check.click()
    expect(page.locator(VERDICT)).to_have_text("An open tour of the 5×5 board")
    expect(page.locator("#panel")).to_contain_text("The server does not answer: the page has checked this by itself.")
    assert own.tour() == tour.order.tolist()
    names[6] = names[2]
    field.fill(" ".join(names))
    check.click()
    expect(page.locator(VERDICT)).to_have_text("This is not a tour")
    expect(page.locator(".reason")).to_have_text(f"Number 7: {names[2]} was visited before, as number 3.")
    # What it cannot read itself needs the server, and says so.
    field.fill('{"rows": 5}')
    check.click()
    expect(page.get_by_role("region", name="Check a tour").locator(".notice")).to_contain_text(
        "The server does not answer."
    )
    own.context.set_offline(False)
    check.click()
    expect(page.get_by_role("region", name="Check a tour").locator(".notice")).not_to_contain_text(
        "The server does not answer."
    )
    assert [word for word in own.wrong if "ERR_INTERNET_DISCONNECTED" not in word] == []
