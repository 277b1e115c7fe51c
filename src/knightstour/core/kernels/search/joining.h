// Second part of the merging method: joining two loops of a cover, or changing links along a trail.
#pragma once
#include "covering.h"

namespace {

// Longer trails rarely keep the number of loops.
constexpr i64 LONGEST_TRAIL = 16;

struct Joining : Covering {
    using Covering::Covering;

    // ------------------------------------------------------------ two loops

    // The loop of a square: its label, or in phase SWEEP the root of its tree, with path compression.
    i64 loop_of(i64 s) const {
        if (now.phase != SWEEP) return label[s];
        while (label[s] != s) s = label[s] = label[label[s]];
        return s;
    }

    bool is_largest(i64 loop) const { return loops[loop] * i64(2) > now.count + 1; }

    // Join two loops: a-b and p-q become a-p and b-q; the smaller one gets the label of the larger.
    void merge(i64 a, i64 b, i64 p, i64 q) {
        i64 keep = loop_of(a), drop = loop_of(p), first = p;
        if (loops[keep] < loops[drop]) {
            const i64 other = keep;
            keep = drop;
            drop = other;
            first = a;
        }
        if (now.phase == SWEEP)
            label[drop] = i32(keep);
        else
            links.relabel(label, first, keep);
        loops[keep] += loops[drop];
        loops[drop] = 0;
        links.relink(a, b, p);
        links.relink(b, a, q);
        links.relink(p, q, a);
        links.relink(q, p, b);
        now.components--;
        now.merges++;
        now.merged++;
    }

    // Whether a square is a free end, linked to the joker.
    bool is_free_end(i64 a) const {
        return now.end == ANY && (before[now.joker] == a || (after[now.joker] == a && now.start == ANY));
    }

    // Join the loop of a to another one at a link of a; return false if that is impossible. The joker can be linked to
    // any square, so a free end can join any loop next to it.
    bool try_merge(i64 a) {
        const i64 mine = loop_of(a), joker = now.joker, x = draw();
        const bool is_end = is_free_end(a), turns = (x >> 3) & 1;
        const i64 b = turns ? after[a] : before[a], other = turns ? before[a] : after[a];
        const Moves moves = turned(a, x >> 4);
        for (i64 i = 0; i < moves.targets.size; i++) {
            const i64 p = moves[i];
            if (loop_of(p) == mine) continue;
            const i64 sides[] = {after[p], before[p]};
            for (const i64 q : sides) {
                if ((is_end && b == joker) || are_joined(q, b)) {
                    merge(a, b, p, q);
                    return true;
                }
                if (other != b && ((is_end && other == joker) || are_joined(q, other))) {
                    merge(a, other, p, q);
                    return true;
                }
            }
        }
        return false;
    }

    // Join the loop of a to another one at parallel links: a-b and p-q with p - a = q - b. Most links on boards are
    // parallel, and this comparison is much faster than the search of `try_merge` in the first sweep of large boards.
    void try_parallel(i64 a) {
        const i64 x = draw(), b = (x >> 3) & 1 ? before[a] : after[a];
        if (b == now.joker) return;
        const Moves moves = turned(a, x >> 4);
        for (i64 i = 0; i < moves.targets.size; i++) {
            const i64 p = moves[i], q = p + b - a;
            if ((after[p] != q && before[p] != q) || q == a || q == now.joker) continue;
            if (loop_of(p) == loop_of(a) || !are_joined(b, q)) continue;
            return merge(a, b, p, q);
        }
    }

    // ------------------------------------------------------------ trails

    // The square after `first` on a trail, or -1.
    i64 second_of_trail(i64 first, i64 x) const {
        const i64 joker = now.joker;
        i64 s = (x >> 5) & 1 ? before[first] : after[first];
        if (first == joker && now.start >= 0) {
            s = before[joker];
            // The path is the given start alone, which must stay in place.
            if (s == after[joker]) return -1;
        }
        return s == joker ? -1 : s;
    }

    // A square one move from s, the end of a trail, that is not linked to it; `first` if possible, else a random one,
    // or -1.
    i64 next_of_trail(i64 s, i64 came, i64 first, i64 turn) const {
        const Moves moves = turned(s, turn);
        i64 p = -1;
        for (i64 i = 0; i < moves.targets.size; i++) {
            const i64 t = moves[i];
            if (t != before[s] && t != after[s] && t != came && (p < 0 || t == first)) p = t;
        }
        return p;
    }

    // The link of p that a trail removes: its other end, or -1 if no link can be removed.
    i64 link_to_lose(i64 p, i64 first, i64 x) const {
        const i64 joker = now.joker;
        i64 q = after[p];
        if (!((x >> 5) & 1) || q < 0 || q == joker) {
            q = before[p];
            if (q < 0 || q == joker) q = after[p];
        }
        // The path must not shrink to a given start alone: the joker's two links would be indistinguishable.
        return q == joker || (first == joker && q == now.start) ? -1 : q;
    }

    // A closed trail from `first` that alternately removes links and adds moves; returns its number of squares.
    //
    // The links via[0]-via[1], via[2]-via[3], ... are removed; via[1]-via[2], ..., and from the last square to the
    // first, are added. Returns 0 with unchanged links if no trail was found.
    i64 trail(i64 first) {
        i64 s = second_of_trail(first, draw());
        if (s < 0) return 0;
        links.unlink(first, s);
        links.unlink(s, first);
        via[0] = i32(first);
        via[1] = i32(s);
        i64 length = 2;
        // Two links are missing: one at s, one at the first square.
        while (length < LONGEST_TRAIL) {
            const i64 p = next_of_trail(s, via[length - 2], first, draw() >> 8);
            if (p == first || (first == now.joker && length > 2)) {
                links.link(s, first);
                links.link(first, s);
                return length;
            }
            if (p < 0) break;
            const i64 q = link_to_lose(p, first, draw());
            if (q < 0) break;
            links.relink(p, q, s);
            links.link(s, p);
            links.unlink(q, p);
            via[length] = i32(p);
            via[length + 1] = i32(q);
            length += 2;
            s = q;
        }
        undo_trail(length);
        return 0;
    }

    // Undo all changes, the last one first; the link that closes the trail is removed already.
    void undo_trail(i64 length) {
        while (length > 2) {
            length -= 2;
            const i64 s = via[length - 1], p = via[length], q = via[length + 1];
            links.link(q, p);
            links.unlink(s, p);
            links.relink(p, s, q);
        }
        links.link(via[1], via[0]);
        links.link(via[0], via[1]);
    }
};

}  // namespace
