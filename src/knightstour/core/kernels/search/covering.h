// First part of the merging method: the cover of the board by small loops, and a path if the tour is open.
#pragma once
#include "merging.h"

namespace {

struct Covering : State {
    Counters &now;
    const Links links;

    explicit Covering(const State &state) : State(state), now(counters[0]), links{before, after} {}

    i64 draw() { return now.random = next_random(now.random); }

    bool is_large() const { return now.count > WINDOW; }

    Array<const i32> near(i64 a) const { return targets.part(offsets[a], offsets[a + 1] - offsets[a]); }

    // The moves of a square in cyclic order, from one of them on.
    Moves turned(i64 a, i64 turn) const {
        const Array<const i32> its = near(a);
        return {its, its.size > 0 ? turn % its.size : 0};
    }

    // The moves of a square in cyclic order from a random one on; from the first if randomness is 0.
    Moves turned_moves(i64 a) { return turned(a, now.randomness > 0 && near(a).size > 0 ? draw() : 0); }

    bool are_joined(i64 a, i64 b) const {
        for (const i32 s : near(a))
            if (s == b) return true;
        return false;
    }

    // ------------------------------------------------------------ pairs and loops of four

    // Shuffle the squares; on large boards only locally, for the cache.
    void shuffle() {
        for (i64 i = now.count - 1; i > 0; i--) {
            const i64 x = draw();
            // A remainder by a constant power of two is a fast mask.
            const i64 j = i - (i < WINDOW ? x % (i + 1) : x % WINDOW);
            const i32 s = squares[i];
            squares[i] = squares[j];
            squares[j] = s;
        }
    }

    // Remove all links, and shuffle the squares; with randomness 0 they keep their order until the merging.
    void clear() {
        for (i64 s = 0; s <= now.joker; s++) {
            before[s] = after[s] = -1;
            reached[s] = 0;
        }
        if (now.randomness > 0) shuffle();
        now.searches = 0;
        now.searching = -1;
        now.failed_squares = now.failed_targets = 0;
        now.cursor = 0;
    }

    // Cut the last tour into pairs. The start of the first pair is arbitrary in a loop; in an odd path every other
    // square is a candidate for the single one.
    void cut_tour() {
        const i64 n = now.count, x = draw(), first = now.end == NONE ? (x >> 8) & 1 : 0;
        const i64 single = n % 2 == 1 ? draw() % (n / 2 + 1) * 2 : -1;
        for (i64 i = first; i < n - 1 + first; i += 2) {
            if (i == single) i++;
            if (i < n - 1 + first) links.put_pair(tour[i % n], tour[(i + 1) % n]);
        }
        now.cursor = n;
    }

    // Put the 4-cycle a b p q: whole at randomness 0, else as two pairs in one of two ways.
    void put_four(i64 a, i64 b, i64 p, i64 q) {
        if (now.randomness == 0) {
            links.put_four(a, b, p, q);
        } else if ((draw() >> 8) & 1) {
            links.put_pair(b, p);
            links.put_pair(q, a);
        } else {
            links.put_pair(a, b);
            links.put_pair(p, q);
        }
    }

    // Whether a square is in no loop yet, nor in a loop of the base.
    bool is_free(i64 s) const { return after[s] < 0 && base[s] < 0; }

    // Put a square into a 4-cycle of free squares; return false if none exists.
    bool cover_by_four(i64 a) {
        const Moves moves = turned_moves(a);
        for (i64 i = 0; i < moves.targets.size; i++) {
            const i64 b = moves[i];
            if (!is_free(b)) continue;
            for (i64 j = i + 1; j < moves.targets.size; j++) {
                const i64 q = moves[j];
                if (!is_free(q)) continue;
                for (const i64 p : near(b)) {
                    if (p == a || p == q || !is_free(p) || !are_joined(p, q)) continue;
                    put_four(a, b, p, q);
                    return true;
                }
            }
        }
        return false;
    }

    // Put a free square into its 4-cycle of the base, else into another 4-cycle of free squares, else into a pair.
    void cover_square(i64 a) {
        const i64 b = base[a];
        if (b >= 0) return put_four(a, b, base[b], base[base[b]]);
        if (cover_by_four(a)) return;
        for (const i64 other : near(a))
            if (is_free(other)) return links.put_pair(a, other);
    }

    // Phase COVER: pairs of the last tour, or 4-cycles and pairs, while possible.
    void cover(i64 limit) {
        if (now.cursor == 0) {
            clear();
            if (now.has_tour) cut_tour();
        }
        while (now.cursor < now.count) {
            if (now.nodes >= limit) return;
            now.nodes++;
            const i64 a = squares[now.cursor++];
            if (after[a] < 0) cover_square(a);
        }
        now.cursor = 0;
        now.phase = ENDS;
    }

    // ------------------------------------------------------------ a matching

    // Phase ENDS: the given start has no predecessor, the given end no successor; then count the free squares.
    void open_ends() {
        const i64 start = now.start, end = now.end;
        if (start >= 0 && before[start] >= 0) {
            after[before[start]] = -1;
            before[start] = -1;
        }
        if (end >= 0 && after[end] >= 0) {
            before[after[end]] = -1;
            after[end] = -1;
        }
        now.open_targets = now.unmatched = 0;
        for (const i64 s : squares) {
            now.open_targets += before[s] < 0 && s != start;
            now.unmatched += after[s] < 0 && s != end;
        }
        now.cursor = 0;
        now.is_first = is_large();
        now.phase = MATCH;
    }

