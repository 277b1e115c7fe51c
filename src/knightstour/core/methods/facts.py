"""facts(): facts of a board, the kinds of tours that exist, and the reasons."""

from __future__ import annotations

from dataclasses import dataclass

from knightstour.core.methods.solve import solve
from knightstour.core.model.arguments import with_hints
from knightstour.core.model.board import Board, BoardLike, Square, board_of, read_as_record, square_count, title_of
from knightstour.core.model.budget import NO_LIMITS, Budget, as_arguments, limits_of
from knightstour.core.model.graph_board import CellBoard
from knightstour.core.model.grid_board import GridBoard, is_rectangle
from knightstour.core.model.layers import in_layers, is_compact
from knightstour.core.model.result import Result, Status
from knightstour.core.model.wording import short_repr
from knightstour.core.proofs import theorems
from knightstour.core.proofs.facts import GraphFacts, graph_facts, refuse_many_moves

# Boards of more squares are not listed square by square.
_MAX_LISTED = 1_000_000
# Nodes for each problem (closed and open tours), and for each start, so that the result is independent of the machine.
_NODES, _NODES_PER_START = 1_000_000, 200_000
# On boards up to this size, every square is tried as a start.
_MAX_STARTS = 100
# On boards up to this size, the degrees are drawn.
_MAX_DRAWN = 400


@dataclass(frozen=True, slots=True)
class Facts:
    """Facts of a board, and results for closed tours, open tours, and open tours from each square.

    Attributes:
        facts: None for boards that are too large.
        closed, open: None for rectangles of such a size.
        starts: None for boards of more than 100 squares, and if there is no open tour.
    """

    board: Board
    graph: GraphFacts | None
    closed: Result | None
    open: Result | None
    starts: dict[Square, Status] | None

    @property
    def is_undecided(self) -> bool:
        """Whether a limit left one of the results open.

        >>> facts("3x4").is_undecided
        False
        """
        answers = [result.status for result in (self.closed, self.open) if result is not None]
        return Status.UNDECIDED in [*answers, *(self.starts or {}).values()]

    def __repr__(self) -> str:
        answers = {"closed": self.closed, "open": self.open}
        words = [f"{name} {result.status.value}" for name, result in answers.items() if result is not None]
        return short_repr(self, title_of(self.board), "".join(f", {word}" for word in words))

    def to_dict(self) -> dict[str, object]:
        """Return the facts as a JSON-serialisable dict."""
        return {
            "board": str(self.board),
            "rows": self.board.rows,
            "cols": self.board.cols,
            "facts": None if self.graph is None else self.graph.to_dict(),
            "closed": self._answer(True),
            "open": self._answer(False),
            "starts": None
            if self.starts is None
            else {self.board.square_name(square): status.value for square, status in self.starts.items()},
            **read_as_record(self.board),
        }

    def _answer(self, closed: bool) -> dict[str, str | None]:
        result = self.closed if closed else self.open
        if result is not None:
            return {"status": result.status.value, "reason": result.reason or None, "source": result.source or None}
        proof = (theorems.closed_rectangle_proof if closed else theorems.open_rectangle_proof)(
            self.board.rows, self.board.cols
        )
        if proof is None:
            return {"status": "found", "reason": None, "source": None}
        return {"status": "impossible", "reason": proof[0], "source": proof[1]}

    def to_text(self) -> str:
        """Return the facts as lines of text."""
        lines = [("board", title_of(self.board))]
        facts = self.graph
        if facts is None:
            lines.append(("squares", f"{square_count(self.board):,}"))
        else:
            lines += _graph_lines(self.board, facts)
        for closed in (True, False):
            answer = self._answer(closed)
            text = {"found": "yes", "impossible": "none", "undecided": "not known"}[str(answer["status"])]
            if answer["reason"]:
                text += f": {answer['reason']}"
            if answer["source"]:
                text += f" [{answer['source']}]"
            lines.append(("closed tours" if closed else "open tours", text))
        if self.starts is not None:
            lines.append(("open tours from", _start_words(self.board, self.starts)))
        width = max(len(name) for name, _ in lines)
        return "\n".join(f"{name:<{width}}  {text}" for name, text in lines)


