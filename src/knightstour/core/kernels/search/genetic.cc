// The genetic algorithm. See lab/museum/genetic.py for the arrays.
#include "../random.h"
#include "lines.h"

namespace {

enum Status : i64 { RUNNING, FOUND };
enum Kind : i64 { BITS, SEGMENTS };
enum Phase : i64 { MAKE, GROW, TURN, JUDGE };
// Turns per vertex of a child at a repair of 100.
constexpr i64 TURNS_PER_VERTEX = 4;
// Maximum number of processed vertices per node before a call returns.
constexpr i64 WORK_PER_NODE = 100;

// born: number of individuals of this population so far.
struct Counters {
    using Item = i64;
    i64 nodes, random, phase, kind, population, born, max_born, repair, mutation, length, turns_left, open_first,
        mother, father, births, repairs, best, restarts, loose;
};

struct State {
    Array<Counters> counters;
    Array<const i64> offsets, targets, opening, bits;
    Array<const bool> is_near;
    Array<i64> genes, fitness, child, line, place, rest, spot, one, other;
};

// Common parts of both kinds: random numbers, and the choice of parents.
struct Breeding : State {
    Counters &now;
    ClosedLine ring;

    explicit Breeding(const State &state)
        : State(state), now(counters[0]), ring{{offsets, targets}, line, place, rest, spot, now.loose} {}

    // The next random number, without the weak low bits; and one below a limit.
    i64 draw() { return (now.random = next_random(now.random)) >> 4; }
    i64 choice(i64 count) { return u32(draw()) % u32(count); }

    bool is_founder() const { return now.born < now.population; }
    Array<i64> genes_of(i64 individual) const { return genes.part(individual * line.size, line.size); }

    // A tournament: the fitter one of two random individuals.
    i64 better_of_two() {
        const i64 a = choice(now.population), b = choice(now.population);
        return fitness[a] >= fitness[b] ? a : b;
    }

    void choose_parents() {
        if (now.born >= now.max_born) {
            now.born = 0;
            now.restarts++;
        }
        if (is_founder()) return;
        now.mother = better_of_two();
        now.father = better_of_two();
    }

    // Position of the child: a founder gets a new one, others replace the worse of two.
    i64 place_of_child() {
        if (is_founder()) return now.born;
        const i64 who = choice(now.population), rival = choice(now.population);
        return fitness[rival] < fitness[who] ? rival : who;
    }

    // Keep the child if it is at least as fit as the individual that it replaces.
    void settle(i64 worth) {
        now.births++;
        if (worth > now.best) now.best = worth;
        const i64 who = place_of_child();
        if (is_founder() || worth >= fitness[who]) {
            fitness[who] = worth;
            const Array<i64> its = genes_of(who);
            for (i64 i = 0; i < its.size; i++) its[i] = child[i];
        }
        now.born++;
    }
};

// Walks, in which each step is a gene.
struct Bits : Breeding {
    using Breeding::Breeding;

    void enter(i64 v) {
        line[now.length] = v;
        place[v] = now.length++;
        now.open_first -= is_near[v];
    }

    // Crossover: the genes of one parent before a cut between two bits, then the genes of the other.
    void cross() {
        const i64 cut = choice(line.size), mask = (i64(1) << choice(bits[cut] + 1)) - 1;
        if (is_founder()) {
            for (i64 i = 0; i < child.size; i++) child[i] = draw() & ((i64(1) << bits[i]) - 1);
            return;
        }
        const Array<i64> mother = genes_of(now.mother), father = genes_of(now.father);
        for (i64 i = 0; i < child.size; i++) child[i] = i < cut ? mother[i] : father[i];
        child[cut] = (mother[cut] & mask) | (father[cut] & ~mask);
        for (i64 flips = now.mutation * child.size + choice(1000); flips >= 1000; flips -= 1000) {
            const i64 i = choice(child.size);
            child[i] ^= i64(1) << choice(bits[i]);
        }
    }

    void make() {
        choose_parents();
        cross();
        for (i64 &its : place) its = -1;
        now.length = 0;
        now.open_first = ring.degree(opening[0]);
        for (i64 v : opening) enter(v);
    }

    // Whether the walk can continue to v, and still return.
    bool may_enter(i64 v) const {
        return place[v] < 0 && (now.open_first > 1 || now.length == line.size - 1 || !is_near[v]);
    }

    // One move of the walk. Returns whether it was possible.
    bool walk_on() {
        const i64 i = now.length - 1, low = offsets[line[i]], degree = ring.degree(line[i]);
        if (now.length == line.size || degree == 0) return false;
        const i64 gene = child[i] % degree;
        if (may_enter(targets[low + gene])) {
            enter(targets[low + gene]);
            return true;
        }
        if (choice(100) >= now.repair) return false;
        for (i64 j = 1; j < degree; j++) {
            const i64 k = (gene + j) % degree;
            if (!may_enter(targets[low + k])) continue;
            child[i] = k;
            now.repairs++;
            enter(targets[low + k]);
            return true;
        }
        return false;
    }

    // Evaluate the child. Returns whether it is a tour.
    bool judge() {
        const bool is_tour = now.length == line.size && ring.are_joined(line[line.size - 1], line[0]);
        settle(now.length);
        return is_tour;
    }

