"""Generate the reference pages of the site: every public name, command, option and table."""

import importlib.util
import inspect
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from operator import attrgetter
from pathlib import Path

import click

import house
import knightstour as kt
import make_docs
from knightstour import _names
from knightstour.interfaces.cli.app import COMMANDS, all_commands, group
from knightstour.interfaces.cli.help import Command
from knightstour.interfaces.web.api import ROUTES
from knightstour.interfaces.web.fields import FIELDS

EXIT_CODES = (
    ("0", "found, valid, or counted"),
    ("1", "proved impossible, or invalid"),
    ("2", "wrong usage, or a file that cannot be read"),
    ("3", "undecided: a limit was reached"),
    ("130", "interrupted"),
)
ENVIRONMENT = (
    ("NO_COLOR", "if set, the output has no colours"),
    ("XDG_CACHE_HOME", "parent of the cache folder, knightstour/"),
    ("_KNIGHTSTOUR_COMPLETE", "`bash_source`, `zsh_source` or `fish_source` prints the completion script"),
)


# The folders with public names, in the order of their use, with their titles.
TITLES = {
    "model": "Boards, tours and results",
    "methods": "Find tours",
    "counting": "Count tours",
    "sampling": "Random tours and data sets",
    "statistics": "Statistics",
    "objectives": "Tours with few turns or crossings",
    "puzzles": "Puzzles",
    "drawing": "Pictures",
    "formats": "Files of tours and boards",
    "checking": "Check tours",
    "certificates": "Certificates",
    "sequences": "OEIS sequences",
    "proofs": "Proofs",
    "constructions": "Tours of very large boards",
    "catalogues": "Historical tours",
    "instances": "Graphs with known answers",
    "web": "Notebooks",
}
# The names that most programs use. They come first on their pages.
COMMON = ["Board", "Tour", "solve", "find_tour", "Result", "count", "sample", "check", "draw", "make_puzzle"]


def pages() -> dict[str, str]:
    """Return the Markdown of each page, by file name, with a note that it is generated."""
    note = "*This page is generated from the code of the package.*"
    return {
        name: "\n\n".join([title, note, rest.lstrip("\n")])
        for name, text in _pages().items()
        for title, rest in [text.split("\n", 1)]
    }


def _pages() -> dict[str, str]:
    made = {"python.md": python_page(), "commands.md": commands_page(), "tables.md": tables_page()}
    made |= {"api.md": api_page()}
    for folder, names in names_by_folder().items():
        made[f"python-{folder}.md"] = folder_page(folder, names)
        made |= {
            f"{page_of(name)}.md": "\n".join([f"# {name}", "", *name_part(name, names[name])])
            for name in names
            if has_own_page(name)
        }
    return made | {f"command-{name}.md": command_page(name) for name in COMMANDS}


def toctree(names: list[str], *, hidden: bool = True) -> str:
    """Return a table of contents of the pages below this page."""
    return "\n".join(["```{toctree}", *([":hidden:"] if hidden else []), "", *names, "```", ""])


# Python


def stubs() -> Iterator[tuple[str, Path]]:
    """Yield the modules with public names, and their stubs; the package itself, "", comes first."""
    yield "", house.SOURCE / "__init__.pyi"
    for path in sorted(house.SOURCE.glob("*.pyi")):
        if path.stem != "__init__":
            yield path.stem, path


def names_by_folder() -> dict[str, dict[str, str]]:
    """Return the public names and the modules that define them, by folder, in the order of TITLES."""
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for module, stub in stubs():
        for name, origin in _names.origins(str(stub)).items():
            if origin != ".":
                place = importlib.util.resolve_name(origin, "knightstour")
                found[house.folder_of(place.removeprefix("knightstour."))][f"{module}.{name}".lstrip(".")] = place
    return {folder: found[folder] for folder in sorted(found, key=list(TITLES).index)}


def in_order(names: Iterable[str]) -> list[str]:
    """Sort names: common names first, then alphabetically."""
    return sorted(names, key=lambda name: (COMMON.index(name) if name in COMMON else len(COMMON), name.lower()))


def name_table(names: Mapping[str, str]) -> list[str]:
    """Return a table of links with summaries."""
    rows = [
        f"| {{py:obj}}`{name} <knightstour.{name}>` | {cell(summary(name, module))} |" for name, module in names.items()
    ]
    return ["| name | meaning |", "|---|---|", *rows, ""]


def summary(name: str, module: str) -> str:
    """Return the first sentence of the description of a name."""
    value = attrgetter(name)(kt)
    text = inspect.getdoc(value) if inspect.isclass(value) or inspect.isroutine(value) else comment(name, module)
    paragraph = " ".join((text or "").split("\n\n")[0].split())
    return re.split(r"(?<=[.;]) ", paragraph)[0].rstrip(".:;")


