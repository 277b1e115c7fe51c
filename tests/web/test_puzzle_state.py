"""Tests of the state of a puzzle on the page, `reduce(state, event)`, without a browser."""

import json
from datetime import date
from typing import Any

import pytest

import knightstour as kt
from helpers.node import run_script
from knightstour.core.formats.links import board_text
from knightstour.lab.puzzles.puzzle import details_of

# Each starts Node.
pytestmark = pytest.mark.long

START = """
  const file = process.argv[1].replace(/solving\\.js$/, "");
  const { reduce, start } = await import(process.argv[1]);
  const { Game } = await import(file + "puzzle.js");
  const { decodeState } = await import(file + "link.js");
  const asked = JSON.parse(process.argv[2]);
  const { board, closed } = decodeState(asked.link);
  const make = (own = [], isMaking = false) =>
    start(new Game(board, closed, new Map(asked.given), [], { order: asked.order ?? [] }), own, isMaking);
  const play = (state, events) =>
    events.reduce((now, [type, square, number]) => reduce(now, { type, square, number }), state);
  const seen = ({ game, picked, step, refused, past, future }) =>
    ({ own: [...game.own].sort((a, b) => a[1] - b[1]), picked, step, refused: refused && refused.square,
       past: past.length, future: future.length, left: game.left, isSolved: game.isSolved });
  const answer = (value) => console.log(JSON.stringify(value));
"""

# An open tour of the 5x5 board as square numbers in order of visit.
TOUR = [0, 7, 4, 13, 24, 17, 20, 11, 2, 9, 18, 21, 10, 1, 8, 19, 22, 15, 6, 3, 14, 23, 16, 5, 12]


def given(*numbers: int) -> list[list[int]]:
    return [[TOUR[number - 1], number] for number in numbers]


def own(*numbers: int) -> list[list[int]]:
    return given(*numbers)


def run(script: str, link: str = "5", **asked: Any) -> Any:
    return run_script(START + script, "model/solving.js", json.dumps({"link": link, **asked}))


def after(events: list[list[Any]], numbers: list[int], link: str = "5", stored: Any = ()) -> dict[str, Any]:
    return run(
        "answer(seen(play(make(asked.own), asked.events)));",
        link,
        given=given(*numbers),
        own=list(stored),
        events=events,
    )


def square(number: int) -> int:
    return TOUR[number - 1]


def taps(*numbers: int) -> list[list[Any]]:
    return [["tap", square(number)] for number in numbers]


def test_a_tap_on_a_free_square_writes_the_next_number():
    found = after(taps(2, 3), [1, 9, 25])
    assert found["own"] == own(2, 3) and found["picked"] == square(3)


def test_unreachable_tap_changes_nothing():
    found = after(taps(4), [1, 9, 25])
    assert found["own"] == [] and found["refused"] == square(4) and found["picked"] == square(1)


def test_the_direction_reverses_if_no_number_is_missing_above():
    found = after(taps(*range(5, 25)), [4, 25])
    assert found["picked"] == square(4) and found["step"] == -1
    found = after(taps(*range(5, 25), 3, 2, 1), [4, 25])
    assert found["isSolved"] and found["picked"] is None


def test_a_second_tap_on_a_number_turns_the_direction():
    events = [*taps(9), *taps(9)]
    assert [after(events[:n], [1, 9, 25])["step"] for n in (1, 2)] == [1, -1]
    found = after([*events, *taps(8)], [1, 9, 25])
    assert found["own"] == own(8) and found["picked"] == square(8)


def test_after_undo_the_knight_stands_on_the_number_before():
    found = after([*taps(2, 3), ["undo"]], [1, 9, 25])
    assert found["picked"] == square(2) and found["own"] == own(2) and found["future"] == 1
    assert after([*taps(2, 3), ["undo"], ["redo"]], [1, 9, 25])["picked"] == square(3)


def stroke(*numbers: int) -> list[list[Any]]:
    first, *others = numbers
    return [["begin", square(first)], *(["over", square(number)] for number in others), ["end", square(numbers[-1])]]


def test_a_stroke_writes_along_its_way_and_passes_given_numbers():
    found = after(stroke(*range(1, 12)), [1, 5, 6, 25])
    assert found["own"] == own(2, 3, 4, 7, 8, 9, 10, 11) and found["picked"] == square(11)


def test_a_stroke_back_frees_numbers_and_leaves_given_ones():
    way = [*range(1, 12), *range(10, 2, -1)]
    found = after(stroke(*way), [1, 5, 6, 25])
    assert found["own"] == own(2, 3) and found["picked"] == square(3)


def test_backward_stroke_ending_on_a_given_number_continues():
    found = after(stroke(*range(1, 9), 7, 6, 5), [1, 5, 6, 25])
    assert found["own"] == own(2, 3, 4) and found["picked"] == square(6)


def test_a_stroke_from_the_middle_of_a_chain_frees_nothing():
    events = [*taps(2, 3, 4), *stroke(2, 1)]
    assert after(events, [1, 9, 25])["own"] == own(2, 3, 4)
    events = [*taps(2, 3, 4), ["begin", square(1)], ["over", square(5)], ["end", square(5)]]
    assert after(events, [1, 9, 25])["own"] == own(2, 3, 4, 5)


def test_rejects_strokes_to_unreachable_squares():
    found = after([["begin", square(1)], ["over", square(4)], ["end", square(4)]], [1, 9, 25])
    assert found["refused"] == square(4) and found["own"] == []


