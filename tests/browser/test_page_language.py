"""The page speaks several languages: their texts are of one shape, and it looks and works the same in each."""

from __future__ import annotations

import re
from typing import Any, get_args

import pytest

from browser.conftest import VIEWS, Look
from browser.test_page_access import LINKS, SCREENS, settled, unfold, violations
from knightstour.core.methods.table import METHODS
from knightstour.core.model.counters import COUNTERS
from knightstour.core.model.sentences import SENTENCES
from knightstour.core.model.tour import Magic
from knightstour.lab.objectives.table import objective_summaries
from knightstour.lab.sampling.distributions.table import DISTRIBUTIONS

LANGUAGES = ["de", "fr"]
NAMES = {"en": "Knight’s tour", "de": "Springertour", "fr": "Parcours du cavalier"}
PLACES = re.compile(r"\{(\w+)\}")

# Every text by its path: a string as it is, a function as the names of what it is given.
FLAT = """
async ({}, language) => {
  const { default: _, ...texts } = await import(`/texts/${language}.js`);
  const flat = {};
  const visit = (value, path) => {
    if (typeof value === "function") {
      const source = value.toString().replace(/\\/\\*.*?\\*\\//gs, "");
      flat[path] = { given: source.slice(0, source.indexOf("=>")).replace(/[\\s()_]/g, "") };
    } else if (typeof value === "string") flat[path] = value;
    else for (const [name, each] of Object.entries(value)) visit(each, `${path}.${name}`);
  };
  for (const [name, group] of Object.entries(texts)) visit(group, name);
  return flat;
}
"""
# Texts that may be the same in two languages: signs, figures, formats, and words that both have.
SAME = re.compile(
    r"\.(?:formats|keys\.\d+\.0|zoomKeys\.\d+\.0|ownKeys|names\.(?:five|six|chess|torus|ring|zebra)|wide|placeholder)"
    r"|common\.(?:pause|impossible)|proof\.said|styles\.plotter|conditions\.(?:title|go)|pieces\.(?:giraffe|zebra)"
    r"|\.link$|proposed\.\w+|places\.puzzle|puzzle\.levels\.expert|help\.guideParts\.conditions|watch\.board|common\.stop|compare\.second|all\.tour|counting\.kinds\.plan"
)


@pytest.fixture(scope="module", params=LANGUAGES)
def spoken(request, opener) -> Look:
    """A page of somebody whose browser speaks this language, on a phone."""
    return opener(*SCREENS["phone"], locale=f"{request.param}-{request.param.upper()}", has_touch=True, is_mobile=True)


@pytest.fixture(scope="module", params=["en", *LANGUAGES])
def wide(request, opener) -> Look:
    return opener(1280, 850, locale=request.param, color_scheme="dark")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_texts_of_a_language_have_the_shape_of_the_english_ones(look, language):
    english, other = (look.module("texts/en", FLAT, name) for name in ("en", language))
    own = {path for path in other if path.startswith("library.")}
    assert other.keys() - own == {path for path in english if not path.startswith("library.")}
    texts = {path: (english[path], other[path]) for path in other.keys() - own}
    functions = {path: pair for path, pair in texts.items() if any(isinstance(text, dict) for text in pair)}
    assert [path for path, (one, another) in functions.items() if one != another] == [], "given the same as in English"
    words = {path: pair for path, pair in texts.items() if path not in functions}
    assert [path for path, (_, another) in words.items() if not another.strip()] == [], "empty"
    same = [path for path, (one, another) in words.items() if one == another and not SAME.search(path)]
    assert same == [], "as in English"


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_the_library_says_is_translated_row_by_row(look, language):
    library = look.module("texts/en", "async (en, name) => (await import(`/texts/${name}.js`)).library", language)
    # What is to be many is called after what is to be few.
    few = {name: words for name, words in objective_summaries().items() if not name.startswith("most-")}
    tables = {"methods": METHODS, "distributions": DISTRIBUTIONS, "objectives": few, "sentences": SENTENCES}
    tables |= {"counters": COUNTERS, "meanings": COUNTERS}
    # What facts of tours are called has no table: classes of symmetry, and kinds of magic.
    assert set(library.pop("facts")) > {"none", *get_args(Magic)}
    assert library.keys() == tables.keys()
    for table, rows in tables.items():
        assert library[table].keys() == rows.keys(), table
    for name, english in SENTENCES.items():
        assert sorted(PLACES.findall(library["sentences"][name])) == sorted(PLACES.findall(english)), name


