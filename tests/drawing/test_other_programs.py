"""Tests of DXF (strokes of the plotter's sheet) and TikZ (squares, path and numbers)."""

import io
import re
import zlib

import numpy as np
import pytest

import knightstour as kt
from knightstour.core.drawing.figure import figure_of
from knightstour.core.drawing.look import look_of
from knightstour.core.drawing.measures import page_of, paper_of
from knightstour.core.drawing.styles import STYLES
from knightstour.lab.pictures.plotter import sheet_of

TOUR = kt.find_tour("6x6", closed=True, seed=1)
OPEN = kt.find_tour("5x6:-a1,c2", seed=1)


@pytest.mark.long  # ezdxf is in none of the groups that the default tests install
@pytest.mark.parametrize("look", [{}, {"numbers": True, "paper": "a5"}], ids=str)
@pytest.mark.parametrize("tour", [TOUR, OPEN], ids=["closed", "holes"])
def test_a_dxf_has_the_strokes_of_the_sheet(tour: kt.Tour, look: dict[str, object]) -> None:
    ezdxf = pytest.importorskip("ezdxf")
    data = bytes(kt.draw(tour, "dxf", **look))  # type: ignore[arg-type]
    assert data == bytes(kt.draw(tour, "dxf", **look))  # type: ignore[arg-type]
    drawing = ezdxf.read(io.StringIO(data.decode()))
    assert drawing.units == ezdxf.units.MM and not drawing.audit().errors
    sheet = sheet_of([figure_of(tour)], look_of({"style": "plotter", **look}))  # type: ignore[typeddict-item]
    wanted = [(f"{pen.number} {pen.name}", line) for pen in sheet.pens for line in pen.lines]
    lines = list(drawing.modelspace())
    assert [line.dxf.layer for line in lines] == [name for name, _ in wanted]
    for found, (_, line) in zip(lines, wanted, strict=True):
        assert found.closed == line.is_closed
        points = [(x + sheet.left, sheet.top + sheet.height - y) for x, y in found.get_points("xy")]
        assert np.allclose(points, line.points, atol=1e-3)
        assert all(0 <= x <= sheet.width and 0 <= y <= sheet.height for x, y in found.get_points("xy"))


def test_tikz_has_the_squares_the_path_and_the_numbers() -> None:
    text = bytes(kt.draw(TOUR, "tikz")).decode()
    assert text.count("\\fill[ktdark]") == 18 == text.count("\\fill[ktlight]")
    (path,) = re.findall(r"\\draw\[ktpath[^]]*\] (.*) -- cycle;", text)
    points = [tuple(map(float, point.split(","))) for point in re.findall(r"\(([^)]*)\)", path)]
    wanted = [(col + 0.5, 6 - row - 0.5) for row, col in TOUR.squares.tolist()]
    assert points == wanted and text.count("circle") == 0
    numbers = bytes(kt.draw(OPEN, "tikz", style="numbers")).decode()
    nodes = re.findall(r"\\node\[[^]]*\] at \(([\d.]+),([\d.]+)\) \{(\d+)\};", numbers)
    found = {(5 - float(y) - 0.5, float(x) - 0.5): int(number) for x, y, number in nodes}
    assert found == {(row, col): k for k, (row, col) in enumerate(OPEN.squares.tolist(), 1)}
    # The whole is balanced, and colours are defined before they are used.
    for drawn in (text, numbers):
        assert drawn.count("{") == drawn.count("}") and drawn.count("\\begin") == drawn.count("\\end") == 1
        defined = set(re.findall(r"definecolor\{(\w+)\}", drawn))
        assert set(re.findall(r"\[(kt\w+)", drawn)) == defined


@pytest.mark.parametrize(
    ("kind", "options", "message"),
    [
        ("dxf", {"style": "line"}, "does not support the style line"),
        ("tikz", {"style": "ribbon"}, "TikZ does not support the style ribbon"),
        ("tikz", {"arrows": True}, "TikZ does not support arrows"),
        ("tikz", {"per_row": 2}, "a .tikz shows one tour"),
        ("dxf", {"per_row": 0}, "per_row must be at least 1"),
        ("dxf", {"paper": "A9"}, "unknown paper 'A9'"),
        ("dxf", {"paper": "1x2mm"}, "invalid paper size: 1x2mm"),
    ],
    ids=str,
)
def test_rejects_unsupported_pictures(kind: str, options: dict[str, object], message: str) -> None:
    with pytest.raises(kt.FormatError, match=message):
        bytes(kt.draw(TOUR, kind, **options))  # type: ignore[arg-type]