    // Apply the augmenting path from a square without a successor to b, a square without a predecessor.
    void turn_over(i64 from, i64 b) {
        while (true) {
            const i64 a = via[b], following = after[a];
            links.follow(a, b);
            if (a == from) return;
            b = following;
        }
    }

    // Search for augmenting paths from all squares without a successor in parallel, and apply the paths found.
    //
    // A tree grows from each such square; trees are disjoint, and a tree that has found a square without a predecessor
    // stops growing: label[s], its root, then gets a successor. x: a random number. Returns the number of paths found.
    i64 match_together(i64 x) {
        const i64 mark = ++now.searches;
        i64 tail = 0, made = 0;
        for (const i32 a : squares) {
            if (after[a] >= 0 || a == now.end) continue;
            label[a] = a;
            queue[tail++] = a;
        }
        for (i64 head = 0; head < tail; head++) {
            const i64 a = queue[head], degree = near(a).size;
            if (after[label[a]] >= 0 || degree == 0) continue;
            x = next_random(x);
            const Moves moves = turned(a, x);
            for (i64 i = 0; i < degree; i++) {
                const i64 b = moves[i];
                if (reached[b] == mark || b == now.start) continue;
                reached[b] = mark;
                via[b] = i32(a);
                if (before[b] < 0) {
                    turn_over(label[a], b);
                    made++;
                    break;
                }
                label[before[b]] = label[a];
                queue[tail++] = before[b];
            }
        }
        return made;
    }

    // Continue from the next square of the tree; return a square without a predecessor, or -1.
    i64 grow() {
        const i64 a = queue[now.head++];
        const Moves moves = turned_moves(a);
        for (i64 i = 0; i < moves.targets.size; i++) {
            const i64 b = moves[i];
            // Squares of a failed search are never useful again: their mark is -1.
            if (reached[b] == now.searches || reached[b] < 0 || b == now.start) continue;
            reached[b] = now.searches;
            via[b] = i32(a);
            if (before[b] < 0) return b;
            queue[now.tail++] = before[b];
        }
        return -1;
    }

    // Begin the search for an augmenting path from a square that needs a successor.
    bool searches_from(i64 a) {
        if (after[a] >= 0 || a == now.end) return false;
        now.searching = a;
        now.searches++;
        queue[0] = i32(a);
        now.head = 0;
        now.tail = 1;
        return true;
    }

    // End the search from a square, with the square found, or -1.
    void end_search(i64 found) {
        if (found >= 0) {
            turn_over(now.searching, found);
            now.open_targets--;
            now.unmatched--;
        } else {
            now.failed_squares += now.tail;
            now.failed_targets += now.tail - 1;
            for (i64 i = 1; i < now.tail; i++) reached[after[queue[i]]] = -1;
        }
        now.searching = -1;
    }

    // Phase MATCH: give every square a successor, by augmenting paths. EXHAUSTED if that is impossible.
    //
    // A tour is a perfect matching, except for its ends, of the bipartite graph in which each square occurs as
    // predecessor and as successor.
    Status match(i64 limit) {
        while (now.is_first && now.open_targets > 0 && now.unmatched > 0) {
            if (now.nodes >= limit) return RUNNING;
            now.nodes += now.count >> 3;
            const i64 made = match_together(draw());
            now.open_targets -= made;
            now.unmatched -= made;
            if (made == 0) now.is_first = 0;
        }
        for (; now.cursor < now.count; now.cursor++) {
            if (now.searching < 0) {
                if (now.open_targets == 0 || now.unmatched == 0) break;
                if (!searches_from(squares[now.cursor])) continue;
            }
            i64 found = -1;
            while (now.head < now.tail && found < 0) {
                if (now.nodes >= limit) return RUNNING;
                now.nodes++;
                found = grow();
            }
            end_search(found);
        }
        now.cursor = 0;
        now.phase = LABEL;
        return now.unmatched <= (now.end == ANY) ? RUNNING : EXHAUSTED;
    }

    // ------------------------------------------------------------ loops

    // Put the joker between end and start; if they are free, they are the squares without a predecessor and a
    // successor.
    void close_path() {
        i64 first = now.start, last = now.end;
        if (first == ANY && now.unmatched == 0) {
            // All squares are in loops, of which any may be opened.
            first = squares[0];
            links.unlink(before[first], first);
            before[first] = -1;
        }
        for (const i64 s : squares) {
            if (first == ANY && before[s] < 0) first = s;
            if (last == ANY && after[s] < 0) last = s;
        }
        links.follow(now.joker, first);
        links.follow(last, now.joker);
    }

    // Build a tree for each loop: label[s] leads from s to its root, which is its own label. Returns the number of
    // loops.
    i64 plant() {
        i64 count = 0;
        for (i64 s = 0; s <= now.joker; s++) {
            label[s] = -1;
            loops[s] = 0;
        }
        for (i64 s = 0; s <= now.joker; s++) {
            if (after[s] < 0 || label[s] >= 0) continue;
            loops[s] = i32(links.relabel(label, s, s));
            count++;
        }
        return count;
    }

    // Phase LABEL: close the path, then number the loops.
    void close_and_label() {
        shuffle();
        if (now.start != NONE) close_path();
        now.components = plant();
        now.cursor = 0;
        now.merged = 0;
        now.is_first = is_large();
        now.phase = SWEEP;
    }
};

}  // namespace
