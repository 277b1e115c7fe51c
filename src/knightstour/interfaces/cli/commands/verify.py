"""`knightstour verify`: does a certificate prove what it claims?"""

from __future__ import annotations

import json

import click

from knightstour.core.machine.files import source_of
from knightstour.core.model.budget import DEFAULT_SECONDS
from knightstour.interfaces.cli import console
from knightstour.interfaces.cli.declared import option
from knightstour.interfaces.cli.help import Command
from knightstour.interfaces.cli.options import LimitWords, json_option, limit_options
from knightstour.lab.certificates.certificate import Certificate
from knightstour.lab.certificates.verify import Verdict, read_certificate, verify

_EXIT_CODES = {Verdict.RIGHT: console.FOUND, Verdict.WRONG: console.IMPOSSIBLE, Verdict.UNCHECKED: console.UNDECIDED}


@click.command("verify", cls=Command)
@click.argument("file")
@json_option(": the verdict, and what it is about")
@option(
    "--cnf",
    metavar="FILE",
    help="Of a proof by search or numbering: write its clauses to FILE, and the solver's proof beside it as .drat.",
)
@option("--force", is_flag=True, help="Overwrite these files.")
@limit_options(nodes="Steps of the check before giving up; default 30000000.")
def command(file: str, as_json: bool, cnf: str | None, force: bool, limits: LimitWords) -> int:
    """Check the certificate in FILE (- for stdin): the proof that `solve --proof` or `count --proof` wrote.

    The exit code is 0 if it proves what it claims, 1 if it does not, 3 if the check would take too long.

    \b
    knightstour solve 4x8 --proof proof.json && knightstour verify proof.json
    knightstour verify proof.json --cnf proof.cnf
    """
    certificate = Certificate(read_certificate(source_of(file)))
    if cnf is not None:
        certificate.check_has_clauses()
    status = console.StatusLine()
    with status.timing("checking"):
        found = verify(certificate, limits=limits.limits(DEFAULT_SECONDS))
    status.clear()
    click.echo(json.dumps(found.to_dict()) if as_json else str(found))
    if cnf is not None:
        certificate.write_cnf(cnf, force=force)
    return _EXIT_CODES[found.verdict]
