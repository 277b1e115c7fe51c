"""Find a closed tour by a SAT solver with lazy cuts: two moves at each square; exclude short loops as they occur."""

import itertools
import sys

from pysat.solvers import Solver

n = int(sys.argv[1])
squares = [(r, c) for r in range(n) for c in range(n)]
moves = [(a, b) for a, b in itertools.combinations(squares, 2) if abs((a[0] - b[0]) * (a[1] - b[1])) == 2]
at = {square: [k + 1 for k, move in enumerate(moves) if square in move] for square in squares}
with Solver(name="cadical195") as solver:
    for names in at.values():
        for some in itertools.combinations(names, 3):
            solver.add_clause([-name for name in some])
        for left in names:
            solver.add_clause([name for name in names if name != left])
    while True:
        assert solver.solve()
        chosen = {name for name in solver.get_model() if name > 0}
        free, loops = set(squares), []
        while free:
            here = next(iter(free))
            loop = set()
            while here is not None:
                loop.add(here)
                ends = [s for name in at[here] if name in chosen for s in moves[name - 1] if s != here]
                here = next((s for s in ends if s not in loop), None)
            free -= loop
            loops.append(loop)
        if len(loops) == 1:
            break
        for loop in loops:
            solver.add_clause([k + 1 for k, (a, b) in enumerate(moves) if (a in loop) != (b in loop)])
print(n, "closed tour found")
