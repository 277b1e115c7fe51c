"""Find a closed tour by CP-SAT's circuit constraint, with one worker."""

import sys

from ortools.sat.python import cp_model

n = int(sys.argv[1])
model = cp_model.CpModel()
squares = [(r, c) for r in range(n) for c in range(n)]
arcs = [
    (a, b, model.new_bool_var(""))
    for a, p in enumerate(squares)
    for b, q in enumerate(squares)
    if abs((p[0] - q[0]) * (p[1] - q[1])) == 2
]
model.add_circuit(arcs)
solver = cp_model.CpSolver()
solver.parameters.num_workers = 1
solver.parameters.max_time_in_seconds = 120
assert solver.status_name(solver.solve(model)) in ("OPTIMAL", "FEASIBLE")
print(n, "closed tour found")
