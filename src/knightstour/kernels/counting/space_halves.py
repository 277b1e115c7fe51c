"""Kernels of TourSpaces made of two halves: single tours in the layers and joins of counting by halves, both ways.

See counting/spaces/by_halves.py for the whole, and class_lists.py for classes and words. What is imported from
class_lists and class_join is compiled along with this file.
"""

from collections import namedtuple

from knightstour.kernels.counting import class_join
from knightstour.kernels.counting.class_join import (
    DIGIT,
    DIGIT_MASK,
    GATHERED_BY_RANK,
    add_product,
    complete,
    end_number,
    find_sources,
    gather,
    pairs_of,
    plan_moves,
    rank_of,
    room_for,
    sort_by_rank,
)
from knightstour.kernels.counting.class_lists import (
    DEAL,
    END,
    KIND,
    OP_BITS,
    SLOT,
    choices,
    index_of,
    number_of,
    partner,
    with_moves,
)
from knightstour.kernels.counting.sorted_lists import NOWHERE, find, sort_pairs
from knightstour.kernels.counting.words import (
    JOIN,
    KEEP,
    LOOSEN,
    MASK,
    MOVE,
    NO_WORD,
    PAIR,
    STUB_LAST,
    changed,
    loose_of,
    place_of,
    turned,
)

# All layers of one half, one after the other, without the states of the last one, which are in a Side of class_join.
# class_at[t]: number of the first class of layer t. classes[j]; its states are begins[j] .. begins[j + 1] - 1, with
# words[i], rising within a class, and counts[i]. The edges into it are edge_starts[j] .. edge_starts[j + 1] - 1 of
# edges, as class_lists makes them (the source is numbered within its layer).
# steps: as in class_lists. square_at[t]: the square that step t is about. square_in[t, slot]: the square in a slot
# when the step is done. slot_of[t, square]: the other way round, -1 for none. moves: squares of the middle moves.
Chain = namedtuple(
    "Chain", "class_at classes begins words counts edge_starts edges steps square_at square_in slot_of moves"
)

# How the halves fit: see middle.Seam. all_ends: ends of the tour in all. from_left: turn table for left words.
Fit = namedtuple("Fit", "all_ends present to_right slot_to_right to_left from_left")

# Room of one thread beside class_join.Scratch. candidates: words. children, ops: of a class. classes, words, picked:
# for each layer of a half the class that a tour has there, its word, and the number of its class. fit_ranks,
# fit_places: right words that fit a left one.
Paper = namedtuple("Paper", "candidates children ops classes words picked fit_ranks fit_places stack")

# Items of `asked`, which is also the stack of a sort: 256 places.
NEED_TABLE, NEED_LIST = range(2)
DONE, FULL, BROKEN = range(3)
# Lists with fewer than one word in this many possible ones are sorted by comparisons.
_FEW = 32


# ---------------------------------------------------------------- one step back


def words_before(word, op, a, b, after, out):
    """Write the words that may become `word` by an operation to `out`, in a fixed order; how many.

    after: the class of `word`. Some of those written may be no words of the class before, or become another word.
    """
    if op == KEEP:
        out[0] = word
        return 1
    a4 = a << 2
    b4 = b << 2
    if op == PAIR:
        out[0] = word ^ ((a ^ b) << a4) ^ ((a ^ b) << b4)
        return 1
    if op == STUB_LAST:
        f = (word >> a4) & 15
        out[0] = word ^ (f << a4) ^ (f << ((a ^ f) << 2))
        return 1
    if op == MOVE:
        g = (word >> b4) & 15
        y = b ^ g
        out[0] = word
        if g != 0:
            out[0] = word ^ (g << b4) ^ ((a ^ y) << a4) ^ ((a ^ b) << (y << 2))
        return 1
    ends = after & MASK
    n = 0
    if op == LOOSEN:
        y = loose_of(word, ends)
        out[0] = word ^ ((a ^ y) << a4) ^ ((a ^ y) << (y << 2))
        return 1
    # JOIN and LOOSEN_LAST cut one of the paths in two, in either direction.
    left = ends
    while left:
        bit = left & -left
        left ^= bit
        x = place_of(bit)
        f = (word >> (x << 2)) & 15
        x4 = x << 2
        if f == 0:
            # The loose path: its loose part may have come with a or with b.
            if op == JOIN:
                out[n] = word ^ ((x ^ a) << a4) ^ ((x ^ a) << x4)
                out[n + 1] = word ^ ((x ^ b) << b4) ^ ((x ^ b) << x4)
                n += 2
            continue
        y = x ^ f
        if op == JOIN:
            # x with a, and its mate with b; the other way round it is the mate's turn.
            out[n] = word ^ ((f ^ x ^ a) << x4) ^ ((f ^ y ^ b) << (y << 2)) ^ ((x ^ a) << a4) ^ ((y ^ b) << b4)
            n += 1
        else:
            out[n] = word ^ ((f ^ x ^ a) << x4) ^ (f << (y << 2)) ^ ((x ^ a) << a4)
            n += 1
    return n


