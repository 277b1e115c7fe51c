"""Tests of languages: the page has the same layout and functions in each."""

import re
from typing import Any

import pytest

from tests.conftest import VIEWS, Look
from tests.test_page_access import LINKS, SCREENS, settled, unfold

pytestmark = pytest.mark.hosts

LANGUAGES = ["de", "fr"]
NAMES = {"en": "Knight’s tour", "de": "Springertour", "fr": "Parcours du cavalier"}


@pytest.fixture(scope="module", params=LANGUAGES)
def spoken(request, module_opener) -> Look:
    """The page in a phone's browser with this language."""
    return module_opener(
        *SCREENS["phone"], locale=f"{request.param}-{request.param.upper()}", has_touch=True, is_mobile=True
    )


def test_plurals_and_numbers_follow_the_language(look):
    script = """
    async ({ fill, texts, useTexts }, [modules, name, n]) => {
      const all = await import(`${modules}/texts/${name}.json`, { with: { type: "json" } });
      useTexts(name, { common: all.default.common });
      return fill(texts.common.squares, { n });
    }
    """
    said = {
        (name, n): look.module("language", script, [look.modules, name, n])
        for name in ("de", "fr", "en")
        for n in (0, 1, 2)
    }
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


@pytest.mark.parametrize("width", [880, 1280, 1440, 1680])
def test_the_names_of_the_views_have_room(opener, width):
    for language in LANGUAGES:
        page = opener(width, 800, locale=language).page
        assert language_of(page) == language
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.close()


def test_language_choice_is_kept_and_can_be_reset(opener, expect):
    page = opener(locale="en-GB").page
    expect(page.locator("h1")).to_have_text(NAMES["en"])
    page.get_by_role("button", name="Menu").click()
    page.get_by_label("Language").select_option(label="Deutsch")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.locator("h1")).to_have_text(NAMES["de"])
    expect(page).to_have_title(re.compile("Springertour"))
    page.reload()
    expect(page.get_by_label("Sprache")).to_have_value("de")
    page.get_by_role("button", name="Menü", exact=True).click()
    page.get_by_label("Sprache").select_option("")
    expect(page.locator("h1")).to_have_text(NAMES["en"])


def test_an_address_may_ask_for_a_language(opener, server, expect):
    page = opener(locale="de-DE").page
    page.goto(f"{server.rstrip('/')}/?lang=fr#5x6&c=1")
    expect(page.locator("h1")).to_have_text(NAMES["fr"])
    page.get_by_role("button", name="Options", exact=True).click()
    page.get_by_label("Langue").select_option("de")
    expect(page.locator("h1")).to_have_text(NAMES["de"])
    assert "lang=" not in page.url and "5x6" in page.url


def test_other_languages_are_loaded_only_when_they_are_wanted(opener):
    script = "performance.getEntriesByType('resource').map((entry) => new URL(entry.name).pathname)"
    for locale, wanted in {"en-US": set(), "pt-BR": set(), "fr-CA": {"fr"}}.items():
        page = opener(locale=locale).page
        loaded = {found[1] for path in page.evaluate(script) if (found := re.search(r"/texts/(\w+)\.json$", path))}
        # A folder has English in its one script.
        assert loaded - {"en"} == wanted
        page.close()


def test_library_words_are_marked_as_english(opener, expect):
    look = opener(locale="de")
    page = look.show(LINKS["find"].replace("8", "4x8", 1))
    expect(page.locator("#answer .verdict")).to_have_text("Es gibt keine geschlossene Tour auf dem 4×8-Brett")
    expect(page.locator("#answer .reason")).to_have_attribute("lang", "en")
    expect(page.locator("#answer")).to_contain_text("auf Englisch.")


def test_a_search_is_told_in_the_language_of_the_page(opener, expect):
    page = opener(locale="fr").show("5&v=watch&a=a1&r=1&m=warnsdorff")
    expect(page.locator("#answer .verdict")).to_contain_text("Enregistré")
    page.get_by_role("button", name="Une étape en avant").click()
    expect(page.locator(".now")).to_contain_text("Le cavalier est posé en a1")
