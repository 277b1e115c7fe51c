// Storage "keep all" of lists: ranking and unranking. See join.py for the arrays.
#include "space.h"

namespace {

using Classes = Pairing<Narrow, Side>;
using States = Gathered<Narrow, Side>;

// Gather a class and its partner, with the number of completions of each left word. Returns DONE, or FULL if a buffer
// is too small.
Status prepare(Classes &classes, const Tables &tables, Counters &now) {
    if (!classes.taken.fits(now)) return FULL;
    if (classes.is_empty()) return DONE;
    if (classes.gather(Entering<Sum>(), Entering<Sum>()))
        classes.complete<Sum>(tables);
    else
        classes.n_left = classes.n_right = 0;
    return DONE;
}

// totals[k]: number of tours through class finals[k], for k from counters.next on; zeros initially.
i64 space_totals(Array<const i64> finals, Space space, Room all, Tables tables, Array<Counters> counters,
                 Array<Digits> totals, i64 last) {
    for (i64 &k = counters[0].next; k < last; k++) {
        Classes classes(Class::of(finals[k]), space.left.side, space.right.side, space.fit, all);
        if (prepare(classes, tables, counters[0]) == FULL) return FULL;
        for (i64 i = 0; i < classes.n_left; i++) totals[k].add_product(classes.room.values[i], classes.room.ways[i]);
        totals[k].carry();
    }
    return DONE;
}

// ---------------------------------------------------------------- compatible words

// The right words that fit a left one, as (rank, place in the list), by rank. fitting: capacity for all right words.
Array<const Counted> list_fitting(const Classes &classes, u64 word, const Array<Counted> &fitting) {
    i64 n = 0;
    for (i64 j = 0; j < classes.n_right; j++) {
        const u64 right = classes.room.right[j].word;
        if (fit_together(right, word, classes.ends))
            fitting[n++] = {u64(rank_of<Narrow>(right, classes.ends, classes.pairs)), j};
    }
    sort_states(fitting.part(0, n));
    return {fitting.at, n};
}

// ---------------------------------------------------------------- from a rank to a tour

// Record the moves of the partial tour with this index, from 0, within a class and a word. Returns whether it exists.
bool link_half(const Half &half, const States &states, u64 target, i64 number, const Links &links) {
    At last{};
    i64 subset = 0;
    const bool is_found = states.find([&](u64 word, i64 state, const Source &source) {
        if (word != target) return false;
        const i64 count = half.side.value_of(state);
        if (number >= count) {
            number -= count;
            return false;
        }
        last = {source.number, half.side.states[state].word};
        subset = source.subset;
        return true;
    });
    if (!is_found || !link_back(half.chain, last, number, links)) return false;
    each_of(u64(half.side.subsets[subset].moves),
            [&](i64 m) { link(links, half.chain.moves[m].a, half.chain.moves[m].b); });
    return true;
}

// Position of a tour: the index of its class, and its index in the class, from 0.
struct TourPlace {
    using Item = i64;
    i64 final_class, number;
};

// Record the moves of a tour. Returns whether it exists.
bool link_tour(const Space &space, const Classes &classes, i64 number, const Array<Counted> &fitting,
               const Links &links) {
    const Scratch &room = classes.room;
    i64 i = 0;
    for (; i < classes.n_left && number >= room.values[i] * room.ways[i]; i++) number -= room.values[i] * room.ways[i];
    if (i == classes.n_left) return false;
    // Indices among the left and the right halves with these words.
    const i64 mine = number % room.values[i];
    i64 other = number / room.values[i];
    const u64 word = word_of_rank(room.ranks[i], classes.ends, classes.pairs);
    for (const Counted &one : list_fitting(classes, word, fitting)) {
        const Counted &right = room.right[one.value];
        if (other < right.value) {
            return link_half(space.left, classes.left_states(), word, mine, links) &&
                   link_half(space.right, classes.right_states(), Narrow::turned(right.word, 0, space.from_left), other,
                             links);
        }
        other -= right.value;
    }
    return false;
}

// Unrank tours counters.next .. last-1 of the requested ones, as links (`size` per tour), initially -1. Tours are
// grouped by class. BROKEN if a tour does not exist.
i64 space_unrank(Array<const i64> finals, Array<const TourPlace> tours, Space space, Room all, Tables tables,
                 Array<Counters> counters, Links links, i64 size, i64 last) {
    i64 &q = counters[0].next;
    while (q < last) {
        const i64 k = tours[q].final_class;
        Classes classes(Class::of(finals[k]), space.left.side, space.right.side, space.fit, all);
        const Array<Counted> fitting = classes.taken.items.next<Counted>(classes.most());
        if (prepare(classes, tables, counters[0]) == FULL) return FULL;
        for (; q < last && tours[q].final_class == k; q++)
            if (!link_tour(space, classes, tours[q].number, fitting, links.part(q * size, size))) return BROKEN;
    }
    return DONE;
}

// ---------------------------------------------------------------- from a tour to its rank

// Position of a tour in one half: its final class, or -1; its word; its index within class and word.
struct Place {
    i64 c = -1;
    u64 word = 0;
    i64 number = 0;
};

// The subset of middle moves of a tour; -1 if it is not allowed.
i64 subset_of(const Half &half, const Links &links) {
    i64 chosen = 0, x = 0;
    for (i64 m = 0; m < half.chain.moves.size; m++)
        if (links[half.chain.moves[m].a].has(half.chain.moves[m].b)) chosen |= i64(bit_of(m));
    while (x < half.side.subsets.size && half.side.subsets[x].moves != chosen) x++;
    return x < half.side.subsets.size ? x : -1;
}

// Buffer for `Place`. steps: position of the tour.
struct Paper {
    Steps steps;
    Array<Source> found;
    Array<Planned> plan;

