"""The transfer graph of boards of few rows, of plain tuples: what scripts/make_recurrences.py reads recurrences from.

A frontier search along a board of `rows` rows does the same thing in every column, so its states form a graph. A state
names, for each square from the current one on, the place of the square where its path ends: its own if it is bare, None
where both moves are made. For open tours there is one more place, beyond the board, where the two ends of a tour meet.
"""

from collections.abc import Iterator

import numpy as np

State = tuple[int | None, ...]


class TransferGraph:
    """The graph of a width; its layers are those before each row of a column."""

    def __init__(self, rows: int, *, closed: bool) -> None:
        self.rows, self.closed = rows, closed
        self.layers: list[dict[State, int]] = [{self.bare(3): 0}, *({} for _ in range(rows - 1))]
        self.ways: list[list[tuple[int, int]]] = [[] for _ in range(rows)]
        todo = [(0, self.bare(3))]
        for row, state in todo:
            after = (row + 1) % rows
            for child in self.children(state, row):
                if child not in self.layers[after]:
                    self.layers[after][child] = len(self.layers[after])
                    todo.append((after, child))
                self.ways[row].append((self.layers[row][state], self.layers[after][child]))
        self.endings = self._endings(list(self.layers[0]), 3)
        # One square is a tour by itself, and the only one without a move.
        self.short = [0, *(self._endings([self.bare(n)], n)[0] for n in (1, 2))]
        self.short[1] += int(rows == 1 and not closed)

    def bare(self, cols: int) -> State:
        """No square has a move; there are so many columns, 3 for 3 or more."""
        places = [k if k < self.rows * cols else None for k in range(2 * self.rows + 1)]
        return (*places, None if self.closed else -1)

    def children(
        self, state: State, row: int, is_ending: bool = False, tours: list[int] | None = None
    ) -> Iterator[State]:
        """What becomes of a state; tours[0] counts the tours that it completes. Behind the last place there is one more
        square, unless the board ends; place -1 is beyond the board."""
        rows, last = self.rows, 2 * self.rows + 1
        ends = [*state[:-1], None if is_ending else last, state[-1]]
        near = [rows - 2 if row >= 2 else 0, rows + 2 if row + 2 < rows else 0, 2 * rows - 1 if row else 0]
        near = [u for u in (*near, last if row + 1 < rows else 0, *([] if self.closed else [-1])) if u]

        def join(ends: list[int | None], u: int) -> list[int | None] | None:
            x, y = ends[0], ends[u]
            if y is None:
                return None
            if x == u:
                lacking = {k for k, end in enumerate(ends[:-1]) if end is not None} | (
                    {-1} if ends[-1] is not None else set()
                )
                if tours is not None and lacking <= {0, u}:
                    tours[0] += 1
                return None
            found = list(ends)
            found[x], found[y] = y, x
            if x != 0:
                found[0] = None
            if y != u:
                found[u] = None
            return found

        def moved(ends: list[int | None]) -> State:
            return (
                *(end if end is None or end == -1 else end - 1 for end in ends[1:-1]),
                *(end if end is None or end == -1 else end - 1 for end in ends[-1:]),
            )

        if ends[0] is None:
            yield moved(ends)
            return
        for i, u in enumerate(near):
            one = join(ends, u)
            if one is not None:
                if ends[0] != 0:
                    yield moved(one)
                else:
                    yield from (moved(both) for v in near[i + 1 :] if (both := join(one, v)) is not None)

    def _endings(self, states: list[State], cols: int) -> list[int]:
        """For each state the number of ways to complete a tour with the last columns."""
        known: dict[tuple[int, State], int] = {}
        squares = range((3 - cols) * self.rows, 3 * self.rows)

        def completed(t: int, state: State) -> int:
            if t == 3 * self.rows:
                return 0
            if (t, state) not in known:
                tours = [0]
                children = list(self.children(state, t % self.rows, t >= self.rows - 1, tours))
                known[t, state] = tours[0] + sum(completed(t + 1, child) for child in children)
            return known[t, state]

        return [completed(squares.start, state) for state in states]

    def terms(self, count: int, prime: int = 0) -> list[int]:
        """a(0) .. a(count - 1): exact, or modulo a prime below 2**31."""
        kind = np.int64 if prime else object
        values = np.array(self.endings, dtype=kind)
        found = self.short[:count]
        arrays = [np.array(ways, dtype=np.int64).reshape(-1, 2).T for ways in self.ways]
        while len(found) < count:
            found.append(int(values[0]))
            for row in range(self.rows - 1, -1, -1):
                sums = np.zeros(len(self.layers[row]), dtype=kind)
                np.add.at(sums, arrays[row][0], values[arrays[row][1]])
                values = sums % prime if prime else sums
        return [a % prime for a in found] if prime else found
