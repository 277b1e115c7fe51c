"""Kernels that count how many of all tours use each move: weights carried backwards through halves.

See counting/spaces/move_counts.py, and space_halves.py beside this file for the words.
"""

from knightstour.kernels.counting import space_halves
from knightstour.kernels.counting.class_join import find_sources, pairs_of, plan_moves, rank_of
from knightstour.kernels.counting.class_lists import DEAL, KIND, OP_BITS, SLOT
from knightstour.kernels.counting.sorted_lists import find
from knightstour.kernels.counting.space_halves import (
    DONE,
    FULL,
    all_ends_of,
    prepare,
    raised_slots,
    with_loose,
    with_plan,
)
from knightstour.kernels.counting.words import MASK, NO_WORD, changed, place_of


def add_last_weights(finals, first, last, left, right, fit, scratch, tables, asked, weights, uses):
    """Add to weights[i] how many right halves complete state i of the left half's last layer by classes finals[first]
    .. finals[last-1], and to uses[m] how many tours use middle move m of the left half so. A status and the next one.
    """
    matchings = tables.matchings
    for k in range(first, last):
        c = finals[k]
        status, n_left, n_right = prepare(c, left, right, fit, scratch, tables, asked)
        if status == FULL:
            return FULL, k
        if n_left == 0 or n_right == 0:
            continue
        ends, virtual = all_ends_of(c)
        pairs = pairs_of(c)
        n, _, _ = find_sources(left, c, scratch.found)
        for f in range(n):
            j = scratch.found[f, 0]
            chosen = left.subsets[scratch.found[f, 1], 2]
            moves = plan_moves(left, left.classes[j], chosen, scratch.plan)
            tours = 0
            for i in range(left.offsets[j], left.offsets[j] + left.lengths[j]):
                word = with_plan(left.states[i, 0], scratch.plan, moves)
                if word == NO_WORD:
                    continue
                if c >> 32 == 1:
                    word = with_loose(word, c & MASK, virtual)
                at = find(scratch.ranks, 0, n_left, rank_of(word, ends, pairs, matchings))
                if at >= 0:
                    weights[i] += scratch.ways[at]
                    tours += left.states[i, 1] * scratch.ways[at]
            m = 0
            while chosen:
                if chosen & 1:
                    uses[m] += tours
                chosen >>= 1
                m += 1
    return DONE, last


def add_weights(chain, t, first, last, words, words_at, weights, weights_before, uses):
    """Carry weights of states of layer t + 1 back along the edges into its classes first .. last-1, to layer t.

    weights[i] goes with words[i], where class j of the layer begins at words_at[j]; weights_before begins with the
    first state of layer t. uses[slot]: to how many tours step t adds the move to that slot.
    """
    origin = chain.begins[chain.class_at[t]]
    for j in range(first, last):
        here = chain.class_at[t + 1] + j
        after = chain.classes[here]
        for e in range(chain.edge_starts[here], chain.edge_starts[here + 1]):
            code = chain.edges[e]
            op = code & 15
            a = (code >> 4) & 15
            b = (code >> 8) & 15
            there = chain.class_at[t] + (code >> OP_BITS)
            before = chain.classes[there]
            tours = 0
            for i in range(chain.begins[there], chain.begins[there + 1]):
                word = changed(chain.words[i], op, a, b, before & MASK)
                if word == NO_WORD:
                    continue
                at = find(words, words_at[j], words_at[j + 1], word)
                if at >= 0:
                    weights_before[i - origin] += weights[at]
                    tours += chain.counts[i] * weights[at]
            if chain.steps[t, KIND] == DEAL and tours > 0:
                gone = 1 << chain.steps[t, SLOT]
                raised = raised_slots(before & ~(gone | (gone << 16)), after)
                while raised:
                    bit = raised & -raised
                    raised ^= bit
                    uses[place_of(bit)] += tours


KERNELS = (*space_halves.KERNELS, add_last_weights, add_weights)
INNER = tuple(f for f in KERNELS if f not in (add_last_weights, add_weights))
