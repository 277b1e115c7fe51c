"""Kernel that goes through the tours of a network of ways, one after the other, and writes each in order of visit.

See counting/spaces/by_states.py for the network. The tours are gone through depth first: at each layer one
way is taken after the other, its moves are made, and a way that completes the tour leaves its moves in `links`. So
moves that tours have in common are joined once for all of them.

Invariant between calls: ways way[0] .. way[depth - 1] are taken, and so is way[depth] where taken[depth] is set; links
and degree hold the moves of just these ways. way[t] .. end[t] - 1 are the ways still to be taken at layer t.
"""

# The place to go on from is one array: the layer that is at work, -1 when all is done.
DEPTH = 0


def join(v, u, links, degree):
    """Add a move."""
    links[v, degree[v]] = u
    degree[v] += 1
    links[u, degree[u]] = v
    degree[u] += 1


def write_order(first, end, closed, squares, links, degree, orders, row):
    """Write the tour in links as a row of orders.

    first: the square to begin with; -1 for the lower one of the two ends, but not `end`. A closed tour goes to the
    lower neighbour of the first square.
    """
    here = first
    if here < 0:
        for v in squares:
            if degree[v] < 2 and v != end:
                here = v
                break
    before = -1
    for step in range(len(squares)):
        orders[row, step] = here
        ahead = links[here, 0]
        if step == 0:
            if closed and links[here, 1] < ahead:
                ahead = links[here, 1]
        elif ahead == before:
            ahead = links[here, 1]
        before = here
        here = ahead


def write_orders(tours, place, way, end, taken, network, order, picked, question, squares, links, degree, orders):
    """Write up to `tours` tours, from where `place` says, as rows of orders; returns how many there were.

    network: (way_at, offset_at, offsets, targets, codes): layer t has its ways from way_at[t] and the offsets of its
    states from offset_at[t] on. order: the square of each layer. picked: (picked_at, squares): code c of layer t joins
    its square to the two squares of row picked_at[t] + c, -1 for none. question: first square or -1, given end or -1,
    and 1 for closed tours.
    """
    way_at, offset_at, offsets, targets, codes = network
    picked_at, joined = picked
    done = 0
    t = place[DEPTH]
    while t >= 0 and done < tours:
        v = order[t]
        if taken[t]:
            row = picked_at[t] + codes[way[t]]
            for i in range(2):
                if joined[row, i] >= 0:
                    degree[v] -= 1
                    degree[joined[row, i]] -= 1
            taken[t] = 0
            way[t] += 1
        if way[t] == end[t]:
            t -= 1
            continue
        row = picked_at[t] + codes[way[t]]
        for i in range(2):
            if joined[row, i] >= 0:
                join(v, joined[row, i], links, degree)
        taken[t] = 1
        target = targets[way[t]]
        if target < 0:
            write_order(question[0], question[1], question[2], squares, links, degree, orders, done)
            done += 1
        else:
            t += 1
            state = offset_at[t] + target
            way[t] = way_at[t] + offsets[state]
            end[t] = way_at[t] + offsets[state + 1]
    place[DEPTH] = t
    return done


KERNELS = (join, write_order, write_orders)
INNER = (join, write_order)