def test_plurals_and_numbers_are_those_of_the_language(look):
    script = "async (en, [name, n]) => (await import(`/texts/${name}.js`)).common.squares(n)"
    said = {(name, n): look.module("texts/en", script, [name, n]) for name in NAMES for n in (0, 1, 2)}
    assert [said["en", n] for n in (0, 1, 2)] == ["0 squares", "1 square", "2 squares"]
    assert [said["de", n] for n in (0, 1, 2)] == ["0 Felder", "1 Feld", "2 Felder"]
    assert [said["fr", n] for n in (0, 1, 2)] == ["0 case", "1 case", "2 cases"]


def language_of(page: Any) -> str:
    return page.evaluate("document.documentElement.lang")


@pytest.mark.parametrize("view", VIEWS)
def test_no_view_is_wider_than_a_phone_in_any_language(spoken, view):
    page = settled(spoken, view)
    unfold(page)
    assert page.evaluate("document.documentElement.scrollWidth") == SCREENS["phone"][0]
    assert spoken.wrong == []


@pytest.mark.parametrize("view", ["find", "puzzle"])
def test_axe_finds_nothing_wrong_in_any_language(wide, view):
    page = settled(wide, view)
    unfold(page)
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 1280
    assert page.locator("h1").inner_text() == NAMES[language_of(page)]


@pytest.mark.parametrize("width", [880, 1280, 1440, 1680])
def test_the_names_of_the_views_have_room(opener, width):
    for language in LANGUAGES:
        page = opener(width, 800, locale=language).page
        assert language_of(page) == language
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.close()


def test_a_language_is_chosen_kept_and_given_back_to_the_browser(opener, expect):
    page = opener(locale="en-GB").page
    expect(page.locator("h1")).to_have_text(NAMES["en"])
    page.get_by_role("button", name="More", exact=True).click()
    page.get_by_label("Language").select_option(label="Deutsch")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.locator("h1")).to_have_text(NAMES["de"])
    expect(page).to_have_title(re.compile("Springertour"))
    page.reload()
    expect(page.get_by_label("Sprache")).to_have_value("de")
    page.get_by_role("button", name="Mehr", exact=True).click()
    page.get_by_label("Sprache").select_option("")
    expect(page.locator("h1")).to_have_text(NAMES["en"])


def test_an_address_may_ask_for_a_language(opener, server, expect):
    page = opener(locale="de-DE").page
    page.goto(f"{server.rstrip('/')}/?lang=fr#5x6&c=1")
    expect(page.locator("h1")).to_have_text(NAMES["fr"])
    page.get_by_role("button", name="Plus", exact=True).click()
    page.get_by_label("Langue").select_option("de")
    expect(page.locator("h1")).to_have_text(NAMES["de"])
    assert "lang=" not in page.url and "5x6" in page.url


def test_other_languages_are_loaded_only_when_they_are_wanted(opener):
    script = "performance.getEntriesByType('resource').map((entry) => new URL(entry.name).pathname)"
    for locale, wanted in {"en-US": set(), "pt-BR": set(), "fr-CA": {"/texts/fr.js"}}.items():
        page = opener(locale=locale).page
        loaded = {path for path in page.evaluate(script) if path.startswith("/texts/")}
        assert loaded == {"/texts/en.js"} | wanted
        page.close()


def test_words_of_the_library_say_that_they_are_english(opener, expect):
    look = opener(locale="de")
    page = look.show(LINKS["find"].replace("8", "4x8", 1))
    expect(page.locator("#answer .verdict")).to_have_text("Es gibt keine geschlossene Tour auf dem 4×8-Brett")
    expect(page.locator("#answer .reason")).to_have_attribute("lang", "en")
    expect(page.locator("#method .method-picker > p").first).to_contain_text("Konstruiert")
    assert page.locator("#method .method-picker > p").first.get_attribute("lang") == ""


def test_a_search_is_told_in_the_language_of_the_page(opener, expect):
    page = opener(locale="fr").show("5&v=watch&a=a1&r=1&w=warnsdorff")
    expect(page.locator("#answer .verdict")).to_contain_text("Enregistré")
    page.get_by_role("button", name="Une étape en avant").click()
    expect(page.locator(".now")).to_contain_text("Le cavalier est posé en a1")
