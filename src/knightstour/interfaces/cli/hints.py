"""Hints for unknown commands and options: the word that users mean, or the nearest name."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from typing import Final

import click

from knightstour.interfaces.cli.help import UnknownCommand

_PIECES: Final = "king queen rook bishop wazir fers ferz camel zebra giraffe dabbaba alfil antelope"
_ON_BOARD: Final = "A piece belongs to the board: 8x8:{word}"
_BOARD: Final = "BOARD is an argument: knightstour {command} 8x8"
_FILE: Final = "Write -o FILE.{word}, or --format {word}"
# Unknown word -> a name, or a sentence, which starts with a capital letter.
COMMANDS: Final[Mapping[str, str]] = {
    **dict.fromkeys(["generate", "find", "tour", "search", "run", "hamiltonian"], "solve"),
    **dict.fromkeys(["list", "all", "iterate", "iter_tours"], "enumerate"),
    **dict.fromkeys(["random", "draw_random"], "sample"),
    **dict.fromkeys(["validate", "verify", "test", "valid", "is_tour"], "check"),
    **dict.fromkeys(["print", "plot", "show", "display", "view", "picture"], "draw"),
    **dict.fromkeys(["render", "image", "svg", "animate"], "draw"),
    **dict.fromkeys(["info", "about", "board", "describe", "exists", "overview"], "facts"),
    **dict.fromkeys(["play", "web", "gui", "ui", "server", "browser", "page"], "serve"),
    **dict.fromkeys(["stats", "statistics", "turns", "crossings"], "measure"),
    **dict.fromkeys(["hidato", "zip", "numbrix", "sudoku"], "puzzle"),
    **dict.fromkeys(["optimize", "optimise", "minimize"], "improve"),
    **dict.fromkeys(["benchmark", "bench", "race"], "compare"),
    **dict.fromkeys(["number", "index"], "rank"),
    **dict.fromkeys(["plan", "number_of_tours"], "count --plan"),
    **dict.fromkeys(["catalogue", "catalogues", "families"], "examples"),
    "help": "Write knightstour COMMAND --help",
    "version": "Write knightstour --version",
    "options": "Write knightstour COMMAND --help-all",
}
OPTIONS: Final[Mapping[str, str]] = {
    **dict.fromkeys(_PIECES.split(), _ON_BOARD),
    "piece": "A piece belongs to the board: 8x8:king",
    **dict.fromkeys(["torus", "cylinder", "mobius", "klein"], "Joined sides belong to the board: 8x8:{word}"),
    **dict.fromkeys(["holes", "hole", "remove"], "Holes belong to the board: 8x8:-a1,h8"),
    "random": "Write knightstour sample BOARD",
    "all": "Write knightstour enumerate BOARD",
    **dict.fromkeys(["svg", "png", "pdf", "gif", "html", "csv", "npy"], _FILE),
    **dict.fromkeys(["out", "output-file", "file", "save", "sheet", "plot"], "--output"),
    "to": "--format",
    **dict.fromkeys(["cycle", "circuit", "loop"], "--closed"),
    **dict.fromkeys(["open", "path", "undirected"], "That is the default; omit it"),
    **dict.fromkeys(["algorithm", "algo", "solver", "way", "engine"], "--method"),
    **dict.fromkeys(["n", "number", "number-of-tours", "tours", "limit", "max"], "-n"),
    **dict.fromkeys(["time", "seconds", "time-limit", "max-time", "overall"], "--timeout"),
    **dict.fromkeys(["threads", "jobs", "processes", "cores", "parallel", "j"], "--workers"),
    **dict.fromkeys(["board", "size", "rows", "cols"], _BOARD),
    **dict.fromkeys(["verbose", "debug", "v"], "Notes are printed already; --watch shows the search"),
    **dict.fromkeys(["difficulty", "hard", "easy", "medium", "expert"], "--level"),
    **dict.fromkeys(["force", "overwrite", "f"], "Files are overwritten; omit it"),
    **dict.fromkeys(["from", "begin", "s"], "--start"),
    **dict.fromkeys(["stop"], "--end"),
    "seed": "--seed",
    "by": "Write knightstour census BOARD --by NAME",
    "estimate": "Write knightstour estimate BOARD",
    "through": "--require",
    "avoid": "--forbid",
    "visits": "--partial",
    "objective": "--minimize",
    "classes": "--up-to-symmetry",
    **dict.fromkeys(["arcs", "directed"], "Write FILE:directed"),
    "explain": "--why",
    "sample": "--samples",
    "style": "Write ... | knightstour draw - --style NAME -o tour.svg",
    "unique": "Tours of -n are different; omit it",
    "speed": "Press + or - while you watch; omit it",
    "stats": "The figures are printed already; omit it",
    **dict.fromkeys(["for", "cnf", "drat"], "Write --proof FILE.drat"),
    "in-order": "Write --kind zip --clues N",
    "print": "Tours are printed already; omit it",
    "allow-remote": "--host 0.0.0.0 accepts other computers; omit it",
    "clear": "Write knightstour cache --clear",
    **dict.fromkeys(["family", "catalogue"], "Write knightstour examples NAME"),
}
# Lowest similarity of a name that is offered; the dashes of options are not compared.
_SIMILARITY: Final = 0.74


def hint(word: str, names: Iterable[str], table: Mapping[str, str], command: str = "solve") -> str:
    """Return what to write instead of an unknown word; "" if no name is similar.

    >>> hint("--king", ["--print"], OPTIONS), hint("--clsed", ["--closed"], OPTIONS), hint("--xyz", ["--set"], OPTIONS)
    ('A piece belongs to the board: 8x8:king', 'did you mean --closed?', '')
    """
    bare = word.lstrip("-")
    by_bare = {name.lstrip("-"): name for name in names}
    meant = table.get(bare, "").format(word=bare, command=command)
    if meant[:1].isupper():
        return meant
    if meant and meant.split()[0].lstrip("-") in by_bare:
        return f"did you mean {meant}?"
    near = difflib.get_close_matches(bare, [name for name in by_bare if len(name) > 2], 1, _SIMILARITY)
    return f"did you mean {by_bare[near[0]]}?" if near else ""


def hint_for(error: click.UsageError) -> str | None:
    """Return the hint for an unknown command or option, "" if no name is similar; None for another error."""
    if error.ctx is None:
        return None
    command = error.ctx.command
    path = error.ctx.command_path.partition(" ")[2]
    if isinstance(error, click.NoSuchOption):
        names = [name for each in command.params for name in (*each.opts, *each.secondary_opts)]
        return hint(error.option_name, [name for name in names if name.startswith("-")], OPTIONS, path)
    if isinstance(error, UnknownCommand) and isinstance(command, click.Group):
        return hint(error.word, command.list_commands(error.ctx), COMMANDS if not path else {})
    return None