def comment(name: str, module: str) -> str:
    """Return the comment above a constant, its type if it is an alias, or the summary of its module."""
    path = importlib.import_module(module).__file__
    assert path is not None
    text = Path(path).read_text(encoding="utf-8")
    found = re.search(rf"((?:^# [^\n]*\n)*)^{name.split('.')[-1]}(?:: [^=\n]+)? = ([^\n]*)", text, re.MULTILINE)
    assert found is not None, name
    if found[1]:
        return " ".join(line.removeprefix("# ") for line in found[1].splitlines())
    return f"the type `{found[2].strip(chr(34))}`" if "TypeAlias" in found[0] else house.summary(module)


def python_page() -> str:
    """Return the page with a table of all public names."""
    lines = [
        "# Python",
        "",
        "`import knightstour as kt` imports the common names, such as `kt.solve`, and modules with the others, such as",
        "`kt.sequences.check`. The [conventions](../conventions.md) apply to all functions.",
        "",
        "## Common names",
        "",
    ]
    folders = names_by_folder()
    lines += name_table({name: names[name] for name in COMMON for names in folders.values() if name in names})
    for folder, names in folders.items():
        lines += [
            f"## {TITLES[folder]}",
            "",
            *name_table({name: names[name] for name in in_order(names)}),
        ]
    modules = ((f"`kt.{name}`", house.summary(f"knightstour.{name}")) for name, _ in stubs() if name)
    lines += ["## Modules", "", *table("module", modules)]
    return "\n".join([*lines, toctree([f"python-{folder}" for folder in folders])])


def has_own_page(name: str) -> bool:
    """Whether a name is a class with at least ten public attributes."""
    value = attrgetter(name)(kt)
    return inspect.isclass(value) and sum(not each.startswith("_") for each in vars(value)) >= 10


def page_of(name: str) -> str:
    """Return the page of a class, without its suffix."""
    return f"python-{name.rpartition('.')[2].lower()}"


def folder_page(folder: str, names: dict[str, str]) -> str:
    """Return the docstrings of the public names of a folder, and links to the pages of its large classes."""
    lines = [f"# {TITLES[folder]}", "", house.summary(house.package_of(folder)), ""]
    own = [name for name in in_order(names) if has_own_page(name)]
    if own:
        lines += [*name_table({name: names[name] for name in own}), toctree([page_of(name) for name in own])]
    for name in in_order(names):
        if name not in own:
            lines += [f"## {name}", "", *name_part(name, names[name]), ""]
    return "\n".join(lines)


def name_part(name: str, module: str) -> list[str]:
    """Return the directive that documents a name."""
    value = attrgetter(name)(kt)
    if inspect.isclass(value):
        directive = f"autoexception:: knightstour.{name}" if issubclass(value, Exception) else ""
        return ["```{eval-rst}", f".. {directive or f'autoclass:: knightstour.{name}'}", "   :members:", "```"]
    if inspect.isroutine(value) or hasattr(value, "__wrapped__"):
        return ["```{eval-rst}", f".. autofunction:: knightstour.{name}", "```"]
    lines = ["```{eval-rst}", f".. py:data:: knightstour.{name}", "```", "", f"{comment(name, module)}."]
    if isinstance(value, dict):
        lines += ["", f"Its rows are in [tables](tables.md#{name.rpartition('.')[2].lower()})."]
    return lines


# The command line


def cell(text: str) -> str:
    """Escape a text for a cell of a table."""
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*")


def commands_page() -> str:
    """Return the page with all commands, exit codes and environment variables."""
    lines = [
        "# The command line",
        "",
        "Every command and option, as printed by `--help`.",
        "",
        "## Commands",
        "",
        *table("command", ((f"[`{name}`](command-{name}.md)", text) for name, text in COMMANDS.items())),
        "## General options",
        "",
        *table("option", general_options()),
        "## Input and output",
        "",
        answers_table(),
        "",
        "## Exit codes",
        "",
        *table("code", EXIT_CODES),
        "## Environment",
        "",
        *table("variable", ((f"`{name}`", text) for name, text in ENVIRONMENT)),
    ]
    return "\n".join([*lines, toctree([f"command-{name}" for name in COMMANDS])])


def answers_table() -> str:
    """Return a table of the commands with their arguments and common options."""
    lines = ["| command | reads | `--json` | `--format` | `--timeout` |", "|---|---|---|---|---|"]
    for name, command in all_commands().items():
        flags = {flag for each in command.params if isinstance(each, click.Option) for flag in each.opts}
        arguments = {each.name for each in command.params if isinstance(each, click.Argument)}
        reads = "`FILE`" if "file" in arguments else "`BOARD`" if "board" in arguments else ""
        cells = [reads, *(f"`{flag}`" if flag in flags else "" for flag in ("--json", "--format", "--timeout"))]
        if any(cells):
            lines.append(f"| `{name}` | {' | '.join(cells)} |")
    return "\n".join(lines)


