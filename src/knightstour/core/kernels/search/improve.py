"""The state of improve: simulated annealing over covers by loops, towards one loop that is good in some number.

A cover gives every vertex two links. A step takes two links u-v and x-y away and puts u-x and v-y in their place; where
v-y is no move, it goes on with a third link z-w, and puts y-z and w-v. In one loop that turns parts of it round, moves
them elsewhere or cuts it; links of several loops join them. The cost is what is to be small, plus PENALTY for each loop
more than one, so that some steps by way of several loops may do what no single step can. Under a symmetry each step is
made with all its images, so that a cover that the symmetry lays on itself stays one.

Invariants between steps: links[2*v], links[2*v+1] are the two neighbours of v, and v is one of theirs;
directions[2*v+k] is the direction of that link as it leaves v (-1: none, as of a link that is more than a move); two
opposite directions differ in the last bit only, and even ones go down. frozen[2*v+k] is set for a link that must stay.
LOOPS and COST are always those of the links. best_links is a cover of one loop at the cost BEST, once there is one.
images[i * n + v]: where the symmetry, repeated i + 1 times, takes vertex v of n.
"""

from typing import NamedTuple

import numpy as np


class State(NamedTuple):
    """Arrays of int64, but for frozen, which is of bool.

    counters: see below. odds[level * WIDTH + d]: chance, of 2**32, that a step which costs d more is taken.
    offsets, targets, codes: the moves of each vertex and their directions. at: vertex at a place of the grid, -1 for
    none; place: the vertex's place. crossed_from, crossed_place, crossed_code: for each downward direction, which links
    (place of the upper end from here, direction) cross it. over_from, over_place: likewise what places it passes over.
    move_cost[DIRECTIONS * v + direction], corner_cost[DIRECTIONS * direction + direction]: what moves and corners are
    worth. log, trail, seen, passes, slopes: what a step needs while it is made.
    """

    counters: np.ndarray
    odds: np.ndarray
    offsets: np.ndarray
    targets: np.ndarray
    codes: np.ndarray
    links: np.ndarray
    directions: np.ndarray
    frozen: np.ndarray
    best_links: np.ndarray
    at: np.ndarray
    place: np.ndarray
    crossed_from: np.ndarray
    crossed_place: np.ndarray
    crossed_code: np.ndarray
    over_from: np.ndarray
    over_place: np.ndarray
    move_cost: np.ndarray
    corner_cost: np.ndarray
    images: np.ndarray
    log: np.ndarray
    trail: np.ndarray
    seen: np.ndarray
    passes: np.ndarray
    slopes: np.ndarray


# Items of `counters` that Python asks for; the struct Counters has all. CROSSING: what one crossing is worth.
# HAS_CORNERS: whether corners are worth anything. DIVISOR: what the value of a loop is divided by. POWERS: of the
# symmetry, but the first. REMOVED: links that the step took away. MADE: links that it made. MARK: for `seen`. VALUE: of
# all loops. DIRECTIONS: that a move may have.
RANDOM, COUNT, LOOPS, COST, BEST, SIGN, KIND, PENALTY, LEVELS, WIDTH, TOTAL, TAKEN, GOAL, CROSSING = range(1, 15)
HAS_CORNERS, DIVISOR, POWERS, REMOVED, MADE, MARK, VALUE, DIRECTIONS = range(15, 23)
COUNTERS = 23
NO_COST = 1 << 40
# Items of `log` for each link that a step may take away or make: three of them, and their images.
LOGGED = 3
MAX_LINKS = 3

# How the number of a cover comes about: as a sum over moves, corners and crossings, whose change is that near the step;
# or counted again in each step: moves that nothing crosses, moves of the commonest slope, sums of signed moves round
# each loop, the longest line, passes over a square.
ADDED, UNCROSSED, COMMONEST, ROUND, LONGEST, MAX_PASSED, NEVER_PASSED = range(7)
