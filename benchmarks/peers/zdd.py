"""Count closed tours by Graphillion, a library of zero-suppressed decision diagrams."""

import sys

from graphillion import GraphSet

rows, cols = int(sys.argv[1]), int(sys.argv[2])
squares = [(r, c) for r in range(rows) for c in range(cols)]
GraphSet.set_universe([(p, q) for p in squares for q in squares if p < q and abs((p[0] - q[0]) * (p[1] - q[1])) == 2])
print(GraphSet.cycles(is_hamilton=True).len(), "closed tours")
