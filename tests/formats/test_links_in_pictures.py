"""Tests of links in pictures: a picture of a tour contains it, without visible changes."""

import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageSequence

import knightstour as kt
from helpers.command_line import Run
from knightstour.core.drawing.kinds import PICTURE_KINDS
from knightstour.core.drawing.origin import origin_of, with_origin
from knightstour.core.model.graph_board import GraphBoard

TOURS = [
    kt.find_tour("6x6", closed=True, seed=1),
    kt.find_tour("5x5", seed=2),
    kt.find_tour("4x5:torus", seed=1),
    kt.find_tour("6x6:-a1,b1", seed=3),
    kt.find_tour("tri:6", seed=1),
]
KINDS = [
    "svg",
    "png",
    "pdf",
    *(pytest.param(kind, marks=pytest.mark.long) for kind in ("gif", "dxf")),
]
KINDS += ["tikz", "html"]


@pytest.mark.parametrize("tour", TOURS, ids=[str(tour.board) for tour in TOURS])
@pytest.mark.parametrize("kind", KINDS)
def test_the_tour_is_read_from_its_picture(tour: kt.Tour, kind: str, tmp_path: Path) -> None:
    if isinstance(tour.board, GraphBoard) and kind in ("html", "tikz", "dxf"):
        pytest.skip("no such picture of a graph")
    if kind == "dxf":
        pytest.importorskip("ezdxf")
    path = tmp_path / f"tour{PICTURE_KINDS[kind].suffixes[0]}"
    tour.save(path)
    (found,) = kt.read_tours(path)
    assert found == tour and found.is_closed == tour.is_closed
    assert kt.read_tours(io.BytesIO(path.read_bytes())) == [tour]


@pytest.mark.parametrize("kind", ["svg", "png", "pdf", "tikz", "dxf", "gif"])
@pytest.mark.parametrize(
    "origin", ["knightstour #8&c=1&t=A", "with <signs> & (brackets) \\ ü 象"], ids=["link", "signs"]
)
def test_the_text_comes_back_and_nothing_else_changes(kind: str, origin: str) -> None:
    if kind == "dxf":
        pytest.importorskip("ezdxf")
    data = bytes(kt.draw(TOURS[0], kind))
    made = with_origin(data, origin)
    assert origin_of(data) is None and origin_of(made) == origin
    if kind == "png":
        before, after = (Image.open(io.BytesIO(each)).convert("RGBA") for each in (data, made))
        assert before.tobytes() == after.tobytes()
    elif kind == "gif":
        shown = [
            [np.asarray(frame.convert("RGBA")) for frame in ImageSequence.Iterator(Image.open(io.BytesIO(each)))]
            for each in (data, made)
        ]
        assert len(shown[0]) > 1 and np.array_equal(*map(np.array, shown))
    elif kind == "svg":
        start = made.index(b"<metadata>")
        assert made[:start] + made[made.index(b"</metadata>") + 11 :] == data
    else:
        assert data in made


@pytest.mark.parametrize("make", ["picture", "sheet"])
def test_a_pdf_with_it_is_a_whole_file(make: str) -> None:
    pypdf = pytest.importorskip("pypdf")
    data = (
        bytes(kt.draw(TOURS[0], "pdf"))
        if make == "picture"
        else kt.puzzles.draw_sheet([kt.make_puzzle("5x5", seed=1)]).to_pdf()
    )
    before, after = (pypdf.PdfReader(io.BytesIO(each), strict=True) for each in (data, with_origin(data, "a way back")))
    assert len(before.pages) == len(after.pages)
    assert after.metadata.subject == "a way back"
    assert (before.metadata or {}).get("/Title") == after.metadata.get("/Title")
    assert before.pages[0].extract_text() == after.pages[0].extract_text()


@pytest.mark.parametrize(("board", "kind"), [("6x6", "png"), ("6x6", "svg"), ("hex:4", "svg")])
def test_the_command_line_writes_and_reads_them(board: str, kind: str, tmp_path: Path, run: Run) -> None:
    path = tmp_path / f"t.{kind}"
    code, _, _ = run("solve", board, "--closed", "--seed", "1", "-o", str(path))
    assert code == 0
    code, out, err = run("check", str(path))
    assert code == 0 and out.startswith(f"tour 1: valid closed tour of the {board} board") and "from the link" in err
    code, _, _ = run("draw", str(path), "-o", str(tmp_path / "u.svg"))
    assert code == 0 and kt.read_tours(tmp_path / "u.svg") == kt.read_tours(path)


def test_all_tours_of_a_sheet_are_read(tmp_path: Path, run: Run) -> None:
    kt.write_tours(tmp_path / "t.json", TOURS[:3])
    assert run("draw", str(tmp_path / "t.json"), "-o", str(tmp_path / "t.png"))[0] == 0
    assert kt.read_tours(tmp_path / "t.png") == TOURS[:3]


def test_file_without_tours_raises_an_error(tmp_path: Path) -> None:
    several = tmp_path / "s.svg"
    several.write_bytes(bytes(kt.draw(TOURS[:2])))
    foreign = tmp_path / "f.png"
    Image.new("L", (5, 5)).save(foreign)
    bare = tmp_path / "b.svg"
    bare.write_bytes(b"<svg></svg>")
    for path in (several, foreign, bare):
        with pytest.raises(kt.FormatError, match="does not contain its tour"):
            kt.read_tours(path)
    spoilt = tmp_path / "x.svg"
    spoilt.write_bytes(with_origin(bytes(kt.draw(TOURS[0], "svg")), "knightstour #6&c=1&t=!!"))
    with pytest.raises(kt.FormatError):
        kt.read_tours(spoilt)
