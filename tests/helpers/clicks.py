"""Positions of the squares of the page's board, with clicks and touches."""

from typing import Any

import knightstour as kt


def click_square(page, name: str, rows: int = 8, cols: int = 8) -> None:
    """Click the centre of a square."""
    x, y = middle(page, name, rows, cols)
    page.mouse.click(x, y)


def middle(page, name: str, rows: int = 8, cols: int = 8) -> tuple[float, float]:
    row, col = kt.Board(rows, cols).square(name)
    box = page.locator(".squares-light").first.bounding_box()
    dark = page.locator(".squares-dark").first.bounding_box()
    left, top = min(box["x"], dark["x"]), min(box["y"], dark["y"])
    right = max(box["x"] + box["width"], dark["x"] + dark["width"])
    return left + (col + 0.5) * (right - left) / cols, top + (row + 0.5) * (right - left) / cols


def drag(page, *names: str, rows: int = 8, cols: int = 8) -> None:
    first, *others = (middle(page, name, rows, cols) for name in names)
    page.mouse.move(*first)
    page.mouse.down()
    for place in others:
        page.mouse.move(*place, steps=8)
    page.mouse.up()


def touch(session: Any, kind: str, *places: tuple[float, float]) -> None:
    """Touch these positions, by the browser's protocol."""
    points = [{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(places)]
    session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
