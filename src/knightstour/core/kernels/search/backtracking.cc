// Backtracking, with or without pruning. See core/search/backtracking.py for the arrays.
#include "islands.h"

namespace {

enum Status : i64 { RUNNING, FOUND, EXHAUSTED };
enum Prunings : i64 { STRANDED = 1, FORCED = 2, CLOSING = 4, CONNECTIVITY = 8, ISLANDS = 16 };
enum Edge : i64 { IMPOSSIBLE, POSSIBLE, CERTAIN };

struct Counters {
    using Item = i64;
    i64 nodes, depth, start, total, first, end, prune, fewest, one_way, started, fresh, trail, certain, queued, held;
    i64 capacity, backs, base;
};

struct State {
    Array<Counters> counters;
    Array<const i64> offsets, targets, mirror, near_root, sign;
    Array<i64> path, position, left, choices, tours, edge, degree, fixed, mate, trail, marks, queue;
    Array<Note> memory;
};

struct Search : State {
    Counters &now;

    explicit Search(const State &state) : State(state), now(counters[0]) {}

    i64 last() const { return path[now.depth]; }

    // Without pruning and choices by degree, edges need no bookkeeping.
    bool is_lean() const { return now.prune == 0 && now.fewest == 0; }

    // A square that must not be entered yet: the end, unless it is the last free square.
    i64 barred_at(i64 depth) const { return depth == now.total - 2 ? -1 : now.end; }

    // ---------------------------------------------------------------- edges

    void note_few(i64 v) {
        if (degree[v] <= 2) queue[now.queued++] = v;
    }

    // Exclude move k.
    void remove(i64 k) {
        const i64 m = mirror[k], u = targets[m], v = targets[k];
        edge[k] = edge[m] = IMPOSSIBLE;
        trail[now.trail++] = k;
        degree[u]--;
        degree[v]--;
        note_few(u);
        note_few(v);
    }

    // Exclude the moves of a square that are not certain.
    void remove_others(i64 v) {
        for (i64 k = offsets[v]; k < offsets[v + 1]; k++)
            if (edge[k] == POSSIBLE) remove(k);
    }

    // Exclude the move between the two ends of a chain, which must not be joined yet.
    void keep_apart(i64 a, i64 b) {
        // Search at the end with fewer moves: the root has many.
        const bool is_longer = offsets[a + 1] - offsets[a] > offsets[b + 1] - offsets[b];
        const i64 from = is_longer ? b : a, to = is_longer ? a : b;
        for (i64 k = offsets[from]; k < offsets[from + 1]; k++)
            if (targets[k] == to && edge[k] == POSSIBLE) remove(k);
    }

    // Make move k certain, with its immediate consequences; return false on a contradiction.
    bool force(i64 k) {
        const i64 m = mirror[k], u = targets[m], v = targets[k];
        if (fixed[u] == 2 || fixed[v] == 2) return false;
        const i64 a = mate[u], b = mate[v];
        const bool closes = a == v;
        if (closes && now.certain != now.total - 1) return false;  // a cycle that skips squares
        edge[k] = edge[m] = CERTAIN;
        fixed[u]++;
        fixed[v]++;
        now.certain++;
        trail[now.trail++] = closes ? -1 : a;
        trail[now.trail++] = b;
        trail[now.trail++] = -1 - k;
        if (closes) return true;
        mate[a] = b;
        mate[b] = a;
        if (fixed[u] == 2) remove_others(u);
        if (fixed[v] == 2) remove_others(v);
        if (now.certain < now.total - 1) keep_apart(a, b);
        return true;
    }

    // Force both edges of every square with two remaining edges, repeatedly; return false on a contradiction.
    bool propagate() {
        for (i64 i = 0; i < now.queued; i++) {
            const i64 x = queue[i];
            if (degree[x] < 2) return false;
            if (degree[x] > 2 || fixed[x] == 2) continue;
            for (i64 k = offsets[x]; k < offsets[x + 1]; k++)
                if (edge[k] == POSSIBLE && !force(k)) return false;
        }
        return true;
    }

    // Undo everything on the trail after `mark`.
    void undo(i64 mark) {
        while (now.trail > mark) {
            const i64 entry = trail[--now.trail], k = entry >= 0 ? entry : -1 - entry;
            const i64 m = mirror[k], u = targets[m], v = targets[k];
            edge[k] = edge[m] = POSSIBLE;
            if (entry >= 0) {
                degree[u]++;
                degree[v]++;
                continue;
            }
            fixed[u]--;
            fixed[v]--;
            now.certain--;
            now.trail -= 2;
            if (trail[now.trail] >= 0) {
                mate[trail[now.trail]] = u;
                mate[trail[now.trail + 1]] = v;
            }
        }
    }

