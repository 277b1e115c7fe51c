"""Check that this version can be released: python scripts/check_release.py v0.2.0

The tag, the version of the package, CHANGELOG.md, CITATION.cff and conda/recipe.yaml must agree, and the addresses must
be set. The script prints one line per fault; the exit code is 1 if there are faults. Needs only the standard library.
"""

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent


def version_of(root: Path = ROOT) -> str:
    """Return the version in `__init__.py`."""
    found = re.search(
        r'^__version__ = "(.+)"$', (root / "src/knightstour/__init__.py").read_text("utf-8"), re.MULTILINE
    )
    return found[1] if found else ""


# Other files with the version.
CITED = {"CITATION.cff": r"^version: (\S+)$", "conda/recipe.yaml": r'^  version: "(\S+)"$'}


def cited_versions(root: Path = ROOT) -> dict[str, str]:
    """Return the version in each of these files."""
    found = {name: re.search(line, (root / name).read_text("utf-8"), re.MULTILINE) for name, line in CITED.items()}
    return {name: match[1] if match else "" for name, match in found.items()}


def faults(tag: str, root: Path = ROOT) -> list[str]:
    """Return the faults that prevent a release."""
    version = version_of(root)
    found = []
    if tag != f"v{version}":
        found.append(f"the tag is {tag}, but src/knightstour/__init__.py has {version}")
    if not re.fullmatch(r"\d+\.\d+\.\d+", version):
        found.append(f"invalid version: {version}; write three numbers, such as 0.2.0")
    cited = cited_versions(root).items()
    found += [f"{name} has {other}, not {version}" for name, other in cited if other != version]
    changelog = (root / "CHANGELOG.md").read_text("utf-8")
    if not re.search(rf"^## {re.escape(version)} \(\d{{4}}-\d\d-\d\d\)$", changelog, re.MULTILINE):
        found.append(f"CHANGELOG.md has no section '## {version} (YYYY-MM-DD)'")
    address = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"].get("urls", {}).get("Repository")
    if not address:
        found.append("no address: write the address of the repository into scripts/addresses.py, and run `make docs`")
    if f'repository-code: "{address}"' not in (root / "CITATION.cff").read_text("utf-8"):
        found.append("CITATION.cff has another address than pyproject.toml: run `make docs`")
    return found


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python scripts/check_release.py TAG")
    wrong = faults(sys.argv[1])
    print("\n".join(wrong) or f"{sys.argv[1]} can be released")
    sys.exit(bool(wrong))