def go_back(chain, layer, c, word, number, picked, paper):
    """The half-made tour of a number, from 0, among those of a state: picked[t] is then the class before step t,
    within its layer; paper.words[t] the word. Returns DONE, or BROKEN where the numbers do not add up.

    c: the class, numbered within its layer.
    """
    for t in range(layer - 1, -1, -1):
        here = chain.class_at[t + 1] + c
        after = chain.classes[here]
        is_found = False
        for e in range(chain.edge_starts[here], chain.edge_starts[here + 1]):
            code = chain.edges[e]
            source = code >> OP_BITS
            op = code & 15
            a = (code >> 4) & 15
            b = (code >> 8) & 15
            there = chain.class_at[t] + source
            before = chain.classes[there]
            n = words_before(word, op, a, b, after, paper.candidates)
            for k in range(n):
                w = paper.candidates[k]
                i = find(chain.words, chain.begins[there], chain.begins[there + 1], w)
                if i < 0 or changed(w, op, a, b, before & MASK) != word:
                    continue
                count = chain.counts[i]
                if number < count:
                    picked[t] = source
                    paper.words[t] = w
                    is_found = True
                    break
                number -= count
            if is_found:
                break
        if not is_found:
            return BROKEN
        c = picked[t]
        word = paper.words[t]
    return DONE


def number_back(chain, layer, c, word, paper):
    """The number, from 0, of a half-made tour among those of its last state, the tour having class paper.classes[t]
    and word paper.words[t] before step t; -1 where it is not there."""
    number = 0
    for t in range(layer - 1, -1, -1):
        here = chain.class_at[t + 1] + c
        after = chain.classes[here]
        is_found = False
        for e in range(chain.edge_starts[here], chain.edge_starts[here + 1]):
            code = chain.edges[e]
            source = code >> OP_BITS
            op = code & 15
            a = (code >> 4) & 15
            b = (code >> 8) & 15
            there = chain.class_at[t] + source
            before = chain.classes[there]
            n = words_before(word, op, a, b, after, paper.candidates)
            for k in range(n):
                w = paper.candidates[k]
                i = find(chain.words, chain.begins[there], chain.begins[there + 1], w)
                if i < 0 or changed(w, op, a, b, before & MASK) != word:
                    continue
                if before == paper.classes[t] and w == paper.words[t]:
                    c = source
                    is_found = True
                    break
                number += chain.counts[i]
            if is_found:
                break
        if not is_found:
            return NOWHERE
        word = paper.words[t]
    return number


# ---------------------------------------------------------------- moves and states


def link(links, v, u):
    """Note in links, (size, 2), that a move joins two squares."""
    links[v, 0 if links[v, 0] < 0 else 1] = u
    links[u, 0 if links[u, 0] < 0 else 1] = v


def link_steps(chain, layer, c, picked, links):
    """Note the moves of a half-made tour; c and picked as in go_back."""
    after = chain.classes[chain.class_at[layer] + c]
    for t in range(layer - 1, -1, -1):
        before = chain.classes[chain.class_at[t] + picked[t]]
        if chain.steps[t, KIND] == DEAL:
            slot = chain.steps[t, SLOT]
            v = chain.square_at[t]
            # What was in the square's own slot goes with it, and an heir begins bare.
            gone = 1 << slot
            raised = raised_slots(before & ~(gone | (gone << 16)), after)
            while raised:
                bit = raised & -raised
                raised ^= bit
                link(links, v, chain.square_in[t, place_of(bit)])
        after = before