def test_impossible_stored_numbers_are_dropped():
    stored = [
        [999, 2],
        [0, 99],
        ["x", None],
        [None, 1],
        [7, 2.5],
        [-1, 3],
        [square(9), 3],
        [square(2), 2],
        [square(3), 2],
    ]
    assert after([], [1, 9, 25], stored=stored)["own"] == own(2)


def test_numbers_that_are_typed_undo_as_one():
    script = """
      let state = make();
      const square = asked.square;
      state = reduce(state, { type: "write", square, number: 1 });
      state = reduce(state, { type: "write", square, number: 14, isMore: true });
      answer([seen(state), seen(reduce(state, { type: "undo" }))]);
    """
    written, before = run(script, given=given(2, 9, 25), square=square(14))
    assert written["own"] == own(14) and before["own"] == []


# A random walk: each state holds what it must, undo restores the state before, and a stored state can be loaded again.
WALK = """
  let seed = asked.seed;
  const random = (n) => (seed = (seed * 48271) % 2147483647) % n;
  const key = (state) => JSON.stringify([[...state.game.own].sort((a, b) => a[0] - b[0]), state.picked, state.step]);
  let state = make();
  const wrong = [];
  const squares = state.game.near.length;
  let stroke = false;
  for (let k = 0; k < asked.steps; k++) {
    const kind = random(10);
    const near = state.picked === null ? [] : state.game.near[state.picked];
    const square = random(3) && near.length ? near[random(near.length)] : random(squares);
    const event = stroke
      ? kind < 8 ? { type: "over", square } : { type: "end", square: kind < 9 ? square : null }
      : [
          { type: "tap", square }, { type: "tap", square }, { type: "tap", square },
          { type: "begin", square }, { type: "begin", square },
          { type: "write", square, number: 1 + random(state.game.count + 1) },
          { type: "clear", square }, { type: "undo" }, { type: "redo" },
          { type: random(20) ? "tap" : "restart", square },
        ][kind];
    stroke = event.type === "begin" || (stroke && event.type !== "end");
    const old = JSON.stringify([[...state.game.own], state.picked]);
    const next = reduce(state, event);
    const say = (what) => wrong.push([k, event, what]);
    if (JSON.stringify([[...state.game.own], state.picked]) !== old) say("the state before changed");
    const { game, picked } = next;
    if (game.left && picked === null) say("nothing is selected");
    if (picked !== null && game.at(picked) === null) say("a free square is selected");
    if (new Set(game.places.keys()).size !== game.own.size + game.given.size) say("a number is there twice");
    if (!stroke && game.left) {
      const n = game.next(game.at(picked), next.step);
      if (n === null || game.places.has(n)) say("no number is missing after the selected one");
    }
    const isChange = game !== state.game && !["undo", "redo"].includes(event.type);
    const before = reduce(next, { type: "undo" });
    if (isChange && state.pen === null && key(before) !== key(state)) say("undo restores another state");
    const settled = reduce(next, { type: "end", square: null });
    if (isChange && key(reduce(before, { type: "redo" })) !== key(settled)) say("redo restores another state");
    const again = start(new Game(board, closed, game.given), [...game.own]);
    if (JSON.stringify([...again.game.own].sort()) !== JSON.stringify([...game.own].sort())) say("it cannot be loaded");
    if (game.left && again.picked === null) say("nothing is selected after loading");
    state = next;
  }
  answer([wrong.slice(0, 3), state.past.length]);
"""


@pytest.mark.parametrize("seed", range(1, 5))
@pytest.mark.parametrize("link", ["5", "6&c=1", "5:torus", "hex:3"])
def test_random_walks_keep_a_selection_and_undo_restores(link, seed):
    numbers = given(1, 9, 25)[: 2 if seed % 2 else 3] if link in ("5", "5:torus") else [[3, 4], [8, 9]]
    wrong, steps = run(WALK, link, given=numbers, seed=seed, steps=1500)
    assert wrong == [] and steps > 20


BY_TAPS = """
  const solve = ({ link, given, order, walls, solution }) => {
    const { board, closed } = decodeState(link);
    let state = start(new Game(board, closed, new Map(given), [], { order, walls }));
    const right = new Map(solution.map((square, i) => [i + 1, square]));
    for (let taps = 0; state.game.left && taps < 2 * solution.length; taps++) {
      const { game, picked, step } = state;
      state = reduce(state, { type: "tap", square: right.get(game.next(game.at(picked), step)) });
    }
    return state.game.isSolved;
  };
  answer(asked.puzzles.map(solve));
"""


def test_every_puzzle_of_a_month_is_solvable_by_taps():
    days = [date(2026, 11, day) for day in range(1, 31)]
    made = [kt.puzzles.puzzle_of_day(day, kind) for day in days for kind in ("first", "hard", "other")]
    assert sum(not puzzle.closed and min(puzzle.given.values(), default=1) > 1 for puzzle in made) > 10
    assert run(BY_TAPS, puzzles=[asked(puzzle) for puzzle in made]) == [True] * len(made)


def asked(puzzle: kt.Puzzle) -> dict[str, Any]:
    """Return a puzzle in the form of the page, with square numbers."""
    cols = puzzle.board.cols
    order = [row * cols + col for row, col in details_of(puzzle).order]
    given = [[row * cols + col, number] for (row, col), number in puzzle.given.items()]
    return {
        "link": f"{board_text(puzzle.board)}&c={int(puzzle.closed)}",
        "given": [[order[0], 1]] if order else given,
        "order": order,
        "walls": [[row * cols + col for row, col in wall] for wall in puzzle.walls or ()],
        "solution": puzzle.solution.order.tolist(),
    }
