"""The table of arguments in the site's reference: each question, each argument, and its word at each of three doors.

Python's arguments come from the signatures, the words of the command line from its commands, the fields of the page
from its API, so that none is forgotten. Names that differ are in WORDS; what a door does not have is in REASONS, with
the reason. Tests fail for an empty cell, for a question that is missing, and for a reason that nothing needs.
"""

import inspect
from collections.abc import Iterator, Mapping
from operator import attrgetter
from typing import NamedTuple

import click

import knightstour as kt
from knightstour.core.drawing.styles import LOOK_OPTIONS, SHEET_OPTIONS
from knightstour.interfaces.cli.app import group
from knightstour.interfaces.web.api import ROUTES

PYTHON, COMMAND, PAGE = DOORS = ("Python", "command line", "page")
LONG = "(the page counts for seconds; this takes long)"
ONE = "(the page shows one tour at a time)"
EXPERTS = "(for whoever works with Python or the command line)"


class Question(NamedTuple):
    """A question and where it is asked: public functions, a command, paths of the API, with spaces between them.

    A door where it cannot be asked has a sentence in brackets instead, which says why. Where one command answers
    several questions, each names in `only` the options that belong to it alone.
    """

    text: str
    python: str
    command: str
    page: str
    only: str = ""


QUESTIONS = (
    Question("Find a tour, or say why there is none", "solve", "solve", "solve"),
    Question("Watch a search", "solve", "solve", "trace"),
    Question("List all tours", "iter_tours", "enumerate", ONE),
    Question("Draw random tours", "sample_tours iter_sample", "sample", ONE),
    Question(
        "Write random tours in bulk",
        "datasets.sample_dataset",
        "sample",
        "(a browser is no place for millions of tours)",
        "--columns --part-tours",
    ),
    Question("Count the tours", "count_tours", "count", "count"),
    Question("Plan a count", "plan_count", "count", "count/plan", "--plan"),
    Question("Count the tours, with a certificate", "certify_count", "count", EXPERTS, "--proof"),
    Question("Estimate a count", "estimate_count", "count", "count/estimate", "--estimate --seed"),
    Question("Count the tours of each symmetry", "count_table", "count", LONG, "--by"),
    Question("Count how often each move is used", "TourSpace.move_counts", "count", LONG, "--by"),
    Question("Count the tours at each square and step", "TourSpace.step_counts", "count", LONG, "--by"),
    Question("Count the tours from each square", "count_starts", "count", EXPERTS, "--by"),
    Question("Find the recurrence of a count", "sequences.count_recurrence", "count", LONG, "--growth"),
    Question(
        "Say which sequences of the OEIS have a count",
        "sequences.find_sequences",
        "oeis",
        EXPERTS,
        "--of --closed --directed --classes --symmetry",
    ),
    Question("Check a sequence of counts", "sequences.check_sequence", "oeis", LONG, "--check"),
    Question("Continue a sequence of counts", "sequences.extend_sequence", "oeis", LONG, "--extend --first"),
    Question("Give a tour its number", "TourSpace.build TourSpace.rank", "rank", "space/build space/rank"),
    Question("Give the tour of a number", "TourSpace.build TourSpace.unrank", "unrank", "space/build space/unrank"),
    Question("Improve a tour", "improve", "improve", EXPERTS),
    Question("Compare the methods", "compare", "compare", EXPERTS),
    Question("Measure tours", "measure_tours", "measure", EXPERTS),
    Question("Count the tours by a statistic", "census", "census", EXPERTS),
    Question("Check tours", "check_tours datasets.check_dataset", "check", "check"),
    Question("Check the proof of an answer", "verify", "verify", "verify"),
    Question("Say what is known of a board", "overview", "facts", "facts"),
    Question("Say how far two squares are apart", "Board.paths Board.distances", "facts", "facts", "--from-to"),
    Question(
        "Draw tours, a board or a proof",
        "draw_svg drawing.draw_png drawing.draw_pdf drawing.draw_html "
        "drawing.draw_widget drawing.draw_gallery animate drawing.draw_text draw",
        "draw",
        "draw",
    ),
    Question("Make puzzles", "make_puzzle", "puzzle", "puzzle"),
    Question(
        "Make the puzzle of a day",
        "puzzles.puzzle_of_day",
        "puzzle",
        "(the page opens with it: its level, pattern and seed follow from the date)",
        "--today",
    ),
    Question(
        "Print puzzles, and worksheets for schools",
        "puzzles.draw_sheet puzzles.draw_worksheet",
        "puzzle",
        "(sheets are files to print; the page prints the one that it shows)",
        "--sheet --worksheet --per-page --solutions --title",
    ),
    Question("Check a puzzle, or solve it", "solve_puzzle Puzzle.rate", "puzzle", "puzzle/check", "--check --solve"),
    Question(
        "Ask for the next step of a puzzle",
        "Puzzle.hint",
        "(`puzzle --check` prints all steps; one at a time is for those who play)",
        "puzzle/hint",
    ),
    Question("Make graphs whose answers are known, for solvers", "instances", "convert", EXPERTS, "--family"),
    Question("Take tours of a list that comes with the library", "catalogue", "convert", EXPERTS, "--catalogue"),
    Question(
        "Write tours in another format", "read_tours write_tours", "convert", "(`/api/draw` writes text formats, too)"
    ),
)
# What belongs to no question of the tables, and why.
ONLY_PYTHON = {
    "find_tour": "`solve`, with the tour itself as its answer, or the error `NoTour`",
    "board_facts": "the part of `overview` that needs no search",
    "implicit_tour": "`solve` for boards that no memory holds; `solve --at`, `draw --tour` and `solve -o`",
    "stream_tour": "`solve 20000x20000 -o tour.npy`",
    "replay": "the board after each event of a trace; `solve --watch` and the page show it",
    "move_graph": "arrays for your own code; the page asks `/api/moves`",
    "format_tour": "`convert` to a string",
    "parse_tours": "`convert` from a string",
    "read_board": "a file as BOARD",
    "read_boards": "a file of several graphs as BOARD of `solve`, `count` and `facts`, which answer each",
    "write_board": "`solve BOARD -o board.hcp`; `convert` from one format of graphs to another",
    "datasets.read_dataset": "a data set as FILE",
    "read_puzzle": "`puzzle --check FILE`, `puzzle --solve FILE`",
    "write_puzzle": "`puzzle -o FILE`",
    "puzzles.parse_puzzle": "`puzzle --check -`",
    "puzzles.read_puzzles": "`puzzle --check FILE`, `puzzle --solve FILE`",
    "puzzles.write_puzzles": "`puzzle -n 5 -o puzzles.jsonl`",
    "puzzles.format_puzzle": "`puzzle` prints it",
}
ONLY_COMMANDS = {
    "explain": "the rows of `kt.METHODS` and of the other tables; GET `/api/methods`",
    "serve": "starts the page",
}
ONLY_PAGE = {
    "completable": "for a game: can this path still be finished to a tour?",
    "moves": "`kt.move_graph`",
    "compare/tours": "`kt.Tour`: `moves`, `symmetry`, `canonical()`",
    "space/status": "what `space/build` would take; `count --plan`",
    "space/random": "`kt.TourSpace.sample`; `sample --distribution uniform`",
}


