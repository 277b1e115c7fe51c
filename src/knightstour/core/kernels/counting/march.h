// Rule "two moves each" on keys: the successors of a state when the next square is processed.
//
// core/search/frontier/exact.py defines a state, core/search/frontier/marching.py its key.
#pragma once
#include "../keys.h"

// Constants of the step of one square; see plan.Step.
struct StepInfo {
    using Item = i64;
    i64 slot, present, is_all_seen, near_count, near_mask, touched, room, may_leave, must;
};

struct Steps {
    Array<const StepInfo> info;
    Array<const i64> near;    // (step, place): slots of the later neighbours
    Array<const u64> later;   // (step, slot)
    Array<const i64> unseen;  // (step, slot)
    Array<const i64> word, shift;
    i64 virtual_slot, field_mask;
    i64 leaves;  // whether squares may be skipped

    i64 slots() const { return word.size; }
};

constexpr i64 MAX_WORDS = 8;

template <i64 WIDTH>
struct Key {
    u64 words[WIDTH ? WIDTH : MAX_WORDS];
};

// Generates the children of states. Calls use.enter(key, pick) for each viable child, and use.close(pick) for a closed
// tour. pick: the later neighbours (places in `near`) that the square is joined to: 0 for none, 1 + i for i,
// 1 + d + i * d + k for i and k, where d is their number.
template <i64 WIDTH, class Use>
struct Joining {
    using State = Key<WIDTH>;

    const Steps &steps;
    const StepInfo &here;
    const Array<const i64> near, unseen;
    const Array<const u64> later;
    Use &use;

    Joining(const Steps &all, i64 t, Use &its_use)
        : steps(all),
          here(all.info[t]),
          near(all.near.part(t * (all.near.size / all.info.size), all.info[t].near_count)),
          unseen(all.unseen.part(t * all.slots(), all.slots())),
          later(all.later.part(t * all.slots(), all.slots())),
          use(its_use) {}

    u64 inner_of(const State &key) const { return key.words[0] & (bit_of(steps.slots()) - 1); }

    // A slot's number xor its mate's, 0 without a mate.
    u64 field_of(const State &key, i64 slot) const {
        return key.words[steps.word[slot]] >> steps.shift[slot] & u64(steps.field_mask);
    }

    void change(State *key, i64 slot, u64 change) const { key->words[steps.word[slot]] ^= change << steps.shift[slot]; }

    // Add the move between slots a and b, the ends of two paths or bare: the far ends become mates.
    void join(State *key, i64 a, i64 b) const {
        const u64 a_field = field_of(*key, a), b_field = field_of(*key, b);
        const u64 x = u64(a) ^ a_field, y = u64(b) ^ b_field;
        // A joined end becomes inner and loses its field; a bare square is its own far end.
        if (a_field) {
            change(key, a, a_field);
            key->words[0] ^= bit_of(a);
        }
        if (b_field) {
            change(key, b, b_field);
            key->words[0] ^= bit_of(b);
        }
        change(key, i64(x), a_field ^ x ^ y);
        change(key, i64(y), b_field ^ x ^ y);
    }

    // Whether each affected slot still has enough later neighbours for its missing moves. The virtual square can serve
    // as many slots as it has free ends. A path must not be closed while squares are unseen.
    bool is_alive(const State &key, u64 affected) const {
        const u64 free = u64(here.present) & ~bit_of(here.slot) & ~inner_of(key);
        const i64 helper = steps.virtual_slot;
        i64 spare = 0;
        if (helper >= 0 && free & bit_of(helper)) spare = field_of(key, helper) ? 1 : 2;
        for (u64 left = affected & free; left; left &= left - 1) {
            const i64 slot = lowest(left);
            u64 open = later[slot] & free;
            const u64 field = field_of(key, slot);
            if (field) {
                if (!here.is_all_seen && !steps.leaves) {
                    const i64 mate = i64(field) ^ slot;
                    open &= ~bit_of(mate);
                    if (mate == helper && !open && !unseen[slot]) return false;
                }
                if (open || unseen[slot]) continue;
            } else if (steps.leaves) {
                continue;
            } else {
                const i64 have = unseen[slot] + (open != 0) + ((open & (open - 1)) != 0);
                if (have >= 2) continue;
                if (have == 0) return false;
            }
            if (spare == 0) return false;
            spare--;
        }
        return true;
    }

    // Slots that may lack neighbours after a move to this slot with this field.
    u64 affected_by(i64 slot, u64 field) const {
        if (!field) return 0;
        return slot == steps.virtual_slot ? u64(here.touched) : later[slot];
    }

    // If squares may be skipped: whether the path between two slots is the only one, and closing it visits the required
    // squares (the ends of an open tour, or the given square of a closed one).
    bool is_alone(State key, i64 a, i64 b) const {
        const u64 done = inner_of(key) | bit_of(a) | bit_of(b);
        if (u64(here.must) & ~done) return false;
        if (steps.virtual_slot >= 0 && !(done & bit_of(steps.virtual_slot))) return false;
        change(&key, a, field_of(key, a));
        change(&key, b, field_of(key, b));
        u64 fields = key.words[0] >> steps.slots();
        for (i64 j = 1; j <= steps.word[steps.slots() - 1]; j++) fields |= key.words[j];
        return fields == 0;
    }

    // Whether joining the two ends of a path, one on the square, completes the tour.
    bool is_complete(const State &key, i64 a) const {
        const i64 v = here.slot;
        if (steps.leaves) return is_alone(key, v, a);
        return here.is_all_seen && (inner_of(key) | bit_of(v) | bit_of(a)) == u64(here.present);
    }

    // Extend the path that ends on the square to each of the neighbours from place `first` on.
    void prolong(const State &key, i64 first, u64 affected, i64 pick) const {
        const i64 v = here.slot, far = i64(field_of(key, v)) ^ v;
        const u64 inner = inner_of(key);
        for (i64 i = first; i < here.near_count; i++) {
            const i64 a = near[i];
            if (inner & bit_of(a)) continue;
            if (a == far) {
                // A cycle is valid only if it is complete.
                if (is_complete(key, a)) use.close(pick + i);
                continue;
            }
            State child = key;
            join(&child, v, a);
            child.words[0] ^= bit_of(v);
            if (is_alive(child, affected | affected_by(a, field_of(key, a)))) use.enter(child, pick + i);
        }
    }

    void each_child(const State &key) const {
        const i64 v = here.slot, d = here.near_count;
        const u64 inner = inner_of(key);
        if (inner & bit_of(v)) {
            State child = key;
            child.words[0] ^= bit_of(v);
            if (is_alive(child, u64(here.near_mask))) use.enter(child, 0);
            return;
        }
        if (field_of(key, v)) return prolong(key, 0, u64(here.near_mask), 1);
        if (here.may_leave && is_alive(key, u64(here.near_mask))) use.enter(key, 0);
        for (i64 i = 0; i < d; i++) {
            const i64 a = near[i];
            if (inner & bit_of(a)) continue;
            State joined = key;
            join(&joined, v, a);
            prolong(joined, i + 1, u64(here.near_mask) | affected_by(a, field_of(key, a)), 1 + d + i * d);
        }
    }
};
