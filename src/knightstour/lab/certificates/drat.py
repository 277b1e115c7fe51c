"""Check of a solver's proof that clauses are unsatisfiable: each line must follow from the lines before it.

The proof has the DRAT form, but each clause must follow by unit propagation alone (RUP): assume that it is false, and
propagate until a clause has no literal left. Source: E. Goldberg and Y. Novikov, 2003; N. Wetzler, M. Heule and W.
Hunt, DRAT-trim, 2014.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from knightstour.lab.certificates import record
from knightstour.lab.certificates.clauses import Clause, clauses_of, image_moves
from knightstour.lab.certificates.images import images_of
from knightstour.lab.certificates.loop_graph import cuts_of, loop_graph
from knightstour.lab.certificates.question import Question
from knightstour.lab.certificates.record import Allowance, Unreadable, Wrong


def check_drat(clauses: list[Clause], lines: list[str], allowance: Allowance) -> None:
    """Raise Wrong at the first line that does not follow, or if the proof does not end with the empty clause."""
    known = ClauseDatabase(allowance)
    if any(known.add(clause) for clause in clauses):
        return  # a contradiction before the first line
    for number, is_deletion, clause in read_lines(lines):
        if is_deletion:
            known.delete(clause)
            continue
        if not known.implies(clause):
            raise Wrong(f"drat, line {number}: the clause does not follow by unit propagation")
        if known.add(clause):
            return
    raise Wrong("drat: the lines end without the empty clause")


def size_of(lines: list[str]) -> str:
    """Return the length of a proof as text."""
    return f"{len(lines):,} line{'s' if len(lines) != 1 else ''} of DRAT"


def read_lines(lines: list[str]) -> Iterator[tuple[int, bool, Clause]]:
    """Yield for each line its number, whether it deletes a clause, and the clause."""
    for number, line in enumerate(lines, 1):
        words = line.split()
        is_deletion = words[:1] == ["d"]
        try:
            literals = [int(word) for word in words[is_deletion:]]
        except ValueError:
            raise Unreadable(f"drat, line {number}: expected integers, or d and integers") from None
        if not literals or literals.pop() != 0 or 0 in literals:
            raise Unreadable(f"drat, line {number}: expected a single 0, at the end")
        yield number, is_deletion, list(dict.fromkeys(literals))


class ClauseDatabase:
    """The current clauses, each watched at two of its literals that are not false, with unit propagation.

    true: the true literals, in the order of their discovery. (Moskewicz and others, Chaff, 2001.)
    """

    def __init__(self, allowance: Allowance) -> None:
        self.true: dict[int, None] = {}
        self.watched: dict[int, list[Clause]] = defaultdict(list)
        self.by_literals: dict[frozenset[int], list[Clause]] = defaultdict(list)
        self.allowance = allowance

    def add(self, clause: Clause) -> bool:
        """Add a clause, and return whether unit propagation finds a contradiction."""
        # The two watched literals come first. They must not be false.
        clause = sorted(clause, key=lambda literal: -literal in self.true)
        self.by_literals[frozenset(clause)].append(clause)
        if len(clause) > 1:
            self.watched[clause[0]].append(clause)
            self.watched[clause[1]].append(clause)
        free = [literal for literal in clause[:2] if -literal not in self.true]
        if not free:
            return True
        if len(free) == 1 and free[0] not in self.true:
            return self._follow([free[0]])
        return False

    def delete(self, clause: Clause) -> None:
        """Delete a clause, unless a literal followed from it, like other DRAT checkers."""
        same = self.by_literals.get(frozenset(clause))
        if not same or sum(-literal not in self.true for literal in clause) < 2:
            return
        old = same.pop()
        for literal in old[:2]:
            self.watched[literal] = [other for other in self.watched[literal] if other is not old]
            self.allowance.spend(len(self.watched[literal]))

    def implies(self, clause: Clause) -> bool:
        """Whether unit propagation finds a contradiction if all literals of a clause are false."""
        kept = len(self.true)
        negated = [-literal for literal in clause]
        if any(literal in self.true for literal in clause) or len({abs(literal) for literal in clause}) < len(clause):
            return True
        is_implied = self._follow([literal for literal in negated if literal not in self.true])
        while len(self.true) > kept:
            self.true.popitem()
        return is_implied

    def _follow(self, fresh: list[int]) -> bool:
        """Set these literals and propagate; return whether a contradiction follows."""
        true, watched = self.true, self.watched
        true.update(dict.fromkeys(fresh))
        queue = fresh
        for literal in queue:
            stay: list[Clause] = []
            clauses = watched[-literal]
            for k, clause in enumerate(clauses):
                if clause[0] == -literal:
                    clause[0], clause[1] = clause[1], clause[0]
                other = clause[0]
                place = 0 if other in true else self._other_watch(clause)
                if place > 0:
                    clause[1], clause[place] = clause[place], clause[1]
                    watched[clause[1]].append(clause)
                    continue
                stay.append(clause)
                if -other in true:
                    watched[-literal] = stay + clauses[k + 1 :]
                    return True
                if other not in true:
                    true[other] = None
                    queue.append(other)
            watched[-literal] = stay
            self.allowance.spend(3 * len(clauses) + 1)
        return False

    def _other_watch(self, clause: Clause) -> int:
        """Return the index, from 2, of a literal that is not false, or 0."""
        true = self.true
        for place in range(2, len(clause)):
            if -clause[place] not in true:
                return place
        return 0


_MAX_CUTS = 100_000


def check_search(question: Question, certificate: Mapping[str, object], allowance: Allowance) -> str:
    """Return a description of the check; raise Wrong if the proof does not show that no tour exists."""
    proof = record.part(certificate, "proof")
    clauses = search_clauses_of(question, certificate)
    lines = record.text(proof, "drat").splitlines()
    check_drat(clauses, lines, allowance)
    cuts = len(record.items(proof, "cuts"))
    return f"a search: {len(clauses):,} clauses, {cuts} of them of cuts, and {size_of(lines)}"


def search_clauses_of(question: Question, certificate: Mapping[str, object]) -> list[Clause]:
    """Return the clauses of a certificate."""
    if question.count == 1 and not question.closed:
        raise Wrong("a board of one square has an open tour")
    near = loop_graph(question)
    if len(near) < 3:
        raise Wrong("the clauses require at least three squares")
    cuts = cuts_of(near, record.part(certificate, "proof"), _MAX_CUTS)
    return clauses_of(near, cuts, image_moves(question, near, images_of(question)))