    // ---------------------------------------------------------------- with pruning

    // Whether a square that recently lost edges has too few.
    bool has_stranded() const {
        for (i64 i = 0; i < now.queued; i++) {
            const i64 x = queue[i];
            const bool closes = x == path[0] || x == now.end;
            if (degree[x] < 2 && now.prune & (closes ? CLOSING : STRANDED)) return true;
        }
        return false;
    }

    // Whether the unvisited squares are split so that no path can visit all.
    bool is_split() const {
        const bool may_start_anywhere = now.first == 1;
        Islands islands = {offsets, targets, edge, position, sign, memory, queue, path[0], last(), 0};
        if (!islands.explore(now.prune & ISLANDS, may_start_anywhere)) return true;
        return now.prune & CONNECTIVITY && islands.reached != now.total - now.depth;
    }

    // Whether pruning shows, after the latest removals, that this path leads to no tour.
    bool is_hopeless() {
        if (now.prune & FORCED ? !propagate() : has_stranded()) return true;
        return now.prune & (CONNECTIVITY | ISLANDS) && now.depth < now.total - 1 && is_split();
    }

    // A cycle is required only in the direction with the higher last square: exclude moves back to the root from
    // squares lower than the first one. Returns false on a contradiction.
    bool keep_one_way(i64 root, i64 first) {
        for (i64 k = offsets[root]; k < offsets[root + 1]; k++) {
            if (near_root[targets[k]] >= near_root[first]) continue;
            if (edge[k] == CERTAIN) return false;
            if (edge[k] == POSSIBLE) remove(k);
        }
        return true;
    }

    // Make move k from the last square and exclude its other moves; return false on a contradiction.
    bool advance(i64 k) {
        const i64 depth = now.depth, here = last(), there = targets[k];
        marks[depth] = now.trail;
        path[depth + 1] = there;
        position[there] = depth + 1;
        now.depth++;
        now.nodes++;
        now.queued = 0;
        if (now.prune & FORCED) {
            if (edge[k] == POSSIBLE && !force(k)) return false;
        } else if (depth > 0) {
            for (i64 j = offsets[here]; j < offsets[here + 1]; j++)
                if (edge[j] == POSSIBLE && j != k && targets[j] != path[depth - 1]) remove(j);
        }
        return depth > 0 || !now.one_way || keep_one_way(here, there);
    }

    // Undo the last move.
    void retreat() {
        position[last()] = -1;
        now.depth--;
        now.backs++;
        undo(marks[now.depth]);
    }

    // List the moves from the last square.
    void list_choices() {
        const i64 here = last(), low = offsets[here], barred = barred_at(now.depth);
        const i64 only = now.depth == 0 ? now.start : -1;
        i64 count = 0;
        for (i64 k = low; k < offsets[here + 1]; k++) {
            const i64 x = targets[k];
            if (edge[k] != IMPOSSIBLE && position[x] < 0 && x != barred && (only < 0 || x == only))
                choices[low + count++] = k;
        }
        left[now.depth] = count;
    }

    // The next move to try from the last square, or -1.
    i64 next_choice() {
        const i64 count = left[now.depth];
        if (count == 0) return -1;
        const Array<i64> waiting = choices.part(offsets[last()], count);
        i64 best = 0;
        if (now.fewest)
            for (i64 i = 1; i < count; i++)
                if (degree[targets[waiting[i]]] < degree[targets[waiting[best]]]) best = i;
        const i64 k = waiting[best];
        for (i64 i = best; i < count - 1; i++) waiting[i] = waiting[i + 1];
        left[now.depth] = count - 1;
        return k;
    }

    // Write the complete path if it is a requested tour. Returns whether the array of tours is full.
    bool write_down() {
        if (!near_root[last()] || (now.one_way && near_root[last()] < near_root[path[1]])) return false;
        const i64 count = now.total - now.first;
        const Array<i64> tour = tours.part(now.held * count, count);
        for (i64 i = 0; i < count; i++) tour[i] = path[now.first + i];
        now.held++;
        return now.held >= now.capacity;
    }

