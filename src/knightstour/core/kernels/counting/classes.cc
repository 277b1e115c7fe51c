// Encoding "classes": the classes of the layers of a half, and their transitions. See classes.py for the arrays.
#include "classes.h"

namespace {

// Mark classes.
i64 classes_mark(Array<const i64> classes, NewSet set) {
    for (const i64 c : classes) set.add(Class::of(c));
    return 0;
}

constexpr u64 BITS = 0xFFFFFFFF;

// Store in each nonempty item the number of members before it. Returns the number of members.
i64 classes_number(Array<i64> marks) {
    i64 before = 0;
    for (i64 &item : marks) {
        const u64 bits = u64(item) & BITS;
        item = bits ? before << 32 | i64(bits) : 0;
        before += count_of(bits);
    }
    return before;
}

// List the classes of a set in index order: combinations of low and high digits.
i64 classes_list(Array<const i64> marks, i64 size, i64 low_size, Array<const i64> low_classes,
                 Array<const i64> high_classes, Array<i64> classes) {
    i64 made = 0;
    for (i64 k = 0; k < marks.size; k++)
        each_of(u64(marks[k]) & BITS, [&](i64 bit) {
            const i64 index = 32 * k + bit, rest = index % size;
            classes[made++] = index / size << 32 | high_classes[rest / low_size] | low_classes[rest % low_size];
        });
    return made;
}

// Mark the results of a step on classes first .. last-1.
i64 classes_mark_children(Stepping step, Array<const i64> classes, NewSet set, i64 first, i64 last) {
    for (i64 j = first; j < last; j++)
        step.each_child(Class::of(classes[j]), [&](const Class &child, i64) { set.add(child); });
    return 0;
}

// Set keep[j] for each of classes first .. last-1 from which the step leads to a marked class.
i64 classes_keep_parents(Stepping step, Array<const i64> classes, Set set, Array<u8> keep, i64 first, i64 last) {
    for (i64 j = first; j < last; j++)
        step.each_child(Class::of(classes[j]), [&](const Class &child, i64) { keep[j] |= set.has(child); });
    return 0;
}

// Current position in a list of edges.
struct Listed {
    using Item = i64;
    i64 next, made;
};

// List the transitions from non-empty classes to the classes of a numbered set. Edge e leads to class number targets[e]
// from class edges[e] >> OP_BITS by the operation in the low bits. Stops before class `last`, or if the edges of the
// next class might exceed the capacity.
i64 classes_list_edges(Stepping step, Array<const i64> classes, Array<const i64> lengths, Set set, Array<i32> targets,
                       Array<i64> edges, Array<Listed> listed, i64 last) {
    auto &[next, made] = listed[0];
    for (; next < last && made + MAX_CHOICES <= targets.size; next++) {
        if (lengths[next] == 0) continue;
        step.each_child(Class::of(classes[next]), [&, &made = made, source = next](const Class &child, i64 code) {
            const i64 number = set.number_of(child);
            if (number < 0) return;
            targets[made] = i32(number);
            edges[made++] = source << OP_BITS | code;
        });
    }
    return next;
}

// added[e]: the value of the moves of edge e. values[slot]: value of the move from the current square to the square in
// that slot after the step.
i64 classes_add_values(Array<const Step> step, Array<const i64> classes, Array<const i64> edges,
                       Array<const i64> values, Array<i64> added) {
    const i64 slot = step[0].slot;
    for (i64 e = 0; e < edges.size; e++) {
        added[e] = 0;
        const Operation op = Operation::of(edges[e]);
        const Class c = Class::of(classes[edges[e] >> OP_BITS]);
        if (step[0].kind != DEAL || c.inner >> slot & 1) continue;
        const bool places = op.name == LOOSEN || op.name == LOOSEN_LAST;
        if (c.ends >> slot & 1) {
            // The path ends, or continues to the heir or to b.
            if (!places) added[e] = values[op.name == KEEP ? slot : op.b];
        } else {
            // The tour ends with one move, to a, or the square has two moves.
            added[e] = values[op.a];
            if (!places && op.name != KEEP && op.name != STUB_LAST) added[e] += values[op.b];
        }
    }
    return 0;
}

// Sort the first `made` edges by target: edges to t become starts[t] .. starts[t + 1] - 1. inputs[t]: number of
// their source states; bounds[t]: sum of the masses of their sources. fill: work array.
i64 classes_sort_edges(Array<const i32> targets, Array<const i64> edges, i64 made, Array<const i64> lengths,
                       Array<const double> masses, Array<i64> starts, Array<i64> inputs, Array<double> bounds,
                       Array<i64> sorted, Array<i64> fill) {
    for (i64 &start : starts) start = 0;
    for (i64 t = 0; t < fill.size; t++) {
        inputs[t] = 0;
        bounds[t] = 0;
    }
    for (i64 e = 0; e < made; e++) {
        const i64 t = targets[e], source = edges[e] >> OP_BITS;
        starts[t + 1]++;
        inputs[t] += lengths[source];
        bounds[t] += masses[source];
    }
    for (i64 t = 0; t < fill.size; t++) {
        starts[t + 1] += starts[t];
        fill[t] = starts[t];
    }
    for (i64 e = 0; e < made; e++) sorted[fill[targets[e]]++] = edges[e];
    return 0;
}

// Mark the results of the subsets of the middle moves on classes first .. last-1.
i64 classes_mark_finals(Adding adding, Array<const i64> classes, NewSet set, i64 first, i64 last) {
    for (i64 j = first; j < last; j++)
        adding.each_final(Class::of(classes[j]), [&](const Class &made) { set.add(made); });
    return 0;
}

// Set keep[j] for each of classes first .. last-1 that some middle moves turn into a marked class.
i64 classes_keep_bases(Adding adding, Array<const i64> classes, Set set, Array<u8> keep, i64 first, i64 last) {
    for (i64 j = first; j < last; j++)
        adding.each_final(Class::of(classes[j]), [&](const Class &made) { keep[j] |= set.has(made); });
    return 0;
}

// Set keep[j] for each of classes first .. last-1 whose partner is a marked class of the other half. With joins_folded
// only the lower one of two partners that are flips of each other (by `flip`) is marked.
i64 classes_keep_partnered(Array<const i64> finals, i64 all_ends, i64 present, Array<const i64> to_other,
                           i64 joins_folded, Array<const i64> flip, Set set, Array<u8> keep, i64 first, i64 last) {
    for (i64 j = first; j < last; j++) {
        Class other = Class::of(finals[j]).partner(all_ends, present, to_other);
        if (joins_folded) other.fold(flip);
        keep[j] = set.has(other);
    }
    return 0;
}

}  // namespace

EXPORT_KERNEL(classes_mark)
EXPORT_KERNEL(classes_number)
EXPORT_KERNEL(classes_list)
EXPORT_KERNEL(classes_mark_children)
EXPORT_KERNEL(classes_keep_parents)
EXPORT_KERNEL(classes_list_edges)
EXPORT_KERNEL(classes_add_values)
EXPORT_KERNEL(classes_sort_edges)
EXPORT_KERNEL(classes_mark_finals)
EXPORT_KERNEL(classes_keep_bases)
EXPORT_KERNEL(classes_keep_partnered)
