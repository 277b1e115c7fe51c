"""Tests of every view with every kind of board, random clicks, and stored records of every type: no script error, no
overflow.
"""

import json
import random

import pytest

BOARDS = [
    *("1", "2x3", "3", "5", "4x8", "12x5", "5x6:torus", "6x5:cylinder", "5x6:mobius", "6:klein", "8:-a1,h8"),
    *("6:king", "10:2,3", "6:0,1+1,4", "2x2x2", "3x3x3", "hex:3", "tri:4"),
]
VIEWS = ["find", "watch", "count", "all", "play", "check", "puzzle"]
ICONS_WITHOUT_PICTURE = """[...document.querySelectorAll('use')].map((use) => use.getAttribute('href'))
    .filter((name) => !document.querySelector(name))"""
WIDTH = "Math.max(document.documentElement.scrollWidth, document.body.scrollWidth)"


@pytest.fixture(scope="module")
def phone(module_opener):
    look = module_opener(390, 844)
    look.context.add_init_script("window.print = () => {}")
    look.page.reload()
    look.page.locator("html[data-ready]").wait_for(state="attached")
    return look


@pytest.mark.parametrize("closed", [0, 1])
@pytest.mark.parametrize("board", BOARDS)
def test_every_view_shows_every_kind_of_board(phone, expect, board, closed):
    phone.wrong.clear()
    for view in VIEWS:
        page = phone.show(f"{board}&v={view}&c={closed}")
        expect(page.locator("body")).to_have_attribute("data-part", view)
        expect(page.locator("#notice")).to_be_empty()
        expect(page.locator(".board-box svg.board").first).to_be_visible()
        page.locator("html:not([data-unwritten])").wait_for(state="attached")
        assert page.evaluate(WIDTH) <= 390, view
        assert page.evaluate(ICONS_WITHOUT_PICTURE) == [], view
        assert phone.wrong == [], view


# Buttons, links to places, choices and menus that can be pressed now; none that leads away or opens a file.
PRESSABLE = """() => {
    const parts = ['button', 'a[data-view]', 'input[type=radio]', 'input[type=checkbox]', 'select', 'summary'];
    const all = (document.querySelector('dialog[open]') ?? document).querySelectorAll(parts.join());
    const away = /Choose a file|Save|Send|Bring|Load/;
    return [...all].filter((each) => {
        const name = each.textContent + (each.getAttribute('aria-label') ?? '');
        const isLanguage = each.closest('.field')?.textContent.startsWith('Language');
        return !away.test(name) && !isLanguage && !each.disabled && each.checkVisibility({ visibilityProperty: true });
    }).map((each, i) => { each.dataset.walk = i; return i; });
}"""
PRESS = """([i, pick]) => {
    const each = document.querySelector(`[data-walk="${i}"]`);
    for (const other of document.querySelectorAll('[data-walk]')) delete other.dataset.walk;
    if (each.tagName !== 'SELECT') { each.click(); return each.textContent || each.ariaLabel || each.value; }
    each.selectedIndex = Math.floor(pick * each.options.length);
    each.dispatchEvent(new Event('input', { bubbles: true }));
    each.dispatchEvent(new Event('change', { bubbles: true }));
    return each.value;
}"""


@pytest.mark.parametrize("seed", range(6))
def test_a_random_walk_of_presses_breaks_nothing(phone, seed):
    rng = random.Random(seed)
    phone.wrong.clear()
    page = phone.show(rng.choice(["6&c=1", "puzzle", "play", "check", "4x8&c=1", "hex:3"]))
    pressed = []
    for _ in range(40):
        choices = page.evaluate(PRESSABLE)
        assert choices
        pressed.append(page.evaluate(PRESS, [rng.choice(choices), rng.random()]))
        if rng.random() < 0.3:
            box = page.locator(".board-box").first.bounding_box()
            if box and page.locator("dialog[open]").count() == 0:
                page.mouse.click(box["x"] + rng.random() * box["width"], box["y"] + rng.random() * box["height"])
                pressed.append("board")
        page.wait_for_timeout(30)
        assert phone.wrong == [], pressed
        assert page.evaluate(WIDTH) <= 390, pressed


TYPES = ["", "{", "null", "true", "7", '"x"', "[]", "{}", "[[1, 2]]", '{"a": 1}', '{"a": null}', '{"a": [["x", 9]]}']
GAME = "6&c=1&v=puzzle&g=easy//20261128"
EMPTY = {"own": [], "helped": [], "seconds": 3, "hints": 0, "isDone": False}
RECORDS = {
    "puzzles": [
        {GAME: {**EMPTY, "own": [[999, 2]]}},
        {GAME: {**EMPTY, "own": [["a", {}]], "helped": [[]], "pace": [[1, "x"]]}},
        {GAME: {**EMPTY, "seconds": -3, "hints": "x", "isDone": 1}},
    ],
    "puzzle-days": [
        {"solved": {"20261128": ["x", 9]}},
        {"solved": {"20261128": 3}},
        {"solved": []},
        {"late": {"x": [0]}},
    ],
    "puzzle-knots": [{"20261128": ["x", 9]}, {"20261128": "!!"}, {"20261128": None}],
    "records": [{"5": {"stars": 9, "seconds": "long"}}, {"5": []}],
    "round": [{"x": {"undos": -1, "helps": {}, "seconds": None, "isWhole": 3}}],
    "shelf": [{"5&k=5": {"864": 1}}, {"5": "x"}],
}


@pytest.mark.parametrize("name", [*RECORDS, "theme", "keys", "language", "sound"])
def test_stored_records_of_any_type_break_nothing(opener, expect, name):
    look = opener(390, 844)
    page = look.page
    for text in [*TYPES, *map(json.dumps, RECORDS.get(name, []))]:
        page.evaluate("([name, text]) => { localStorage.clear(); localStorage.setItem(name, text); }", [name, text])
        for address in ("puzzle", "play", GAME):
            page.goto(f"{look.server}/?{name}={len(text)}#{address}".replace("//?", "/?"))
            page.locator("html[data-ready]").wait_for(state="attached")
            expect(page.locator(".board-box svg.board").first).to_be_visible()
            page.locator("html:not([data-unwritten])").wait_for(state="attached")
            assert look.wrong == [], (text, address)
            assert page.evaluate(WIDTH) <= 390