# Python's argument -> its words at the command line, its fields on the page; of several, those that are there. A key
# may begin with the question's function. Any other argument `some_word` is --some-word and some_word.
WORDS: Mapping[str, tuple[str, str]] = {
    "board": ("BOARD --arcs", "board"),
    "closed": ("--closed --open", "closed"),
    "start": ("--start --from-start", "start"),
    "end": ("--end --to-end", "end"),
    "tour": ("FILE BOARD", "squares board"),
    "tours": ("FILE", "text squares"),
    "Board.paths.start": ("--from-to", "from_to"),
    "Board.paths.end": ("--from-to", "from_to"),
    "Board.paths.square": ("--from-to", "from_to"),
    "certificate": ("FILE", "certificate"),
    "path_or_file": ("FILE", "squares"),
    "subject": ("FILE BOARD --tour --scene", "squares board certificate scene"),
    "subjects": ("FILE", "tours"),
    "datasets.sample_dataset.path": ("-o/--output", ""),
    "datasets.sample_dataset.part_format": ("--format", ""),
    "sequences.find_sequences.board": ("--of", "board"),
    "sequence": ("SEQUENCE", "sequence"),
    "sequences.extend_sequence.limits": ("--extend --timeout --max-nodes --memory", ""),
    "check_tours.path": ("FILE", ""),
    "check_tours.format": ("FILE", "format"),
    "TourSpace.build.path": ("--space", ""),
    "format": ("--format --format/--to", "format"),
    "census.by": ("--by", "statistic"),
    "census.samples": ("--sample", "samples"),
    "measure_tours.tours": ("FILE", "squares"),
    "measure_tours.board": ("BOARD", "board"),
    "what": ("WHAT", ""),
    "limits": ("--timeout --max-nodes --memory", "seconds nodes bytes"),
    "seed": ("--seed", "seed"),
    "draw_svg.on_progress": ("", "progress"),
    "count_tours.on_progress": ("", "progress"),
    "puzzles.draw_sheet.kind": ("--worksheet", ""),
    "draw_svg.kind": ("--format -o/--output", "format"),
    "make_puzzle.every": ("--set", "every"),
    "solve_puzzle.puzzle": ("--check --solve", "puzzle"),
    "n": ("-n", "n"),
    "move_order": ("--set", "move_order"),
    "places": ("--set", "places"),
    "make_puzzle.text": ("--set", "text"),
    "puzzles.puzzle_of_day.day": ("--today", ""),
    "puzzles.puzzle_of_day.kind": ("--set", "kind"),
    "samples": ("--estimate", "samples"),
    "number": ("NUMBER", "number"),
    "workers": ("--workers", "workers"),
    "up_to_symmetry": ("--classes", "up_to_symmetry"),
    "proofs": ("--no-proofs", "proofs"),
    "trace": ("--watch --speed", "events"),
    "catalogue.name": ("--catalogue", ""),
    "instances.parameters": ("--family", ""),
    **dict.fromkeys(
        ("puzzles.draw_sheet.paper", "square_mm", "shade", "font", "puzzles.draw_sheet.colors", "settings"),
        ("--set", ""),
    ),
    **dict.fromkeys(("every", "burn_in", "randomness", "options", "parameters"), ("--set", "options")),
}
# The command line prints or writes what Python returns, so these options are not in the tables.
OUTPUT = frozenset(["--print", "--format", "--to", "-o/--output", "--force", "--json", "--csv", "--stats"])
# Why a door has no such word, by argument, option or field, or by `function.argument`; for all doors, or {door: why}.
REASONS: Mapping[str, str | Mapping[str, str]] = {
    "on_progress": {COMMAND: "a line on the terminal", PAGE: "the page shows that it works"},
    "on_term": {COMMAND: "terms are printed, or written, as they are counted"},
    "sequences.check_sequence.--check": {PYTHON: "the function itself"},
    "on_row": {COMMAND: "rows are printed as they are finished"},
    "on_tour": {COMMAND: "tours are printed as they are found", PAGE: "`/api/trace`"},
    "on_note": {COMMAND: "printed on stderr"},
    "solve.n": {PAGE: "one tour at a time"},
    "solve.unique": {PAGE: "one tour at a time"},
    "solve.objective": {PAGE: "a search is watched without one"},
    "solve.optimal": {PAGE: "a search is watched without an objective"},
    "solve.trace": {PAGE: "`/api/trace`"},
    "--rotate": {PYTHON: "`Tour.rotated`"},
    "--reflect": {PYTHON: "`Tour.reflected`"},
    "--reverse": {PYTHON: "`Tour.reversed`"},
    "--shift": {PYTHON: "`Tour.shifted`"},
    "--canonical": {PYTHON: "`Tour.canonical`"},
    "--open": {PYTHON: "`closed` of `Tour.canonical`"},
    "TourSpace.build.--seed": {PYTHON: "`TourSpace.random_numbers(n, seed=)`", PAGE: "`/api/space/random`"},
    "of_link": {PYTHON: "`puzzles.puzzle_of_day` for a day", COMMAND: "`puzzle --today`"},
    "hints": {PYTHON: "`Puzzle.hints`", COMMAND: "`puzzle --check` prints the steps"},
    "--explain": {PYTHON: "`Certificate.scenes`", PAGE: "`proof`"},
    "--proof": {PYTHON: "`Result.certificate`", PAGE: "`/api/solve`"},
    "certify_count.--proof": {PYTHON: "`Certificate.write`"},
    "--for": {PYTHON: "`Result.certify(needs_clauses=True)`", PAGE: "files are for the command line"},
    "known": {PYTHON: "`find_sequences`", COMMAND: "`oeis --of BOARD`"},
    "--cnf": {PYTHON: "`Certificate.write_cnf`", PAGE: "files are for the command line"},
    "check_tours.--timeout": {PYTHON: "`on_progress` may raise an error of yours", PAGE: "the server's limit"},
    "draw_svg.engine": {COMMAND: "a file to send needs no page", PAGE: "the page is where a link leads"},
    "draw_svg.--timeout": {PYTHON: "a picture takes seconds", PAGE: "the server's limit"},
    "resume": {COMMAND: "what holds something is gone on with"},
    "threads": {COMMAND: "one a core"},
    "--clear": {PYTHON: "`TourSpace(.., keep=False)` keeps nothing", PAGE: "the page keeps its own files"},
    "measure_tours.--timeout": {PYTHON: "millions a second"},
    "read_tours.--timeout": {PYTHON: "tours are read one by one"},
    "--count": {PYTHON: "`sum(1 for tour in iter_tours(..))`"},
    "iter_tours.-n": {PYTHON: "take as many as you like"},
    "sample_tours.chunk": {COMMAND: "tours are written as they are drawn"},
    "count_tours.workers": {PAGE: "one process a request"},
    "count_tours.threads": {PAGE: "one process a request"},
    "count_tours.checkpoint": {PAGE: "a page counts for seconds"},
    "count_tours.across": {PAGE: "a page takes the quicker way"},
    "count_tours.way": {PAGE: "a page takes the quickest way"},
    "count_tours.resume": {PAGE: "a page counts for seconds"},
    "plan_count.checkpoint": {PAGE: "a page counts for seconds"},
    "plan_count.across": {PAGE: "a page takes the quicker way"},
    "plan_count.way": {PAGE: "a page takes the quickest way"},
    "verify.limits": {PAGE: "a check takes seconds"},
    "plan_count.limits": {PAGE: "a plan takes no time"},
    "TourSpace.step_counts.most_tours": {COMMAND: "the estimate says how long it takes"},
    "--plan": {PYTHON: "the function itself", PAGE: "the path itself"},
    "--by": {PYTHON: "the function itself"},
    "--growth": {PYTHON: "the function itself"},
    "--at": {PYTHON: "`implicit_tour`", PAGE: "`/api/moves`"},
    "TourSpace.build.path": {PAGE: "the page keeps its own files"},
    "TourSpace.build.force": {COMMAND: "the file is read if it is there", PAGE: "the page keeps its own files"},
    "TourSpace.build.limits": {PAGE: "whoever leaves ends it"},
    "TourSpace.build.threads": {PAGE: "one process a request"},
    "--plot": {PYTHON: "`Census.svg`"},
    "--extremes": {PYTHON: "`Census.least`, `Census.most`"},
    "check_tours.path": {PAGE: "the page reads no files of the server"},
    "check_tours.workers": {PAGE: "one process a request"},
    "overview.limits": {PAGE: "at most a million nodes a question"},
    "overview.from_to": {PYTHON: "`Board.paths`", COMMAND: "`--from-to`"},
    "Board.paths.board": {PYTHON: "the board itself", COMMAND: "BOARD"},
    "Board.paths.squares": {PYTHON: "the attributes of a Tour", COMMAND: "`check`"},
    "overview.squares": {PYTHON: "the attributes of a Tour", COMMAND: "`check`"},
    "draw_svg.paths": {COMMAND: "files hold tours", PAGE: "`squares` may be any walk"},
    "draw_svg.captions": {COMMAND: "the numbers of the tours"},
    "draw_svg.shown": {COMMAND: "`serve`, without a notebook", PAGE: "the page itself"},
    "draw_svg.trace": {COMMAND: "`solve --watch -o search.gif`", PAGE: "the page replays `/api/trace`"},
    "draw_svg.width": {PAGE: "characters are for terminals"},
    "draw_svg.height": {COMMAND: "the height of the terminal", PAGE: "characters are for terminals"},
    "draw_svg.ascii": {PAGE: "characters are for terminals"},
    "make_puzzle.-n": {PYTHON: "call it with one seed after another", PAGE: "one puzzle a request"},
    "puzzles.draw_sheet.puzzles": {COMMAND: "the puzzles that it makes"},
    "--sheet": {PYTHON: "`Sheet.write`"},
    "Puzzle.hint.puzzle": {PYTHON: "the puzzle itself", COMMAND: "`--check` prints all steps"},
    "draw_svg.color": {COMMAND: "as the terminal can", PAGE: "characters are for terminals"},
}


