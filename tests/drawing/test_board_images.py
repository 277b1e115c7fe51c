"""Tests of boards from images: squares are the dark parts; trimmed boards have tours and lose few squares."""

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageDraw

import knightstour as kt
from helpers import reference
from helpers.command_line import Run
from helpers.examples import examples
from knightstour.core.model.board import Board
from knightstour.lab.pictures.corridors import with_corridors


def heart(size: int = 300) -> Image.Image:
    image = Image.new("L", (size, size), 255)
    pen = ImageDraw.Draw(image)
    half = size // 2
    pen.ellipse((10, 10, half + 5, half + 5), fill=0)
    pen.ellipse((half - 5, 10, size - 10, half + 5), fill=0)
    pen.polygon([(18, int(0.38 * size)), (size - 18, int(0.38 * size)), (half, size - 10)], fill=0)
    return image


def png(image: Image.Image) -> bytes:
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


@examples(40)
@given(st.integers(1, 9), st.integers(1, 9), st.integers(0, 2**81 - 1), st.integers(1, 4))
def test_dark_parts_are_squares_and_the_margin_goes(rows: int, cols: int, bits: int, zoom: int) -> None:
    mask = np.array([[bits >> (9 * r + c) & 1 for c in range(cols)] for r in range(rows)], dtype=bool)
    if not mask.any():
        with pytest.raises(kt.BoardError, match="no dark part"):
            Board.from_image(mask)
        return
    inside = mask[np.ix_(*(range(w.min(), w.max() + 1) for w in np.nonzero(mask)))]
    wanted = Board.from_text(["".join(".#"[not x] for x in row) for row in inside])
    large = np.kron(mask, np.ones((zoom, zoom), dtype=bool))
    grey = np.where(large, 30, 200).astype(np.uint8)
    clear = np.dstack([np.full(large.shape, 255, np.uint8)] * 3 + [np.where(large, 255, 0).astype(np.uint8)])
    assert Board.from_image(mask) == wanted
    for image in (large, grey, png(Image.fromarray(grey)), Image.fromarray(grey)):
        assert Board.from_image(image, rows=len(inside)) == wanted
    if not mask.all():
        assert Board.from_image(png(Image.fromarray(clear)), rows=len(inside)) == wanted


def test_large_image_has_50_rows_and_half_dark_squares() -> None:
    board = Board.from_image(heart(600))
    assert board.rows == 50 and "50 rows" in board.read_as[0] and board.holes
    half = np.zeros((4, 4), dtype=bool)
    half[:, 0] = half[:2, 1] = half[0, 2] = half[3, 3] = True
    # Of the squares of 2x2 pixels 4, 1, 2 and 1 are dark.
    dark = [[int(half[2 * r : 2 * r + 2, 2 * c : 2 * c + 2].sum()) >= 2 for c in range(2)] for r in range(2)]
    board = Board.from_image(half, rows=2)
    assert [[(r, c) not in board.holes for c in range(2)] for r in range(2)] == dark


@pytest.mark.parametrize("trim", ["open", "closed"])
@pytest.mark.parametrize("rows", [12, 20, 30])
def test_a_trimmed_heart_has_a_tour_and_loses_few_squares(trim: str, rows: int) -> None:
    whole = Board.from_image(heart(), rows=rows)
    board = Board.from_image(heart(), rows=rows, trim=trim)
    gone = len(whole) - len(board)
    assert board.holes >= whole.holes and gone <= 0.1 * len(whole)
    assert gone == 0 or f"{gone} squares removed" in board.read_as[-1]
    tour = kt.find_tour(board, closed=trim == "closed", seed=1)
    squares = [divmod(s, board.cols) for s in tour.order.tolist()]
    assert reference.tour_fault(reference.adjacency(reference.spec_of(board)), squares, closed=trim == "closed") is None


@examples(25)
@given(st.integers(3, 7), st.integers(3, 7), st.integers(0, 2**49 - 1), st.booleans())
def test_trimmed_board_of_any_shape_has_a_tour(rows: int, cols: int, bits: int, closed: bool) -> None:
    mask = np.array([[bits >> (7 * r + c) & 1 for c in range(cols)] for r in range(rows)], dtype=bool)
    try:
        board = Board.from_image(mask, trim="closed" if closed else "open")
    except kt.BoardError as error:
        assert "no part of the image" in str(error) or "no dark part" in str(error)
        return
    assert kt.solve(board, closed=closed).status.value == "found"


def islands(gap: int = 6) -> np.ndarray:
    """Return a large square, and separate small parts of a third of its size."""
    mask = np.zeros((20, 24 + gap), dtype=bool)
    mask[:, :12] = True
    for row in (0, 8, 16):
        mask[row : row + 4, 12 + gap : 18 + gap] = True
    return mask


def test_trimming_states_the_share_and_the_number_of_parts() -> None:
    board = Board.from_image(islands(), trim="closed")
    assert len(board) == 240 and "the image falls into 4 parts; the largest, 77%, was kept" in board.read_as
    assert "trimmed for closed tours: 72 squares removed of 312 (23%)" in board.read_as[-1]
    assert "falls into 4 parts that no move joins" in Board.from_image(islands()).read_as[-1]


@pytest.mark.parametrize("options", [{"join": True}, {"join": True, "trim": "open"}, {"join": True, "moves": "king"}])
@pytest.mark.parametrize("gap", [1, 6])
def test_corridors_join_the_parts_of_an_image(options: dict[str, Any], gap: int) -> None:
    mask = islands(gap)
    board = Board.from_image(mask, **options)
    squares = {tuple(square) for square in np.argwhere(mask).tolist()}
    assert len(squares - set(board.squares)) <= 0.1 * len(squares)
    assert kt.facts(board).graph.is_connected
    assert kt.solve(board, closed=options.get("trim") != "open", seed=1).status is kt.Status.FOUND


