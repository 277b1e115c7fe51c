"""A Hamiltonian cycle by CP-SAT's circuit constraint, one worker: the nodes, then a file with two of them a line."""

import sys

from ortools.sat.python import cp_model

with open(sys.argv[2]) as file:
    edges = [tuple(map(int, line.split())) for line in file]
model = cp_model.CpModel()
model.add_circuit([(a, b, model.new_bool_var("")) for edge in edges for a, b in (edge, edge[::-1])])
assert {a for edge in edges for a in edge} == set(range(int(sys.argv[1])))
solver = cp_model.CpSolver()
solver.parameters.num_workers = 1
status = solver.status_name(solver.solve(model))
print({"OPTIMAL": "found", "FEASIBLE": "found", "INFEASIBLE": "impossible"}.get(status, "undecided"))