class Row(NamedTuple):
    """One argument: its words at each door. An empty cell is a gap."""

    python: str
    command: str
    page: str


def is_missing(door: str) -> bool:
    """Whether a question cannot be asked at a door, and a sentence says why."""
    return door.startswith("(")


def python_arguments(names: str) -> list[str]:
    """The arguments of these public functions, each once."""
    found: dict[str, None] = {}
    for name in names.split():
        parameters = inspect.signature(attrgetter(name)(kt)).parameters
        found |= dict.fromkeys(name for name in parameters if name != "self")
    return list(found)


def command_words(name: str) -> list[str]:
    """The arguments and options of a command, as its help writes them; those of pictures for `draw` alone."""
    context = click.Context(group)
    command = group.get_command(context, name)
    assert command is not None, name
    parameters = [word for word in command.get_params(context) if word.name != "help" and "--help" not in word.opts]
    if name != "draw" and "style" in {word.name for word in parameters}:
        parameters = [word for word in parameters if word.name not in {*LOOK_OPTIONS, *SHEET_OPTIONS}]
    return ["/".join(word.opts) if isinstance(word, click.Option) else (word.name or "").upper() for word in parameters]


def page_fields(paths: str) -> list[str]:
    """The fields of these paths, each once."""
    return list(dict.fromkeys(field for path in paths.split() for field in ROUTES[path].fields))


