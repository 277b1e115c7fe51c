"""Draw the pictures of README.md and docs/: python scripts/make_gallery.py

Each function of PICTURES draws one file in docs/images/. With --check, print the names of outdated SVG files and write
nothing. Animations are not compared, since their bytes depend on the version of a library.
"""

import functools
import io
import sys
from collections.abc import Callable
from pathlib import Path

from PIL import Image, ImageSequence

import knightstour as kt
from knightstour.core.drawing.pictures import picture_of

IMAGES = Path(__file__).parent.parent / "docs" / "images"

# A closed tour with rotational symmetry and few crossings.
HALF_TURN = (
    "a1 c2 a3 b1 d2 f1 h2 g4 e3 d1 b2 a4 b6 a8 c7 a6 b8 d7 f8 h7 f6 d5 b4 d3 f4 g2 e1 f3 d4 f5 h4 g6 h8 f7 h6 g8 e7 c8 "
    "a7 b5 d6 e8 g7 h5 g3 h1 f2 h3 g1 e2 c1 a2 c3 e4 g5 e6 c5 b7 d8 c6 e5 c4 a5 b3"
)
# A board like a knight's head, with equal numbers of both colours.
HEAD = """\
#####.######
####...#####
###....#.###
###......###
#....#....##
.....#.....#
...........#
#..........#
..##.......#
#####......#
#####......#
###........#
###.........
##..........
##.#.#......"""

# A symmetric heart with equal numbers of both colours.
HEART = """\
#...##...#
..........
..........
..........
..........
#........#
##......##
###....###
####..####"""


# A proof of each kind: the board and the conditions.
PROOFS: dict[str, tuple[kt.Board, dict[str, object]]] = {
    "3x8": (kt.Board(3, 8), {"closed": True}),
    "4x8": (kt.Board(4, 8), {"closed": True}),
    "4x7-ends": (kt.Board(4, 7), {"start": "a1", "end": "b3"}),
    "5x8-ends": (kt.Board(5, 8), {"start": (2, 1), "end": (0, 6)}),
    "3x11-ends": (kt.Board(3, 11), {"start": (0, 2), "end": (1, 3)}),
    "5x5": (kt.Board(5, 5), {"start": "b1"}),
    "5x5-a2": (kt.Board(5, 5), {"start": "a2"}),
    "corners": (kt.Board(8, 8, holes=["a1", "h8"]), {"closed": True}),
    "3x13": (kt.Board(3, 13), {"start": "c3", "end": "k3"}),
    "giraffe": (kt.Board(6, 10, leaper=(1, 4)), {"closed": True}),
    "3x6": (kt.Board(3, 6), {}),
    "3x5": (kt.Board(3, 5), {}),
    "4x4": (kt.Board(4, 4), {}),
    "cylinder": (kt.Board(4, 16, wrap="cylinder"), {"start": (2, 0)}),
    "camel": (kt.Board(6, 6, leaper=(1, 3)), {"closed": True}),
    "mobius": (kt.Board(3, 4, wrap="mobius"), {"closed": True}),
}