    // Continue the search with pruning, up to `limit` nodes in all.
    Status pruned(i64 limit) {
        while (now.nodes < limit) {
            if (now.fresh) {
                now.fresh = 0;
                if (is_hopeless()) {
                    left[now.depth] = 0;
                } else {
                    list_choices();
                    if (now.depth == now.total - 1 && write_down()) return FOUND;
                }
            }
            const i64 k = next_choice();
            if (k >= 0) {
                now.fresh = advance(k);
                if (!now.fresh) retreat();
            } else if (now.depth == now.base) {
                return EXHAUSTED;
            } else {
                retreat();
            }
        }
        return RUNNING;
    }

    // ---------------------------------------------------------------- without pruning

    // The first move from k on, before `stop`, to an allowed square; else `stop`.
    i64 next_free(i64 k, i64 stop) const {
        const i64 barred = barred_at(now.depth);
        while (k < stop && (position[targets[k]] >= 0 || targets[k] == barred)) k++;
        return k;
    }

    // Continue the search without pruning.
    Status lean(i64 limit) {
        i64 here = last(), k = left[now.depth];  // in registers, to avoid store-to-load delays
        while (now.nodes < limit) {
            const i64 stop = offsets[here + 1];
            k = next_free(k, stop);
            if (k < stop) {
                left[now.depth] = k + 1;
                here = targets[k];
                k = offsets[here];
                place(here);
                if (now.depth == now.total - 1 && write_down()) return FOUND;
            } else if (now.depth == now.base) {
                return EXHAUSTED;
            } else {
                position[here] = -1;
                now.depth--;
                now.backs++;
                here = last();
                k = left[now.depth];
            }
        }
        return RUNNING;
    }

    void place(i64 x) {
        now.nodes++;
        now.depth++;
        path[now.depth] = x;
        position[x] = now.depth;
        left[now.depth] = offsets[x];
    }

    // ---------------------------------------------------------------- start

    // Place the root, which counts as a node only if it is a square (not for open tours). With pruning, examine all
    // squares; without `place` also the given start.
    void begin() {
        now.started = 1;
        if (now.first == 0) now.nodes++;
        position[path[0]] = 0;
        left[0] = offsets[path[0]];
        if (is_lean()) {
            if (now.start >= 0) place(now.start);
            return;
        }
        now.fresh = 1;
        for (i64 v = 0; v < degree.size; v++)
            if (offsets[v + 1] > offsets[v]) note_few(v);
    }

    Status step(i64 nodes) {
        const i64 limit = now.nodes + nodes;
        if (nodes > 0 && !now.started) begin();
        return is_lean() ? lean(limit) : pruned(limit);
    }

    // ---------------------------------------------------------------- resumption

    // Enter a new square whose check for hopeless positions was negative.
    void look_at_new() {
        if (now.prune & FORCED) propagate();
        list_choices();
    }

    void follow_lean(Array<const i64> walk, i64 waiting) {
        for (i64 depth = 0; depth + 1 < walk.size; depth++) {
            i64 k = offsets[walk[depth]];
            while (targets[k] != walk[depth + 1]) k++;
            left[depth] = k + 1;
            if (depth >= now.depth) place(walk[depth + 1]);
        }
        left[now.depth] = waiting;
    }

    void follow_pruned(Array<const i64> walk, i64 waiting) {
        for (i64 i = 1; i < walk.size; i++) {
            look_at_new();
            i64 k = next_choice();
            while (targets[k] != walk[i]) k = next_choice();
            advance(k);
        }
        if (waiting < 0) return;
        now.fresh = 0;
        look_at_new();
        while (left[now.depth] > waiting) next_choice();
    }
};

// Continue the search for about `nodes` nodes. FOUND: `tours` contains tours, and the next call continues after them.
i64 backtracking_step(State state, i64 nodes) { return Search(state).step(nodes); }

// Replay the moves of a path from the root in a new search, each after all earlier attempts, so that the search
// continues
// from there: below walk[base], with the number of waiting moves at the last vertex that `left` recorded. These nodes
// are not counted again.
i64 backtracking_follow(State state, Array<const i64> walk, i64 base, i64 waiting) {
    Search search(state);
    search.begin();
    if (search.is_lean())
        search.follow_lean(walk, waiting);
    else
        search.follow_pruned(walk, waiting);
    search.now.base = base;
    search.now.nodes = 0;
    return 0;
}

}  // namespace

EXPORT_KERNEL(backtracking_step)
EXPORT_KERNEL(backtracking_follow)
