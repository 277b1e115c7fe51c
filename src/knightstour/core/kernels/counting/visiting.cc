// Iteration over the tours of a network of states. See lab/counting/spaces/visiting.py for the arrays.
#include "links.h"

namespace {

struct Pair {
    using Item = i64;
    i64 one, other;  // squares, -1 for none
};

struct Network {
    Array<const i64> way_at, offset_at, offsets;
    Array<const i32> targets, codes;
    Array<const i64> order, picked_at;
    Array<const Pair> picked;
};

struct Counters {
    using Item = i64;
    i64 depth;
};

struct Chain {
    Array<Counters> counters;
    Array<i64> way, end, taken, degree;
    Links links;
};

struct Question {
    i64 first, end, closed;
    Array<const i64> squares;
};

struct Visit : Network, Chain {
    Visit(const Network &network, const Chain &chain) : Network(network), Chain(chain) {}

    const Pair &pick(i64 t) const { return picked[picked_at[t] + codes[way[t]]]; }

    void put(i64 v, i64 u) {
        (degree[v] ? links[v].second : links[v].first) = u;
        degree[v]++;
    }
    void join(i64 v, i64 u) {
        if (u < 0) return;
        put(v, u);
        put(u, v);
    }
    void part(i64 v, i64 u) {
        if (u < 0) return;
        degree[v]--;
        degree[u]--;
    }

    // Add the moves of the way at layer t.
    void make(i64 t) {
        join(order[t], pick(t).one);
        join(order[t], pick(t).other);
        taken[t] = 1;
    }

    void take_back(i64 t) {
        part(order[t], pick(t).one);
        part(order[t], pick(t).other);
        taken[t] = 0;
        way[t]++;
    }

    // The first square: the given one, or the lower one of two ends.
    i64 first_square(const Question &question) const {
        if (question.first >= 0) return question.first;
        for (i64 v : question.squares)
            if (degree[v] < 2 && v != question.end) return v;
        // A board of one square.
        return question.end;
    }

    template <class T>
    i64 write_orders(const Question &question, const Array<T> &orders, i64 tours) {
        i64 done = 0, t = counters[0].depth;
        while (t >= 0 && done < tours) {
            if (taken[t]) take_back(t);
            if (way[t] == end[t]) {
                t--;
                continue;
            }
            make(t);
            const i64 target = targets[way[t]];
            if (target < 0) {
                const i64 squares = question.squares.size;
                write_order(links, first_square(question), question.closed, squares, orders, squares * done++);
            } else {
                t++;
                const i64 state = offset_at[t] + target;
                way[t] = way_at[t] + offsets[state];
                end[t] = way_at[t] + offsets[state + 1];
            }
        }
        counters[0].depth = t;
        return done;
    }
};

// Write up to `tours` tours as rows of orders. Returns their number.
i64 visiting_write_orders(Network network, Chain chain, Question question, AnyOf<u8, u16, i32> orders, i64 tours) {
    return orders.visit([&](auto rows) { return Visit(network, chain).write_orders(question, rows, tours); });
}

}  // namespace

EXPORT_KERNEL(visiting_write_orders)
