"""A certificate: an answer with all that is needed to check it."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass

from knightstour.certificates import record
from knightstour.certificates.clauses import clauses_of, dimacs
from knightstour.certificates.rules import loop_graph, question_of
from knightstour.machine.files import open_target
from knightstour.model.errors import FormatError


@dataclass(frozen=True, slots=True, repr=False)
class Certificate:
    """An answer with all that is needed to check it, in the form that docs/certificates.md describes.

    record: the certificate as JSON knows it. `verify` checks it.
    """

    record: Mapping[str, object]

    @property
    def kind(self) -> str:
        """How the answer is proved: "tour", "argument", "search", "layers" or "theorem"."""
        return record.text(record.part(self.record, "proof"), "kind")

    def to_json(self) -> str:
        """The text of a certificate's file: an entry a line.

        >>> from knightstour import solve
        >>> print(solve((3, 3), closed=True).certificate.to_json())
        {
        "format": "knightstour certificate 1",
        "board": {"rows": 3, "cols": 3},
        "closed": true,
        "answer": "impossible",
        "reason": "9 is odd, but a closed tour alternates colours and so has equally many squares of both",
        "source": "Schwenk 1991; Cull & De Curtins 1978",
        "proof": {"kind": "argument", "steps": [{"rule": "removal", "removed": []}]}
        }
        """
        lines = (f"{json.dumps(key)}: {json.dumps(value)}" for key, value in self.record.items())
        return "{\n" + ",\n".join(lines) + "\n}\n"

    def write(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write it as JSON; a FormatError if the file exists, unless `force`."""
        with open_target(path, force=force) as file:
            file.write(self.to_json().encode())

    def write_cnf(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write the clauses of a search to a file in the DIMACS form, and its proof beside it with the suffix .drat.

        So they are for other checkers: `drat-trim FILE.cnf FILE.drat`. A FormatError where it is no search.
        """
        if self.kind != "search":
            raise FormatError(f"the proof is by {self.kind}, and only a search has clauses")
        proof = record.part(self.record, "proof")
        cuts = [record.numbers(cut, '"cuts"') for cut in record.items(proof, "cuts")]
        clauses = dimacs(clauses_of(loop_graph(question_of(self.record)), cuts))
        lines = record.text(proof, "drat") + "\n"
        stem, _ = os.path.splitext(os.fspath(path))
        for name, content in ((path, clauses), (f"{stem}.drat", lines)):
            with open_target(name, force=force) as file:
                file.write(content.encode())

    def __repr__(self) -> str:
        return f"<Certificate: {self.record.get('answer')} by {self.kind}>"