@pytest.mark.parametrize("moves", ["camel", "alfil"])
def test_rejects_images_that_corridors_cannot_join(moves: str) -> None:
    with pytest.raises(kt.BoardError, match="would be removed for closed tours"):
        Board.from_image(islands(), join=True, moves=moves)


def test_parts_of_a_shape_are_joined_by_the_shortest_corridors() -> None:
    parts = np.full((9, 30), -1)
    parts[2:5, 0:3], parts[2:5, 8:11], parts[2:5, 25:28] = 0, 1, 2
    joined = with_corridors(parts)
    assert (joined | (parts < 0)).all() and joined[1:6, 3:8].any() and joined[1:6, 11:25].any(axis=0).all()
    assert not joined[7:].any() and joined.sum() <= 27 + 5 * 6 + 5 * 15


def test_masks_keep_their_size_and_pictures_are_scaled() -> None:
    mask = np.ones((80, 51), dtype=bool)
    assert (Board.from_image(mask).rows, Board.from_image(mask).cols) == (80, 51)
    assert Board.from_image(np.where(mask, 0, 255).astype(np.uint8)).rows == 50
    assert Board.from_image(mask, rows=40).rows == 40


@pytest.mark.parametrize(("threshold", "count"), [(None, 2), (100, 1), (128, 2), (201, 3)])
def test_threshold_is_the_grey_below_which_a_pixel_is_dark(threshold: int | None, count: int) -> None:
    grey = np.array([[10, 120, 200, 255]], dtype=np.uint8)
    assert len(Board.from_image(grey, threshold=threshold)) == count
    clear = np.dstack([grey, grey, grey, np.array([[255, 255, 255, 0]], dtype=np.uint8)])
    assert len(Board.from_image(png(Image.fromarray(clear)), threshold=threshold)) == (count if threshold else 3)


def test_the_command_line_keeps_most_of_an_image_or_stops(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "islands.png"
    Image.fromarray(np.where(islands(), 0, 255).astype(np.uint8)).save(path)
    code, out, err = run("facts", f"{path}:closed")
    assert code == 2 and out == "" and "72 of 312 squares (23%) would be removed" in err
    assert "falls into 4 parts" in err and ":join" in err and ":trim" in err
    for parts in (":closed:trim", ":trim"):
        code, out, err = run("facts", f"{path}{parts}")
        assert code == 0 and "squares         240" in out and "the largest, 77%, was kept" in err
    for parts in (":join", ":join:closed"):
        code, out, err = run("solve", f"{path}{parts}", "--closed")
        assert code == 0 and "corridors of" in err
    code, out, err = run("facts", f"{path}:join:join")
    assert code == 2 and "each once" in err


@pytest.mark.parametrize(("suffix", "form"), [(".pgm", "PPM"), (".pbm", "PPM"), (".bmp", "BMP"), (".tif", "TIFF")])
def test_the_command_line_reads_pictures_of_every_kind(tmp_path: Path, run: Run, suffix: str, form: str) -> None:
    image = Image.fromarray(np.where(np.eye(4) > 0, 255, 0).astype(np.uint8))
    path = tmp_path / f"map{suffix}"
    (image.convert("1") if suffix == ".pbm" else image).save(path, form)
    code, out, _ = run("facts", f"{path}:king")
    assert code == 0 and "12" in out
    plain = tmp_path / "plain.pgm"
    plain.write_text("P2\n# a map\n4 2\n255\n254 254 254 254\n254 0 0 254\n")
    assert run("count", f"{plain}:wazir")[:2] == (0, "1\n")


def test_the_command_line_reads_images(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "square.png"
    Image.new("L", (50, 50), 0).save(path)
    code, out, err = run("facts", f"{path}:5:closed")
    assert code == 0 and "trimmed for closed tours: 1 square removed" in err and "squares          24" in out
    code, out, err = run("solve", f"{path}:5:closed", "--closed")
    assert code == 0 and len(out.split()) == 25
    for parts, message in [
        (":8:9", "each once"),
        (":torus", "each once"),
        (":0", "rows must be"),
        (":5000", "rows must be"),
        (":big", "unknown part of a board"),
    ]:
        code, out, err = run("facts", f"{path}{parts}")
        assert code == 2 and out == "" and message in err


@pytest.mark.parametrize(
    ("image", "options", "message"),
    [
        (b"no image", {}, "cannot be read as an image"),
        (png(heart())[:200], {}, "cannot be read|no image"),
        (np.zeros((3, 3)), {}, "an array of float64"),
        (np.ones((3, 3, 2), dtype=bool), {}, "a mask needs 2 dimensions, not 3"),
        (np.full((3, 3), 255, dtype=np.uint8), {}, "no dark part"),
        (np.ones((1, 900), dtype=bool), {"rows": 1}, "900 columns"),
        (np.eye(3) > 0, {"trim": "round"}, "unknown trim 'round'"),
        (np.eye(3) > 0, {"trim": "closed"}, "no part of the image has a closed tour"),
        (np.eye(3) > 0, {"rows": 0}, "rows must be"),
        (np.eye(3) > 0, {"threshold": 0}, "threshold must be"),
        (np.eye(3) > 0, {"threshold": 9}, "threshold is not supported for booleans"),
    ],
    ids=range(11),
)
def test_rejects_invalid_images(image: object, options: dict[str, object], message: str) -> None:
    with pytest.raises(kt.KnightsTourError, match=message):
        Board.from_image(image, **options)  # type: ignore[arg-type]
