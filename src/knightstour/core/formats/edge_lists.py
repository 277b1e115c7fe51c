"""Lists of edges: the names of two nodes a line; and what people write instead of one.

The exact form is read line by line, whatever its size. A text in another form (or one that fits it by accident, such as
a list under the numbers of its nodes and edges) is taken apart by each of the readings in `graph_readings.py`. If one
gives a whole graph, or several give the same, it is taken and the source's remarks say how it was read. If two differ,
both are named, and the option that decides. If none fits, the error is that of a form known by its marks, or of the
reading that came farthest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np

from knightstour.core.formats.first_lines import Counts, Doubt, first_line_doubt
from knightstour.core.formats.foreign import form_of
from knightstour.core.formats.graph_readings import READINGS, SIGN, Found, Line, Misfit, Reading, refuse_joined
from knightstour.core.formats.graphs import EDGE_LINES, MOST_EDGES, board_in, check_size, numbered_edges
from knightstour.core.machine.files import PIECE_CHARS, Source
from knightstour.core.model.board import Board, move_graph
from knightstour.core.model.errors import FormatError

# Longer texts are read in the exact form alone.
_MOST_LOOSE = 8_000_000
# An exact list that is longer is not tried as another form, which would take as long once more.
_MOST_LOOKED_AT = 200_000
_DATA = re.compile(r"\s*\{.*\}\s*$")
_NO_NAME = re.compile(r"[\s,#]|^$")
_COMMENT = re.compile(r"(?:^|\s)(?://|%).*$")
_WHOLE = re.compile(r"0|-?[1-9]\d{0,17}", re.ASCII)
_DIRECTED = re.compile(r"^\s*[#%/]+\s*(directed (graph|network)\b|asym\b)", re.IGNORECASE)
# Written above a list whose first line would else be taken for counts or a heading.
_PROMISE = "# an edge a line"


def write_edges(board: Board, *, extra_vertex: bool = False) -> Iterator[str]:
    """A line for each edge with the names of its nodes, and one for each node that has none."""
    squares = move_graph(board).squares.tolist()
    names = [board.name(divmod(s, board.cols)) for s in squares] + ["extra"] * extra_vertex
    for name in names:
        if _NO_NAME.search(name) or SIGN.search(name):
            raise FormatError(
                f"the node {name[:60]!r} has a space, a comma, # or a sign of another form in its name, or none",
                help="write graph6, which numbers the nodes",
            )
    if len(set(names)) < len(names):
        raise FormatError("two nodes of the graph have one name as text", help="write graph6, which numbers the nodes")
    count, edges = numbered_edges(board, extra_vertex)
    if first_line_doubt(names, edges) is not None:
        yield _PROMISE + "\n"
    for k in range(0, len(edges), EDGE_LINES):
        yield "".join(f"{names[a]} {names[b]}\n" for a, b in edges[k : k + EDGE_LINES].tolist())
    alone = np.setdiff1d(np.arange(count), edges).tolist()
    yield "".join(f"{names[k]}\n" for k in alone)


def read_edges(source: Source, *, is_named: bool = False) -> Iterator[Board]:
    """The graph of a list of edges, a line each: two names, with spaces or a comma between them; or of another text.

    A line with one name is a node. The nodes come in the order in which they are first named; but if all names are
    whole numbers as Python writes them, the nodes are numbers and rise. Data of NetworkX after an edge, {...}, is left
    out. is_named: whether the user says that it is a list of edges; every line is then one, the first one too.
    """
    text = _Kept(source)
    try:
        yield _exact(source, text, is_named)
    except Misfit as misfit:
        if not text.read_all():
            raise source.fail(misfit.message, misfit.line, help=misfit.help) from None
        yield _loose(source, text, misfit, is_named)


class _Kept:
    """The lines of a source, which are kept as long as they are few enough to be read in another way."""

    def __init__(self, source: Source) -> None:
        self._source, self._chars = source, 0
        self._raw = list[tuple[int, str]]()
        self.has_bare_hash = self.is_directed = self.has_promise = False
        self._pieces = source.pieces()

    @property
    def is_kept(self) -> bool:
        """Whether all lines so far are in `raw`."""
        return self._chars <= _MOST_LOOSE

    @property
    def is_short(self) -> bool:
        """Whether a text that is an exact list is looked at in other ways, too."""
        return self._chars <= _MOST_LOOKED_AT

    def lines(self) -> Iterator[tuple[int, str]]:
        """Those that are neither empty nor a comment with #, without such comments at their ends."""
        for number, text, is_whole in self._pieces:
            if not is_whole:
                raise self._source.fail(f"a line of more than {PIECE_CHARS:,} characters: this is no graph", number)
            self._chars += len(text)
            if self._chars <= _MOST_LOOSE:
                self._raw.append((number, text))
            line = text.strip()
            if "#" in line:
                whole, line = line, line.partition("#")[0].rstrip()
                if not line:
                    self._note_comment(whole)
            if line:
                yield number, line

    def _note_comment(self, text: str) -> None:
        self.has_bare_hash |= text == "#"
        self.has_promise |= text == _PROMISE
        self.is_directed |= _DIRECTED.match(text) is not None

    @property
    def raw(self) -> list[Line]:
        """All lines that were kept, as they are."""
        return [Line(number, text.strip()) for number, text in self._raw]

    def read_all(self) -> bool:
        """Read the rest; whether all lines were few enough to be kept."""
        return all(self.is_kept for _ in self.lines())


