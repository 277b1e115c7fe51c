// Encoding "lists by class": lists sorted by words.
#pragma once
#include "algebras.h"

namespace {

// Sort states with distinct words by their words as signed numbers, the order of the files.
template <class Value>
void sort_states(Array<WithValue<Value>> list) {
    constexpr i64 FEW = 16;
    const auto key = [&](i64 i) { return i64(list[i].word); };
    const auto exchange = [&](i64 i, i64 j) {
        const WithValue<Value> state = list[i];
        list[i] = list[j];
        list[j] = state;
    };
    // The larger one of two parts waits, so the stack stays small.
    struct Part {
        i64 first, last;
    } waiting[64];
    i64 count = 0;
    i64 a = 0, b = list.size - 1;
    while (true) {
        while (b - a > FEW) {
            const i64 middle = (a + b) >> 1;
            // Pivot: the median of three.
            if (key(middle) < key(a)) exchange(middle, a);
            if (key(b) < key(a)) exchange(b, a);
            if (key(b) < key(middle)) exchange(b, middle);
            const i64 pivot = key(middle);
            i64 i = a, j = b;
            while (i <= j) {
                while (key(i) < pivot) i++;
                while (pivot < key(j)) j--;
                if (i <= j) exchange(i++, j--);
            }
            if (j - a > b - i) {
                waiting[count++] = {a, j};
                a = i;
            } else {
                waiting[count++] = {i, b};
                b = j;
            }
        }
        for (i64 i = a + 1; i <= b; i++) {
            const WithValue<Value> state = list[i];
            i64 j = i - 1;
            for (; j >= a && key(j) > i64(state.word); j--) list[j + 1] = list[j];
            list[j + 1] = state;
        }
        if (count == 0) return;
        a = waiting[--count].first;
        b = waiting[count].last;
    }
}

// Index of a word in words[low .. high-1], sorted as signed numbers; -1 if missing.
inline i64 place_of(const Array<const i64> &words, i64 low, i64 high, i64 word) {
    const i64 end = high;
    while (low < high) {
        const i64 middle = (low + high) >> 1;
        if (words[middle] < word)
            low = middle + 1;
        else
            high = middle;
    }
    return low < end && words[low] == word ? low : -1;
}

}  // namespace
