"""Certificates of counts, and of searches by states: right as made, refused where a number or state is spoilt."""

from __future__ import annotations

import copy
import gzip
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import knightstour as kt
from helpers import reference
from helpers.examples import examples
from helpers.small_problems import adjacency_of, problems
from knightstour.lab.certificates import verify
from knightstour.lab.certificates.certify import question_record
from knightstour.lab.certificates.make_layers import layers_for
from knightstour.lab.certificates.record import Allowance


def spoilt(certificate, change):
    copied = copy.deepcopy(dict(certificate.record))
    change(copied)
    return kt.verify(copied)


@examples(150)
@given(problems(most_squares=9).filter(lambda problem: problem.board.square_count >= 3), st.booleans())
def test_counts_are_those_of_the_reference(problem, directed):
    certificate = kt.certify_count(problem, directed=directed)
    near = adjacency_of(problem.board)
    walks = list(reference.all_tours(near, **problem.conditions))
    if problem.closed:
        expected = len(reference.closed_tours(near)) * (2 if directed else 1)
    else:
        expected = len(walks) if directed or problem.has_given_end else len(walks) // 2
    assert certificate.record["count"] == str(expected)
    assert kt.verify(certificate).is_right


@pytest.fixture(scope="module")
def certificate():
    return kt.certify_count((3, 10), closed=True)


def test_a_count_is_right(certificate):
    found = kt.verify(certificate)
    assert found.is_right and found.claim == "there are 16 closed undirected tours of the 3x10 board"
    assert certificate.kind == "layers" and len(certificate.to_json()) < 30_000


def test_a_spoilt_count_is_refused_with_its_part(certificate):
    layers = certificate.record["proof"]["layers"]
    assert spoilt(certificate, lambda c: c.update(count="17")).detail == "count: the layers lead to 16"
    assert spoilt(certificate, lambda c: c.update(directed=True)).detail == "count: the layers lead to 32"
    for k in (0, 9, len(layers) - 1):
        for key, value in (("states", 10**6), ("closed", "3"), ("sums", [0, 0, 1]), ("sha256", "0" * 64)):
            found = spoilt(certificate, lambda c, k=k, key=key, v=value: c["proof"]["layers"][k].update({key: v}))
            assert found.verdict is kt.certificates.Verdict.WRONG and found.detail.startswith(f"layer {k + 1}: ")

    def change_a_number(c):
        data = c["proof"]["layers"][9]["data"]
        data[next(iter(data))] += 1

    assert spoilt(certificate, change_a_number).detail.startswith("layer 10: the number of the state")
    assert spoilt(certificate, lambda c: c["proof"]["layers"].pop()).detail == "there are 29 layers for 30 squares"
    assert spoilt(certificate, lambda c: c["proof"]["order"].reverse()).verdict is kt.certificates.Verdict.WRONG
    assert spoilt(certificate, lambda c: c["proof"]["order"].append(0)).detail.startswith('"order" must')
    # The proof of another board.
    assert spoilt(certificate, lambda c: c["board"].update(rows=5, cols=6)).verdict is kt.certificates.Verdict.WRONG


def test_no_tour_by_states():
    problem = kt.Problem.of((3, 8), closed=True)
    record = {**question_record(problem), "answer": "impossible"}
    record["proof"] = layers_for(problem, record, Allowance(10**6, 60))
    found = kt.verify(record)
    states = sum(layer["states"] for layer in record["proof"]["layers"])
    assert found.is_right and found.detail == f"checked: {states:,} states in 24 layers, made again"
    with_tours = kt.Problem.of((3, 10), closed=True)
    claimed = {**question_record(with_tours), "answer": "impossible"}
    claimed["proof"] = layers_for(with_tours, claimed, Allowance(10**6, 60))
    assert kt.verify(claimed).detail == "layers: there are 16 tours"


def test_states_are_bounded(certificate):
    assert kt.verify(certificate, limits=kt.Limits(nodes=100)).verdict is kt.certificates.Verdict.UNCHECKED
    with pytest.raises(kt.MethodError, match="too many"):
        kt.certify_count((5, 6), closed=True, limits=kt.Limits(nodes=20_000))


@pytest.mark.slow
def test_the_count_of_6x6_has_a_certificate():
    certificate = kt.certify_count((6, 6), closed=True)
    assert certificate.record["count"] == "9862" and kt.verify(certificate).is_right


# ---------------------------------------------------------------- layers in files


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    folder = tmp_path_factory.mktemp("kept") / "layers"
    return kt.certify_count((3, 10), closed=True, layers=folder), folder


def every_layer(certificate, folder):
    """What is found by seeds that draw each layer."""
    return {kt.verify(certificate, layers=folder, rng=seed) for seed in range(300)}


