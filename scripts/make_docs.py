"""Write the generated parts of README.md and docs/, and the tables of the page: python scripts/make_docs.py

Tables are written between `<!-- begin NAME -->` and `<!-- end NAME -->`; the output of each `$ knightstour ...` line is
written below it. A test checks that all parts are up to date.
"""

import contextlib
import io
import re
import shlex
import sys
from pathlib import Path

import addresses
import figures
import make_glossary
import page_tables
import results
from house import folders_table, rings_part
from knightstour.core.formats.foreign import FOREIGN
from knightstour.core.formats.readings.table import READINGS, read_loosely
from knightstour.core.formats.table import FORMATS
from knightstour.core.methods.table import METHODS
from knightstour.core.model.condition_table import CONDITIONS
from knightstour.core.model.trace import COUNTERS
from knightstour.core.statistics.chosen import chosen_summaries
from knightstour.core.statistics.table import STATISTICS
from knightstour.interfaces.cli import app
from knightstour.lab.counting.ways import WAYS
from knightstour.lab.sampling.distributions.table import DISTRIBUTIONS

ROOT = Path(__file__).parent.parent
PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")])


def methods_table() -> str:
    """Return a table of METHODS."""
    lines = ["| method | algorithm | proves impossibility of | source |", "|---|---|---|---|"]
    for name, row in METHODS.items():
        lines.append(f"| `{name}` | {row.summary} | {row.proves_impossible} | {row.source} |")
    return "\n".join(lines)


def options_table() -> str:
    """Return a table of the options of the methods."""
    lines = ["| method | option | values |", "|---|---|---|"]
    for name, row in METHODS.items():
        lines += [f"| `{name}` | `{option.flag}` | {option.text} |" for option in row.options.values()]
    return "\n".join(lines)


def takes_table() -> str:
    """Return a table of the conditions that methods support; methods with equal support share a row."""
    names: dict[tuple[str, ...], list[str]] = {}
    for name, row in METHODS.items():
        names.setdefault(tuple(kind for kind in CONDITIONS if kind in row.takes), []).append(f"`{name}`")
    lines = ["| methods | conditions |", "|---|---|"]
    for kinds, methods in sorted(names.items(), key=lambda item: -len(item[0])):
        words = "all" if len(kinds) == len(CONDITIONS) else ", ".join(CONDITIONS[kind].words for kind in kinds)
        lines.append(f"| {', '.join(methods)} | {words or 'none'} |")
    return "\n".join(lines)


def formats_table() -> str:
    """Return a table of FORMATS."""
    lines = ["| format | contents | extensions | boards that must be given too |", "|---|---|---|---|"]
    for name, row in FORMATS.items():
        suffixes = " ".join(f"`{suffix}`" for suffix in row.suffixes)
        lines.append(f"| `{name}` | {row.summary} | {suffixes} | {row.needs_board} |")
    return "\n".join(lines)


def readings_table() -> str:
    """Return the table of READINGS, each with an example and its note."""
    lines = ["| reading | accepted text | example, and its note |", "|---|---|---|"]
    for row in READINGS:
        found = read_loosely(row.example, None)
        assert found is not None and found.is_whole, row.name
        example = "<br>".join(f"`{line.replace('|', '¦')}`" for line in row.example.splitlines())
        lines.append(f"| {row.name} | {row.summary} | {example}<br>*{', '.join(found.read_as)}* |")
    return "\n".join(lines)


def foreign_table() -> str:
    """Return a table of FOREIGN."""
    lines = ["| FORMAT | form | extensions | read by |", "|---|---|---|---|"]
    for name, row in FOREIGN.items():
        suffixes = " ".join(f"`{suffix}`" for suffix in row.suffixes)
        lines.append(f"| `{name}` | {row.title} | {suffixes} | {', '.join(row.needs) or 'knightstour'} |")
    return "\n".join(lines)


