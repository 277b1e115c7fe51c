"""The address of the project: two constants, and the parts of three files that depend on them.

`make docs` writes them into README.md, pyproject.toml and CITATION.cff. Needs only the standard library.
"""

from pathlib import Path

ROOT = Path(__file__).parent.parent

# The address of the repository, such as https://github.com/OWNER/knightstour; the newest version at the package index.
ADDRESS = ""
RELEASED = ""

FILES = {"Documentation": "docs/index.md", "Changelog": "CHANGELOG.md"}


def urls(address: str = ADDRESS) -> str:
    """Return the table of addresses in pyproject.toml, and the links of the README at a package index."""
    if not address:
        return ""
    named = {"Homepage": address, "Repository": address, "Issues": f"{address}/issues"}
    named |= {name: f"{address}/blob/main/{file}" for name, file in FILES.items()}
    links = "[[tool.hatch.metadata.hooks.fancy-pypi-readme.substitutions]]\n"
    pictures = r"""pattern = '!\[([^\]]*)\]\((?!https?:)([^)]+)\)'"""
    others = r"""pattern = '(?<!!)\[((?:!\[[^\]]*\]\([^)]*\)|[^\]])+)\]\((?!https?:|#)([^)]+)\)'"""
    return "".join(
        [
            "[project.urls]\n",
            *(f'{name} = "{url}"\n' for name, url in named.items()),
            f"{links}{pictures}\nreplacement = '![\\1]({address}/raw/main/\\2)'\n",
            f"{links}{others}\nreplacement = '[\\1]({address}/blob/main/\\2)'\n",
        ]
    )


def citation(address: str = ADDRESS) -> str:
    """Return the line of CITATION.cff."""
    return f'repository-code: "{address}"\n' if address else ""


def install_lines(released: str = RELEASED) -> str:
    """Return the installation part of the README after a release."""
    if not released:
        return ""
    return f"""\
Version {released} is at the package index:

```
pip install knightstour                 for Python and the command line; "knightstour[all]" has every extra
pipx install knightstour                the command line alone, in an environment of its own
uvx knightstour solve 8x8               try it without installing anything
```

"""


def with_part(text: str, part: str) -> str:
    """Return the text with a new part between its two comments."""
    begin, end = "# begin addresses\n", "# end addresses\n"
    head, _, rest = text.partition(begin)
    return f"{head}{begin}{part}{end}{rest.partition(end)[2]}"


def pages(address: str = ADDRESS) -> dict[Path, str]:
    """Return the correct contents of both files."""
    parts = {"pyproject.toml": urls(address), "CITATION.cff": citation(address)}
    return {ROOT / name: with_part((ROOT / name).read_text(encoding="utf-8"), part) for name, part in parts.items()}