# ---------------------------------------------------------------- the exact form


def _exact(source: Source, text: _Kept, is_named: bool) -> Board:
    """The board of an exact list of edges; a Misfit where it is none, or may be something else."""
    places: dict[str, int] = {}
    edges = list[tuple[int, int]]()
    first, last, tops, alone = Line(0, ""), 1, list[str](), list[Line]()
    for number, line in text.lines():
        last = number
        words = (_DATA.sub("", line) if "{" in line else line).replace(",", " ").split()
        if not 1 <= len(words) <= 2:
            what = f"a line of a list of edges has two nodes, and this one has {len(words)} words"
            raise Misfit(what, number, help="write the names of two nodes a line, without weights")
        ends = []
        for word in words:
            place = places.get(word)
            if place is None:
                if SIGN.search(word):
                    raise Misfit(f"{word[:40]!r} is no name of a node", number, help="write two names a line")
                place = places[word] = len(places)
            ends.append(place)
        if not first.number:
            first = Line(number, line)
        if len(ends) == 2:
            edges.append((ends[0], ends[1]))
        else:
            tops += [] if edges else words
            alone.append(Line(number, words[0]))
        if len(edges) > MOST_EDGES:
            check_size(source, len(places), len(edges), number)
    refuse_joined(places if edges else (), alone)
    names, pairs = list(places), np.array(edges, dtype=np.int64).reshape(-1, 2)
    _check_direction(source, text, is_named)
    # Data after an edge shows that it is one.
    is_plain = text.has_promise or "{" in first.text
    doubt = None if is_plain else first_line_doubt(names, pairs, first.text.replace(",", " ").split(), tops)
    if doubt is not None and is_named:
        if doubt.is_sure:
            source.remark(f"the first line {first.text[:60]!r} is read as {doubt.plainly}, as the format edges says")
        doubt = None
    if not is_named:
        if doubt is not None and not doubt.is_sure and doubt.why:
            raise source.fail(doubt.why, first.number, help=doubt.help)
        _check_alternatives(source, text, names, pairs, doubt)
    if doubt is not None:
        source.remark(doubt.remark)
        if doubt.is_sure:
            names, pairs = doubt.rest(names, pairs)
    return graph_board(source, names, pairs, last)


def graph_board(source: Source, names: Sequence[str], pairs: np.ndarray, line: int) -> Board:
    """The board of nodes with these names, which are numbers if all look so; pairs: places among them."""
    if not all(_WHOLE.fullmatch(name) for name in names):
        return board_in(source, list(names), pairs, line)
    numbers = np.array([int(name) for name in names], dtype=np.int64)
    rising = np.argsort(numbers)
    return board_in(source, numbers[rising].tolist(), np.argsort(rising)[pairs], line)


def board_found(source: Source, found: Found, line: int) -> Board:
    """The board of what a reading found, which says how it read it."""
    for remark in found.remarks:
        source.remark(remark)
    place = {name: k for k, name in enumerate(found.nodes)}
    pairs = np.array([(place[a], place[b]) for a, b in found.edges], dtype=np.int64).reshape(-1, 2)
    return graph_board(source, found.nodes, pairs, line)


def _check_direction(source: Source, text: _Kept, is_named: bool) -> None:
    if text.is_directed and not is_named:
        why = "a comment says that the graph is directed, and a tour's moves go both ways"
        raise source.fail(why, help="edges:FILE (format='edges') reads each line as an edge that goes both ways")


