"""Kernels that sort lists of words with their counts, and find words in them."""

NOWHERE = -1


def sort_pairs(words, counts, low, high, stack):
    """Sort words[low .. high-1], which differ, and counts along with them. stack: at least 128 places."""
    top = 0
    stack[0] = low
    stack[1] = high - 1
    while top >= 0:
        a = stack[2 * top]
        b = stack[2 * top + 1]
        top -= 1
        while b - a > 16:
            middle = (a + b) >> 1
            # The middle one of three to part by.
            if words[middle] < words[a]:
                words[middle], words[a] = words[a], words[middle]
                counts[middle], counts[a] = counts[a], counts[middle]
            if words[b] < words[a]:
                words[b], words[a] = words[a], words[b]
                counts[b], counts[a] = counts[a], counts[b]
            if words[b] < words[middle]:
                words[b], words[middle] = words[middle], words[b]
                counts[b], counts[middle] = counts[middle], counts[b]
            pivot = words[middle]
            i = a
            j = b
            while i <= j:
                while words[i] < pivot:
                    i += 1
                while pivot < words[j]:
                    j -= 1
                if i <= j:
                    words[i], words[j] = words[j], words[i]
                    counts[i], counts[j] = counts[j], counts[i]
                    i += 1
                    j -= 1
            # The larger part waits, so the stack stays short.
            top += 1
            if j - a > b - i:
                stack[2 * top] = a
                stack[2 * top + 1] = j
                a = i
            else:
                stack[2 * top] = i
                stack[2 * top + 1] = b
                b = j
        for i in range(a + 1, b + 1):
            word = words[i]
            count = counts[i]
            j = i - 1
            while j >= a and words[j] > word:
                words[j + 1] = words[j]
                counts[j + 1] = counts[j]
                j -= 1
            words[j + 1] = word
            counts[j + 1] = count


def sort_lists(first, last, offsets, lengths, states, begins, words, counts, stack):
    """Copy the lists of classes first .. last-1 to words and counts, sorted, from begins[j] on."""
    for j in range(first, last):
        place = begins[j]
        for i in range(offsets[j], offsets[j] + lengths[j]):
            words[place] = states[i, 0]
            counts[place] = states[i, 1]
            place += 1
        if lengths[j] > 1:
            sort_pairs(words, counts, begins[j], place, stack)


def sort_in_place(first, last, offsets, lengths, states, begins, words, counts, stack):
    """Sort the lists of classes first .. last-1, and move each to begins[j], which is not after where it was.

    words, counts: scratch as long as the longest list.
    """
    for j in range(first, last):
        n = lengths[j]
        low = offsets[j]
        for i in range(n):
            words[i] = states[low + i, 0]
            counts[i] = states[low + i, 1]
        if n > 1:
            sort_pairs(words, counts, 0, n, stack)
        low = begins[j]
        for i in range(n):
            states[low + i, 0] = words[i]
            states[low + i, 1] = counts[i]


def find(words, low, high, word):
    """Where a word is among words[low .. high-1], or -1."""
    end = high
    while low < high:
        middle = (low + high) >> 1
        if words[middle] < word:
            low = middle + 1
        else:
            high = middle
    if low < end and words[low] == word:
        return low
    return NOWHERE


KERNELS = (sort_pairs, sort_lists, sort_in_place, find)
INNER = (sort_pairs, find)
