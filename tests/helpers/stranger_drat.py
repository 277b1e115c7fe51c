"""Proofs of solvers: a part of stranger.py, also written from docs/certificate-format.md alone."""

from collections import defaultdict


class Refused(Exception):
    """The certificate does not prove what it claims."""


def demand(holds: object, why: str) -> None:
    if not holds:
        raise Refused(why)


def check_drat(clauses: list[list[int]], text: str) -> None:
    """Check that each line follows by unit propagation, up to a contradiction."""
    known = Known()
    for clause in clauses:
        if known.add(clause):
            return
    for line in text.splitlines():
        words = line.split()
        is_deletion = words[0] == "d"
        *literals, last = map(int, words[is_deletion:])
        demand(last == 0 and 0 not in literals, "a line of DRAT")
        if is_deletion:
            continue  # clauses that are no longer needed may stay
        demand(known.implies(literals), "it does not follow")
        if known.add(literals):
            return
    raise Refused("no empty clause")


class Known:
    """Clauses with two watched literals that are not false; implied units remain true."""

    def __init__(self) -> None:
        self.true: dict[int, None] = {}
        self.watch: defaultdict[int, list[list[int]]] = defaultdict(list)

    def add(self, clause: list[int]) -> bool:
        clause = sorted(dict.fromkeys(clause), key=lambda x: -x in self.true)
        free = [x for x in clause if -x not in self.true]
        if len(clause) > 1:
            for x in clause[:2]:
                self.watch[-x].append(clause)
        if not free:
            return True
        return len(free) == 1 and self.follow(free)

    def implies(self, clause: list[int]) -> bool:
        before = len(self.true)
        found = any(x in self.true for x in clause) or self.follow([-x for x in dict.fromkeys(clause)])
        while len(self.true) > before:
            self.true.popitem()
        return found

    def follow(self, queue: list[int]) -> bool:
        """Whether these literals lead to a contradiction."""
        for x in queue:
            if -x in self.true:
                return True
            if x in self.true:
                continue
            self.true[x] = None
            stay, watched = [], self.watch[x]
            for k, clause in enumerate(watched):
                if clause[0] == -x:
                    clause[0], clause[1] = clause[1], clause[0]
                place = next((j for j in range(2, len(clause)) if -clause[j] not in self.true), 0)
                if clause[0] not in self.true and place:
                    clause[1], clause[place] = clause[place], clause[1]
                    self.watch[-clause[1]].append(clause)
                    continue
                stay.append(clause)
                if -clause[0] in self.true:
                    self.watch[x] = stay + watched[k + 1 :]
                    return True
                if clause[0] not in self.true:
                    queue.append(clause[0])
            self.watch[x] = stay
        return False