def test_a_paper_may_have_its_own_size() -> None:
    assert paper_of("600 x 400 mm") == paper_of("60x40cm") == "600x400mm" and paper_of("a2") == "A2"
    assert page_of("600x400mm", 10, 0.5) == (600.0, 400.0)
    assert page_of("A3 landscape", 10, 0.5) == (420.0, 297.0) and paper_of("letter  PORTRAIT") == "Letter portrait"
    with pytest.raises(kt.FormatError, match="own size has no landscape"):
        paper_of("600x400mm landscape")
    picture = str(kt.draw(TOUR, style="plotter", paper="600x400mm"))
    assert 'width="600mm" height="400mm"' in picture


@pytest.mark.parametrize(
    ("width", "expected"),
    [(0.05, "0.05"), (0.3, "0.3"), ("0.3mm", "0.3"), ("0.7", "0.7"), ("0.1cm", "1"), (None, "0.4")],
)
@pytest.mark.parametrize("paper", [None, "A5", "A3"])
def test_the_pen_of_a_plotter_has_millimetres(width: float | str | None, expected: str, paper: str | None) -> None:
    picture = str(kt.draw(TOUR, style="plotter", line_width=width, paper=paper))
    assert set(re.findall(r'stroke-width="([^"]*)"', picture)) == {expected}
    sheet = str(kt.draw([TOUR, TOUR], style="plotter", line_width=width, paper=paper))
    assert set(re.findall(r'stroke-width="([^"]*)"', sheet)) == {expected}


def on_paper(svg: str) -> list[float]:
    """Return the line widths in millimetres at 96 pixels per inch."""
    width, box = re.search(r' width="([\d.]+)"', svg), re.search(r'viewBox="\S+ \S+ ([\d.]+)', svg)
    assert width and box
    scale = float(width[1]) / float(box[1]) * 25.4 / 96
    return [float(line) * scale for line in re.findall(r'stroke-width="([\d.]+)"', svg)]


@pytest.mark.parametrize(
    "style", [name for name in STYLES if name not in ("plotter", "ribbon", "mosaic", "heat", "numbers")]
)
@pytest.mark.parametrize("size", [None, 300, 1500])
def test_a_width_in_millimetres_is_the_same_at_any_size(style: str, size: float | None) -> None:
    assert any(
        width == pytest.approx(0.5, rel=0.03)
        for width in on_paper(str(kt.draw(TOUR, style=style, line_width="0.5mm", size=size)))
    )


@pytest.mark.parametrize("board", ["hex:3:wazir", "2x3x4"])
def test_a_width_in_millimetres_is_the_same_on_cells(board: str) -> None:
    tour = kt.find_tour(board, seed=1)
    style = "line" if board.startswith("hex") else "oblique"
    assert any(
        width == pytest.approx(0.5, rel=0.03) for width in on_paper(str(kt.draw(tour, style=style, line_width="0.5mm")))
    )


@pytest.mark.parametrize("kind", ["png", pytest.param("gif", marks=pytest.mark.long), "tikz"])
def test_pictures_of_other_kinds_accept_a_width_in_millimetres(kind: str) -> None:
    picture = bytes(kt.draw(TOUR, kind, line_width="1mm", **{"size": 90} if kind == "tikz" else {}))
    assert len(picture) > 100 and (kind != "tikz" or b"line width=2.85pt" in picture)


@pytest.mark.long
@pytest.mark.parametrize("paper", [None, "A5", "A3"])
def test_a_width_in_millimetres_is_the_same_on_any_paper(paper: str | None) -> None:
    for subjects in (TOUR, [TOUR, TOUR]):
        data = bytes(
            kt.draw(subjects, "pdf", line_width="1mm", style="line", **{} if paper is None else {"paper": paper})
        )
        content = b"".join(
            zlib.decompress(part)
            for part in re.findall(rb"stream\r?\n(.*?)\r?\nendstream", data, re.DOTALL)
            if part[:1] == b"x"
        )
        # The first matrix turns the page, the second lays the picture on it.
        scale = float(re.findall(rb"([\d.]+) 0 0 [\d.]+ [-\d.]+ [-\d.]+ cm", content)[0])
        widths = [float(width) * scale * 25.4 / 72 for width in re.findall(rb"/LW ([\d.]+)", data)]
        assert any(width == pytest.approx(1, rel=0.03) for width in widths)
