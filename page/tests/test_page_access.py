"""Tests of access: keyboard, touch, screen readers, all screen sizes, light and dark."""

from typing import Any

import pytest

from helpers.clicks import middle
from knightstour.core.drawing.themes import THEMES
from tests.conftest import AXE, VIEWS, Look

SCREENS = {"phone": (360, 740), "laptop": (1024, 768)}
LINKS = {
    "find": "8&c=1",
    "watch": "8&v=watch&a=a1&r=1&m=warnsdorff",
    "play": "5&v=play&p=3.AAM",
    "all": "5x6&v=all&c=1",
    "count": "5x6&v=count&c=1",
    "check": "8&v=check",
    "puzzle": "6&v=puzzle&g=easy//1",
}
# Element of each view that shows that it is complete.
SETTLED = {
    "find": "#answer .verdict",
    "watch": ".count",
    "play": ".legal",
    "all": "#answer .verdict",
    "count": "#answer p",
    "check": "#answer .verdict",
    "puzzle": ".entry.given",
}


@pytest.fixture(scope="module")
def phone(module_opener) -> Look:
    return module_opener(*SCREENS["phone"], has_touch=True, is_mobile=True)


@pytest.fixture(scope="module")
def dark(module_opener) -> Look:
    return module_opener(*SCREENS["laptop"], color_scheme="dark")


def settled(look: Look, view: str) -> Any:
    page = look.show(LINKS[view])
    page.locator(SETTLED[view]).first.wait_for()
    return page