def raised_slots(before, after):
    """The slots that got a move: bare ones that are ends now, and ends that are inner now."""
    is_bare = ~(before | (before >> 16)) & MASK
    return (is_bare & after & MASK) | (before & (after >> 16) & MASK)


def follow(chain, links, paper):
    """Go forward along the moves of a tour: class and word before each step into paper, and after the last one.

    Returns DONE, or BROKEN where a step has no such choice.
    """
    c = 0
    word = 0
    steps = chain.steps
    for t in range(len(steps)):
        paper.classes[t] = c
        paper.words[t] = word
        slot = steps[t, SLOT]
        bit = 1 << slot
        v = chain.square_at[t]
        is_end = links[v, 0] < 0 or links[v, 1] < 0
        inner = (c >> 16) & MASK
        ends = c & MASK
        if steps[t, KIND] == END:
            if is_end:
                if ends & bit:
                    inner |= bit
                    ends ^= bit
                else:
                    ends |= bit
        else:
            inner &= ~bit
            ends &= ~bit
            for k in range(2):
                u = links[v, k]
                if u >= 0:
                    place = chain.slot_of[t, u]
                    if place >= 0:
                        u_bit = 1 << place
                        if ends & u_bit:
                            ends ^= u_bit
                            inner |= u_bit
                        else:
                            ends |= u_bit
        child = ((c >> 32) + (1 if is_end else 0)) << 32 | inner << 16 | ends
        n = choices(steps[t], c, paper.children, paper.ops)
        is_found = False
        for k in range(n):
            if paper.children[k] == child:
                op = paper.ops[k]
                word = changed(word, op & 15, (op >> 4) & 15, (op >> 8) & 15, c & MASK)
                is_found = word != NO_WORD
                break
        if not is_found:
            return BROKEN
        c = child
    paper.classes[len(steps)] = c
    paper.words[len(steps)] = word
    return DONE


def with_plan(word, plan, moves):
    """The word after the first `moves` operations of a plan (class_join.plan_moves); NO_WORD if one closes a path."""
    for q in range(moves):
        # None of these operations asks for the ends of the class.
        word = changed(word, plan[q, 0], plan[q, 1], plan[q, 2], 0)
        if word == NO_WORD:
            return NO_WORD
    return word


def with_loose(word, ends, virtual):
    """The word with its loose path mated to the slot `virtual`."""
    y = loose_of(word, ends)
    return word ^ ((y ^ virtual) << (y << 2)) ^ ((y ^ virtual) << (virtual << 2))


# ---------------------------------------------------------------- a class and its partner


def prepare(c, left, right, fit, scratch, tables, asked):
    """Gather class c and its partner, and see in how many ways each left word is completed.

    Fills scratch.ranks, counts and ways (left, by rank) and right (in the slots of the left half). Returns (status,
    left words, right words).
    """
    other = partner(c, fit.all_ends, fit.present, fit.to_right)
    pairs = pairs_of(c)
    n, inputs, _ = find_sources(left, c, scratch.found)
    if n == 0 or pairs == 0:
        return DONE, 0, 0
    m, other_inputs, _ = find_sources(right, other, scratch.found)
    if m == 0:
        return DONE, 0, 0
    matchings = tables.matchings
    room = max(room_for(inputs, pairs, matchings), room_for(other_inputs, pairs, matchings))
    if pairs <= GATHERED_BY_RANK:
        room = max(room, matchings[pairs])
    most = min(max(inputs, other_inputs), matchings[pairs])
    if room > len(scratch.table) or most > len(scratch.left):
        asked[NEED_TABLE] = room
        asked[NEED_LIST] = most
        return FULL, 0, 0
    ends, virtual = all_ends_of(c)
    n_right = gather(
        right,
        other,
        fit.slot_to_right[virtual],
        m,
        other_inputs,
        scratch.found,
        scratch.plan,
        scratch.table,
        scratch.right,
        matchings,
    )
    n, inputs, _ = find_sources(left, c, scratch.found)
    n_left = gather(left, c, virtual, n, inputs, scratch.found, scratch.plan, scratch.table, scratch.left, matchings)
    if n_left == 0 or n_right == 0:
        return DONE, 0, 0
    for j in range(n_right):
        scratch.right[j, 0] = turned(scratch.right[j, 0], fit.to_left)
    if _FEW * n_left < matchings[pairs]:
        # To go through all ranks takes longer than to sort those that there are.
        for i in range(n_left):
            scratch.ranks[i] = rank_of(scratch.left[i, 0], ends, pairs, matchings)
            scratch.counts[i] = scratch.left[i, 1]
        sort_pairs(scratch.ranks, scratch.counts, 0, n_left, asked)
    else:
        n_left = sort_by_rank(
            scratch.left, n_left, ends, pairs, scratch.by_rank, scratch.ranks, scratch.counts, matchings
        )
    complete(pairs, ends, scratch.ranks, n_left, scratch.ways, scratch.right, n_right, scratch, tables)
    return DONE, n_left, n_right


