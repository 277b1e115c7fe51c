"""Storage "keep all" of keys: ranks for the tours of any board, by the transitions of all its states.

The transitions between layers form a network in which each chain from the first state to the complete tour is one tour.
The completions of a state are the number of chains from it. Unranking goes forwards: at each state, transitions are
skipped and their completions are subtracted from the rank, until the completions of the next transition exceed the
rest. The rank of a tour is the sum of the skipped completions on its chain. The order is lexicographic: by the squares
in the order of the plan, and for each by its transitions in the order of its later neighbours.

NumPy follows many tours simultaneously, one step for all; this needs no compiled code.

Cost: about 15 bytes per transition; about 2 ms for one tour of 36 squares, about 20 us each in bulk. Ranks here start
at 0.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from knightstour.core.model.budget import Budget
from knightstour.core.model.errors import InvalidTour
from knightstour.core.model.indices import repeat
from knightstour.core.model.problem import Problem, end_index, start_index
from knightstour.core.search.frontier.plan import make_plan
from knightstour.lab.counting.needs import NUMBERING
from knightstour.lab.counting.network import MAX_INT64, Network, Ways
from knightstour.lab.counting.plan import refuse
from knightstour.lab.counting.sums import list_ways
from knightstour.lab.counting.ways import STATES, Task

# Size of the digits of completions in files.
_DIGIT_BITS = 32


class WaySpace:
    """All tours of a problem, ranked from 0, as chains of ways.

    count: number of tours. ways, completions: as in `network`. order: the squares in processing order. near[t]: the
    later neighbours of square t of the order, or -1 for the outside, to which ends of open tours are joined.
    picked[t]: the squares that each code of step t joins its square to, int64 (codes, 2), -1 for none or the outside.
    """

    numbering = "ways 1"

    def __init__(self, problem: Problem, network: Network) -> None:
        self.problem = problem
        self.network, self.ways, self.completions = network, network.ways, network.completions
        self.count = network.count
        self._number_type = np.dtype(np.int64 if self.count < MAX_INT64 else object)
        plan = make_plan(problem)
        self.order = np.array(plan.order, dtype=np.int64)
        self.near: list[list[int]] = []
        for t in range(len(self.ways)):
            square_at = plan.later_squares(t)
            near = plan.step(t).near if len(plan.order) > 1 else ()
            self.near.append([square_at.get(slot, -1) for slot in near])
        self._size = problem.board.rows * problem.board.cols
        self.picked = [_picks(near) for near in self.near]
        # If both ends are given, or the tour is closed, no transition joins a square to the outside.
        self._has_outside_links = not problem.closed and (problem.start is None or problem.end is None)
        self._given_end = next((s for s in (start_index(problem), end_index(problem)) if s is not None), -1)

    @classmethod
    def build(cls, problem: Problem, budget: Budget | None = None) -> WaySpace:
        """Build all states. Raise LimitReached immediately if there are too many; other errors are as in
        `sums.list_ways`."""
        refuse(STATES.fit(Task(problem, purpose=NUMBERING)), None if budget is None else budget.limits.bytes)
        return cls(problem, list_ways(problem, budget))

    # -- from ranks to tours

    def links(self, numbers: Sequence[int] | np.ndarray) -> np.ndarray:
        """Return the one or two neighbours of each square in the tours of these ranks, or -1: int64 (n, size, 2)."""
        n = len(numbers)
        links = np.full((n, self._size, 2), -1, dtype=np.int64)
        degree = np.zeros((n, self._size), dtype=np.int8)
        for t, rows, way in self.walk(numbers):
            self.join(links, degree, rows, t, self.ways[t].codes[way])
        return links

    def walk(self, numbers: Sequence[int] | np.ndarray) -> Iterator[tuple[int, np.ndarray, np.ndarray]]:
        """Yield the chains of the tours of these ranks, layer by layer: the layer, the unfinished tours by index, and
        their transitions."""
        left = np.array(numbers, dtype=self._number_type)
        rows, state = np.arange(len(left)), np.zeros(len(left), dtype=np.int64)
        for t, ways in enumerate(self.ways):
            if not len(rows):
                break
            after = self.network.after(t)
            if self.completions[t].dtype != object and after.dtype != object:
                # The rest of a rank is below the completions of its state.
                left = left.astype(np.int64, copy=False)
            way = ways.offsets[state].astype(np.int64)
            behind = after[ways.targets[way]]
            over = np.flatnonzero(left >= behind)
            while len(over):
                left[over] -= behind[over]
                way[over] += 1
                behind[over] = after[ways.targets[way[over]]]
                over = over[left[over] >= behind[over]]
            yield t, rows, way
            state = ways.targets[way].astype(np.int64)
            going = state >= 0
            if not going.all():
                state, left, rows = state[going], left[going], rows[going]

    def join(self, links: np.ndarray, degree: np.ndarray, rows: np.ndarray, t: int, codes: np.ndarray) -> None:
        """Enter the moves of these codes of layer t in rows of links."""
        v = int(self.order[t])
        for there in self.picked[t][codes].T:
            joined = np.flatnonzero(there >= 0)
            row, u = rows[joined], there[joined]
            links[row, v, degree[row, v]] = u
            degree[row, v] += 1
            links[row, u, degree[row, u]] = v
            degree[row, u] += 1

    # -- from tours to ranks

    def numbers(self, links: np.ndarray) -> list[int]:
        """Return the ranks of tours of the space, given as by `links`."""
        n = len(links)
        total = np.zeros(n, dtype=self._number_type)
        rows, state = np.arange(n), np.zeros(n, dtype=np.int64)
        for t, ways in enumerate(self.ways):
            if not len(rows):
                break
            codes = self._codes_of(links, rows, t)
            after = self.network.after(t)
            way = ways.offsets[state].astype(np.int64)
            last = ways.offsets[state + 1]
            while True:
                wrong = np.flatnonzero(ways.codes[np.minimum(way, len(ways.codes) - 1)] != codes)
                if not len(wrong):
                    break
                if (way[wrong] >= last[wrong] - 1).any():
                    raise InvalidTour("a tour is not among the numbered ones", help="is the file of tours damaged?")
                np.add.at(total, rows[wrong], after[ways.targets[way[wrong]]])
                way[wrong] += 1
            state = ways.targets[way].astype(np.int64)
            going = state >= 0
            if not going.all():
                state, rows = state[going], rows[going]
        numbers: list[int] = total.tolist()
        return numbers

    def _codes_of(self, links: np.ndarray, rows: np.ndarray, t: int) -> np.ndarray:
        """Return the code of the squares to which square t of the order is joined in each tour."""
        near = self.near[t]
        d = len(near)
        v = int(self.order[t])
        place = np.full(self._size + 1, d, dtype=np.int64)  # item -1 is the outside
        for i, u in enumerate(near):
            place[u] = i
        both = links[rows, v].copy()
        if v == self._given_end or not self._has_outside_links:
            # Its missing neighbour is not the outside: the square was joined initially.
            places = np.where(both >= 0, place[both], d)
        else:
            places = place[both]
        low, high = places.min(axis=1), places.max(axis=1)
        return np.where(low == d, 0, np.where(high == d, 1 + low, 1 + d + low * d + high))

    # -- frequency of each move

    def move_counts(self) -> dict[tuple[int, int], int]:
        """Return the number of tours for each pair (square, later square); -1 is the outside."""
        found: Counter[tuple[int, int]] = Counter()
        # Partial tours up to each state: each can be completed, so there are at most `count`.
        forward = np.ones(1, dtype=self._number_type)
        for t, ways in enumerate(self.ways if self.count else []):
            # Tours through a way: partial tours up to its state times the completions behind it.
            through = repeat(forward, np.diff(ways.offsets)) * self.network.after(t)[ways.targets]
            sums = np.zeros(len(self.picked[t]), dtype=self._number_type)
            np.add.at(sums, ways.codes, through)
            v = int(self.order[t])
            for code in np.flatnonzero(sums).tolist():
                joined = 0 if code == 0 else 1 if code <= len(self.near[t]) else 2
                for u in self.picked[t][code].tolist()[:joined]:
                    found[(v, u) if u == -1 else (min(v, u), max(v, u))] += int(sums[code])
            forward = ways.sum_sources(forward, len(self.network.after(t)) - 1)[:-1]
        return found

    # -- as arrays

    def to_arrays(self) -> dict[str, np.ndarray]:
        """Return all data by name, except the problem."""
        digits = [_digits_of(c) for c in self.completions]
        completions = np.zeros((sum(map(len, digits)), max(d.shape[1] for d in digits)), dtype=np.uint32)
        first = 0
        for d in digits:
            completions[first : first + len(d), : d.shape[1]] = d
            first += len(d)
        return {
            "states": np.array([w.states for w in self.ways], dtype=np.int64),
            "offsets": np.concatenate([w.offsets for w in self.ways]).astype(np.int64),
            "targets": np.concatenate([w.targets for w in self.ways]),
            "codes": np.concatenate([w.codes for w in self.ways]),
            "completions": completions,
        }

    @classmethod
    def from_arrays(cls, problem: Problem, arrays: dict[str, np.ndarray]) -> WaySpace:
        ways: list[Ways] = []
        completions: list[np.ndarray] = []
        first_state = first_offset = first_way = 0
        for states in arrays["states"].tolist():
            offsets = arrays["offsets"][first_offset : first_offset + states + 1]
            count = int(offsets[-1])
            targets, codes = (arrays[name][first_way : first_way + count] for name in ("targets", "codes"))
            ways.append(Ways(offsets, targets, codes))
            digits = arrays["completions"][first_state : first_state + states].astype(np.int64)
            completions.append(_from_digits(digits))
            first_state, first_offset, first_way = first_state + states, first_offset + states + 1, first_way + count
        return cls(problem, Network(ways, completions))


def _picks(near: list[int]) -> np.ndarray:
    """Return the squares of each code, as in `WaySpace.picked`."""
    rows = [(-1, -1), *((u, -1) for u in near), *itertools.product(near, repeat=2)]
    return np.array(rows, dtype=np.int64)


def _digits_of(numbers: np.ndarray) -> np.ndarray:
    if numbers.dtype != object:
        return np.stack([numbers & (1 << _DIGIT_BITS) - 1, numbers >> _DIGIT_BITS], axis=1)
    most = max((-(-int(x).bit_length() // _DIGIT_BITS) for x in numbers), default=1)
    rows = b"".join(int(x).to_bytes(_DIGIT_BITS // 8 * most, "little") for x in numbers)
    return np.frombuffer(rows, dtype="<u4").reshape(len(numbers), most).astype(np.int64)


def _from_digits(digits: np.ndarray) -> np.ndarray:
    used = int(np.flatnonzero(digits.any(axis=0)).max(initial=0)) + 1
    if used == 1:
        return digits[:, 0]
    if used == 2 and int(digits[:, 1].max()) < 1 << 30:
        return digits[:, 0] | digits[:, 1] << 32
    rows = digits[:, :used].astype("<u4")
    return np.array([int.from_bytes(row.tobytes(), "little") for row in rows], dtype=object)