def proof(board: kt.Board, **asked: object) -> kt.Picture:
    """Draw the scenes of the proof that no such tour exists, side by side."""
    scenes = kt.solve(board, **asked).certificate().scenes
    wide = max(board.cols + 3, 9)
    per_row = max(1, min(len(scenes), 24 // wide))
    return kt.draw(scenes, per_row=per_row, coordinates=True, size=min(900, 40 * per_row * (wide + 1)))


def first_tour() -> kt.Tour:
    """Return the tour of the first screen."""
    return kt.parse_tours(HALF_TURN, "algebraic", (8, 8))[0]


def draw_captioned() -> kt.Picture:
    """Draw three tours side by side, each with a caption."""
    tours = [kt.find_tour("6x6", closed=True, method="merge", seed=seed) for seed in (1, 2, 3)]
    captions = [f"{tour.turns} turns" for tour in tours]
    return kt.draw(tours, title=captions, per_row=3, style="filled", size=720)


def quarter_turns() -> list[kt.Tour]:
    """Return the five closed tours of 6x6 with symmetry by quarter turns."""
    found = {tour.canonical() for tour in kt.iter_tours((6, 6), closed=True) if tour.symmetry == "90"}
    return sorted(found, key=lambda tour: tour.squares.tolist())


def symmetric() -> kt.Picture:
    """Draw the first listed tour of each kind of symmetry."""
    with_holes = kt.Board(6, 7, holes=[(1, 3), (2, 3), (4, 3), (5, 3)])
    boards = {"Eulerian": "6x6", "Bergholtian": "3x10", "birotary": "6x6", "Sulian": "6x5", "Murraian": with_holes}
    tours = [
        next(tour for tour in kt.iter_tours(board, closed=True) if tour.symmetry_name == name)
        for name, board in boards.items()
    ]
    return kt.draw(tours, per_row=5, style="filled", size=900, title=list(boards))


def few_crossings() -> kt.Picture:
    """Draw a large closed tour with rotational symmetry and few crossings as a smooth line."""
    tour = kt.find_tour("40x60", closed=True, symmetry="180", seed=4)
    better = kt.improve(tour, minimize="crossings", symmetry="180", seed=1, max_nodes=12_000_000).tour
    return kt.draw(better, style="curve", size=700, line_width=0.2, coordinates=False)


def loops() -> kt.Picture:
    """Draw a cover of 12x12 by loops and paths, an intermediate state of merging."""
    trace = kt.Trace()
    kt.solve((12, 12), closed=True, method="merge", seed=3, trace=trace)
    paths: list[list[tuple[int, int]]] = []
    for view in trace.replay():
        parts = view.components
        if len(view.links) == 144 and max(map(len, parts)) <= 50:
            is_loop = [all(len(view.links[s]) == 2 for s in part) for part in parts]
            paths = [
                [divmod(s, 12) for s in part + part[:1] * closes] for part, closes in zip(parts, is_loop, strict=True)
            ]
    return picture_of((12, 12), "svg", paths=paths, coordinates=False, size=520)


def moving(subject: str, seed: int, **question: object) -> bytes:
    """An animation of a search. It begins with its last frame, which print and previews show."""
    trace = kt.Trace()
    kt.solve(subject, seed=seed, trace=trace, **question)
    gif = Image.open(io.BytesIO(bytes(kt.draw(trace, "gif", size=320, coordinates=False))))
    frames = [(frame.convert("RGB").quantize(128), frame.info["duration"]) for frame in ImageSequence.Iterator(gif)]
    pictures, durations = zip(*[frames[-1], *frames[:-1]], strict=True)
    file = io.BytesIO()
    pictures[0].save(file, "GIF", save_all=True, append_images=pictures[1:], duration=durations, loop=0)
    return file.getvalue()


PICTURES: dict[str, Callable[[], kt.Picture | bytes]] = {
    "tour.svg": lambda: kt.draw(first_tour(), size=520),
    "filled.svg": lambda: kt.draw(first_tour(), style="filled", size=360),
    "curve.svg": lambda: kt.draw(first_tour(), style="curve", size=360),
    "steps.svg": lambda: kt.draw(kt.find_tour("12x12", closed=True, method="merge", seed=2), style="steps", size=420),
    "ribbon.svg": lambda: kt.draw(first_tour(), style="ribbon", size=360),
    "ribbon-12x12.svg": lambda: kt.draw(
        kt.find_tour("12x12", closed=True, method="merge", seed=2), style="ribbon", size=360
    ),
    "mosaic.svg": lambda: kt.draw(first_tour(), style="mosaic", size=360),
    "numbers.svg": lambda: kt.draw(first_tour(), style="numbers", size=360),
    "heat.svg": lambda: kt.draw(first_tour(), style="heat", size=360),
    "discs.svg": lambda: kt.draw(kt.find_tour((5, 5), start="a1", seed=1), numbers=True, arrows=True, size=360),
    "plotter.svg": lambda: kt.draw(first_tour(), style="plotter", coordinates=True, size=90),
    "dressed.svg": lambda: kt.draw(
        kt.find_tour("6x6", closed=True, start="a1", seed=1),
        colors={"path": "#aa0000"},
        highlight={"a1": "#ffd166", "f6": "#8ecae6"},
        labels={"a1": "here"},
        size=360,
    ),
    "captions.svg": draw_captioned,
    "torus.svg": lambda: kt.draw(kt.find_tour(kt.Board(8, 8, wrap="torus"), closed=True, seed=3), size=360),
    "klein.svg": lambda: kt.draw(
        kt.find_tour(kt.Board(6, 9, wrap="klein"), closed=True, seed=3), style="curve", size=360
    ),
    "zebra.svg": lambda: kt.draw(
        kt.find_tour(kt.Board(10, 10, leaper=(2, 3)), closed=True, seed=1), style="filled", size=360
    ),
    "holes.svg": lambda: kt.draw(
        kt.find_tour(kt.Board.from_text(HEAD), closed=True, seed=2), coordinates=False, size=520
    ),
    "degrees.svg": lambda: kt.draw("8x8", style="heat", numbers=True, size=360),
    "heart.svg": lambda: kt.draw(
        kt.make_puzzle(kt.Board.from_text(HEART), level="medium", seed=4), coordinates=False, size=420
    ),
    "forty-by-sixty.svg": few_crossings,
    "hexagons.svg": lambda: kt.draw(kt.find_tour("hex:5", closed=True, seed=2), coordinates=False, size=360),
    "box.svg": lambda: kt.draw(
        kt.find_tour("4x4x4", closed=True, seed=2), style="oblique", coordinates=False, size=420
    ),
    "loops.svg": loops,
    "symmetric.svg": symmetric,
    "quarter-turns.svg": lambda: kt.draw(
        quarter_turns(), per_row=5, style="filled", size=900, title="Five tours with a quarter turn"
    ),
    **{f"proof-{name}.svg": functools.partial(proof, board, **asked) for name, (board, asked) in PROOFS.items()},
    "proof-3x8.gif": lambda: kt.draw(kt.solve("3x8", closed=True).certificate().scenes, "gif", size=480),
    "window.svg": lambda: kt.draw(
        kt.constructions.implicit_tour((10**9, 10**9), closed=True).region(10**8 + 2, 10**8 + 3, 14, 18), size=520
    ),
    "texture.svg": lambda: kt.draw(
        kt.find_tour((40, 64), closed=True, method="merge", seed=4),
        style="filled",
        size=900,
        line_width=0.12,
    ),
    "backtracking.gif": lambda: moving("5x5", 1, method="backtracking", start="a1"),
    "merging.gif": lambda: moving("10x10", 2, method="merge", closed=True),
}


def main() -> None:
    """Write the pictures; with --check, print the names of outdated ones."""
    is_check = "--check" in sys.argv
    stale = []
    for name, draw in PICTURES.items():
        file = IMAGES / name
        if is_check and not name.endswith(".svg"):
            continue
        data = bytes(draw())
        if not file.exists() or file.read_bytes() != data:
            stale.append(name)
            if not is_check:
                IMAGES.mkdir(exist_ok=True)
                file.write_bytes(data)
    print(("stale: " if is_check else "written: ") + (", ".join(stale) or "nothing"))
    sys.exit(is_check and bool(stale))


if __name__ == "__main__":
    main()
