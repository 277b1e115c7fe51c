"""Looking closer at large boards: with buttons, keys, the wheel, drags and two fingers."""

import pytest

import knightstour as kt
from helpers.clicks import click_square, drag, middle, touch

pytestmark = pytest.mark.hosts

LARGER, SMALLER, WHOLE = "Show the board larger", "Show the board smaller", "Show the whole board"


def seen(page, which: int = 0) -> list[float]:
    """What is seen of a board: x, y, width and height in the units of its picture, 40 for a square."""
    text = page.locator("svg.board").nth(which).get_attribute("viewBox")
    return [float(number) for number in text.split()]


def button(page, name: str):
    return page.get_by_role("button", name=name, exact=True)


@pytest.fixture
def wholes(look):
    """Each test begins with the whole board."""
    look.show("8&c=1")
    yield
    look.page.mouse.move(5, 5)


def test_buttons_and_keys_show_the_board_larger_and_whole_again(look, expect, wholes):
    page = look.show("30&v=play")
    expect(page.get_by_role("group", name="Size of the board")).to_be_visible()
    whole = seen(page)
    expect(button(page, SMALLER)).to_be_disabled()
    button(page, LARGER).click()
    x, _, width, height = seen(page)
    assert width == pytest.approx(whole[2] / 1.5) and height == pytest.approx(whole[3] / 1.5)
    # What was in the middle still is.
    assert x + width / 2 == pytest.approx(whole[0] + whole[2] / 2)
    expect(page.locator("#live")).to_contain_text("1.5 times as large")
    page.locator("body").press("+")
    assert seen(page)[2] == pytest.approx(whole[2] / 2.25)
    page.locator("body").press("Shift+ArrowRight")
    assert seen(page)[0] > x + width / 2 - seen(page)[2] / 2
    page.locator("body").press("-")
    # Whoever presses a button that then has nothing to do goes on from the next one.
    button(page, WHOLE).focus()
    page.keyboard.press("Enter")
    assert seen(page) == whole
    expect(button(page, LARGER)).to_be_focused()
    for _ in range(9):
        page.locator("body").press("+")
    expect(button(page, LARGER)).to_be_disabled()
    assert seen(page)[2] == pytest.approx(whole[2] * 4 / 30), "four squares or so are always seen"
    # The names keep away from the edge, and from each other in the corner.
    names = [name.bounding_box() for name in page.locator(".name").all()]
    inside = page.locator("svg.board").bounding_box()
    columns = [box for box in names if box["y"] > inside["y"] + 0.9 * inside["height"]]
    assert columns and all(box["y"] + box["height"] <= inside["y"] + inside["height"] for box in columns)
    assert len({round(box["y"] + box["height"]) for box in columns}) == 1
    # Another board is seen whole.
    look.show("31&v=play")
    assert seen(page)[2] == whole[2] + 40


def test_squares_are_hit_wherever_they_are(look, expect, wholes):
    page = look.show("30&v=play")
    x, y = middle(page, "g24", 30, 30)
    page.mouse.move(x, y)
    page.keyboard.down("Control")
    page.mouse.wheel(0, -900)
    page.keyboard.up("Control")
    page.wait_for_function("() => document.querySelector('.board-box').classList.contains('is-zoomed')")
    # What was under the pointer still is; a wheel knows whole pixels alone.
    scale = 30 / seen(page)[2] * 40
    assert middle(page, "g24", 30, 30) == pytest.approx((x, y), abs=1.5 * scale)
    click_square(page, "g24", 30, 30)
    expect(page.locator("#live")).to_contain_text("1 of 900 squares")
    assert look.state()["played"] == [kt.Board(30, 30).square("g24")[0] * 30 + 6]
    # Names are at the side of what is seen.
    box = page.locator(".board-box").bounding_box()
    name = page.locator(".layer-names g").nth(1).get_by_text("24", exact=True).bounding_box()
    assert box["x"] - 1 <= name["x"] < box["x"] + box["width"] / 4


def test_a_drag_moves_the_board_but_the_knight_and_numbers_are_dragged_as_ever(look, expect, wholes):
    page = look.show("30&v=play")
    for _ in range(3):
        page.locator("body").press("+")
    before = seen(page)
    x, y = middle(page, "o15", 30, 30)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 80, y - 40, steps=5)
    page.mouse.up()
    left, top, width, _ = seen(page)
    pixels = page.locator(".board-box").bounding_box()["width"]
    assert left - before[0] == pytest.approx(80 * width / pixels, rel=0.02)
    assert top - before[1] == pytest.approx(40 * width / pixels, rel=0.02)
    # The end of a drag is no click.
    assert look.state()["played"] is None
    click_square(page, "o15", 30, 30)
    expect(page.locator(".knight")).to_have_count(1)
    before = seen(page)
    drag(page, "o15", "p17", rows=30, cols=30)
    expect(page.locator("#live")).to_contain_text("2 of 900 squares")
    assert seen(page) == before


