"""Proof of optimality by a sweep that builds all cheaper closed tours square by square.

The squares are processed row by row, and each gets its missing moves to later squares. A state contains the information
that affects the rest of the board: the moves that end at later squares, and the pairs of those squares that are ends of
a path. Only the cheapest partial tour of a state is kept, since the cost of the rest is equal. A state is dropped if
its cost, plus a lower bound for the remaining squares, is not below the best known tour. If the sweep finds a tour, it
is optimal; otherwise the best known tour is optimal.

The cost of a square is the value of its corner, of its moves to later squares, and of their crossings with moves that
end at later squares; moves that have ended lie above and cross no later ones. If the cost is a sum over corners and the
half turn preserves the board, an optimal tour can be rotated so that the excess cost of its upper half is at most that
of the lower half. This halves the allowed excess on the way to the middle.

Cost: memory and time are proportional to the number of states, which is exponential in the shorter side. Method:
dynamic programming over a frontier (M. Held and R. M. Karp, 1962; the states as in D. E. Knuth's Simpath).
"""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple, TypeAlias

import numpy as np

from knightstour.core.machine.memory import available_bytes
from knightstour.core.model import geometry
from knightstour.core.model.board import Board
from knightstour.core.model.budget import Budget
from knightstour.core.model.grid_board import GridBoard
from knightstour.core.model.problem import Problem
from knightstour.lab.objectives.table import Objective
from knightstour.lab.objectives.worth import ADDED, direction_codes

_NONE = 255
# Bytes per state while the states of a square are created and sorted, and share of the free memory.
_BYTES_PER_STATE = 400
_PART_OF_MEMORY = 0.5
_MAX_SQUARES = 200
_DEGREE = np.array([bin(mask).count("1") for mask in range(16)], dtype=np.uint8)
_FAR = 1 << 40
# Maximum number of directions: half of them lead down, and the masks of a square have 4 bits.
_MAX_DIRECTIONS = 8
# Squares with more remaining neighbours rarely end with too few moves.
_FEW = 4


def why_not_sweep(problem: Problem, objective: Objective) -> str | None:
    """Return the reason why the sweep cannot prove optimality, or None.

    >>> from knightstour.lab.objectives.table import Objective
    >>> why_not_sweep(Problem("6x6"), Objective("turns", 1))
    'optimality is proved for closed tours only'
    """
    if not problem.closed:
        return "optimality is proved for closed tours only"
    if problem.board.rows * problem.board.cols > _MAX_SQUARES:
        return f"optimality is proved on boards of up to {_MAX_SQUARES} squares"
    if len(direction_codes(problem.board)) > _MAX_DIRECTIONS:
        return f"optimality is proved for pieces with at most {_MAX_DIRECTIONS} directions"
    if objective.worth(problem.board).kind != ADDED:
        return f"optimality is not proved for {objective.statistic}: it is not a sum over moves, corners or crossings"
    return None


class SweepResult(NamedTuple):
    """Result of a sweep.

    order: squares of the cheapest closed tour below the given cost, or None. is_complete: whether the sweep was
    complete. states: number of states. least: lower bound for the cost of all tours.
    """

    order: list[int] | None
    is_complete: bool
    states: int
    least: int


def sweep(board: Board, objective: Objective, below: int, budget: Budget) -> SweepResult:
    """Find the closed tour with the minimum of sign times statistic, if this is less than `below`."""
    return _Sweep(board, objective, below).run(budget)


class _States(NamedTuple):
    """States between two squares, one per row.

    masks: for each square of the window, the moves that end there, by direction. mates: the other end of its path if
    it has one move, else 255. costs: of the cheapest partial tour.
    """

    masks: np.ndarray
    mates: np.ndarray
    costs: np.ndarray


# States, the previous row of each, and the bits of the moves of the square.
_Part: TypeAlias = tuple[_States, np.ndarray, int]


