// The distribution backbite: random walks on the tours of a graph, sampled when their ends meet. See
// lab/sampling/distributions/backbite.py for the walks and the arrays.
#include "../random.h"
#include "../wide.h"

namespace {

enum Direction : i64 { RANDOM_WAY, FIRST_IS, LAST_IS };
// Rows of `pos` have a multiple of this length, so that whole registers are reversed.
constexpr i64 PADDING = 64;
constexpr i64 MOST_WALKS = 4;

struct Counters {
    using Item = i64;
    i64 random, count, kept_s, kept_t, head, skips, direction, towards, start, every, left, side, lowest, made, turns,
        readings, refused;
};

struct State {
    Array<Counters> counters;
    Array<const u32> offsets, near;
    AnyOf<u8, u16, u32> pos;
    Array<u32> link, other, ends, line;
    Array<const i32> images;
    AnyOf<u8, u16, i32> out;
};

// One walk: its rows of the arrays.
template <class Pos>
struct Walk {
    Array<Pos> pos;
    Array<u32> link, other, ends;
};

template <class Pos>
struct Walks : State {
    Array<Pos> all_pos;
    Counters &now;
    const i64 count, walks, width;
    // Whether a move is fixed.
    const bool keeps;
    u64 random;
    Walk<Pos> rows[MOST_WALKS];

    Walks(const State &state, Array<Pos> positions)
        : State(state),
          all_pos(positions),
          now(counters[0]),
          count(now.count),
          walks(ends.size / 2),
          width(all_pos.size / walks),
          keeps(now.kept_s >= 0),
          random(u64(now.random)) {
        for (i64 w = 0; w < walks; w++) rows[w] = walk(w);
    }

    Walk<Pos> walk(i64 w) const {
        return {all_pos.part(w * width, width), link.part(w * count, count), other.part(w * count, count),
                ends.part(2 * w, 2)};
    }

    u64 draw() {
        random = next_state(random);
        return random_bits(random);
    }

    i64 degree(i64 s) const { return i64(offsets[s + 1]) - i64(offsets[s]); }

    bool is_kept(i64 s, i64 t) const {
        return (s == now.kept_s && t == now.kept_t) || (s == now.kept_t && t == now.kept_s);
    }

    // Reverse the steps low..high: a pass over bytes that the processor vectorises by 32.
    [[gnu::always_inline]] static void turn_round(Array<Pos> pos, Pos low, Pos high) {
        const Pos total = Pos(low + high), span = Pos(high - low);
        for (Pos *part = pos.begin(); part < pos.end(); part += PADDING)
            for (i64 k = 0; k < PADDING; k++) part[k] = Pos(part[k] - low) <= span ? Pos(total - part[k]) : part[k];
    }

    // Return `yes` if all bits of the mask are 1, `no` if they are 0; a branch would often be mispredicted.
    static u32 chosen(u32 mask, u32 yes, u32 no) { return (yes & mask) | (no & ~mask); }

    // Rotate at one end of a walk: 1 for its last square.
    template <int side>
    [[gnu::always_inline]] void turn(const Walk<Pos> &tour) {
        const i64 e = tour.ends[side], low = offsets[e], turnings = degree(e) - 1;
        const u64 chance = draw();
        if (turnings <= 0) return;
        // The last neighbour replaces the neighbour of e. Branchless, as with `chosen`.
        i64 k = i64((chance * u64(turnings)) >> 32);
        k += (turnings - k) * (near[low + k] == tour.link[e]);
        const u32 to = near[low + k], a = tour.link[to], b = tour.other[to];
        const i64 at = tour.pos[to];
        const u32 is_a = 0 - u32((tour.pos[a] > at) == bool(side));
        const u32 d = chosen(is_a, a, b);
        if (keeps && is_kept(to, d)) return;
        tour.link[to] = chosen(is_a, u32(e), a);
        tour.other[to] = chosen(is_a, b, u32(e));
        tour.other[e] = to;
        tour.link[d] = (tour.link[d] ^ tour.other[d]) ^ to;
        tour.ends[side] = d;
        if (side)
            turn_round(tour.pos, Pos(at + 1), Pos(count - 1));
        else
            turn_round(tour.pos, 0, Pos(at - 1));
    }

    bool are_joined(i64 a, i64 b) const {
        if (degree(a) > degree(b)) return are_joined(b, a);
        for (i64 k = offsets[a]; k < i64(offsets[a + 1]); k++)
            if (near[k] == b) return true;
        return false;
    }

