"""The steps of a plan and its states as the kernel has them: arrays, and keys of some words."""

from __future__ import annotations

import numpy as np

from knightstour.core.kernels.counting import march as kernel
from knightstour.core.search.frontier.plan import Plan


def steps_as_arrays(plan: Plan) -> kernel.Steps:
    """The plan for the kernel."""
    steps = [plan.step(t) for t in range(len(plan.order))]
    widest = max(1, *(len(step.near) for step in steps))
    info = np.zeros((len(steps), 9), dtype=np.int64)
    near = np.zeros((len(steps), widest), dtype=np.int64)
    later = np.zeros((len(steps), plan.slots), dtype=np.uint64)
    unseen = np.zeros((len(steps), plan.slots), dtype=np.int64)
    for t, step in enumerate(steps):
        d = len(step.near)
        # After the last square there is no layer.
        may_leave = plan.leaves and plan.order[t] != plan.must and t + 1 < len(steps)
        room = max(1, d * (d - 1) // 2, d) + may_leave
        seen = (step.slot, step.present, step.is_all_seen, d, step.near_mask, step.touched)
        info[t] = (*seen, room, may_leave, plan.must_mask(t))
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
    return kernel.Steps(info, near, later, unseen, *places, plan.virtual, plan.field_mask, int(plan.leaves))


def packed(key: int, plan: Plan, steps: kernel.Steps) -> np.ndarray:
    """A state as a key of the kernel."""
    words = [key & plan.inner_mask] + [0] * int(steps.word[-1])
    for i, (w, s) in enumerate(zip(steps.word.tolist(), steps.shift.tolist(), strict=True)):
        words[w] |= (key >> plan.shifts[i] & plan.field_mask) << s
    return np.array(words, dtype=np.uint64)
