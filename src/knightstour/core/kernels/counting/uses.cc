// Algebra "uses" on lists: weights propagated backwards through a half. See lab/counting/spaces/move_counts.py.
#include "space.h"

namespace {

// By classes finals[counters.next] .. finals[last-1], add to weights[i] the number of right halves that complete state
// i of the left half's last layer, and to uses[m] the number of tours with middle move m of the left half.
i64 uses_last(Array<const i64> finals, Side left, Side right, Fit fit, Room all, Tables tables,
              Array<Counters> counters, Array<i64> weights, Array<i64> uses, i64 last) {
    Counters &now = counters[0];
    for (; now.next < last; now.next++) {
        Pairing<Narrow, Side> pairing(Class::of(finals[now.next]), left, right, fit, all);
        if (!pairing.taken.fits(now)) return FULL;
        if (pairing.is_empty() || !pairing.gather(Entering<Sum>(), Entering<Sum>())) continue;
        pairing.complete<Sum>(tables);
        const Scratch &room = pairing.room;
        const Array<const i64> ranks{room.ranks.at, pairing.n_left};
        pairing.left_states().each([&](u64 word, i64 state, const Source &source) {
            const i64 k = place_of(ranks, 0, ranks.size, rank_of<Narrow>(word, pairing.ends, pairing.pairs));
            if (k < 0) return;
            weights[state] += room.ways[k];
            const i64 tours = left.value_of(state) * room.ways[k];
            each_of(u64(left.subsets[source.subset].moves), [&](i64 m) { uses[m] += tours; });
        });
    }
    return DONE;
}

// Propagate weights of states of layer t + 1 back along the edges into its classes first .. last-1, to layer t.
// weights[i] belongs to words[i]; class j of the layer starts at words_at[j]; weights_before starts with the first
// state of layer t. uses[slot]: number of tours in which step t adds the move to that slot.
i64 uses_back(Chain chain, Array<const i64> words, Array<const i64> words_at, Array<const i64> weights,
              Array<i64> weights_before, Array<i64> uses, i64 t, i64 first, i64 last) {
    const i64 origin = chain.begins[chain.class_at[t]];
    for (i64 j = first; j < last; j++) {
        const i64 here = chain.class_at[t + 1] + j;
        for (i64 e = chain.edge_starts[here]; e < chain.edge_starts[here + 1]; e++) {
            const Operation op = Operation::of(chain.edges[e]);
            const i64 there = chain.class_at[t] + (chain.edges[e] >> OP_BITS);
            Class before = Class::of(chain.classes[there]);
            i64 tours = 0;
            for (i64 i = chain.begins[there]; i < chain.begins[there + 1]; i++) {
                const u64 word = Narrow::changed(u64(chain.words[i]), op.name, op.a, op.b, before.ends);
                if (word == NO_WORD) continue;
                const i64 k = place_of(words, words_at[j], words_at[j + 1], i64(word));
                if (k < 0) continue;
                weights_before[i - origin] += weights[k];
                tours += chain.count_of(i) * weights[k];
            }
            const Class after = Class::of(chain.classes[here]);
            each_of(chain.raised(t, before, after), [&](i64 slot) { uses[slot] += tours; });
        }
    }
    return DONE;
}

}  // namespace

EXPORT_KERNEL(uses_last)
EXPORT_KERNEL(uses_back)