    // For the closed tour in `line`: the sum of degree - 1 over both squares of its moves.
    u64 weight() const {
        u64 sum = 0;
        i64 before = line[count - 1];
        for (i64 i = 0; i < count; i++) {
            const i64 s = line[i];
            if (!is_kept(s, before)) sum += u64((degree(s) - 1) * (degree(before) - 1));
            before = s;
        }
        return sum;
    }

    // Read a walk, and write its tour into `out` if it is closed and accepted.
    void read(const Walk<Pos> &tour) {
        now.readings++;
        if (!are_joined(tour.ends[0], tour.ends[1])) return;
        for (i64 s = 0; s < count; s++) line[tour.pos[s]] = u32(s);
        const u64 weighed = weight();
        // 128 bits, since the weights of dense graphs exceed 32 bits.
        using Wide = unsigned __int128;
        if (Wide(draw()) * weighed >= Wide(u64(now.lowest)) << 32) {
            now.refused++;
            return;
        }
        const u64 chance = draw();
        const i64 image = i64(((chance >> 1) * u64(images.size / image_size())) >> 31);
        write(tour, images.part(image * image_size(), image_size()), chance & 1);
        now.made++;
    }

    i64 row_size() const { return count - now.skips; }
    // An image includes the added square.
    i64 image_size() const { return count; }

    // Write the tour in `line` as a row of `out`.
    void write(const Walk<Pos> &tour, Array<const i32> image, bool is_backwards) {
        i64 first = 0;
        if (now.head >= 0) {
            first = tour.pos[now.head];
            if (now.direction != RANDOM_WAY)
                is_backwards = (line[(first + 1) % count] == now.towards) == (now.direction == LAST_IS);
        } else if (now.start >= 0) {
            while (image[line[first]] != now.start) first++;
        }
        out.visit([&](auto rows) {
            using Label = typename decltype(rows)::Type;
            const auto row = rows.part(now.made * row_size(), row_size());
            i64 at = first;
            for (i64 i = -now.skips; i < row_size(); i++) {
                if (i >= 0) row[i] = Label(image[line[at]]);
                at += is_backwards ? -1 : 1;
                if (at == count) at = 0;
                if (at < 0) at = count - 1;
            }
            return i64(0);
        });
    }

    [[gnu::always_inline]] void run(i64 turns) {
        const i64 room = out.size / row_size();
        i64 spent = 0;
        while (now.made < room && spent < turns) {
            const i64 todo = now.left < turns - spent ? now.left : turns - spent;
            // Walks are interleaved, so that the processor can use the waiting time for memory.
            for (i64 t = 0; t < todo; t++) {
                now.side = 1 - now.side;
                if (now.side)
                    for (i64 w = 0; w < walks; w++) turn<1>(rows[w]);
                else
                    for (i64 w = 0; w < walks; w++) turn<0>(rows[w]);
            }
            spent += todo;
            now.left -= todo;
            if (now.left > 0) break;
            // A random step prevents equal periods of the walk and of the samples.
            now.left = now.every + i64(draw() & 1);
            for (i64 w = 0; w < walks && now.made < room; w++) read(rows[w]);
        }
        now.random = i64(random);
        now.turns += spent * walks;
    }
};

[[gnu::always_inline]] inline i64 walk(const State &state, i64 turns) {
    if (state.ends.size > 2 * MOST_WALKS) return -1;
    if (state.pos.bytes == 1)
        Walks(state, state.pos.as<u8>()).run(turns);
    else if (state.pos.bytes == 2)
        Walks(state, state.pos.as<u16>()).run(turns);
    else
        Walks(state, state.pos.as<u32>()).run(turns);
    return 0;
}

#ifdef __x86_64__
[[gnu::target("avx2")]] i64 walk_by_avx2(const State &state, i64 turns) { return walk(state, turns); }
[[gnu::target("avx512f,avx512bw,avx512vl")]] i64 walk_by_avx512(const State &state, i64 turns) {
    return walk(state, turns);
}
#endif

// Make about `turns` rotations in each walk, or fewer if `out` is full; counters.made rows contain tours.
i64 backbite_walk(State state, i64 turns) {
#ifdef __x86_64__
    const Registers here = registers();
    if (here == Registers::AVX512) return walk_by_avx512(state, turns);
    if (here == Registers::AVX2) return walk_by_avx2(state, turns);
#endif
    return walk(state, turns);
}

}  // namespace

EXPORT_KERNEL(backbite_walk)
