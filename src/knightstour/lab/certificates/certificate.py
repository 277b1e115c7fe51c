"""A certificate: an answer with its proof."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from knightstour.core.machine.files import open_target
from knightstour.core.model.errors import FormatError
from knightstour.core.model.scene import Scene
from knightstour.core.model.wording import short_repr
from knightstour.lab.certificates import record
from knightstour.lab.certificates.clauses import dimacs
from knightstour.lab.certificates.drat import search_clauses_of
from knightstour.lab.certificates.question import question_of

# The kind of proof that consists of clauses.
BY_CLAUSES: Final = "search"


@dataclass(frozen=True, slots=True, repr=False)
class Certificate:
    """An answer with its proof, in the form of docs/certificate-format.md; `verify` checks it.

    Attributes:
        record: The certificate as a JSON-serialisable dictionary.
    """

    record: Mapping[str, object]

    @property
    def kind(self) -> str:
        """Kind of proof: "tour", "argument", "symmetry", "search", "layers", "bounds" or "theorem"."""
        return record.text(record.part(self.record, "proof"), "kind")

    @property
    def scenes(self) -> tuple[Scene, ...]:
        """Pictures of the steps of a proof that no tour exists, for `draw`; FormatError for a tour or a count.
        >>> from knightstour import solve
        >>> [scene.title for scene in solve((4, 8), closed=True).certificate().scenes]
        ['Inner and outer rows', 'No way across']
        """
        from knightstour.lab.certificates.scenes import scenes_of

        return scenes_of(self.record)

    def to_dict(self) -> dict[str, object]:
        """Return the certificate as JSON-serialisable data."""
        return dict(self.record)

    def to_json(self) -> str:
        """Return the text of a certificate file, one entry per line.

        >>> from knightstour import solve
        >>> print(solve((3, 3), closed=True).certificate().to_json())
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

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the certificate as JSON."""
        with open_target(path) as file:
            file.write(self.to_json().encode())

    def write_cnf(self, path: str | os.PathLike[str]) -> None:
        """Write the clauses of a search in the DIMACS form, and its proof to a file with the suffix .drat.

        Other checkers can verify them: `drat-trim FILE.cnf FILE.drat`.

        Raises:
            FormatError: If the proof has no clauses.
        """
        self.check_has_clauses()
        proof = record.part(self.record, "proof")
        clauses = dimacs(search_clauses_of(question_of(self.record), self.record))
        lines = record.text(proof, "drat") + "\n"
        stem, _ = os.path.splitext(os.fspath(path))
        for name, content in ((path, clauses), (f"{stem}.drat", lines)):
            with open_target(name) as file:
                file.write(content.encode())

    def check_has_clauses(self) -> None:
        """Raise FormatError if the proof has no clauses."""
        if self.kind != BY_CLAUSES:
            raise FormatError(
                f"a proof by {self.kind} has no clauses",
                help=f"request a proof by {BY_CLAUSES} that no tour exists: solve ... --proof FILE.drat",
            )

    def __repr__(self) -> str:
        return short_repr(self, f"{self.record.get('answer')} by {self.kind}")