class _Sweep:
    def __init__(self, board: Board, objective: Objective, below: int) -> None:
        assert isinstance(board, GridBoard)
        self.is_turned = board.rows < board.cols
        self.given = board
        holes = [(col, row) for row, col in board.holes] if self.is_turned else list(board.holes)
        rows, cols = (board.cols, board.rows) if self.is_turned else (board.rows, board.cols)
        self.board = Board(rows, cols, holes=holes, moves=board.piece)
        self.size, self.cols = rows * cols, cols
        self.is_square = np.ones(self.size, dtype=bool)
        self.is_square[[row * cols + col for row, col in holes]] = False
        self.steps = [step for step, code in sorted(direction_codes(board).items(), key=lambda item: item[1])][::2]
        self.window = max(dr * cols + dc for dr, dc in self.steps) + 1
        self.below = below
        self._tables(objective)
        self.parents: list[np.ndarray] = []
        self.choices: list[np.ndarray] = []
        self.best: tuple[int, int, int, int] | None = None

    def _tables(self, objective: Objective) -> None:
        self._costs(objective)
        self.downs = [self._downs_of(v) for v in range(self.size)]
        self.ups = [0] * self.size
        for moves in self.downs:
            for bit, w in moves:
                self.ups[w] |= 1 << bit
        self._find_crossings()
        self.later = self._later()
        self.least = self._least_costs()
        self.free = np.array([self.least[v, 0] if self.is_square[v] else 0 for v in range(self.size)])
        self.same = self._representatives()
        has_moves = any(map(any, self.moves))
        is_mirrored = bool((self.is_square == self.is_square[::-1]).all())
        is_even = not self.is_square.sum() % 2 and not self.board.rows % 2 and is_mirrored
        self.has_middle = is_even and self.crossing == 0 and not has_moves and self._is_half_turn_symmetric()
        only_crossings = self.crossing != 0 and not has_moves and not any(map(any, self.corner))
        self.is_turnable = only_crossings and is_mirrored
        self.fewest: list[int] = []

    def _costs(self, objective: Objective) -> None:
        """Compute the costs of corners, of moves down and of a crossing."""
        worth, sign, codes = objective.worth(self.given), objective.sign, direction_codes(self.given)

        def code(step: tuple[int, int]) -> int:
            return codes[(step[1], step[0]) if self.is_turned else step]

        def at(square: int) -> int:
            row, col = divmod(square, self.cols)
            return col * self.given.cols + row if self.is_turned else square

        # The directions of moves from a square: downwards by bit, then upwards by bit.
        down = [code(step) for step in self.steps]
        leaving = down + [code((-dr, -dc)) for dr, dc in self.steps]
        self.corner = [[sign * worth.corners[len(codes) * a + b] for b in leaving] for a in leaving]
        self.moves = [[sign * worth.moves[at(v)][a] for a in down] for v in range(self.size)]
        self.crossing = sign * worth.crossing

    def _downs_of(self, v: int) -> list[tuple[int, int]]:
        """Return the moves down from a square: bits and targets."""
        row, col = divmod(v, self.cols)
        found = []
        for bit, (dr, dc) in enumerate(self.steps):
            w = (row + dr) * self.cols + col + dc
            is_inside = 0 <= row + dr < self.board.rows and 0 <= col + dc < self.cols
            if is_inside and self.is_square[v] and self.is_square[w]:
                found.append((bit, w))
        return found

    def _later(self) -> list[list[tuple[int, list[int]]]]:
        """Return for each step the frontier squares that may lack moves, and their later neighbours."""
        near: list[list[int]] = [[w for _, w in moves] for moves in self.downs]
        for v, moves in enumerate(self.downs):
            for _, w in moves:
                near[w].append(v)
        return [
            [
                (w, [x for x in near[w] if x > v])
                for w in range(v + 1, min(v + self.window, self.size))
                if self.is_square[w] and sum(x > v for x in near[w]) <= _FEW
            ]
            for v in range(self.size)
        ]

    def _least_costs(self) -> np.ndarray:
        """Return the minimum cost of each square by its moves from above: int64 (squares, 16)."""
        least = np.full((self.size, 16), _FAR, dtype=np.int64)
        for v in range(self.size):
            for mask in range(16):
                if mask & ~self.ups[v] == 0:
                    least[v, mask] = self._least(v, mask)
            # Further moves from above may follow: use the minimum over all supersets.
            for mask in sorted(range(16), key=lambda m: -int(_DEGREE[m])):
                more = [least[v, mask | 1 << bit] for bit in range(4) if not mask >> bit & 1]
                least[v, mask] = min([least[v, mask], *more])
        return least

    def _representatives(self) -> np.ndarray:
        """Merge sets of moves from above with equal later cost; return a representative for each."""
        same = np.tile(np.arange(16, dtype=np.uint8), (self.size, 1))
        if self.crossing:
            return same
        for v in range(self.size):
            seen: dict[int, int] = {}
            for mask in range(16):
                if _DEGREE[mask] == 2 and mask & ~self.ups[v] == 0:
                    same[v, mask] = seen.setdefault(self._corner_of(mask, ()), mask)
        return same

    def _is_half_turn_symmetric(self) -> bool:
        """Whether the half turn preserves the cost of each corner."""
        many = len(self.steps)
        turned = [*range(many, 2 * many), *range(many)]
        return all(self.corner[a][b] == self.corner[turned[a]][turned[b]] for a in turned for b in turned)

    def _find_crossings(self) -> None:
        """Compute for each move down the earlier moves that cross it, as targets and bits.

        Two moves down from one square cross if they overlap, for pieces with two leaps on one line.
        """
        self.crossed: dict[tuple[int, int], list[tuple[int, int]]] = {}
        self.overlapping: set[frozenset[int]] = set()
        if self.crossing == 0:
            return
        for p, q, (dr, dc) in geometry.crossing_positions(self.board.piece.vectors):
            for one, other, (down, across) in ((p, q, (dr, dc)), (q, p, (-dr, -dc))):
                bit, other_bit = self.steps.index(one), self.steps.index(other)
                if (down, across) == (0, 0):
                    self.overlapping.add(frozenset({bit, other_bit}))
                for v in range(self.size):
                    row, col = v // self.cols + down, v % self.cols + across
                    top = row * self.cols + col
                    if not (0 <= row < self.board.rows and 0 <= col < self.cols) or top >= v:
                        continue
                    end = next((w for k, w in self.downs[top] if k == other_bit), -1)
                    if end > v and any(k == bit for k, _ in self.downs[v]):
                        self.crossed.setdefault((v, bit), []).append((end, other_bit))

    def _corner_of(self, mask: int, bits: tuple[int, ...]) -> int:
        many = len(self.steps)
        a, b = [*(many + bit for bit in range(many) if mask >> bit & 1), *bits]
        return self.corner[a][b]

    def _overlap_of(self, bits: tuple[int, ...]) -> int:
        """Return the cost of two overlapping moves down from one square."""
        return self.crossing * (frozenset(bits) in self.overlapping)

    def _least(self, v: int, mask: int) -> int:
        """Return the minimum cost of a square with these moves from above."""
        missing = 2 - int(_DEGREE[mask])
        costs = [_FAR]
        for bits in combinations([bit for bit, _ in self.downs[v]], missing) if missing >= 0 else ():
            cost = self._corner_of(mask, bits) + sum(self.moves[v][bit] for bit in bits) + self._overlap_of(bits)
            if self.crossing < 0:
                cost += sum(self.crossing * len(self.crossed.get((v, bit), ())) for bit in bits)
            costs.append(cost)
        return min(costs)

    # ---------------------------------------------------------------- the sweep

    def run(self, budget: Budget) -> SweepResult:
        window = self.window
        states = _States(
            np.zeros((1, window), dtype=np.uint8),
            np.full((1, window), _NONE, dtype=np.uint8),
            np.zeros(1, dtype=np.int64),
        )
        total, least = 0, int(self.free.sum())
        most = int(available_bytes() * _PART_OF_MEMORY / _BYTES_PER_STATE)
        for v in range(self.size):
            parts = None if len(states.costs) > most else self._parts(v, states, self._beyond(v), budget)
            if parts is None:
                return SweepResult(self._order(), False, total, min(least, self.below))
            states = self._merge(parts)
            total += len(states.costs)
            budget.spend(len(states.costs))
            if not len(states.costs):
                break
            self.fewest.append(int(states.costs.min()))
            if v + 1 + window < self.size:
                here = int((states.costs + self._bound_of_rest(v + 1, states.masks)).min())
                least = max(least, here + self._beyond(v + 1))
        return SweepResult(self._order(), True, total, self.below)

    def _beyond(self, v: int) -> int:
        """Return a lower bound for the cost of the squares beyond the window of a square.

        If only crossings count and the half turn preserves the board, the last squares of a better tour are the first
        squares of another tour of equal cost. They cost at least as much as the cheapest state there, since the sweep
        has not dropped that tour.
        """
        first = v + self.window
        cost = int(self.free[first:].sum())
        last = min(len(self.fewest), self.size - first)
        if self.is_turnable and last > 0:
            cost = max(cost, int(self.free[first : self.size - last].sum()) + self.fewest[last - 1])
        return cost

    def _bound_of_rest(self, first: int, masks: np.ndarray) -> np.ndarray:
        """Return a lower bound for the cost of the window from this square on."""
        rest = np.zeros(len(masks), dtype=np.int64)
        for k in range(min(masks.shape[1], self.size - first)):
            if self.is_square[first + k]:
                rest += self.least[first + k][masks[:, k]]
        return rest

    def _parts(self, v: int, states: _States, beyond: int, budget: Budget) -> list[_Part] | None:
        """Return the states after a square, by its moves; None if the budget is spent."""
        parts: list[_Part] = []
        degree = _DEGREE[states.masks[:, 0]]
        if not self.is_square[v]:
            return [(self._shift_window(states), np.arange(len(degree)), 0)]
        for missing in (0, 1, 2):
            (rows,) = np.nonzero(degree == 2 - missing)
            for chosen in combinations(self.downs[v], missing):
                if budget.is_spent:
                    return None
                fits = rows
                for _, w in chosen:
                    fits = fits[_DEGREE[states.masks[fits, w - v]] < 2]
                if len(fits):
                    part = self._add_moves(v, chosen, states, fits, beyond)
                    if part is not None:
                        parts.append(part)
        return parts

    def _add_moves(
        self, v: int, chosen: tuple[tuple[int, int], ...], states: _States, rows: np.ndarray, beyond: int
    ) -> _Part | None:
        """Return the states with these moves at a square, or None."""
        masks, mates, costs = states.masks[rows], states.mates[rows], states.costs[rows]
        bits = tuple(bit for bit, _ in chosen)
        masked = range(1 << len(self.steps))  # includes two moves down, for pieces with few directions
        corners = np.array([0 if _DEGREE[m] + len(bits) != 2 else self._corner_of(m, bits) for m in masked])
        costs = costs + corners[masks[:, 0]] + sum(self.moves[v][bit] for bit in bits) + self._overlap_of(bits)
        if self.crossing:
            for bit in bits:
                for end, other in self.crossed.get((v, bit), ()):
                    costs += self.crossing * (masks[:, end - v] >> other & 1).astype(np.int64)
        each = np.arange(len(rows))
        other_end = mates[:, 0].copy()
        closes = np.zeros(len(rows), dtype=bool)
        for k, (bit, w) in enumerate(chosen):
            at = w - v
            is_fresh = masks[:, at] == 0
            far = np.where(is_fresh, w, mates[:, at])
            masks[:, at] |= 1 << bit
            if k == 0 and len(chosen) == 2:
                # Temporarily, the square itself is the other end of this path.
                mates[each, at] = np.where(is_fresh, v, _NONE)
                other_end = far
                continue
            closes = ~is_fresh & (other_end == w)
            ends = other_end
            mates[each, at] = _NONE
            joined = ~closes
            mates[each[joined], far[joined] - v] = ends[joined]
            mates[each[joined], ends[joined] - v] = far[joined]
        for _, w in chosen:
            masks[:, w - v] = self.same[w][masks[:, w - v]]
        costs_left = costs + self._bound_of_rest(v + 1, masks[:, 1:]) + beyond
        choice = sum(1 << bit for bit in bits)
        if closes.any():
            self._finish(v, masks, costs_left, closes, rows, choice)
        keep = ~closes & (costs_left < self.below)
        middle = self.size // 2
        if self.has_middle and v < middle:
            spare = self.below - 1 - int(self.free.sum())
            upper = costs + self._bound_of_rest(v + 1, masks[:, 1 : max(middle - v, 1)])
            upper += int(self.free[v + self.window : middle].sum())
            keep &= upper - int(self.free[:middle].sum()) <= spare // 2
        keep &= self._can_continue(v, masks)
        if not keep.any():
            return None
        return self._shift_window(_States(masks[keep], mates[keep], costs[keep])), rows[keep], choice

    def _can_continue(self, v: int, masks: np.ndarray) -> np.ndarray:
        """Whether all squares of the window have enough later squares."""
        can = np.ones(len(masks), dtype=bool)
        degrees = _DEGREE[masks]
        is_open = degrees < 2
        for w, near in self.later[v]:
            there = np.zeros(len(masks), dtype=np.uint8)
            for other in near:
                there += is_open[:, other - v] if other - v < self.window else 1
            can &= degrees[:, w - v] + there >= 2
        return can

    def _finish(
        self, v: int, masks: np.ndarray, costs: np.ndarray, closes: np.ndarray, rows: np.ndarray, choice: int
    ) -> None:
        """Record the cheapest tour among the loops that close now and contain all squares."""
        later = [w for w in range(v + 1, self.size) if self.is_square[w]]
        if later and later[-1] - v >= self.window:
            return
        whole = closes.copy()
        for w in later:
            whole &= _DEGREE[masks[:, w - v]] == 2
        whole &= costs < self.below
        if whole.any():
            found = int(np.flatnonzero(whole)[np.argmin(costs[whole])])
            self.below = int(costs[found])
            self.best = (v, int(rows[found]), choice, self.below)

    def _shift_window(self, states: _States) -> _States:
        masks, mates = states.masks, states.mates
        last = np.zeros((len(masks), 1), dtype=np.uint8)
        none = np.full((len(masks), 1), _NONE, dtype=np.uint8)
        return _States(np.hstack([masks[:, 1:], last]), np.hstack([mates[:, 1:], none]), states.costs)

    def _merge(self, parts: list[_Part]) -> _States:
        """Keep the cheapest of equal states, and record origins."""
        masks = np.concatenate([part.masks for part, _, _ in parts] or [np.zeros((0, self.window), np.uint8)])
        mates = np.concatenate([part.mates for part, _, _ in parts] or [np.zeros((0, self.window), np.uint8)])
        costs = np.concatenate([part.costs for part, _, _ in parts] or [np.zeros(0, np.int64)])
        rows = np.concatenate([rows for _, rows, _ in parts] or [np.zeros(0, np.int64)])
        choices = np.concatenate(
            [np.full(len(rows), choice, np.uint8) for _, rows, choice in parts] or [np.zeros(0, np.uint8)]
        )
        words = _words(masks, mates)
        hashed = np.zeros(len(costs), dtype=np.uint64)
        for k in range(words.shape[1]):
            hashed = (hashed ^ words[:, k]) * np.uint64(0x9E3779B97F4A7C15)
            hashed ^= hashed >> np.uint64(29)
        order = np.lexsort((costs, hashed))
        sorted_words = words[order]
        # Different states with the same hash are all kept, so nothing is lost.
        is_new = np.ones(len(order), dtype=bool)
        is_new[1:] = (sorted_words[1:] != sorted_words[:-1]).any(axis=1)
        kept = order[is_new]
        self.parents.append(rows[kept].astype(np.int32))
        self.choices.append(choices[kept])
        return _States(masks[kept], mates[kept], costs[kept])

    # ---------------------------------------------------------------- the tour

    def _order(self) -> list[int] | None:
        """Return the squares of the cheapest tour, in the numbering of the given board."""
        if self.best is None:
            return None
        v, row, choice, _ = self.best
        near: list[list[int]] = [[] for _ in range(self.size)]
        while True:
            for bit, w in self.downs[v]:
                if choice >> bit & 1:
                    near[v].append(w)
                    near[w].append(v)
            v -= 1
            if v < 0:
                break
            row, choice = int(self.parents[v][row]), int(self.choices[v][row])
        first = int(np.flatnonzero(self.is_square)[0])
        order, before, here = [first], first, near[first][0]
        while here != first:
            order.append(here)
            before, here = here, near[here][near[here][0] == before]
        if self.is_turned:
            return [(s % self.cols) * self.given.cols + s // self.cols for s in order]
        return order


def _words(masks: np.ndarray, mates: np.ndarray) -> np.ndarray:
    """Pack states into rows of 64-bit numbers."""
    both = np.hstack([masks, mates])
    width = -(-both.shape[1] // 8) * 8
    padded = np.zeros((len(both), width), dtype=np.uint8)
    padded[:, : both.shape[1]] = both
    return padded.view(np.uint64)