class Reasons:
    """REASONS, and which of them were needed."""

    def __init__(self) -> None:
        self.used: set[tuple[str, str]] = set()

    def of(self, question: Question, name: str, door: str) -> str:
        """Why a door has no such word, in brackets; "" where nobody says."""
        for key in (f"{question.python.split()[0]}.{name}", name):
            reason = REASONS.get(key, "")
            text = reason if isinstance(reason, str) else reason.get(door, "")
            if text:
                self.used.add((key, door))
                return f"({text})"
        return ""


def rows(question: Question, reasons: Reasons) -> Iterator[Row]:
    """A row for each argument of a question: Python's first, then what only the other doors have."""
    foreign = {
        flag
        for other in QUESTIONS
        if other.command == question.command and other != question
        for flag in other.only.split()
    }
    python = [] if is_missing(question.python) else python_arguments(question.python)
    command = [] if is_missing(question.command) else command_words(question.command)
    command = [word for word in command if word not in foreign or word in question.only.split()]
    page = [] if is_missing(question.page) else page_fields(question.page)
    taken: set[str] = set()  # one option of a command may be several arguments in Python
    for name in python:
        by_default = WORDS.get(name, ("--" + name.replace("_", "-"), name))
        flags, fields = WORDS.get(f"{question.python.split()[0]}.{name}", by_default)
        cells = []
        for door, wanted, there in ((COMMAND, flags, command), (PAGE, fields, page)):
            found = [word for word in wanted.split() if word in there or word in taken]
            for word in found:
                taken.add(word)
            there[:] = [word for word in there if word not in found]
            is_asked = not is_missing(question.command if door == COMMAND else question.page)
            cells.append(_words(found) or (reasons.of(question, name, door) if is_asked else "-"))
        yield Row(f"`{name}`", *cells)
    # Of the options that questions share, only the first question of a command lists those that its function lacks.
    rest = [word for word in command if word not in OUTPUT and (not question.only or word in question.only.split())]
    for flag in rest:
        found = [word for word in page if word == flag.strip("-").replace("-", "_").lower()]
        for word in found:
            page.remove(word)
        there = _words(found) or ("-" if is_missing(question.page) else reasons.of(question, flag, PAGE))
        yield Row(reasons.of(question, flag, PYTHON), f"`{flag}`", there)
    for word in page:
        yield Row(reasons.of(question, word, PYTHON), reasons.of(question, word, COMMAND), f"`{word}`")


def _words(words: list[str]) -> str:
    return " ".join(f"`{word.split('/')[-1]}`" for word in words)


def doors_table() -> str:
    """All questions: a heading, the names of its doors, and a row for each argument; then what belongs to none."""
    reasons = Reasons()
    lines = []
    for question in QUESTIONS:
        doors = ((question.python, "kt."), (question.command, "knightstour "), (question.page, "/api/"))
        names = [
            door if is_missing(door) else ", ".join(f"`{before}{name}`" for name in door.split())
            for door, before in doors
        ]
        lines += [f"### {question.text}", "", f"| {' | '.join(names)} |", "|---|---|---|"]
        lines += [f"| {' | '.join(row)} |" for row in rows(question, reasons)]
        lines.append("")
    lines += ["### Only at one door", "", "| what | where else you find it |", "|---|---|"]
    for only, before in ((ONLY_PYTHON, "kt."), (ONLY_COMMANDS, "knightstour "), (ONLY_PAGE, "/api/")):
        lines += [f"| `{before}{name}` | {text} |" for name, text in only.items()]
    return "\n".join(lines)