def cursor(page: Any) -> float:
    """Square number under the cursor of an 8x8 board."""
    x, y = (float(page.locator("rect.cursor").get_attribute(name)) for name in "xy")
    return (y // 40) * 8 + x // 40


def violations(page: Any) -> list[str]:
    """Return the violations that axe-core finds."""
    if not AXE.exists():
        pytest.skip("axe-core is not installed: npm install --no-save (see CONTRIBUTING.md)")
    if not page.evaluate("typeof axe === 'object'"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate(
        "axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']})"
    )
    return [
        f"{rule['id']}: {rule['help']}: {node['html'][:160]}" for rule in found["violations"] for node in rule["nodes"]
    ]


def unfold(page: Any) -> None:
    """Open all drawers and details."""
    page.evaluate(
        """() => {
            for (const part of document.querySelectorAll('details')) part.open = true;
            for (const part of document.querySelectorAll('.drawer, #keypad, .more-list')) part.hidden = false;
        }"""
    )


@pytest.mark.parametrize("view", VIEWS)
def test_axe_finds_nothing_wrong_on_a_phone_in_the_light(phone, view):
    page = settled(phone, view)
    unfold(page)
    assert violations(page) == []
    page.reload()


@pytest.mark.parametrize("view", ["find", *(pytest.param(view, marks=pytest.mark.slow) for view in VIEWS[1:])])
def test_axe_finds_nothing_wrong_on_a_laptop_in_the_dark(dark, view):
    assert violations(settled(dark, view)) == []


@pytest.fixture(scope="module")
def enlarged(module_opener) -> Look:
    """A screen of 1280x1024 with a zoom of 400 %."""
    return module_opener(320, 256)


@pytest.mark.parametrize("view", VIEWS)
def test_page_at_four_times_zoom_hides_nothing(enlarged, view):
    page = settled(enlarged, view)
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    boxes = page.locator(".board-box")
    assert boxes.first.bounding_box()["width"] > 140
    over = """() => [...document.querySelectorAll("body *")].filter((each) => each.checkVisibility()
        && ["fixed", "sticky"].includes(getComputedStyle(each).position)).map((each) => each.className)"""
    assert page.evaluate(over) == []


def test_axe_reports_nothing_for_reasons_errors_and_keys(look, expect):
    page = look.show("4x8&c=1")
    expect(page.locator("cite")).to_be_visible()
    assert violations(page) == []
    look.show("99x99")
    expect(page.locator("#notice .notice")).to_be_visible()
    assert violations(page) == []
    look.open("more-list").get_by_role("button", name="Help").click()
    assert violations(page) == []
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()


@pytest.mark.parametrize("view", VIEWS)
def test_everything_to_touch_is_large_enough_and_on_the_screen(phone, view):
    page = settled(phone, view)
    unfold(page)
    small = page.evaluate(
        """() => [...document.querySelectorAll('button, select, input, textarea, summary, [role=application], a[href]')]
            .filter((element) => element.checkVisibility() && !element.matches('.skip, .hidden-label'))
            .map((element) => [element, (element.closest('label') ?? element).getBoundingClientRect()])
            .filter(([, box]) => box.width < 43.9 || box.height < 43.9 || box.left < 0 || box.right > innerWidth + 0.5)
            .map(([element, box]) => `${element.outerHTML.slice(0, 90)} ${box.width} x ${box.height}`)"""
    )
    assert small == []
    page.reload()


def test_a_finger_sets_the_start_and_paints_holes(phone, expect):
    page = settled(phone, "find")
    page.touchscreen.tap(*middle(page, "d4"))
    expect(page.locator("#answer .verdict")).to_have_text("Closed tour of the 8×8 board from d4")
    phone.open("setup").get_by_role("radio", name="Holes").check()
    for name in ("a1", "a2"):
        page.locator(".board-box").scroll_into_view_if_needed()
        page.touchscreen.tap(*middle(page, name))
    expect(page.locator("[aria-controls=setup] .summary-words")).to_contain_text("with 2 holes")
    phone.open("setup").get_by_role("radio", name="Start").check()
    assert phone.wrong == []


def contrast(one: list[int], other: list[int]) -> float:
    """Return the contrast ratio of WCAG."""

    def luminance(colour: list[int]) -> float:
        linear = [x / 255 / 12.92 if x / 255 <= 0.04045 else ((x / 255 + 0.055) / 1.055) ** 2.4 for x in colour]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_move_marks_are_visible_on_both_colours(look, scheme):
    look.page.emulate_media(color_scheme=scheme)
    *marks, light, dark = look.show("5&v=play").evaluate(
        """() => {
            const probe = (name, paint) => {
                const mark = document.createElementNS("http://www.w3.org/2000/svg", "rect");
                mark.setAttribute("class", name);
                document.querySelector("svg.board").append(mark);
                const colour = getComputedStyle(mark)[paint];
                mark.remove();
                return colour.match(/\\d+/g).slice(0, 3).map(Number);
            };
            const marks = ["legal"].map((name) => probe(name, "stroke"));
            return [...marks, probe("squares-light", "fill"), probe("squares-dark", "fill")];
        }"""
    )
    look.page.emulate_media(color_scheme="light")
    assert all(contrast(mark, square) >= 3 for mark in marks for square in (light, dark))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_colours_match_the_librarys_pictures(look, scheme):
    look.page.emulate_media(color_scheme=scheme)
    theme = THEMES[scheme]
    wanted = {
        "--paper": theme.paper,
        "--square-light": theme.light,
        "--square-dark": theme.dark,
        "--frame": theme.frame,
        "--names": theme.text,
        "--path": theme.path,
        "--mark": theme.start,
        "--number": theme.number,
        "--hint": theme.mark,
    }
    seen = look.page.evaluate(
        """names => {
            const probe = document.body.appendChild(document.createElement('i'));
            return names.map((name) => {
                probe.style.color = `var(${name})`;
                const parts = getComputedStyle(probe).color.match(/\\d+/g).slice(0, 3).map(Number);
                return '#' + parts.map((part) => part.toString(16).padStart(2, '0')).join('');
            });
        }""",
        list(wanted),
    )
    assert dict(zip(wanted, seen, strict=True)) == wanted
    loops = look.page.evaluate(
        """() => Array.from({length: 8}, (_, k) => {
            const svg = document.querySelector('svg.board');
            const path = svg.appendChild(document.createElementNS('http://www.w3.org/2000/svg', 'path'));
            path.setAttribute('class', `loop-${k}`);
            const parts = getComputedStyle(path).stroke.match(/\\d+/g).map(Number);
            return '#' + parts.slice(0, 3).map((part) => part.toString(16).padStart(2, '0')).join('');
        })"""
    )
    look.page.emulate_media(color_scheme="light")
    assert tuple(loops) == theme.loops


def test_light_or_dark_can_be_chosen_and_is_kept(look):
    page = look.page
    background = "getComputedStyle(document.documentElement).backgroundColor"
    light = page.evaluate(background)
    for _ in range(2):
        look.open("more-list").get_by_role("button", name="Colours").click()
    assert page.evaluate(background) != light
    page.reload()
    page.locator("html[data-ready]").wait_for(state="attached")
    assert page.evaluate(background) != light
    look.open("more-list").get_by_role("button", name="Colours").click()
    assert page.evaluate(background) == light


def test_the_colours_that_were_chosen_are_there_before_the_page(opener, server):
    look = opener(color_scheme="light")
    look.page.evaluate("localStorage.setItem('theme', 'dark')")
    # The modules are missing, so that only the initial page is visible.
    look.page.route("**/app.js", lambda route: route.abort())
    look.page.goto(server)
    assert look.page.evaluate("document.documentElement.dataset.theme") == "dark"


def test_keyboard_reaches_everything_in_order_with_visible_focus(look):
    page = settled(look, "find")
    # From the top: a new page has no place to go on from.
    page.reload()
    page.locator(SETTLED["find"]).first.wait_for()
    unfold(page)
    reached = []
    for _ in range(110):
        page.keyboard.press("Tab")
        seen = page.evaluate(
            """() => {
                const element = document.activeElement;
                if (element === document.body) return null;
                const ring = element.closest('.segment') ?? element;
                return [element.getAttribute('aria-label') || element.labels?.[0]?.innerText || element.innerText,
                    getComputedStyle(ring).outlineStyle !== 'none'];
            }"""
        )
        if seen is None:
            break
        assert seen[1], f"{seen[0]} does not show that it has the focus"
        reached.append(seen[0].strip())
    wanted = [*("To the board", "Knight’s tour", "Puzzle", "Check", "Menu", "8×8 board, 64", "Board", "Other kinds")]
    wanted += [*("Closed", "Step numbers", "Save as PNG", "Copy link", "Another tour")]
    wanted += ["How many are there?"]
    assert set(wanted) <= {word for word in wanted for name in reached if name.startswith(word)}, reached
    places = [next(i for i, name in enumerate(reached) if name.startswith(word)) for word in wanted]
    assert len(set(places)) == len(places)


def test_a_tour_is_found_played_and_numbered_without_a_mouse(look, expect):
    page = settled(look, "find")
    # The cursor begins at the corner.
    page.reload()
    page.locator("html[data-ready]").wait_for(state="attached")
    page.locator(SETTLED["find"]).first.wait_for()
    page.locator(".board-box").focus()
    for key in ("ArrowRight", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    expect(page.locator("#answer .verdict")).to_have_text("Closed tour of the 8×8 board from b7")
    page.keyboard.press("Tab")
    page.locator("body").press("2")
    expect(page.locator("body")).to_have_attribute("data-part", "play")
    page.locator("body").press("1")
    expect(page.locator("body")).to_have_attribute("data-part", "puzzle")
    page.locator(".view-button[data-view=explore]").press("Enter")
    page.locator("body").press("s")
    look.open("look")
    expect(page.get_by_role("radio", name="Curve")).to_be_checked()
    page.locator("body").press("#")
    expect(page.get_by_role("button", name="Step numbers")).to_have_attribute("aria-pressed", "true")
    page.locator("body").press("?")
    expect(page.get_by_role("dialog", name="Help")).to_be_visible()
    page.get_by_label("Single keys work").uncheck()
    page.keyboard.press("Escape")
    page.locator("body").press("s")
    expect(page.get_by_role("radio", name="Curve")).to_be_checked()
    look.open("more-list").get_by_role("button", name="Help").click()
    page.get_by_label("Single keys work").check()
    page.keyboard.press("Escape")


def test_events_are_announced_to_screen_readers(look, expect):
    page = look.show("4x8&c=1")
    live = page.locator("#live")
    expect(live).to_have_attribute("aria-live", "polite")
    expect(live).to_contain_text("There is no closed tour of the 4×8 board. A board with 4 rows")
    board = page.locator(".board-box")
    expect(board).to_have_attribute("aria-label", "4×8 board, 32 squares, no tour")
    look.show("8&c=1&a=a1")
    expect(live).to_contain_text("Found: closed tour of the 8×8 board from a1")
    board.focus()
    page.keyboard.press("ArrowRight")
    said = f"number {look.tour().index(int(cursor(page))) + 1}"
    expect(live).to_contain_text(said)
