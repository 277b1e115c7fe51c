"""Tests of scenes of proofs as SVG, PNG, sheets, animations and text."""

import io
import re
import xml.etree.ElementTree as ET

import pytest
from PIL import Image

import knightstour as kt
from helpers import pictures
from helpers.both_ways import both_ways
from knightstour.core.drawing.animation import animate
from knightstour.core.drawing.layout import places_of, side_of
from knightstour.core.drawing.look import look_of
from knightstour.core.drawing.scene_text import _SIGNS
from knightstour.core.drawing.svg.scene import SHAPES
from knightstour.core.drawing.text import text_of
from knightstour.core.model.board import Board, title_of

SVG = "{http://www.w3.org/2000/svg}"
THREE = kt.solve((3, 8), closed=True).certificate().scenes
FOUR = kt.solve((4, 8), closed=True).certificate().scenes
FROM_B1 = kt.solve((5, 5), start="b1").certificate().scenes
SPENT = kt.solve((3, 5)).certificate().scenes
TORUS = kt.solve(Board(4, 8, wrap="cylinder"), closed=True).certificate().scenes
BIPARTITE = Board.from_graph(both_ways([[3, 4], [3, 4], [3, 4], [], []]))
GRAPH = kt.solve(BIPARTITE, closed=True).certificate().scenes
CASES = {"three": THREE, "four": FOUR, "from b1": FROM_B1, "spent": SPENT, "cylinder": TORUS, "graph": GRAPH}


def test_each_role_can_be_drawn():
    assert _SIGNS.keys() | {"piece", "orbit", "weight", "order", "given", "end"} == SHAPES.keys()


@pytest.mark.parametrize("theme", ["auto", "light", "dark"])
@pytest.mark.parametrize("name", CASES)
def test_a_scene_has_its_title_its_sentence_and_its_legend(name, theme):
    for scene in CASES[name]:
        root = ET.fromstring(str(kt.draw(scene, theme=theme)))
        texts = ["".join(element.itertext()) for element in root.iter(f"{SVG}text")]
        assert root.find(f"{SVG}title").text == f"{scene.title}: {title_of(scene.board)}"
        assert root.find(f"{SVG}desc").text == " ".join([scene.sentence, *scene.beats])
        assert scene.title in texts and scene.sentence in " ".join(texts)
        assert {part.label for part in (*scene.marks, *scene.lines)} <= set(texts)


def test_nothing_is_drawn_outside_the_picture():
    for scenes in CASES.values():
        for scene in scenes:
            root = ET.fromstring(str(kt.draw(scene, colors={"background": "paper"})))
            x, y, width, height = map(float, root.get("viewBox").split())
            for element in root.iter(f"{SVG}text"):
                if element.get("x") and element.get("y") and not element.get("text-anchor"):
                    assert x <= float(element.get("x")) <= x + width and y <= float(element.get("y")) <= y + height


def test_forced_moves_have_the_number_of_their_link():
    root = ET.fromstring(str(kt.draw(THREE[0], coordinates=False)))
    numbers = [element.text for element in root.iter(f"{SVG}text") if re.fullmatch(r"\d+", element.text or "")]
    forced = [str(line.beat) for line in THREE[0].lines if line.role == "forced"]
    assert numbers == forced and len(forced) == 8


def test_a_moving_proof_has_a_frame_for_each_beat():
    data = bytes(kt.draw(THREE, "gif", size=120))
    with Image.open(io.BytesIO(data)) as image:
        assert image.n_frames == sum(len(scene.frames) for scene in THREE) == 12
        image.seek(0)
        first = image.info["duration"]
    assert first == round(1000 + 45 * len(THREE[0].sentence))
    with pytest.raises(kt.FormatError, match="12 steps"):
        animate(list(THREE), look_of({"size": 120}), most=5)


@pytest.mark.parametrize(
    ("options", "wrong"),
    [
        ({"style": "heat"}, "style"),
        ({"numbers": True}, "numbers"),
        ({"highlight": ["a1"]}, "highlight"),
        ({"window": (0, 0, 2, 2)}, "whole board"),
        ({"paths": ["a1", "b3"]}, "whole board"),
    ],
)
def test_rejects_scenes_that_cannot_be_shown(options, wrong):
    with pytest.raises(kt.KnightsTourError, match=wrong):
        pictures.svg(THREE[0], **options)


def test_nodes_of_a_graph_lie_apart_and_in_the_picture():
    for board in (BIPARTITE, Board.from_graph(both_ways([[1], []])), Board.from_graph([[]])):
        places = places_of(board)
        side = side_of(board)
        assert len(set(places)) == len(places) == board.cols
        assert all(0 <= x <= side and 0 <= y <= side for x, y in places)


@pytest.mark.parametrize("width", [36, 60, 100])
@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("ascii", [False, True])
def test_scene_text_fits_and_is_complete(name, width, ascii):
    for scene in CASES[name]:
        text = text_of(scene, width=width, ascii=ascii)
        assert max(map(len, text.splitlines())) <= width
        words = " ".join(text.split())
        assert scene.title in words
        if width < 60:
            assert " ".join(scene.sentence.split()) in words
        assert not ascii or text.isascii()


def test_the_text_of_a_scene_shows_each_square():
    text = text_of(FROM_B1[0], width=80, ascii=True)
    rows = [line[:18].split() for line in text.splitlines()[:5]]
    assert rows[0] == ["5", "o", "-", "o", "-", "o"] and rows[4] == ["1", "o", "[-]", "o", "-", "o"]
    letters = text_of(THREE[1], width=80)
    assert "A  A  ×  B  B  ×  C  C" in letters
    narrow = text_of(THREE[1], width=20)
    assert narrow.startswith("(the board is\nomitted: it needs 26\n") and "Too many pieces" in narrow
    with pytest.raises(kt.FormatError, match="boxes"):
        text_of(THREE[1], style="boxes")


def test_colours_of_a_terminal_change_no_character():
    plain = text_of(THREE[1], width=80)
    painted = text_of(THREE[1], width=80, color=True)
    assert painted != plain and re.sub(r"\x1b\[[\d;]*m", "", painted) == plain