def all_ends_of(c):
    """The ends of a class, with the slot that the end of a loose path is given, and that slot (0 if none is loose)."""
    ends = c & MASK
    if c >> 32 == 1:
        bit = ~ends & (ends + 1)
        return ends | bit, place_of(bit)
    return ends, 0


def add_totals(finals, first, last, left, right, fit, scratch, tables, asked, totals):
    """totals[k]: how many tours go through class finals[k], for k from `first` on, in digits of 31 bits: (n, 4), zeros
    before. A status and the next k."""
    for k in range(first, last):
        status, n_left, n_right = prepare(finals[k], left, right, fit, scratch, tables, asked)
        if status == FULL:
            return FULL, k
        total = totals[k]
        for i in range(n_left):
            add_product(total, scratch.counts[i], scratch.ways[i])
        for j in range(3):
            total[j + 1] += total[j] >> DIGIT
            total[j] &= DIGIT_MASK
    return DONE, last


def fits_together(word, rank_word, ends):
    """Whether two matchings of the same ends make one cycle."""
    left = ends
    while True:
        bit = left & -left
        a = place_of(bit)
        b = a ^ ((rank_word >> (a << 2)) & 15)
        left &= ~(bit | (1 << b))
        if left == 0:
            return True
        word = changed(word, JOIN, a, b, ends)
        if word == NO_WORD:
            return False


def word_of_rank(rank, ends, pairs, matchings):
    """The matching of a rank: the inverse of rank_of."""
    word = 0
    for k in range(pairs - 1, -1, -1):
        below = matchings[k]
        bit = ends & -ends
        a = place_of(bit)
        ends ^= bit
        x = rank // below
        rank -= x * below
        other = end_number(ends, x)
        b = place_of(other)
        ends ^= other
        word ^= ((a ^ b) << (a << 2)) ^ ((a ^ b) << (b << 2))
    return word


def list_fitting(word, ends, pairs, n_right, scratch, matchings, paper):
    """The right words that fit a left one, by rank: paper.fit_ranks and their places in scratch.right; how many."""
    n = 0
    for j in range(n_right):
        if fits_together(scratch.right[j, 0], word, ends):
            paper.fit_ranks[n] = rank_of(scratch.right[j, 0], ends, pairs, matchings)
            paper.fit_places[n] = j
            n += 1
    sort_pairs(paper.fit_ranks, paper.fit_places, 0, n, paper.stack)
    return n


# ---------------------------------------------------------------- from a number to a tour, and back


def source_of(side, c, virtual, target, number, scratch):
    """Where a half-made tour of class c and word `target` comes from, the one of this number from 0.

    Returns (class of the last layer, state, subset, what is left of the number), class -1 if there is none.
    """
    n, _, _ = find_sources(side, c, scratch.found)
    for f in range(n):
        j = scratch.found[f, 0]
        x = scratch.found[f, 1]
        moves = plan_moves(side, side.classes[j], side.subsets[x, 2], scratch.plan)
        for i in range(side.offsets[j], side.offsets[j] + side.lengths[j]):
            word = with_plan(side.states[i, 0], scratch.plan, moves)
            if word == NO_WORD:
                continue
            if c >> 32 == 1:
                word = with_loose(word, c & MASK, virtual)
            if word == target:
                if number < side.states[i, 1]:
                    return j, i, x, number
                number -= side.states[i, 1]
    return NOWHERE, 0, 0, 0