def counters_table() -> str:
    """Return a table of COUNTERS."""
    lines = ["| counter | in a view | meaning |", "|---|---|---|"]
    lines += [f"| {row.name} | `{key}` | {row.meaning} |" for key, row in COUNTERS.items()]
    return "\n".join(lines)


def distributions_table() -> str:
    """Return a table of DISTRIBUTIONS."""
    lines = ["| distribution | tours | parameters |", "|---|---|---|"]
    for distribution, row in DISTRIBUTIONS.items():
        parameters = "; ".join(f"`{name}`, {option.text}" for name, option in row.parameters.items())
        lines.append(f"| `{distribution}` | {row.summary} | {parameters or 'none'} |")
    return "\n".join(lines)


def statistics_table() -> str:
    """Return a table of STATISTICS."""
    lines = ["| statistic | counts | closed tours only |", "|---|---|---|"]
    lines += [f"| `{row.name}` | {row.summary} | {'yes' if row.needs_closed else ''} |" for row in STATISTICS.values()]
    lines += [f"| `{name}` | {summary} |  |" for name, summary in chosen_summaries().items()]
    return "\n".join(lines)


def ways_table() -> str:
    """Return a table of WAYS, in the order of trial."""
    lines = ["| algorithm | boards | steps |", "|---|---|---|"]
    lines += [f"| `{way.name}` | {way.boards} | {way.how} |" for way in WAYS]
    return "\n".join(lines)


PARTS = {
    "beside": figures.beside_table,
    "released": addresses.install_lines,
    "methods": methods_table,
    "takes": takes_table,
    "formats": formats_table,
    "readings": readings_table,
    "foreign": foreign_table,
    "distributions": distributions_table,
    "statistics": statistics_table,
    "folders": folders_table,
    "rings": rings_part,
    "ways": ways_table,
}


def with_parts(text: str) -> str:
    """Update the generated parts of a page."""
    for name, make in PARTS.items():
        pattern = rf"(<!-- begin {name} -->\n).*?(<!-- end {name} -->)"
        part = make()
        text = re.sub(pattern, lambda match, part=part: f"{match[1]}{part}\n{match[2]}", text, flags=re.DOTALL)
    return text


def with_outputs(text: str) -> str:
    """Update the output of the `$ knightstour` lines; other lines of such a block are dropped."""

    def run(block: re.Match[str]) -> str:
        lines = []
        for line in block[1].splitlines():
            if line.startswith("$ "):
                lines.append(line)
                if line.startswith("$ knightstour"):
                    lines.append(run_command(line))
        return "```\n" + "".join(x if x.endswith("\n") or not x else x + "\n" for x in lines) + "```"

    return re.sub(r"```\n(\$ .*?)```", run, text, flags=re.DOTALL)


def run_command(line: str) -> str:
    """Return the stdout of a `$ knightstour ...  # comment` line."""
    words = shlex.split(line.split("  #")[0])[2:]
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()):
        app._run(words, debug=True)
    return out.getvalue()


def whole(page: Path) -> str:
    """Return the correct contents of a page."""
    return figures.with_figures(with_outputs(with_parts(page.read_text(encoding="utf-8"))))


def main() -> None:
    """Write the pages; with --check, print the names of outdated ones."""
    stale = []
    made = {page: lambda page=page: whole(page) for page in PAGES}
    modules = (figures, make_glossary, page_tables, results)
    others = {each.PAGE: each.page for each in modules}
    others |= {page: lambda text=text: text for page, text in addresses.pages().items()}
    for page, make in {**made, **others}.items():
        old = page.read_text(encoding="utf-8") if page.exists() else ""
        new = make()
        if new != old:
            stale.append(page.name)
            if "--check" not in sys.argv:
                page.write_text(new, encoding="utf-8")
    print(("stale: " if "--check" in sys.argv else "written: ") + (", ".join(stale) or "nothing"))
    sys.exit("--check" in sys.argv and bool(stale))


if __name__ == "__main__":
    main()