def _graph_lines(board: Board, facts: GraphFacts) -> list[tuple[str, str]]:
    table = ", ".join(f"{count} of degree {degree}" for degree, count in facts.degree_table.items())
    lines = [
        *([("piece", board.mover)] if isinstance(board, CellBoard) else []),
        ("squares", f"{facts.square_count:,}"),
        ("moves", f"{facts.move_count:,}"),
        ("degrees", table),
        ("colours", "not bipartite" if facts.colour_sizes is None else "{:,} and {:,}".format(*facts.colour_sizes)),
    ]
    parts = len(facts.component_sizes)
    sizes = ", ".join(map(str, sorted(facts.component_sizes, reverse=True)[:10])) + (", ..." if parts > 10 else "")
    lines.append(("connected", "yes" if parts == 1 else f"no: {parts} parts of {sizes} squares"))
    if facts.articulation:
        shown = " ".join(board.square_name(square) for square in facts.articulation[:12])
        more = f" and {len(facts.articulation) - 12} more" if len(facts.articulation) > 12 else ""
        lines.append(("articulation", shown + more))
    lines.append(("Euler circuit", f"{'a' if facts.is_eulerian else 'no'} closed walk uses each move once"))
    if isinstance(board, CellBoard) and square_count(board) <= _MAX_DRAWN and is_compact(board):
        texts = [str(degree) for degree in facts.degrees[0].tolist()]
        lines += [("degree of each" if k == 0 else "", row) for k, row in enumerate(in_layers(board, texts))]
    elif square_count(board) <= _MAX_DRAWN and isinstance(board, GridBoard) and board.cols <= 40:
        drawn = [" ".join("." if d < 0 else str(d) for d in row) for row in facts.degrees.tolist()]
        lines += [("degree of each" if k == 0 else "", row) for k, row in enumerate(drawn)]
    return lines


@with_hints
def facts(board: BoardLike, *, timeout: float | None = None, max_nodes: int | None = None) -> Facts:
    """Return the facts of a board, the kinds of tours that exist, and the reasons, like the command `facts`.

    Rectangles need an instant, and difficult boards some minutes: each problem has at most 1,000,000 nodes, and each
    start 200,000. Undecided problems are reported as unknown.

    Args:
        board: A Board, a pair (rows, cols) or a string like "8x8".
        timeout, max_nodes: Limits for all problems together, in seconds and search steps (default: none).

    Raises:
        BoardError: If the board has more than 5,000,000 moves and up to a million squares.

    >>> page = facts((3, 4))
    >>> page.open.status.value, page.closed.status.value, page.closed.source
    ('found', 'impossible', 'forced moves; Schwenk 1991; Cull & De Curtins 1978')
    >>> print(page.to_text().splitlines()[-1])
    open tours from  6 of 12 squares; a3 d3 a2 d2 a1 d1
    """
    limits = limits_of(timeout, max_nodes=max_nodes)
    board = board_of(board)
    budget = Budget(NO_LIMITS if limits is None else limits)
    if board.rows * board.cols <= _MAX_LISTED:
        refuse_many_moves(board)
    if board.rows * board.cols > _MAX_LISTED:
        if is_rectangle(board):
            return Facts(board, None, None, None, None)
        return Facts(board, None, *_both_kinds(board, budget), None)
    starts = None
    open_result, closed_result = _both_kinds(board, budget)[::-1]
    if square_count(board) <= _MAX_STARTS and open_result.status is not Status.IMPOSSIBLE:
        starts = {square: _answer(board, budget, _NODES_PER_START, start=square).status for square in board.squares}
    return Facts(board, graph_facts(board), closed_result, open_result, starts)


def _both_kinds(board: Board, budget: Budget) -> tuple[Result, Result]:
    return _answer(board, budget, _NODES, closed=True), _answer(board, budget, _NODES)


def _answer(board: Board, budget: Budget, nodes: int, *, closed: bool = False, start: Square | None = None) -> Result:
    result = solve(board, closed=closed, start=start, **as_arguments(budget.part(nodes=nodes).limits), seed=0)
    budget.spend(result.nodes)
    return result


def _start_words(board: Board, starts: dict[Square, Status]) -> str:
    by_status = {status: [square for square, s in starts.items() if s is status] for status in Status}
    if len(by_status[Status.FOUND]) == len(starts):
        return "every square"
    words = [f"{len(by_status[Status.FOUND])} of {len(starts)} squares"]
    few = len(by_status[Status.FOUND]) <= len(starts) // 2
    names = " ".join(board.square_name(square) for square in by_status[Status.FOUND if few else Status.IMPOSSIBLE])
    if names:
        words.append(names if few else f"all but {names}")
    if by_status[Status.UNDECIDED]:
        words.append(f"not known from {len(by_status[Status.UNDECIDED])}")
    return "; ".join(words)
