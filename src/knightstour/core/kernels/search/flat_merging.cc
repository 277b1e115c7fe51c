// The merging of large flat knight's boards: pairs, joined row by row. See core/search/flat_merging.py for the arrays.
#include "fitting.h"

namespace {

enum Status : i64 { RUNNING, FOUND };
enum Phase : i64 { PAIR_BLOCKS, PAIR_REST, LAY_PATH, JOIN, COUNT, WALK, FIT };
constexpr i64 BLOCK = 4;

struct Search : Fitting {
    const i64 width = now.cols + 2;

    using Fitting::Fitting;

    // ------------------------------------------------------------ pairs

    // Cut each 4-cycle of a 4x4 block into two pairs, in one of two ways. corner: first square of the block.
    void pair_block(i64 corner) {
        const i64 x = draw();
        for (i64 loop = 0; loop < BLOCK; loop++) {
            const i64 first = (x >> (8 + loop)) & 1;
            for (i64 i = first; i < first + 3; i += 2) {
                const i64 a = corner + in_block(loop, i), b = corner + in_block(loop, (i + 1) % BLOCK);
                put_pair(a, b, direction(a, b));
            }
        }
    }

    // Offset of square i of a loop of a block from the block's corner.
    i64 in_block(i64 loop, i64 i) const {
        const i64 k = 2 * (BLOCK * loop + i);
        return blocks[k] * width + blocks[k + 1];
    }

    // Phase PAIR_BLOCKS; the cursor counts blocks.
    Status pair_blocks(i64 limit) {
        const i64 across = now.cols / BLOCK, count = now.rows / BLOCK * across;
        for (; now.cursor < count && now.nodes < limit; now.cursor++, now.nodes++)
            pair_block((now.cursor / across * BLOCK + 2) * width + now.cursor % across * BLOCK + 1);
        return now.cursor < count ? RUNNING : FOUND;
    }

    // Apply an augmenting path from a square, if one exists. reached: less than mark if not seen.
    bool augment(i64 first, i64 mark) {
        queue[0] = i32(first);
        for (i64 head = 0, tail = 1; head < tail; head++) {
            const i64 a = queue[head];
            for (i64 d = 0; d < DIRECTIONS; d++) {
                const i64 b = a + steps[d];
                if (!is_square[b] || reached[b] == mark || b == now.single) continue;
                reached[b] = i32(mark);
                via[b] = i32(d);
                if (!ways[b]) return turn_over(first, b);
                queue[tail++] = i32(mate(b));
            }
        }
        return false;
    }

    // Pair the squares along an augmenting path from the first to b, the last.
    bool turn_over(i64 first, i64 b) {
        while (true) {
            const i64 d = via[b], a = b - steps[d], before = a == first ? -1 : mate(a);
            put_pair(a, b, d);
            if (before < 0) return true;
            b = before;
        }
    }

    // Phase PAIR_REST: pair the squares `alone`, of one colour, by augmenting paths. Few paths are slow.
    Status pair_rest(i64 limit) {
        for (; now.cursor < alone.size && now.nodes < limit; now.cursor++, now.nodes++)
            now.paired += augment(alone[now.cursor], now.cursor + 1);
        return now.cursor < alone.size ? RUNNING : FOUND;
    }

    // ------------------------------------------------------------ the path of an open tour

    // Phase LAY_PATH: build the path of pairs from the start to the given end, if any; `last` is its end then, or -1.
    // The start is single if the tour has an odd number of squares.
    Status lay_path(i64 limit) {
        if (now.cursor == 0 && begin_path()) return FOUND;
        now.cursor = 1;
        for (; now.head < now.tail && now.last < 0; now.nodes++) {
            if (now.nodes >= limit) return RUNNING;
            go_on_with_path(queue[now.head++]);
        }
        if (now.last >= 0) lay();
        return FOUND;
    }

    // Record the squares from which the path may continue: the start alone, or the other square of its pair, and so on.
    // Returns whether the start and the other square already form the path.
    bool begin_path() {
        const bool is_alone = !ways[now.start];
        const i64 s = is_alone ? now.start : mate(now.start);
        if (!is_alone && now.end < 0) {
            now.last = s;
            ways[now.start] |= END;
            ways[s] |= END;
            return true;
        }
        queue[0] = i32(s);
        now.head = 0;
        now.tail = 1;
        reached[now.start] = i32(ways.size);
        now.last = s == now.end ? s : -1;
        return false;
    }

    void go_on_with_path(i64 a) {
        const i64 x = draw(), mark = ways.size;
        for (i64 k = 0; k < DIRECTIONS; k++) {
            const i64 d = ((x >> 10) + k) & 7, b = a + steps[d];
            if (!is_square[b] || reached[b] == mark) continue;
            reached[b] = i32(mark);
            via[b] = i32(d);
            const i64 s = mate(b);
            queue[now.tail++] = i32(s);
            if (now.end >= 0 && s != now.end) continue;
            now.last = s;
            return;
        }
    }

