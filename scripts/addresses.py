"""Where the project is to be found: two constants, and what three files say once they are not empty.

`make docs` writes it into README.md, pyproject.toml and CITATION.cff. Needs the standard library alone.
"""

from pathlib import Path

ROOT = Path(__file__).parent.parent

# The address of the repository, such as https://github.com/OWNER/knightstour; the newest version at the package index.
ADDRESS = ""
RELEASED = ""

FILES = {"Documentation": "docs/index.md", "Changelog": "CHANGELOG.md"}


def urls(address: str = ADDRESS) -> str:
    """The table of addresses in pyproject.toml, and the links of the README as a package index shows it."""
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
    """The line of CITATION.cff."""
    return f'repository-code: "{address}"\n' if address else ""


def install_lines(released: str = RELEASED) -> str:
    """What the README says once there is a release."""
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
    """The text with the part between its two comments written again."""
    begin, end = "# begin addresses\n", "# end addresses\n"
    head, _, rest = text.partition(begin)
    return f"{head}{begin}{part}{end}{rest.partition(end)[2]}"


def pages(address: str = ADDRESS) -> dict[Path, str]:
    """The two files, as they should be."""
    parts = {"pyproject.toml": urls(address), "CITATION.cff": citation(address)}
    return {ROOT / name: with_part((ROOT / name).read_text(encoding="utf-8"), part) for name, part in parts.items()}
