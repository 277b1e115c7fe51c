"""Ask for tours under conditions, in all the forms that they may have."""

from collections.abc import Generator
from typing import Unpack, assert_type

import knightstour as kt

steps: dict[str, int] = {"a1": 1}
ranges: dict[tuple[int, int], range] = {(0, 0): range(16, 20)}
moves: list[tuple[str, str]] = [("a1", "b3")]
pairs: set[tuple[tuple[int, int], tuple[int, int]]] = {((0, 0), (2, 1))}

assert_type(kt.find_tour((8, 8), given=steps, require=moves, forbid=["c2-e1"]), kt.Tour)
assert_type(kt.solve((8, 8), given={"a1": 1, (0, 0): [3, 5], "c5": "16..19"}, require=pairs), kt.Result)
assert_type(kt.count((6, 6), closed=True, require=["a1-b3"], forbid=moves), int)
assert_type(kt.iter_tours((6, 6), given=ranges), Generator[kt.Tour, None, None])
assert_type(kt.sample((6, 6), 10, require=moves), kt.Sample)
assert_type(kt.find_tour((6, 6), closed=True, symmetry="90"), kt.Tour)
problem = kt.Problem((6, 6), closed=True, symmetry="Eulerian")
assert_type(problem.symmetry, str | None)
assert_type(kt.compare(problem, seeds=1), kt.typing.Comparison)
assert_type(kt.find_tour((6, 6), given={"c3": "not 5", "a1": [1, 2], "b2": "1-4, 6"}), kt.Tour)
assert_type(kt.find_tour((6, 6), given=["c3=not 5"]), kt.Tour)


def hidden(board: kt.Board, **question: Unpack[kt.typing.QuestionArguments]) -> list[kt.Tour]:
    """A function of one's own with the same keywords."""
    return [*kt.iter_tours(board, **question)]
