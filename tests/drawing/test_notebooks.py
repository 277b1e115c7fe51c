"""What notebooks show of answers, and their short words."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

import knightstour as kt

ANSWERS = {
    "a tour": (lambda: kt.solve("6x6", closed=True, rng=1), 1, "found"),
    "no tour": (lambda: kt.solve("4x8", closed=True), 0, "Schwenk|impossible"),
    "several tours": (lambda: kt.solve("6x6", n=6, unique=True, rng=1, method="merge"), 4, "found"),
    "a graph": (lambda: kt.solve(kt.Board.from_graph([[1, 2], [0, 2], [0, 1]])), 0, "found"),
    "a sample": (lambda: kt.sample_tours("6x6", 10, closed=True, rng=1), 4, "10 closed tours"),
    "a comparison": (
        lambda: kt.compare("5x5", methods=["explicit", "rotation"], seeds=2),
        0,
        "rotation",
    ),
    "a small implicit tour": (lambda: kt.implicit_tour("6x6"), 1, "ImplicitTour"),
    "a giant implicit tour": (lambda: kt.implicit_tour((10**9, 10**9), closed=True), 1, "ImplicitTour"),
    "a long implicit tour": (lambda: kt.implicit_tour((3, 10**9)), 1, "ImplicitTour"),
    "a space": (lambda: kt.TourSpace("5x6", closed=True), 2, "8 times"),
    "an empty space": (lambda: kt.TourSpace("4x4", closed=True), 0, "0 times"),
    "a plan": (lambda: kt.plan_count("8x8", closed=True), 0, "by halves"),
    "an infeasible plan": (lambda: kt.plan_count("20x20", closed=True), 0, "infeasible"),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_a_notebook_shows_the_answer(name):
    make, pictures, words = ANSWERS[name]
    answer = make()
    html = answer._repr_html_()
    page = ET.fromstring(f"<div>{html}</div>")
    assert len(page.findall(".//{http://www.w3.org/2000/svg}svg")) == pictures
    assert any(word in page.find("pre").text for word in words.split("|"))
    assert len(repr(answer)) < 300 and "\n" not in repr(answer)