def test_the_wheel_moves_a_larger_board_and_else_the_page(look, wholes):
    page = look.show("40&c=1&v=find")
    whole = seen(page)
    page.mouse.move(*middle(page, "t20", 40, 40))
    page.mouse.wheel(0, 100)
    assert seen(page) == whole
    page.locator("body").press("+")
    before = seen(page)
    page.mouse.wheel(30, 60)
    page.wait_for_function(f"() => document.querySelector('svg.board').viewBox.baseVal.y > {before[1]}")
    assert seen(page)[0] > before[0]


def test_the_cursor_and_the_knight_stay_in_sight(look, wholes):
    page = look.show("30&v=play&p=1.A")
    for _ in range(5):
        page.locator("body").press("+")
    board = page.get_by_role("application")
    board.focus()
    for _ in range(9):
        page.keyboard.press("ArrowDown")
    ring = page.locator(".cursor").bounding_box()
    box = board.bounding_box()
    assert box["y"] - 1 <= ring["y"] and ring["y"] + ring["height"] <= box["y"] + box["height"] + 1
    # With Shift the arrows move the board and not the cursor.
    before, place = seen(page), page.locator(".cursor").get_attribute("y")
    page.keyboard.press("Shift+ArrowUp")
    assert seen(page)[1] < before[1] and page.locator(".cursor").get_attribute("y") == place


@pytest.mark.parametrize("view", ["find", "watch", "play", "all", "count", "compare", "check", "puzzle"])
def test_all_boards_of_a_view_show_the_same_part(look, expect, wholes, view):
    page = look.show(f"8&v={view}")
    page.locator(f"body[data-part={view}]").wait_for()
    expect(page.get_by_role("group", name="Size of the board")).to_be_hidden()
    whole = seen(page)
    page.locator("body").press("+")
    expect(page.get_by_role("group", name="Size of the board")).to_be_visible()
    parts = [seen(page, i) for i in range(page.locator("svg.board").count())]
    assert len(parts) == (2 if view == "compare" else len(parts)) and len({tuple(part) for part in parts}) == 1
    assert parts[0][2] < whole[2]
    page.locator("body").press("-")


@pytest.fixture(scope="module")
def touched(module_opener):
    return module_opener(360, 740, has_touch=True, is_mobile=True)


def test_two_fingers_show_the_board_larger_and_one_moves_it(touched, expect):
    look = touched
    page = look.show("30&v=play")
    fingers = look.context.new_cdp_session(page)
    whole = seen(page)
    x, y = middle(page, "o15", 30, 30)
    touch(fingers, "touchStart", (x - 30, y))
    touch(fingers, "touchStart", (x - 30, y), (x + 30, y))
    for apart in (40, 60, 75, 90):
        touch(fingers, "touchMove", (x - apart, y), (x + apart, y))
    touch(fingers, "touchEnd")
    page.wait_for_function(f"() => document.querySelector('svg.board').viewBox.baseVal.width < {whole[2] / 2.8}")
    assert middle(page, "o15", 30, 30) == pytest.approx((x, y), abs=3)
    assert page.evaluate("visualViewport.scale") == 1, "the page itself stays as it is"
    before = seen(page)
    touch(fingers, "touchStart", (x, y))
    for moved in (10, 30, 50):
        touch(fingers, "touchMove", (x - moved, y - moved))
    touch(fingers, "touchEnd")
    page.wait_for_function(f"() => document.querySelector('svg.board').viewBox.baseVal.x > {before[0]}")
    assert page.evaluate("scrollY") == 0
    assert look.state()["played"] is None
    # A tap is a click. A browser may take the first one after a quick movement as the end of that.
    for _ in range(5):
        page.touchscreen.tap(*middle(page, "o15", 30, 30))
        if page.evaluate(
            "new Promise((done) => setTimeout(() => done(Boolean(document.querySelector('.knight'))), 300))"
        ):
            break
    expect(page.locator(".knight")).to_have_count(1)
    assert len(look.state()["played"]) == 1
    assert look.wrong == []
