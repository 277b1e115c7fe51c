"""Certificates of counts, and of searches by states: right as made, refused where a number or state is spoilt."""

from __future__ import annotations

import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st

import knightstour as kt
from helpers import reference
from helpers.examples import examples
from helpers.small_problems import adjacency_of, problems
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