def test_any_layer_can_be_made_again_from_the_one_before(kept, certificate):
    mine, folder = kept
    layers = mine.record["proof"]["layers"]
    assert [layer["sha256"] for layer in layers] == [layer["sha256"] for layer in certificate.record["proof"]["layers"]]
    found = every_layer(*kept)
    assert len(found) == len(layers) == len(list(folder.glob("layer-*.txt.gz"))) and all(
        each.is_right for each in found
    )
    assert kt.verify(mine).is_right


def test_a_wrong_layer_is_found_by_who_draws_it(kept):
    mine, folder = kept
    for key, value in (("states", 10**6), ("sums", [0, 0, 1]), ("sha256", "0" * 64)):
        wrong = copy.deepcopy(dict(mine.record))
        wrong["proof"]["layers"][9][key] = value
        found = [each for each in every_layer(wrong, folder) if each.verdict is kt.certificates.Verdict.WRONG]
        assert found and all(each.detail.startswith("layer 10: ") for each in found)
    wrong["proof"]["layers"][9]["closed"] = "1"
    assert {each.detail for each in every_layer(wrong, folder)} == {"count: the layers lead to 17"}


def test_the_layer_that_is_drawn_and_the_one_before_it_are_compared(kept):
    mine, folder = kept
    drawn = {seed: random.Random(seed).randrange(len(mine.record["proof"]["layers"])) for seed in range(120)}
    assert {9, 10} < set(drawn.values())

    def wrong_at(record):
        return {
            step
            for seed, step in drawn.items()
            if kt.verify(record, layers=folder, rng=seed).verdict is kt.certificates.Verdict.WRONG
        }

    states = copy.deepcopy(dict(mine.record))
    states["proof"]["layers"][9]["states"] += 1
    assert wrong_at(states) == {9, 10}
    # One closed tour is said to be made a step earlier than it was, so that the count is right.
    closed = copy.deepcopy(dict(mine.record))
    layers = closed["proof"]["layers"]
    last = max(k for k, layer in enumerate(layers) if layer["closed"] != "0")
    for k, change in ((last, -1), (last - 1, 1)):
        layers[k]["closed"] = str(int(layers[k]["closed"]) + change)
    assert wrong_at(closed) == {last - 1, last}


def seed_of_layer(mine, folder, number):
    """A seed that draws the layer after this one."""
    return next(
        k for k in range(300) if f"made again from layer {number}" in kt.verify(mine, layers=folder, rng=k).detail
    )


def test_a_spoilt_file_of_a_layer_is_found(kept, tmp_path):
    mine, folder = kept
    seed = seed_of_layer(mine, folder, 9)
    file = tmp_path / "layer-0009.txt.gz"
    sound = (folder / file.name).read_bytes()
    lines = gzip.decompress(sound).decode().splitlines()
    for change in (lines[1:], [lines[0][:-1] + "9", *lines[1:]], [*lines, "1-2 5:3"], []):
        file.write_bytes(gzip.compress("".join(f"{line}\n" for line in change).encode()))
        found = kt.verify(mine, layers=tmp_path, rng=seed)
        assert found.verdict is kt.certificates.Verdict.WRONG and found.detail.startswith("layer 9: ")
    for content in (b"no gzip", sound[:-9], gzip.compress(b"1-x:3\n"), gzip.compress(b"1-2:\n")):
        file.write_bytes(content)
        with pytest.raises(kt.FormatError, match="layer-0009"):
            kt.verify(mine, layers=tmp_path, rng=seed)


def test_a_count_goes_on_with_the_layers_that_are_there(tmp_path, kept):
    class Stopped(Exception):
        pass

    def stop(progress):
        if progress.done == 12:
            raise Stopped

    folder = tmp_path / "new"
    with pytest.raises(Stopped):
        kt.certify_count((3, 10), closed=True, layers=folder, on_progress=stop)
    seen = []
    again = kt.certify_count((3, 10), closed=True, layers=folder, on_progress=seen.append)
    assert again.record == kept[0].record and seen[0].done == 12
    with pytest.raises(kt.FormatError, match="another question"):
        kt.certify_count((3, 12), closed=True, layers=folder)
    (folder / "question.json").unlink()
    with pytest.raises(kt.FormatError, match="not empty"):
        kt.certify_count((3, 10), closed=True, layers=folder)


def test_layers_go_with_counts(kept):
    with pytest.raises(kt.MethodError, match="no layers"):
        kt.verify(kt.solve((4, 8), closed=True).certificate, layers=kept[1])


def test_with_a_folder_only_a_limit_that_is_named_counts(tmp_path, monkeypatch):
    monkeypatch.setattr(verify, "_MOST_STEPS", 1000)
    made = kt.certify_count((3, 10), closed=True, layers=tmp_path / "layers", limits=kt.Limits(seconds=60))
    assert made.record["count"] == "16"
    with pytest.raises(kt.MethodError) as caught:
        kt.certify_count((3, 10), closed=True, layers=tmp_path / "few", limits=kt.Limits(nodes=3000))
    assert "it goes on" in caught.value.help
    assert kt.certify_count((3, 10), closed=True, layers=tmp_path / "few").record == made.record
