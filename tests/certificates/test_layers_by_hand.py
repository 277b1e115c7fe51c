"""The layers of counts against all choices of moves, one by one; and the words about layers that are wrong."""

from __future__ import annotations

import copy
import hashlib
from itertools import combinations

import pytest

import knightstour as kt
from helpers.graph_families import near_of
from knightstour.lab.certificates.layers import Steps, digest_of, sums_of, texts_of
from knightstour.lab.certificates.record import Allowance

GRAPHS = {
    "a loop": "01 12 23 30",
    "K4": "01 02 03 12 13 23",
    "K5": "01 02 03 04 12 13 14 23 24 34",
    "K33": "03 04 05 13 14 15 23 24 25",
    "a prism": "01 12 20 34 45 53 03 14 25",
    "a wheel": "01 02 03 04 05 12 23 34 45 51",
}


def state_of(near, chosen, dealt):
    """How a choice of moves looks to the squares to come: the text of its state; True where it is a closed tour of all
    squares; None where it cannot become one.
    """
    taken = {square: {b for a, b in chosen if a == square} | {a for a, b in chosen if b == square} for square in near}
    if any(len(moves) > 2 for moves in taken.values()) or any(len(taken[square]) < 2 for square in dealt):
        return None
    words = {}
    for square in near:
        if square in dealt:
            continue
        if len(taken[square]) == 2:
            words[square] = str(square)
        elif len(taken[square]) == 1:
            before, here = None, square
            while True:
                ahead = taken[here] - {before}
                if not ahead:
                    break
                before, here = here, min(ahead)
            words[square] = f"{min(square, here)}-{max(square, here)}"
    # A loop: squares with both moves that no path reaches.
    reached = set()
    for square in near:
        if len(taken[square]) < 2:
            line = [square]
            for here in line:
                line += taken[here] - set(line)
            reached |= set(line)
    looped = set(near) - reached
    if looped:
        first = min(looped)
        line = [first]
        for here in line:
            line += taken[here] - set(line)
        return True if len(line) == len(near) else None
    for square in near:
        if square not in dealt and len(taken[square]) < 2:
            free = [other for other in near[square] if other not in dealt and len(taken[other]) < 2]
            # The move to the other end of its own path would close a loop, but that is seen later.
            if len(free) < 2 - len(taken[square]):
                return None
    shown = []
    for square in sorted(words):
        if words[square] not in shown:
            shown.append(words[square])
    return " ".join(shown)


def all_layers(near, order):
    """For each step the texts of the states with their numbers, and how many choices became tours at it."""
    layers, complete = [], set()
    for step in range(len(order)):
        dealt = set(order[: step + 1])
        moves = [(a, b) for a in near for b in near[a] if a < b and {a, b} & dealt]
        numbers, fresh = {}, set()
        for count in range(len(moves) + 1):
            for chosen in combinations(moves, count):
                text = state_of(near, chosen, dealt)
                if text is True:
                    fresh.add(chosen)
                elif text is not None:
                    numbers[text] = numbers.get(text, 0) + 1
        layers.append((dict(sorted(numbers.items())), len(fresh - complete)))
        complete |= fresh
    return layers


@pytest.mark.parametrize("name", GRAPHS)
@pytest.mark.parametrize("is_turned", [False, True], ids=["rising", "falling"])
def test_layers_are_all_choices_of_moves(name, is_turned):
    near = near_of(GRAPHS[name])
    order = sorted(near, reverse=is_turned)
    steps, layer = Steps.of(near, order), {(): 1}
    for step, (numbers, complete) in enumerate(all_layers(near, order)):
        layer, closed = steps.follow(layer, step, Allowance(10**6, 60))
        assert (texts_of(layer), closed) == (numbers, complete)


def test_states_are_written_as_strangers_read_them():
    layer = {((3, 7), (7, 3), (9, 9)): 2, ((1, 1), (12, 15), (15, 12)): 30, (): 5}
    texts = texts_of(layer)
    assert list(texts.items()) == [("", 5), ("1 12-15", 30), ("3-7 9", 2)]
    assert digest_of(texts) == hashlib.sha256(b":5\n1 12-15:30\n3-7 9:2\n").hexdigest()
    assert sums_of({(): 2147483647 + 5}) == [5, (2147483652) % 1073741789, 2147483652 % 536870909]


# ---------------------------------------------------------------- words


@pytest.fixture(scope="module")
def certificate():
    return kt.certify_count((3, 4), start="a1")


def found(certificate, change):
    copied = copy.deepcopy(dict(certificate.record))
    change(copied["proof"])
    return kt.verify(copied).detail


def test_words_about_wrong_layers(certificate):
    layers = certificate.record["proof"]["layers"]
    k = next(k for k, layer in enumerate(layers) if layer["states"] > 2)
    name, layer = f"layer {k + 1}", layers[k]
    long = max(layer["data"], key=len)
    assert found(certificate, lambda p: p["layers"][k].update(closed="7")) == (
        f"{name}: {layer['closed']} choices became closed tours, not 7"
    )
    assert found(certificate, lambda p: p["layers"][k].update(states=1)) == (
        f"{name}: there are {layer['states']} states, not 1"
    )
    assert found(certificate, lambda p: p["layers"][k].update(sums=[1, 2, 3])) == (
        f"{name}: the sums of its numbers are {layer['sums']}"
    )
    assert found(certificate, lambda p: p["layers"][k].update(sha256="")) == f"{name}: its digest is {layer['sha256']}"
    assert found(certificate, lambda p: p["layers"][k]["data"].pop(long)) == (
        f"{name}: the number of the state {long[:60]!r} is {layer['data'][long]}"
    )
    more = "1-2 " * 20
    assert found(certificate, lambda p: p["layers"][k]["data"].update({more: 4})) == (
        f"{name}: the number of the state {more[:60]!r} is 0"
    )
    assert found(certificate, lambda p: p["layers"][k].pop("data")).startswith("checked: ")


def test_errors_about_layers(certificate):
    def words(change):
        with pytest.raises(kt.FormatError) as caught:
            found(certificate, change)
        return caught.value.message

    assert words(lambda p: p.update(order=["a1"])) == '"order" must be a whole number of 0 or more'
    assert words(lambda p: p.update(order=None)) == '"order" must be a list of at most 4,000,000 items'
    assert words(lambda p: p.update(layers=[1])) == '"layers" must be a list of objects'
    assert words(lambda p: p["layers"][0].update(sums=[1, -2])) == 'layer 1, "sums" must be a whole number of 0 or more'
    assert words(lambda p: p["layers"][0].update(sums=None)) == 'layer 1, "sums" must be a list of whole numbers'
    assert words(lambda p: p["layers"][1].update(data=[])) == 'layer 2: "data" must be an object'
    assert words(lambda p: p["layers"][1].update(closed=0)) == '"closed" must be a text'
    assert words(lambda p: p["layers"][1].update(states="1")) == '"states" must be a whole number of 0 or more'
