"""Test that the pictures of the documents equal the output of the code."""

import re
import runpy
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "scripts" / "make_gallery.py"


# Pictures of the page in a browser, which nothing draws again.
TAKEN = {"page.png"}


def test_every_picture_has_a_file_and_a_page():
    made = set(runpy.run_path(str(SCRIPT))["PICTURES"])
    assert made | TAKEN == {file.name for file in (ROOT / "docs" / "images").iterdir()}
    pages = "".join(page.read_text(encoding="utf-8") for page in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")])
    found = re.findall(r"!\[([^\]]*)\]\((?:docs/)?images/([\w.-]+)\)", pages)
    assert {name for _, name in found} == made | TAKEN
    assert all(text for text, _ in found), "pictures need words for those who do not see them"


@pytest.mark.slow
def test_the_pictures_are_fresh(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["make_gallery.py", "--check"])
    with pytest.raises(SystemExit) as stop:
        runpy.run_path(str(SCRIPT), run_name="__main__")
    assert not stop.value.code, capsys.readouterr().out + "run: make docs"