def general_options() -> Iterator[tuple[str, str]]:
    """Yield the options of `knightstour` itself, and the hidden option of all commands."""
    context = click.Context(group, info_name="knightstour")
    for parameter in group.get_params(context):
        if record := parameter.get_help_record(context):
            yield f"`{record[0]}`", cell(record[1])
    yield "`--debug`", "with any command: print the traceback of an unexpected error, for a report"


def table(title: str, rows: object) -> list[str]:
    """Return a table of two columns, and an empty line."""
    return [f"| {title} | meaning |", "|---|---|", *(f"| {word} | {text} |" for word, text in rows), ""]  # type: ignore[attr-defined]


def command_page(name: str) -> str:
    """Return the page of a command, with the commands of a group."""
    names = [name, *(each for each in all_commands() if each.startswith(f"{name} "))]
    return "\n".join(line for each in names for line in command_part(each, "#" if each == name else "##"))


def command_part(name: str, heading: str) -> Iterator[str]:
    """Yield the usage of a command, its help, and its options by group."""
    command = all_commands()[name]
    below = click.Context(command, info_name=f"knightstour {name}")
    yield from (f"{heading} knightstour {name}", "", f"    {command.get_usage(below).split(': ', 1)[1]}", "")
    for paragraph in re.split(r"\n\s*\n", inspect.cleandoc(command.help or "")):
        if paragraph.startswith("\b"):
            yield from (f"    {line}" for line in paragraph.splitlines()[1:])
            yield ""
        else:
            yield from (paragraph.replace("<", "&lt;").replace("*", "\\*"), "")
    for title, options in (command.groups if isinstance(command, Command) else {}).items():
        records = [record for each in options if (record := each.get_help_record(below))]
        if records:
            yield from (f"{heading}# {title}", "")
            yield from table("option", ((f"`{word}`".replace("|", "\\|"), cell(text)) for word, text in records))


# Tables


def pseudocode() -> str:
    """Return the pseudocode of each method of METHODS."""
    return "\n\n".join(
        f"### {name}\n\n    " + "\n    ".join(line.text for line in row.pseudocode) for name, row in kt.METHODS.items()
    )


def tables_page() -> str:
    """Return the page with the tables of the package."""
    parts = {
        "METHODS": f"{make_docs.methods_table()}\n\nTheir options:\n\n{make_docs.options_table()}"
        f"\n\nEach line by line:\n\n{pseudocode()}",
        "DISTRIBUTIONS": make_docs.distributions_table(),
        "FORMATS": make_docs.formats_table(),
        "STATISTICS": make_docs.statistics_table(),
        "PIECES": "\n".join(
            table("piece", ((f"`{name}`", f"leaps {row.leaps}, {row.source}") for name, row in kt.PIECES.items()))
        ),
        "FAMILIES": "\n".join(
            table("family", ((f"`{name}`", row.summary) for name, row in kt.examples.FAMILIES.items()))
        ),
        "CATALOGUES": "\n".join(
            table("catalogue", ((f"`{name}`", row.summary) for name, row in kt.examples.CATALOGUES.items()))
        ),
        "SEQUENCES": "\n".join(
            table(
                "sequence",
                (
                    (f"[{name}](https://oeis.org/{name})", str(row).split(": ", 1)[1])
                    for name, row in kt.sequences.SEQUENCES.items()
                ),
            )
        ),
    }
    parts["SEQUENCES"] += f"\n\n## Counters of a watched search\n\n{make_docs.counters_table()}"
    lines = ["# Tables", "", "The tables of the package: Python, the command line and the page read the same rows.", ""]
    for name, part in parts.items():
        lines += [f"## {name}", "", f"`kt.{name}`", "", part, ""]
    return "\n".join(lines)


# The API


def api_page() -> str:
    """Return the page about the JSON API."""
    head = "# The page's API\n\nThe requests and their fields. [Service](../service.md) describes the responses.\n"
    return "\n".join([head, questions_table(), "", "## Fields", "", fields_table(), ""])


def questions_table() -> str:
    """Return a table of the requests and their fields."""
    lines = ["| `POST /api/` | response | fields, required first |", "|---|---|---|"]
    for name, route in ROUTES.items():
        optional = [f"`{field}`" for field in route.fields if field not in route.needed]
        needed = [f"**`{field}`**" for field in route.needed]
        lines.append(f"| `{name}` | {route.summary} | {', '.join([*needed, *optional])} |")
    return "\n".join(lines)


def fields_table() -> str:
    """Return a table of all fields."""
    lines = ["| field | meaning |", "|---|---|"]
    for name, row in FIELDS.items():
        bounds = {"minimum": "at least", "exclusiveMinimum": "more than", "maximum": "at most", "default": "by default"}
        words = [str(row.get("description", ""))] + [
            f"{text} {json.dumps(row[bound])}" for bound, text in bounds.items() if bound in row
        ]
        lines.append(f"| `{name}` | {', '.join(word for word in words if word) or 'see above'} |")
    return "\n".join(lines)