    // Do the next piece of work. Returns its amount, or -1 if the child is a tour.
    i64 go_on() {
        if (now.phase == GROW) {
            if (!walk_on()) now.phase = JUDGE;
            return 0;
        }
        const bool makes = now.phase == MAKE;
        now.phase = makes ? GROW : MAKE;
        if (makes)
            make();
        else if (judge())
            return -1;
        return line.size;
    }
};

// Closed lines through all vertices.
struct Segments : Breeding {
    using Breeding::Breeding;

    void enter(i64 v) {
        line[now.length] = v;
        place[v] = now.length++;
        const i64 last = rest[line.size - now.length];
        rest[spot[v]] = last;
        spot[last] = spot[v];
    }

    void make() {
        choose_parents();
        if (!is_founder()) {
            const Array<i64> mother = genes_of(now.mother), father = genes_of(now.father);
            for (i64 i = 0; i < line.size; i++) {
                one[mother[i]] = i;
                other[father[i]] = i;
            }
        }
        now.length = 0;
        for (i64 v = 0; v < line.size; v++) {
            place[v] = -1;
            rest[v] = spot[v] = v;
        }
        enter(choice(line.size));
    }

    // Whether two places of a line are adjacent.
    bool are_next(i64 i, i64 j) const { return i == ring.after(j) || j == ring.after(i); }

    // A free neighbour of v that is also next to v in the line of a parent, preferably of both; or -1.
    i64 inherited(i64 v) {
        i64 best = -1, rank = 0, ties = 0;
        for (i64 side = 0; side < 4; side++) {
            const i64 i = side < 2 ? one[v] : other[v];
            const i64 s = genes_of(side < 2 ? now.mother : now.father)[ring.beside(i, side % 2 == 0)];
            if (place[s] >= 0 || !ring.are_joined(v, s)) continue;
            const i64 mine = are_next(one[v], one[s]) && are_next(other[v], other[s]) ? 2 : 1;
            if (mine < rank) continue;
            if (mine > rank) {
                rank = mine;
                ties = 0;
            }
            if (choice(++ties) == 0) best = s;
        }
        return best;
    }

    // Any free vertex one move away from v, or -1.
    i64 any_near(i64 v) {
        i64 best = -1, ties = 0;
        for (i64 k = offsets[v]; k < offsets[v + 1]; k++)
            if (place[targets[k]] < 0 && choice(++ties) == 0) best = targets[k];
        return best;
    }

    // Add the next vertex of the line: by a link of the parents, by any move, or by a jump.
    void link_on() {
        const i64 v = line[now.length - 1];
        i64 next = is_founder() || choice(1000) < now.mutation ? -1 : inherited(v);
        if (next < 0) next = any_near(v);
        if (next < 0) next = rest[choice(line.size - now.length)];
        enter(next);
    }

    // The line is complete: list the vertices next to its gaps. Founders are not repaired.
    void begin_repair() {
        now.turns_left = is_founder() ? 0 : line.size * TURNS_PER_VERTEX * now.repair / 100;
        now.loose = 0;
        for (i64 &its : spot) its = -1;
        for (i64 v = 0; v < line.size; v++) ring.note_loose(v);
    }

    // At a gap, reverse a part of the line, if that adds no gaps. Returns the number of swaps.
    i64 repair() {
        const i64 u = rest[choice(now.loose)], i = place[u];
        bool forward = choice(2) == 0;
        if (!ring.is_gap(forward ? i : ring.before(i))) forward = !forward;
        if (ring.degree(u) == 0) return 0;
        const i64 v = targets[offsets[u] + choice(ring.degree(u))];
        const i64 p = line[ring.beside(i, forward)], q = line[ring.beside(place[v], forward)];
        if (v == p || q == u) return 0;
        now.repairs++;
        return ring.turn(u, v, forward);
    }

    // Evaluate the child. Returns whether it is a tour.
    bool judge() {
        i64 worth = 0;
        for (i64 i = 0; i < line.size; i++) {
            worth += !ring.is_gap(i);
            child[i] = line[i];
        }
        settle(worth);
        return worth == line.size;
    }

    // Do the next piece of work. Returns its amount, or -1 if the child is a tour.
    i64 go_on() {
        if (now.phase == GROW && now.length < line.size) {
            link_on();
            return 0;
        }
        if (now.phase == TURN && now.turns_left > 0 && now.loose > 0) {
            now.turns_left--;
            return repair();
        }
        const i64 phase = now.phase;
        now.phase = (phase + 1) % 4;
        if (phase == MAKE) make();
        if (phase == GROW) begin_repair();
        if (phase == JUDGE && judge()) return -1;
        return phase == TURN ? 0 : line.size;
    }
};

template <class Search>
Status bred(Search search, i64 nodes) {
    Counters &now = search.now;
    const i64 limit = now.nodes + nodes, most_work = nodes * WORK_PER_NODE;
    for (i64 work = 0; now.nodes < limit && work < most_work;) {
        now.nodes++;
        const i64 more = search.go_on();
        if (more < 0) return FOUND;
        work += more;
    }
    return RUNNING;
}

// Continue for about `nodes` moves of walks, links of lines and turns. The start and the evaluation of a child are not
// interrupted: 0.1 s for tens of millions of squares.
i64 genetic_step(State state, i64 nodes) {
    return state.counters[0].kind == BITS ? bred(Bits(state), nodes) : bred(Segments(state), nodes);
}

}  // namespace

EXPORT_KERNEL(genetic_step)