def _check_alternatives(source: Source, text: _Kept, names: list[str], pairs: np.ndarray, doubt: Doubt | None) -> None:
    """A FormatError where an exact list is a whole graph in another form, too, and another graph there."""
    if not text.is_short or not len(pairs):
        return
    after, edges = (names, pairs) if doubt is None or not doubt.is_sure else doubt.rest(names, pairs)
    here = Found(list(after), [(after[a], after[b]) for a, b in edges.tolist()])
    raw = text.raw
    lines = [line for line in (Line(n, t.partition("#")[0].strip()) for n, t in raw) if line.text]
    others = [row for row in READINGS if row.option == "metis" or row.read.__name__ == "numbered_lists"]
    for row in others:
        try:
            found = row.read(lines)
        except Misfit:
            continue
        if not found.same_graph(here):
            _refuse_both(source, "a list of edges", row, lines[0].number)
    if text.has_bare_hash:
        from knightstour.core.formats.own_graphs import tgf

        try:
            found = tgf(raw)
        except Misfit:
            return
        if not found.same_graph(here):
            _refuse_both(source, "a list of edges", Reading("TGF", "tgf", tgf), lines[0].number)


def _refuse_both(source: Source, one: str, other: Reading, line: int, option: str = "edges") -> None:
    raise source.fail(
        f"this is {one}, or {other.name}, and these are two graphs",
        line,
        help=f"say which: {option}:FILE or {other.option}:FILE (format= in Python)",
    )


# ---------------------------------------------------------------- other forms


def _loose(source: Source, text: _Kept, exact: Misfit, is_named: bool) -> Board:
    """The board of a text that is no exact list of edges, by the one reading that fits."""
    raw = text.raw
    whole = "\n".join(line.text for line in raw)
    form = form_of(whole)
    if form is not None and not is_named:
        message = f"this looks like {form.title}, and is no list of edges"
        raise source.fail(message, exact.line, help=form.help or f"{form.name}:FILE (format={form.name!r}) reads it")
    _check_direction(source, text, is_named)
    lines, remarks = body_of(raw)
    tried = [row for row in READINGS if not is_named or row.option == "edges"]
    fits, misfits = list[tuple[Reading, Found]](), [exact]
    for row in tried:
        try:
            fits.append((row, under_counts(row, lines, is_named)))
        except Misfit as misfit:
            misfits.append(misfit)
    worst = max(misfits, key=lambda misfit: (misfit.is_sure, misfit.is_counted, misfit.line))
    if worst.is_sure or not fits:
        raise source.fail(worst.message, worst.line, help=worst.help or _HELP)
    if any(row.option == "matrix" for row, _ in fits):
        # As edges, a matrix of 0 and 1 would have but two nodes.
        fits = [fit for fit in fits if fit[0].option == "matrix" or not set(fit[1].nodes) <= {"0", "1"}]
    for row, found in fits[1:]:
        if not found.same_graph(fits[0][1]):
            _refuse_both(source, fits[0][0].name, row, lines[0].number, fits[0][0].option)
    for remark in remarks:
        source.remark(remark)
    return board_found(source, fits[0][1], raw[-1].number)


_HELP = "write the names of two nodes a line; formats: docs/graphs.md"


def body_of(raw: Sequence[Line]) -> tuple[list[Line], list[str]]:
    """The lines without comments after #, // and %, or such as DIMACS has; and remarks on what was left out."""
    lines, left_out = list[Line](), set[str]()
    for number, text in raw:
        plain = _COMMENT.sub("", text.partition("#")[0]).strip()
        match = _COMMENT.search(text.partition("#")[0])
        if match:
            left_out.add("//" if "//" in match[0] else "%")
        if plain:
            lines.append(Line(number, plain))
    others = [line for line in lines if not re.match(r"c(\s|$)", line.text)]
    if others and len(others) < len(lines) and all(re.match(r"\d|e\s", line.text) for line in others):
        lines = others
        left_out.add("c")
    return lines, [f"comments with {mark} are left out" for mark in sorted(left_out)]


def under_counts(row: Reading, lines: Sequence[Line], is_named: bool) -> Found:
    """What a reading finds in all lines, or else below one or two that count nodes and edges, if the counts fit."""
    try:
        if not lines:
            raise Misfit("the graph has no node", 1, is_sure=True)
        return row.read(lines)
    except Misfit as misfit:
        counts = Counts.on_top(lines)
        if counts is None or is_named or misfit.is_sure or row.option == "metis":
            raise
        try:
            found = row.read(lines[counts.lines :])
        except Misfit as below:
            raise below if below.is_sure else misfit from None
        fault = counts.fault(len(found.nodes), len(found.edges), len({frozenset(edge) for edge in found.edges}))
        if fault:
            raise Misfit(fault, lines[0].number, is_counted=counts.nodes > 1) from None
        found.remarks.append(counts.remark)
        return found