def link_half(chain, side, c, virtual, target, number, links, scratch, paper):
    """Note all moves of the half-made tour of class c and word `target` with this number. DONE or BROKEN."""
    j, i, x, left = source_of(side, c, virtual, target, number, scratch)
    if j < 0:
        return BROKEN
    layer = len(chain.steps)
    if go_back(chain, layer, j, side.states[i, 0], left, paper.picked, paper) != DONE:
        return BROKEN
    link_steps(chain, layer, j, paper.picked, links)
    chosen = side.subsets[x, 2]
    m = 0
    while chosen:
        if chosen & 1:
            link(links, chain.moves[m, 0], chain.moves[m, 1])
        chosen >>= 1
        m += 1
    return DONE


def unrank(
    finals,
    classes,
    chosen,
    rights,
    numbers,
    first,
    last,
    halves,
    sides,
    fit,
    scratch,
    paper,
    tables,
    asked,
    links,
):
    """The tours of some numbers as links (n, size, 2), which hold -1 before. A status and the next one.

    Tour q is that number numbers[q], from 0, of class finals[classes[q]]. Classes come in groups. Or, where
    chosen[q] is no -1, it is that of left word chosen[q], right half rights[q] and left half numbers[q].
    """
    matchings = tables.matchings
    now = NOWHERE
    n_left = 0
    n_right = 0
    c = 0
    ends = 0
    virtual = 0
    pairs = 0
    for q in range(first, last):
        if classes[q] != now:
            c = finals[classes[q]]
            status, n_left, n_right = prepare(c, sides[0], sides[1], fit, scratch, tables, asked)
            if status != DONE:
                return status, q
            now = classes[q]
            ends, virtual = all_ends_of(c)
            pairs = pairs_of(c)
        left = numbers[q]
        i = chosen[q]
        if i < 0:
            i = 0
            while i < n_left and left >= scratch.counts[i] * scratch.ways[i]:
                left -= scratch.counts[i] * scratch.ways[i]
                i += 1
        if i >= n_left:
            return BROKEN, q
        word = word_of_rank(scratch.ranks[i], ends, pairs, matchings)
        n = list_fitting(word, ends, pairs, n_right, scratch, matchings, paper)
        right_number = rights[q]
        left_number = left
        if chosen[q] < 0:
            right_number = left // scratch.counts[i]
            left_number = left - right_number * scratch.counts[i]
        k = 0
        while k < n and right_number >= scratch.right[paper.fit_places[k], 1]:
            right_number -= scratch.right[paper.fit_places[k], 1]
            k += 1
        if k == n:
            return BROKEN, q
        right_word = turned(scratch.right[paper.fit_places[k], 0], fit.from_left)
        other = partner(c, fit.all_ends, fit.present, fit.to_right)
        here = links[q]
        there = fit.slot_to_right[virtual]
        if link_half(halves[0], sides[0], c, virtual, word, left_number, here, scratch, paper) != DONE:
            return BROKEN, q
        if link_half(halves[1], sides[1], other, there, right_word, right_number, here, scratch, paper) != DONE:
            return BROKEN, q
    return DONE, last