    // Link the squares back from the end, pair by pair; the entries of `queue` are free now.
    void lay() {
        i64 count = 0, s = now.last;
        while (true) {
            queue[count++] = i32(s);
            if (s == now.start) break;
            s = mate(s);
            queue[count++] = i32(s);
            if (s == now.start) break;
            s -= steps[via[s]];
        }
        for (i64 i = 0; i < count; i++) {
            label[queue[i]] = i32(now.start);
            if (i > 0) put_link(queue[i - 1], queue[i]);
        }
        ways[now.start] |= END;
        ways[now.last] |= END;
    }

    // ------------------------------------------------------------ joining

    // Join the loop of a square to another one at parallel links a-b and p-q with moves a-p and b-q, chosen at random.
    void join(i64 a) {
        const i64 x = draw(), its = links(a), other = without_first(its);
        const i64 d = first_of((x >> 20) & 1 && other ? other : its);
        if (d == NOWHERE) return;
        i64 fits = 0;
        for (i64 e = 0; e < DIRECTIONS; e++) fits |= ((ways[a + steps[e]] >> d) & 1) << e;
        fits &= ~((1 << d) | (1 << opposite(d)));
        if (!fits) return;
        const i64 turn = (x >> 24) & 7, mine = root_of(a);
        for (fits = ((fits | fits << 8) >> turn) & 255; fits; fits = without_first(fits)) {
            const i64 e = (first_of(fits) + turn) & 7, p = a + steps[e], theirs = root_of(p);
            if (theirs == mine) continue;
            join_at_links(a, p, d, e);
            label[mine < theirs ? theirs : mine] = i32(mine < theirs ? mine : theirs);
            now.joined++;
            return;
        }
    }

    // Replace the links in direction d of a and p by links in direction e.
    void join_at_links(i64 a, i64 p, i64 d, i64 e) {
        const i64 b = a + steps[d], q = p + steps[d];
        take_link(a, d);
        take_link(b, opposite(d));
        take_link(p, d);
        take_link(q, opposite(d));
        link(a, e);
        link(b, e);
    }

    // Phase JOIN: all squares, row by row.
    Status join_rows(i64 limit) {
        const i64 count = now.rows * now.cols;
        while (now.cursor < count && now.nodes < limit) {
            const i64 row = now.cursor / now.cols, col = now.cursor % now.cols, left = now.cols - col;
            const i64 many = left < limit - now.nodes ? left : limit - now.nodes, first = (row + 2) * width + col + 1;
            for (i64 a = first; a < first + many; a++) join(a);
            now.cursor += many;
            now.nodes += many;
        }
        return now.cursor < count ? RUNNING : FOUND;
    }

    // ------------------------------------------------------------ the last loops

    // Phase COUNT: store the number of squares of each loop in `reached`, at the root of its labels; record the
    // largest.
    Status count_squares(i64 limit) {
        for (; now.cursor < is_square.size && now.nodes < limit; now.cursor++, now.nodes++) {
            if (!is_square[now.cursor]) continue;
            const i64 root = root_of(now.cursor);
            if (++reached[root] > reached[now.largest]) now.largest = root;
        }
        return now.cursor < is_square.size ? RUNNING : FOUND;
    }

    // Phase WALK: write the squares of a loop, or of the path from its end, into `queue`.
    Status walk_on(i64 limit) {
        while (now.nodes < limit) {
            now.nodes++;
            queue[now.walked++] = i32(now.at);
            const i64 d = next_of(now.at, now.back);
            if (d == NOWHERE) return FOUND;
            now.at += steps[d];
            now.back = opposite(d);
            if (now.at == now.first || now.walked == now.rows * now.cols) return FOUND;
        }
        return RUNNING;
    }

    // Phase FIT: join the small loops to the large one, until none remains or the patience ends.
    Status fit_in(i64 limit) {
        while (now.small > 0 && now.patience > 0) {
            for (; now.cursor < now.small && now.patience > 0; now.cursor++) {
                if (is_large(listed[now.cursor])) continue;
                if (now.nodes >= limit) return RUNNING;
                now.nodes++;
                now.patience--;
                const i64 x = draw();
                if (now.small + 2 * MOST_SWAPPED > listed.size) return FOUND;
                if (place[GAP] < LEAST_GAP) number_again();
                fit(listed[now.cursor], x);
            }
            keep_small();
            now.cursor = 0;
        }
        return FOUND;
    }

    // Remove squares that are in the large loop from the list.
    void keep_small() {
        i64 left = 0;
        for (i64 i = 0; i < now.small; i++)
            if (!is_large(listed[i])) listed[left++] = listed[i];
        now.small = left;
    }

    Status step(i64 nodes) {
        const i64 limit = now.nodes + nodes;
        switch (Phase(now.phase)) {
            case PAIR_BLOCKS:
                return pair_blocks(limit);
            case PAIR_REST:
                return pair_rest(limit);
            case LAY_PATH:
                return lay_path(limit);
            case JOIN:
                return join_rows(limit);
            case COUNT:
                return count_squares(limit);
            case WALK:
                return walk_on(limit);
            case FIT:
                return fit_in(limit);
        }
        return FOUND;
    }
};

// Continue a phase for a number of squares or blocks. FOUND: it is complete.
i64 flat_merging_step(State state, i64 nodes) { return Search(state).step(nodes); }

}  // namespace

EXPORT_KERNEL(flat_merging_step)
