"""One step of the frontier method: what becomes of states when the next square is dealt with."""

from __future__ import annotations

import numpy as np

from knightstour.core.kernels.counting import march as kernel
from knightstour.core.search.frontier.plan import Plan, Step

CLOSED = -1  # instead of a child: the tour is complete


def expand(plan: Plan, step: Step, key: int, picks: list[tuple[int, ...]] | None = None) -> list[int]:
    """The living states one step makes of a state, in a fixed order, some maybe twice; [CLOSED] for a whole tour.

    `picks`, if given, receives the slots that the square was joined to, for each of them.
    """
    v, inner = step.slot, key & plan.inner_mask
    if picks is None:
        picks = []
    if inner >> v & 1:
        child = key ^ (1 << v)
        if not is_alive(plan, step, child, step.near_mask):
            return []
        picks.append(())
        return [child]
    shifts, field_mask = plan.shifts, plan.field_mask
    open_near = [(a, key >> shifts[a] & field_mask) for a in step.near if not inner >> a & 1]
    if key >> shifts[v] & field_mask:
        return _prolonged(plan, step, key, open_near, picks)
    return _joined(plan, step, key, open_near, picks)


def _prolonged(
    plan: Plan, step: Step, key: int, open_near: list[tuple[int, int]], picks: list[tuple[int, ...]]
) -> list[int]:
    """The states in which the path that ends on the square goes on to one of its open neighbours.

    open_near: the slot of each neighbour that lacks a move, and its field in the state.
    """
    v, present, is_all_seen, _, near_mask, _, later, _ = step
    shifts, virtual = plan.shifts, plan.virtual
    field = key >> shifts[v] & plan.field_mask
    far = field ^ v
    base = key ^ field << shifts[v]
    children: list[int] = []
    for a, a_field in open_near:
        if a == far:
            if is_all_seen and key & plan.inner_mask | 1 << v | 1 << a == present:
                picks[:] = [(a,)]
                return [CLOSED]
            continue
        # The path through v now ends at a, or, if a is the end of another path, at the far end of that.
        affected = near_mask
        if a_field:
            y = a_field ^ a
            child = base ^ a_field << shifts[a] ^ (a ^ far) << shifts[y] ^ 1 << a
            affected |= later[a] if a != virtual else step.touched
        else:
            y = a
            child = base ^ (a ^ far) << shifts[a]
        child ^= (v ^ y) << shifts[far]
        if is_alive(plan, step, child, affected):
            children.append(child)
            picks.append((a,))
    return children


def _joined(
    plan: Plan, step: Step, key: int, open_near: list[tuple[int, int]], picks: list[tuple[int, ...]]
) -> list[int]:
    """The states in which the square, bare so far, joins two of its open neighbours. open_near: as for _prolonged."""
    v, present, is_all_seen, _, near_mask, _, later, _ = step
    shifts, virtual = plan.shifts, plan.virtual
    children: list[int] = []
    for i, (a, a_field) in enumerate(open_near):
        y = a_field ^ a
        base, base_affected = key, near_mask
        if a_field:
            base ^= a_field << shifts[a] ^ 1 << a
            base_affected |= later[a] if a != virtual else step.touched
        for b, b_field in open_near[i + 1 :]:
            x = b_field ^ b
            if x == a:
                if is_all_seen and key & plan.inner_mask | 1 << v | 1 << a | 1 << b == present:
                    picks[:] = [(a, b)]
                    return [CLOSED]
                continue
            child, affected = base, base_affected
            if b_field:
                child ^= b_field << shifts[b] ^ 1 << b
                affected |= later[b] if b != virtual else step.touched
            # The far ends of the two paths joined (a and b themselves where they were bare) become mates.
            child ^= (a_field ^ x ^ y) << shifts[y] ^ (b_field ^ x ^ y) << shifts[x]
            if is_alive(plan, step, child, affected):
                children.append(child)
                picks.append((a, b))
    return children


def is_alive(plan: Plan, step: Step, key: int, affected: int) -> bool:
    """Whether each affected slot still has enough neighbours to come for the moves it lacks.

    A path may not be closed by its own two ends while squares are outside the frontier. The virtual square can help
    as many squares as it has ends to give.
    """
    shifts, field_mask, virtual = plan.shifts, plan.field_mask, plan.virtual
    v, present, is_all_seen, _, _, _, later, unseen = step
    free = (present ^ 1 << v) & ~key
    spare = 0
    if virtual >= 0 and free >> virtual & 1:
        spare = 1 if key >> shifts[virtual] & field_mask else 2
    todo = affected & free
    while todo:
        bit = todo & -todo
        todo ^= bit
        i = bit.bit_length() - 1
        open_near = later[i] & free
        field = key >> shifts[i] & field_mask
        if field:
            if not is_all_seen:
                mate = field ^ i
                open_near &= ~(1 << mate)
                if mate == virtual and not open_near and not unseen[i]:
                    return False
            if open_near or unseen[i]:
                continue
        else:
            have = unseen[i] + (open_near != 0) + (open_near & (open_near - 1) != 0)
            if have >= 2:
                continue
            if have == 0:
                return False
        if spare == 0:
            return False
        spare -= 1
    return True


def steps_as_arrays(plan: Plan) -> kernel.Steps:
    """The plan for the kernel."""
    steps = [plan.step(t) for t in range(len(plan.order))]
    widest = max(1, *(len(step.near) for step in steps))
    info = np.zeros((len(steps), 7), dtype=np.int64)
    near = np.zeros((len(steps), widest), dtype=np.int64)
    later = np.zeros((len(steps), plan.slots), dtype=np.uint64)
    unseen = np.zeros((len(steps), plan.slots), dtype=np.int64)
    for t, step in enumerate(steps):
        d = len(step.near)
        room = max(1, d * (d - 1) // 2, d)
        info[t] = (step.slot, step.present, step.is_all_seen, d, step.near_mask, step.touched, room)
        near[t, :d] = step.near
        for i, mask in step.later.items():
            later[t, i] = mask
            unseen[t, i] = step.unseen[i]
    # Fields follow the inner mask in word 0, and none straddles two words.
    word, shift = [], []
    at, words = plan.slots, 1
    for _ in range(plan.slots):
        if at + plan.field_bits > 64:
            at, words = 0, words + 1
        word.append(words - 1)
        shift.append(at)
        at += plan.field_bits
    places = (np.array(word, dtype=np.int64), np.array(shift, dtype=np.int64))
    return kernel.Steps(info, near, later, unseen, *places, plan.virtual, plan.field_mask)


def packed(key: int, plan: Plan, steps: kernel.Steps) -> np.ndarray:
    """A state as a key of the kernel."""
    words = [key & plan.inner_mask] + [0] * int(steps.word[-1])
    for i, (w, s) in enumerate(zip(steps.word.tolist(), steps.shift.tolist(), strict=True)):
        words[w] |= (key >> plan.shifts[i] & plan.field_mask) << s
    return np.array(words, dtype=np.uint64)


def unpacked(words: list[int], plan: Plan, steps: kernel.Steps) -> int:
    """The state of a key."""
    key = words[0] & plan.inner_mask
    for i, (w, s) in enumerate(zip(steps.word.tolist(), steps.shift.tolist(), strict=True)):
        key |= (words[w] >> s & plan.field_mask) << plan.shifts[i]
    return key