    Paper(const Half &half, Parts &items)
        : steps{items.next<i64>(half.chain.steps.size + 1), items.next<i64>(half.chain.steps.size + 1)},
          found(items.next<Source>(2 * half.side.subsets.size)),
          plan(items.next<Planned>(half.side.moves.size)) {}
};

Place place_in(const Half &half, const Links &links, const Paper &room) {
    const i64 layer = half.chain.steps.size, x = subset_of(half, links);
    if (x < 0 || !follow(half.chain, links, room.steps)) return {};
    const Class base = Class::of(room.steps.classes[layer]);
    const u64 word = u64(room.steps.words[layer]);
    const i64 j = half.side.number_of(base);
    const u32 once = u32(half.side.subsets[x].once), twice = u32(half.side.subsets[x].twice);
    if (j < 0 || (base.inner & (once | twice)) || (base.ends & twice)) return {};
    const Class c{base.placed, base.inner | twice | (base.ends & once), (base.ends ^ once) & ~twice};
    const auto plan = plan_moves(half.side.moves, base, u64(half.side.subsets[x].moves), room.plan);
    u64 target = with_plan<Narrow>(word, plan, base.ends);
    if (target == NO_WORD) return {};
    // Any slot of the loose path works, since it does not affect equality.
    const int extra = extra_of(c);
    if (c.placed == 1) target = with_loose(target, c.ends, extra);
    i64 number = number_back(half.chain, j, room.steps);
    if (number < 0) return {};
    const States states{half.side, c, extra, find_sources(half.side, c, room.found), room.plan};
    const bool is_found = states.find([&](u64 made, i64 state, const Source &source) {
        if (source.number == j && source.subset == x && half.side.states[state].word == word) return true;
        if (made == target) number += half.side.value_of(state);
        return false;
    });
    return is_found ? Place{c.code(), target, number} : Place{};
}

// Whether a tour, whose halves exist, belongs to their class; and its index there.
bool find_tour(const Space &space, const Classes &classes, const Place &mine, const Place &other,
               const Array<Counted> &fitting, i64 &number) {
    const Scratch &room = classes.room;
    u64 right_word = other.word;
    if (classes.joint.right.placed == 1) {
        // The right half chose a slot for its loose path independently; use the choice of the left half.
        const Class &c = classes.joint.right;
        const int free = extra_of(c), y = free ^ nibble(right_word, free);
        right_word ^= at(y ^ free, y) ^ at(y ^ free, free);
        right_word = with_loose(right_word, c.ends, int(space.fit.slot_to_right[classes.extra]));
    }
    right_word = Narrow::turned(right_word, 0, space.fit.to_left);
    const i64 rank = rank_of<Narrow>(mine.word, classes.ends, classes.pairs);
    i64 i = 0;
    number = mine.number;
    for (; i < classes.n_left && room.ranks[i] != rank; i++) number += room.values[i] * room.ways[i];
    if (i == classes.n_left) return false;
    i64 before = other.number;
    for (const Counted &one : list_fitting(classes, mine.word, fitting)) {
        const Counted &right = room.right[one.value];
        if (right.word == right_word) {
            number += before * room.values[i];
            return true;
        }
        before += right.value;
    }
    return false;
}

// The inverse of space_unrank, for tours counters.next .. last-1. finals are sorted; places[k] is the index of
// finals[k] among the numbered classes. found: zeros initially. BROKEN for a tour outside the space.
i64 space_rank(Array<const i64> finals, Array<const i64> places, Space space, Room all, Tables tables,
               Array<Counters> counters, Links links, Array<TourPlace> found, i64 size, i64 last) {
    for (i64 &q = counters[0].next; q < last; q++) {
        const Links tour = links.part(q * size, size);
        Taken taken(all);
        const Paper left(space.left, taken.items), right(space.right, taken.items);
        if (!taken.fits(counters[0])) return FULL;
        const Place mine = place_in(space.left, tour, left), other = place_in(space.right, tour, right);
        const i64 k = mine.c < 0 || other.c < 0 ? -1 : place_of(finals, 0, finals.size, mine.c);
        if (k < 0) return BROKEN;
        Classes classes(Class::of(mine.c), space.left.side, space.right.side, space.fit, all);
        const Array<Counted> fitting = classes.taken.items.next<Counted>(classes.most());
        if (classes.joint.right.code() != other.c) return BROKEN;
        if (prepare(classes, tables, counters[0]) == FULL) return FULL;
        found[q].final_class = places[k];
        if (!find_tour(space, classes, mine, other, fitting, found[q].number)) return BROKEN;
    }
    return DONE;
}

// ---------------------------------------------------------------- from links to orders

// Write tours in order of visit, from their links (`size` per tour) and first squares. A first square with two
// neighbours is followed by the lower one.
i64 space_write_orders(Links links, i64 size, Array<const i64> firsts, AnyOf<u8, u16, i32> orders) {
    return orders.visit([&](auto out) {
        const i64 squares = firsts.size ? out.size / firsts.size : 0;
        for (i64 q = 0; q < firsts.size; q++) {
            const Links tour = links.part(q * size, size);
            write_order(tour, firsts[q], !tour[firsts[q]].is_end(), squares, out, q * squares);
        }
        return i64(0);
    });
}

}  // namespace

EXPORT_KERNEL(space_write_orders)
EXPORT_KERNEL(space_totals)
EXPORT_KERNEL(space_unrank)
EXPORT_KERNEL(space_rank)
