"""Kernels that make lists of states as those of class_lists.py do, with a weight for each state instead of a count.

A weight is a float, in the place of the count: the same 64 bits, seen as a float by a second view of the array.
"""

from knightstour.kernels.counting import words
from knightstour.kernels.counting.class_lists import OP_BITS, ends_of
from knightstour.kernels.counting.sorted_lists import sort_pairs
from knightstour.kernels.counting.words import FLIPPED, NO_WORD, changed, hash_of, parts_of, turned


def pull_weights(
    first,
    last,
    starts,
    edges,
    classes,
    offsets,
    lengths,
    states,
    weights,
    room,
    out,
    new_offsets,
    new_lengths,
    new_masses,
    turn,
    table,
    table_weights,
    terms,
):
    """Make the lists of targets first .. last-1, one after the other, in `out`, as class_lists.pull does.

    weights, table_weights: states and table, seen as floats. terms[k]: of how many weights that of
    table[k] is the sum. Returns (how many states are made, how many weights are summed up, how many of them are in one
    sum at most).
    """
    place = 0
    seen = 0
    most_terms = 1
    for t in range(first, last):
        new_offsets[t] = place
        most = room[t]
        for i in range(most):
            table[i, 0] = NO_WORD
        for e in range(starts[t], starts[t + 1]):
            code = edges[e]
            op, a, b = parts_of(code)
            source = code >> OP_BITS
            ends = ends_of(classes[source])
            low = offsets[source]
            for i in range(low, low + lengths[source]):
                word = changed(states[i, 0], op, a, b, ends)
                if word == NO_WORD:
                    continue
                if code & FLIPPED:
                    word = turned(word, turn)
                seen += 1
                k = hash_of(word) & (most - 1)
                while table[k, 0] != word and table[k, 0] != NO_WORD:
                    k = (k + 1) & (most - 1)
                if table[k, 0] == word:
                    table_weights[k, 1] += weights[i, 1]
                    terms[k, 0] += 1
                    most_terms = max(most_terms, terms[k, 0])
                else:
                    table[k, 0] = word
                    table_weights[k, 1] = weights[i, 1]
                    terms[k, 0] = 1
        made = place
        mass = 0.0
        for i in range(most):
            if table[i, 0] != NO_WORD:
                out[place, 0] = table[i, 0]
                out[place, 1] = table[i, 1]
                mass += table_weights[i, 1]
                place += 1
        new_lengths[t] = place - made
        new_masses[t] = mass
    return place, seen, most_terms


def bring_in_order(order, turns, tables, offsets, lengths, states, out, words, counts, stack):
    """Copy the lists order[0], order[1], ..., each sorted by its words, one after the other to `out`.

    turns[j]: by which of the tables, as `turned` takes them, the words of list order[j] are turned. words, counts:
    scratch, as long as the longest list; stack: see sort_pairs.
    """
    place = 0
    for j in range(len(order)):
        low = offsets[order[j]]
        length = lengths[order[j]]
        for i in range(length):
            words[i] = turned(states[low + i, 0], tables[turns[j]])
            counts[i] = states[low + i, 1]
        sort_pairs(words, counts, 0, length, stack)
        for i in range(length):
            out[place, 0] = words[i]
            out[place, 1] = counts[i]
            place += 1


INNER = (*words.KERNELS, ends_of, sort_pairs)
KERNELS = (*INNER, pull_weights, bring_in_order)
