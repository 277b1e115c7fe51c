"""Pictures that show themselves in a notebook and are plain bytes for all else, and the short words of answers."""

import base64
import pickle
import re
import xml.etree.ElementTree as ET

import pytest

import knightstour as kt
from knightstour.core.model.errors import FormatError

TOUR = kt.find_tour("5x6", closed=True, seed=1)
PUZZLE = kt.Puzzle.of("3x4", {"a3": 1, "c2": 2, "d1": 12})


@pytest.mark.parametrize("make", [kt.draw, kt.Tour.draw])
def test_a_notebook_shows_the_svg_of_a_tour(make):
    picture = make(TOUR, style="line")
    assert isinstance(picture, bytes) and picture == str(kt.draw_svg(TOUR, style="line")).encode()
    assert picture._repr_mimebundle_() == {"image/svg+xml": picture.decode()}
    again = pickle.loads(pickle.dumps(picture))
    assert again == picture and type(again) is type(picture)


@pytest.mark.parametrize("kind, named", [("png", "png"), ("gif", "gif"), ("apng", "png"), ("webp", "webp")])
def test_a_notebook_shows_images_as_they_are(kind, named):
    picture = kt.draw(TOUR, kind, size=40)
    html = picture._repr_mimebundle_(include=None, exclude=None)["text/html"]
    match = re.fullmatch(r'<img alt="" src="data:image/(\w+);base64,([^"]+)">', html)
    assert match and match[1] == named and base64.b64decode(match[2]) == picture


def test_an_animation_shows_itself_and_is_saved(tmp_path):
    picture = kt.animate(TOUR, size=40, frames=3)
    assert "image/gif" in picture._repr_mimebundle_()["text/html"]
    picture.save(tmp_path / "tour.gif")
    assert (tmp_path / "tour.gif").read_bytes() == picture


def test_a_puzzle_has_a_picture(tmp_path):
    svg = PUZZLE._repr_svg_()
    assert re.findall(r">(\d+)</tspan>", svg) == ["1", "2", "12"]
    assert kt.draw_svg(PUZZLE) == svg == PUZZLE.draw().decode() == kt.draw(PUZZLE).decode()
    assert kt.draw_svg(PUZZLE, labels={"b3": "x"}).count("</tspan>") == 4
    PUZZLE.save(tmp_path / "p.png", size=80)
    assert (tmp_path / "p.png").read_bytes().startswith(b"\x89PNG")
    PUZZLE.save(tmp_path / "p.json")
    assert kt.read_puzzle(tmp_path / "p.json").given == PUZZLE.given
    for name, why in (("p.gif", "not written as .gif"), ("p.doc", "not written as .doc"), ("p.html", "as .html")):
        with pytest.raises(FormatError, match=why):
            PUZZLE.save(tmp_path / name)
    with pytest.raises(FormatError, match="style is for pictures"):
        PUZZLE.save(tmp_path / "p.txt", style="line")


@pytest.mark.parametrize(
    "name, begins",
    [
        *(("p.svg", b"<svg"), ("p.png", b"\x89PNG"), ("p.json", b"{"), ("p.txt", b"21 ")),
        pytest.param("p.pdf", b"%PDF", marks=pytest.mark.long),
    ],
)
def test_puzzle_file_format_follows_the_suffix(name, begins, tmp_path, monkeypatch, run):
    monkeypatch.chdir(tmp_path)
    code, _, said = run("puzzle", "5x5", "--seed", "1", "-o", name)
    assert code == 0, said
    assert (tmp_path / name).read_bytes().startswith(begins)


# ---------------------------------------------------------------- what notebooks show


ANSWERS = {
    "a tour": (lambda: kt.solve("6x6", closed=True, seed=1), 1, "found"),
    "no tour": (lambda: kt.solve("4x8", closed=True), 0, "Schwenk|impossible"),
    "several tours": (lambda: kt.solve("6x6", n=6, unique=True, seed=1, method="merge"), 4, "found"),
    "a graph": (lambda: kt.solve(kt.Board.from_graph([[1, 2], [0, 2], [0, 1]])), 0, "found"),
    "a sample": (lambda: kt.sample_tours("6x6", 10, closed=True, seed=1), 4, "10 closed tours"),
    "a comparison": (lambda: kt.compare("5x5", methods=["explicit", "rotation"], seeds=2), 0, "rotation"),
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
