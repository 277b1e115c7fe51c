"""Tests that the package's metadata is correct and has one source."""

import re
import tomllib
from pathlib import Path

import pytest

import addresses
import check_release
import knightstour as kt

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
NAMES = ["CHANGELOG.md", "CITATION.cff", "conda/recipe.yaml", "pyproject.toml", "src/knightstour/__init__.py"]


def test_the_version_is_in_one_place_and_the_citation_agrees():
    assert "version" in PROJECT["project"]["dynamic"]
    assert {kt.__version__} == {check_release.version_of(), *check_release.cited_versions().values()}


def test_conda_recipe_matches_package_requirements():
    recipe = (ROOT / "conda/recipe.yaml").read_text(encoding="utf-8")
    (run,) = re.findall(r"^  run:\n((?:    - .*\n)+)", recipe, re.MULTILINE)
    asked = [name.split(";")[0] for name in PROJECT["project"]["dependencies"]]
    wanted = [PROJECT["project"]["requires-python"], *asked]
    assert re.findall(r"- (.*)", run.replace(" >=", ">=")) == [f"python{wanted[0]}", *wanted[1:]]


def test_extra_all_contains_every_user_extra():
    extras = PROJECT["project"]["optional-dependencies"]
    named = re.fullmatch(r"knightstour\[(.*)\]", extras["all"][0])[1].split(",")
    assert sorted(named) == sorted(set(extras) - {"all", "docs", "test"})


def test_every_supported_python_is_named_and_tested():
    classifiers = PROJECT["project"]["classifiers"]
    named = [c.rsplit(" ", 1)[1] for c in classifiers if re.search(r":: 3\.\d+$", c)]
    assert named[0] == PROJECT["project"]["requires-python"].removeprefix(">=")
    workflow = (ROOT / ".github/workflows/ci.yml").read_text(encoding="utf-8")
    assert str(named).replace("'", '"') in workflow


def released(root: Path, address: str = "https://github.com/knight/tour") -> None:
    """Write the files of a version 0.2.0 that can be released below root."""
    for name in NAMES:
        target = root / name
        target.parent.mkdir(parents=True, exist_ok=True)
        text = addresses.pages(address).get(ROOT / name) or (ROOT / name).read_text(encoding="utf-8")
        text = text.replace(kt.__version__, "0.2.0")
        target.write_text(re.sub(r"^## 0\.2\.0 .*$", "## 0.2.0 (2026-12-01)", text, flags=re.MULTILINE), "utf-8")


@pytest.mark.parametrize(
    ("name", "old", "new", "words"),
    [
        ("src/knightstour/__init__.py", '"0.2.0"', '"0.3.0"', "the tag is v0.2.0"),
        ("src/knightstour/__init__.py", '"0.2.0"', '"0.2.0rc1"', "invalid version: 0.2.0rc1"),
        ("CITATION.cff", "version: 0.2.0", "version: 0.1.0", "CITATION.cff has 0.1.0"),
        ("CHANGELOG.md", "## 0.2.0 (2026-12-01)", "## 0.2.0 (unreleased)", "CHANGELOG.md has no section"),
        ("pyproject.toml", "[project.urls]", "[tool.urls]", "no address"),
        ("CITATION.cff", "https://github.com/knight/tour", "https://github.com/another", "another address"),
    ],
)
def test_release_check_reports_every_disagreement(name, old, new, words, tmp_path):
    released(tmp_path)
    assert check_release.faults("v0.2.0", tmp_path) == []
    path = tmp_path / name
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")
    assert any(words in fault for fault in check_release.faults("v0.2.0", tmp_path))
