"""Tests of pictures in notebooks and as bytes, and of short descriptions of results."""

import base64
import pickle
import re
import xml.etree.ElementTree as ET

import pytest

import knightstour as kt
from knightstour.core.model.errors import FormatError

TOUR = kt.find_tour("5x6", closed=True, seed=1)
PUZZLE = kt.Puzzle("3x4", {"a3": 1, "c2": 2, "d1": 12})


def test_a_notebook_shows_the_svg_of_a_tour():
    picture = kt.draw(TOUR, style="line", size=300)
    assert isinstance(picture, kt.Picture)
    assert picture._repr_mimebundle_() == {"image/svg+xml": str(picture), "text/plain": repr(picture)}
    again = pickle.loads(pickle.dumps(picture))
    assert again == picture and hash(again) == hash(picture)


@pytest.mark.parametrize("kind", ["png", "gif"])
def test_a_notebook_shows_images_as_they_are(kind):
    picture = kt.draw(TOUR, kind, size=40)
    html = picture._repr_mimebundle_(include=None, exclude=None)["text/html"]
    match = re.fullmatch(r'<img alt="" src="data:image/(\w+);base64,([^"]+)">', html)
    assert match and match[1] == kind and base64.b64decode(match[2]) == bytes(picture)


@pytest.mark.parametrize(
    ("kind", "options", "shown"),
    [
        ("svg", {"style": "line", "size": 300}, r"svg, 300 x 254, \d+ bytes"),
        ("svg", {"style": "plotter", "size": 190, "per_row": 1}, r"svg, 756 x 636, [\d,]+ bytes"),
        ("png", {"style": "line", "size": 300}, r"png, 300 x 254, [\d,]+ bytes"),
        ("gif", {"style": "line", "size": 60}, r"gif, 60 x 51, [\d,]+ bytes"),
        ("pdf", {"style": "line", "size": 96}, r"pdf, 72 x 61, [\d,]+ bytes"),
        ("text", {"style": "boxes"}, r"text, 33 x 12, [\d,]+ bytes"),
        ("html", {}, r"html, [\d,]+ bytes"),
        ("tikz", {}, r"tikz, [\d,]+ bytes"),
    ],
)
def test_a_picture_has_a_short_repr(kind, options, shown):
    assert re.fullmatch(f"<Picture: {shown}>", repr(kt.draw(TOUR, kind, **options)))


def test_only_formats_of_text_have_a_str(tmp_path):
    assert str(kt.draw(TOUR)).startswith("<svg") and str(kt.draw(TOUR, "html")).startswith("<!doctype html>")
    assert str(kt.draw(TOUR, "png")) == repr(kt.draw(TOUR, "png"))
    kt.draw(TOUR, "gif", size=40).save(tmp_path / "tour.gif")
    assert (tmp_path / "tour.gif").read_bytes()[:6] == b"GIF89a"


@pytest.mark.parametrize("suffix", [".png", ".jpg", ".webp", ".txt", ".docx", ""])
@pytest.mark.parametrize("kind", ["svg", "gif", "tikz"])
def test_save_rejects_suffixes_of_other_formats(kind, suffix, tmp_path):
    with pytest.raises(FormatError, match=rf"the picture is {kind}, not "):
        kt.Picture(kind, b"").save(tmp_path / f"tour{suffix}")
    assert list(tmp_path.iterdir()) == []


def test_save_accepts_each_suffix_of_its_format(tmp_path):
    for kind, suffix in (("svg", ".SVG"), ("tikz", ".tex"), ("tikz", ".tikz"), ("text", ".txt")):
        kt.Picture(kind, b"x").save(tmp_path / f"{kind}{suffix}")
        assert (tmp_path / f"{kind}{suffix}").read_bytes() == b"x"


def test_draw_accepts_results_and_censuses():
    assert kt.draw(kt.solve("5x6", closed=True, seed=1)) == kt.draw(TOUR)
    assert str(kt.draw([kt.solve("5x6", closed=True, seed=1), TOUR])).count("<svg") == 3
    with pytest.raises(kt.ProblemError, match=r"there is no tour to draw: a board with 4 rows"):
        kt.draw(kt.solve("4x8", closed=True))
    census = kt.census("5x5", "turns", start="a1")
    assert str(kt.draw(census)) == census._repr_svg_()
    assert kt.draw(census, "png", size=200).width == 200
    with pytest.raises(FormatError, match="a chart does not use style"):
        kt.draw(census, style="line")


def test_a_text_is_a_picture():
    assert str(kt.draw(TOUR, "text", style="ascii", size=60)).isascii()
    assert max(map(len, str(kt.draw(TOUR, "text", size=40)).splitlines())) <= 40
    assert str(kt.draw(PUZZLE, "text")) == str(PUZZLE)
    # An explicit default is the same as none, also if it is another object.
    assert kt.draw(TOUR, "text", theme="".join(["au", "to"])) == kt.draw(TOUR, "text")
    with pytest.raises(FormatError, match="a text does not show arrows"):
        kt.draw(TOUR, "text", arrows=True)


def test_a_puzzle_has_a_picture(tmp_path):
    svg = PUZZLE._repr_svg_()
    assert re.findall(r">(\d+)</tspan>", svg) == ["1", "2", "12"]
    assert str(kt.draw(PUZZLE)) == svg
    assert str(kt.draw(PUZZLE, labels={"b3": "x"})).count("</tspan>") == 4
    PUZZLE.save(tmp_path / "p.png", size=80)
    assert (tmp_path / "p.png").read_bytes().startswith(b"\x89PNG")
    PUZZLE.save(tmp_path / "p.json")
    assert kt.Puzzle.from_file(tmp_path / "p.json").given == PUZZLE.given
    for name, why in (
        ("p.gif", "cannot be written as .gif"),
        ("p.doc", "cannot be written as .doc"),
        ("p.html", "as .html"),
    ):
        with pytest.raises(FormatError, match=why):
            PUZZLE.save(tmp_path / name)
    with pytest.raises(FormatError, match="style applies to pictures"):
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


# ---------------------------------------------------------------- notebooks


ANSWERS = {
    "a tour": (lambda: kt.solve("6x6", closed=True, seed=1), 1, "found"),
    "no tour": (lambda: kt.solve("4x8", closed=True), 0, "Schwenk|impossible"),
    "a graph": (lambda: kt.solve(kt.Board.from_graph([[1, 2], [0, 2], [0, 1]])), 0, "found"),
    "a sample": (lambda: kt.sample("6x6", 10, closed=True, seed=1), 4, "10 closed tours"),
    "a comparison": (lambda: kt.compare("5x5", methods=["explicit", "rotation"], seeds=2), 0, "rotation"),
    "a small implicit tour": (lambda: kt.constructions.implicit_tour("6x6"), 1, "ImplicitTour"),
    "a giant implicit tour": (lambda: kt.constructions.implicit_tour((10**9, 10**9), closed=True), 1, "ImplicitTour"),
    "a long implicit tour": (lambda: kt.constructions.implicit_tour((3, 10**9)), 1, "ImplicitTour"),
    "a space": (lambda: kt.TourSpace("5x6", closed=True), 2, "8 times"),
    "an empty space": (lambda: kt.TourSpace("4x4", closed=True), 0, "0 times"),
    "a plan": (lambda: kt.plan("8x8", closed=True), 0, "by halves"),
    "an infeasible plan": (lambda: kt.plan("20x20", closed=True), 0, "infeasible"),
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