def half_number(chain, side, links, scratch, paper):
    """Where a tour is in one half: (its last class, -1 if nowhere, its word without a loose path, its number)."""
    if follow(chain, links, paper) != DONE:
        return NOWHERE, 0, 0
    layer = len(chain.steps)
    base = paper.classes[layer]
    word = paper.words[layer]
    j = number_of(side.marks, index_of(base, side.weights, side.size))
    if j < 0:
        return NOWHERE, 0, 0
    chosen = 0
    for m in range(len(chain.moves)):
        a = chain.moves[m, 0]
        b = chain.moves[m, 1]
        if links[a, 0] == b or links[a, 1] == b:
            chosen |= 1 << m
    x = 0
    while x < len(side.subsets) and side.subsets[x, 2] != chosen:
        x += 1
    if x == len(side.subsets):
        return NOWHERE, 0, 0
    c = with_moves(base, side.subsets[x, 0], side.subsets[x, 1])
    target = with_plan(word, scratch.plan, plan_moves(side, base, chosen, scratch.plan))
    if c < 0 or target == NO_WORD:
        return NOWHERE, 0, 0
    virtual = 0
    if c >> 32 == 1:
        # Two words are the same with or without the slot of the loose path, so any will do.
        virtual = all_ends_of(c)[1]
        target = with_loose(target, c & MASK, virtual)
    number = number_back(chain, layer, j, word, paper)
    if number < 0:
        return NOWHERE, 0, 0
    n, _, _ = find_sources(side, c, scratch.found)
    for f in range(n):
        other = scratch.found[f, 0]
        moves = plan_moves(side, side.classes[other], side.subsets[scratch.found[f, 1], 2], scratch.plan)
        for i in range(side.offsets[other], side.offsets[other] + side.lengths[other]):
            if other == j and scratch.found[f, 1] == x and side.states[i, 0] == word:
                return c, target, number
            there = with_plan(side.states[i, 0], scratch.plan, moves)
            if there != NO_WORD:
                if c >> 32 == 1:
                    there = with_loose(there, c & MASK, virtual)
                if there == target:
                    number += side.states[i, 1]
    return NOWHERE, 0, 0


def rank(finals, places, first, last, halves, sides, fit, scratch, paper, tables, asked, links, found):
    """The inverse of unrank. finals rise, and places[k] is the number of finals[k] among the classes as numbered.

    found[q]: the class of tour q, its left word, its right half, its left half and how many left halves that word has,
    and its number in the class, if that is below 2**63. A status and the next one; BROKEN for a tour that
    is none of these.
    """
    matchings = tables.matchings
    for q in range(first, last):
        c, word, left_number = half_number(halves[0], sides[0], links[q], scratch, paper)
        if c < 0:
            return BROKEN, q
        other, right_word, right_number = half_number(halves[1], sides[1], links[q], scratch, paper)
        k = find(finals, 0, len(finals), c)
        if k < 0 or other != partner(c, fit.all_ends, fit.present, fit.to_right):
            return BROKEN, q
        status, n_left, n_right = prepare(c, sides[0], sides[1], fit, scratch, tables, asked)
        if status != DONE:
            return status, q
        ends, virtual = all_ends_of(c)
        pairs = pairs_of(c)
        if c >> 32 == 1:
            # The right half chose a slot for its loose path by itself; here it is the one that the left half chose.
            free = all_ends_of(other)[1]
            y = free ^ ((right_word >> (free << 2)) & 15)
            right_word ^= ((y ^ free) << (y << 2)) ^ ((y ^ free) << (free << 2))
            right_word = with_loose(right_word, other & MASK, fit.slot_to_right[virtual])
        right_word = turned(right_word, fit.to_left)
        mine = rank_of(word, ends, pairs, matchings)
        number = 0
        i = 0
        while i < n_left and scratch.ranks[i] != mine:
            number += scratch.counts[i] * scratch.ways[i]
            i += 1
        if i == n_left:
            return BROKEN, q
        n = list_fitting(word, ends, pairs, n_right, scratch, matchings, paper)
        f = 0
        while f < n and scratch.right[paper.fit_places[f], 0] != right_word:
            right_number += scratch.right[paper.fit_places[f], 1]
            f += 1
        if f == n:
            return BROKEN, q
        found[q, 0] = places[k]
        found[q, 1] = i
        found[q, 2] = right_number
        found[q, 3] = left_number
        found[q, 4] = scratch.counts[i]
        found[q, 5] = number + right_number * scratch.counts[i] + left_number
    return DONE, last


_OWN = (
    words_before,
    go_back,
    number_back,
    link,
    raised_slots,
    link_steps,
    follow,
    with_plan,
    with_loose,
    all_ends_of,
    prepare,
    add_totals,
    fits_together,
    word_of_rank,
    list_fitting,
    source_of,
    link_half,
    unrank,
    half_number,
    rank,
)
KERNELS = (*class_join.KERNELS, choices, with_moves, sort_pairs, find, *_OWN)
INNER = tuple(f for f in KERNELS if f not in (prepare, add_totals, unrank, rank))
