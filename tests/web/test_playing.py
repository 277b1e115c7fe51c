"""Tests of the state of a game of Play, `reduce(state, event)`, without a browser."""

import json
from typing import Any

import pytest

from helpers.node import run_script

# Each starts Node.
pytestmark = pytest.mark.long

START = """
  const { reduce, start, ways } = await import(process.argv[1]);
  const { decodeState } = await import(process.argv[1].replace(/playing\\.js$/, "link.js"));
  const asked = JSON.parse(process.argv[2]);
  const { board } = decodeState(asked.link);
  const fresh = { undos: 0, helps: 0, seconds: 0, isWhole: true };
  const make = (path = []) => start({ board, start: asked.start ?? null }, path, fresh);
  const seen = ({ path, undone, round, refused }) => ({ path, undone, round, refused: refused && refused.square });
  const play = (state, events) => events.reduce((now, [type, square]) => reduce(now, { type, square }), state);
  const answer = (value) => console.log(JSON.stringify(value));
"""


def run(script: str, link: str = "5", **asked: Any) -> Any:
    return run_script(START + script, "model/playing.js", json.dumps({"link": link, **asked}))


def after(*events: list[Any], **asked: Any) -> dict[str, Any]:
    return run("answer(seen(play(make(), asked.events)));", events=events, **asked)


def test_taps_lead_the_knight_and_others_are_refused():
    assert after(["tap", 0], ["tap", 7], ["tap", 4])["path"] == [0, 7, 4]
    found = after(["tap", 0], ["tap", 1])
    assert found["path"] == [0] and found["refused"] == 1
    found = after(["tap", 3], start=0)
    assert found["path"] == [] and found["refused"] == 3
    assert after(["tap", 0], ["tap", 7], ["tap", 0])["path"] == [0]


def test_stroke_moves_the_knight_and_undoes_backwards():
    there = [["begin", 0], ["over", 7], ["over", 1], ["over", 4], ["over", 13]]
    found = after(*there, ["end", 13])
    assert found["path"] == [0, 7, 4, 13] and found["refused"] is None
    found = after(*there, ["over", 4], ["over", 7], ["end", 7])
    assert found["path"] == [0, 7] and found["round"]["undos"] == 2
    # A stroke that starts at any visited square continues from the knight.
    assert after(*there, ["end", 13], ["begin", 0], ["over", 24], ["end", 24])["path"] == [0, 7, 4, 13, 24]
    assert after(["begin", 0], ["over", 7], ["end", 8])["refused"] == 8


WALK = """
  let seed = asked.seed;
  const random = (n) => (seed = (seed * 48271) % 2147483647) % n;
  let state = make();
  const wrong = [];
  const squares = state.near.length;
  let [stroke, longest] = [false, 0];
  for (let k = 0; k < asked.steps; k++) {
    const kind = random(12);
    const options = ways(state) ?? [];
    const square = random(4) && options.length ? options[random(options.length)] : random(squares);
    const event = stroke
      ? kind < 9 ? { type: "over", square } : { type: "end", square: kind < 11 ? square : null }
      : kind < 7 ? { type: "tap", square }
      : kind < 9 ? { type: "begin", square }
      : kind < 10 ? { type: "undo" }
      : kind < 11 ? { type: "redo" }
      : random(9) ? { type: "second" } : { type: "restart" };
    stroke = event.type === "begin" || (stroke && event.type !== "end");
    const old = JSON.stringify([state.path, state.undone, state.round]);
    const next = reduce(state, event);
    const say = (what) => wrong.push([k, event, what]);
    if (JSON.stringify([state.path, state.undone, state.round]) !== old) say("the state before changed");
    const { path } = next;
    if (new Set(path).size !== path.length) say("a square is visited twice");
    if (path.some((square, i) => board.holes.includes(square) || (i && !next.near[path[i - 1]].includes(square))))
      say("a step is not a move");
    const isLonger = path.length > state.path.length && event.type !== "undo";
    const isRestart = event.type === "restart" && state.path.length > 0;
    if ((isLonger || isRestart) && String(reduce(next, { type: "undo" }).path) !== String(state.path))
      say("undo restores another path");
    if (["tap", "begin"].includes(event.type) && path === state.path && !next.refused && !state.path.includes(square))
      say("nothing is to be seen");
    const again = start({ board, start: null }, path, next.round);
    if (String(ways(again)) !== String(ways(next))) say("it cannot be loaded");
    longest = Math.max(longest, path.length);
    state = next;
  }
  answer([wrong.slice(0, 3), longest]);
"""


@pytest.mark.parametrize("link", ["5", "6:torus", "7:-d4", "hex:3"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_random_walks_never_repeat_squares_and_undo_restores(link, seed):
    wrong, longest = run(WALK, link, seed=seed, steps=3000)
    assert wrong == [] and longest > 8
