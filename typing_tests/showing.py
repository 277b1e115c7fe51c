"""Draw tours, watch a search, write files and read them."""

from typing import assert_type

import knightstour as kt

tour = kt.find_tour((8, 8), closed=True)
assert_type(kt.draw(tour, style="curve", theme="dark"), kt.Picture)
assert_type(bytes(kt.draw(tour, "png", size=200)), bytes)
assert_type(str(kt.draw(tour, "text", style="ascii")), str)
assert_type(kt.draw([tour, tour.rotated(90)], per_row=2), kt.Picture)
kt.draw(tour, "gif", fps=10).save("tour.gif")
tour.save("tour.svg", style="curve")

trace = kt.Trace()
kt.solve((6, 6), method="backtracking", trace=trace)
for event in trace:
    assert_type(event, kt.typing.Event)
kt.draw(trace, "gif").save("search.gif")
for view in trace.replay():
    assert_type(view, kt.typing.View)

assert_type(kt.write_tours("tours.json", [tour]), int)
assert_type(kt.read_tours("tours.json"), list[kt.Tour])
assert_type(kt.parse_tours("a1 b3 c1", "algebraic", (3, 3)), list[kt.Tour])
assert_type(tour.to_text("algebraic"), str)
assert_type(kt.Board.from_file("board.txt"), kt.Board)
assert_type(kt.METHODS["rotation"], kt.typing.Method)
assert_type(sorted(kt.FORMATS), list[str])
