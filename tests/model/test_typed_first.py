"""Tests of first steps: squares and neighbors of boards, `tour.save`, `if solve(...)`."""

import pytest

import knightstour as kt


def test_neighbors_work_on_giant_boards_and_graphs():
    huge = kt.Board(10**30, 10**30)
    assert huge.neighbors((5, 5))[0] == (7, 6) and len(huge.neighbors((0, 0))) == 2
    with pytest.raises(kt.BoardError, match="too many to list"):
        _ = huge.squares
    with pytest.raises(kt.BoardError, match="z9"):
        kt.Board(8).neighbors("z9")
    path = kt.Board.from_graph({"a": ["b"], "b": ["a", "c"], "c": ["b"]})
    assert [path.square_name(square) for square in path.neighbors("b")] == ["a", "c"]


def test_a_result_is_true_where_a_tour_was_found():
    assert kt.solve("5x5")
    assert not kt.solve("4x4")
    assert not kt.solve("30x30", method="backtracking", seed=1, max_nodes=10)


def test_find_tour_rejects_arguments_for_several_tours():
    for name, value in (("n", 3), ("unique", True)):
        with pytest.raises(TypeError, match=f"find_tour.. got an unexpected keyword argument '{name}'"):
            kt.find_tour("5x5", **{name: value})


def test_a_tour_draws_itself():
    tour = kt.find_tour("6x6", closed=True, seed=1)
    assert bytes(kt.draw(tour, "svg", style="curve")).decode() == str(kt.draw(tour, style="curve"))
    assert bytes(kt.draw([tour, tour], per_row=2)).count(b"<svg") == 3
    assert bytes(kt.draw(kt.sample("6x6", 3, seed=1))).count(b"<svg") == 4
    assert bytes(kt.draw("5x5:-a1"))[:4] == b"<svg" == bytes(kt.draw((3, 4)))[:4]
    for kind, more, message in (
        ("bmp", {}, "unknown picture format"),
        ("svg", {"fps": 3}, "does not move"),
        ("gif", {"per_row": 2}, "shows one tour, not rows"),
    ):
        with pytest.raises(kt.FormatError, match=message):
            bytes(kt.draw(tour, kind, **more))
    with pytest.raises(kt.FormatError, match="no tour to draw"):
        bytes(kt.draw([]))


@pytest.mark.parametrize("name", ["t.txt", "t.json", "t.npy", "t.npz", "t.csv", "t.san", "t.tour"])
def test_a_tour_saves_itself_and_is_read_again(name, tmp_path):
    tour = kt.find_tour("6x6", closed=True, seed=1)
    tour.save(tmp_path / name)
    assert kt.read_tours(tmp_path / name, board="6x6") == [tour]
    tour.reversed().save(tmp_path / name)
    assert kt.read_tours(tmp_path / name, board="6x6") == [tour.reversed()]


@pytest.mark.parametrize(("name", "begins"), [("t.svg", b"<svg"), ("t.html", b"<!doctype html>")])
def test_a_tour_saves_pictures_of_itself(name, begins, tmp_path):
    tour = kt.find_tour("6x6", closed=True, seed=1)
    tour.save(tmp_path / name)
    assert (tmp_path / name).read_bytes().lower().startswith(begins.lower())


@pytest.mark.parametrize(
    ("name", "look", "message"),
    [
        ("t.sgv", {}, "did you mean '.svg'"),
        ("t", {}, "no suffix"),
        ("t.docx", {}, r"unknown suffix '\.docx'\n"),
        ("t.g6", {}, "supports graphs, not tours"),
        ("t.txt", {"style": "curve"}, "style is only supported for pictures"),
        ("t.svg", {"style": "currve"}, "did you mean 'curve'"),
    ],
)
def test_failed_save_leaves_no_file(name, look, message, tmp_path):
    with pytest.raises(kt.FormatError, match=message):
        kt.find_tour("5x5").save(tmp_path / name, **look)
    assert not list(tmp_path.iterdir())
