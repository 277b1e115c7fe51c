"""`knightstour verify`: does a certificate prove what it claims?"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Sequence

import click

from knightstour.core.checking.check import UNREADABLE
from knightstour.core.machine.files import source_of
from knightstour.core.model.budget import DEFAULT_SECONDS, Limits
from knightstour.core.model.exports import csv_text, names_of
from knightstour.interfaces.cli import console
from knightstour.interfaces.cli.declared import option
from knightstour.interfaces.cli.help import Command
from knightstour.interfaces.cli.options import LimitWords, json_option, limit_options, refuse
from knightstour.lab.certificates.certificate import Certificate
from knightstour.lab.certificates.several import FileVerdict, certificate_files, in_numbers, verify_files
from knightstour.lab.certificates.verify import Verdict, read_certificate, verify

_EXIT_CODES = {Verdict.RIGHT: console.FOUND, Verdict.WRONG: console.IMPOSSIBLE, Verdict.UNCHECKED: console.UNDECIDED}


@click.command("verify", cls=Command)
@click.argument("file", nargs=-1, required=True, metavar="FILE...")
@json_option(": the verdict, and what it is about; of several files a record each")
@option("--csv", "as_csv", is_flag=True, help="Print a line of CSV for each file.")
@option(
    "--cnf",
    metavar="FILE",
    help="Of a proof by search or numbering: write its clauses to FILE, and the solver's proof beside it as .drat.",
)
@option("--force", is_flag=True, help="Overwrite these files.")
@limit_options(nodes="Steps of the check of each before giving up; default 30000000.")
def command(
    file: tuple[str, ...], as_json: bool, as_csv: bool, cnf: str | None, force: bool, limits: LimitWords
) -> int:
    """Check the certificate in FILE (- for stdin): the proof that `solve --proof` or `count --proof` wrote.

    For several files, or a folder, one line per file is printed.

    The exit code is 0 if all prove what they claim, 1 if one does not, 2 if a file cannot be read, 3 if a check would
    take too long.

    \b
    knightstour solve 4x8 --proof proof.json && knightstour verify proof.json
    knightstour verify proofs/ --csv
    """
    if as_csv and as_json:
        raise click.UsageError("--csv and --json cannot be combined")
    wanted = limits.limits(DEFAULT_SECONDS)
    if len(file) > 1 or as_csv or os.path.isdir(file[0]):
        refuse({"--cnf": cnf, "--force": force}, "they apply to a single certificate")
        return verify_each(certificate_files(file), wanted, as_json=as_json, as_csv=as_csv)
    return _verify_one(file[0], cnf, wanted, as_json=as_json, force=force)


def _verify_one(file: str, cnf: str | None, limits: Limits | None, *, as_json: bool, force: bool) -> int:
    certificate = Certificate(read_certificate(source_of(file)))
    if cnf is not None:
        certificate.check_has_clauses()
    status = console.StatusLine()
    with status.timing("checking"):
        found = verify(certificate, limits=limits)
    status.clear()
    click.echo(json.dumps(found.to_dict()) if as_json else str(found))
    if cnf is not None:
        certificate.write_cnf(cnf, force=force)
    return _EXIT_CODES[found.verdict]


def verify_each(files: Sequence[str], limits: Limits | None, *, as_json: bool, as_csv: bool) -> int:
    """Print the verdict on each certificate, and their numbers at the end; return the exit code."""
    status = console.StatusLine()
    verdicts = Counter[str]()
    if as_csv:
        click.echo(csv_text(names_of(FileVerdict), ()), nl=False)
    found = verify_files(files, limits=limits)
    while True:
        with status.timing("checking"):
            row = next(found, None)
        status.clear()
        if row is None:
            break
        verdicts[row.verdict] += 1
        if as_csv:
            click.echo(csv_text(names_of(FileVerdict), [row.to_dict()], header=False), nl=False)
        else:
            click.echo(json.dumps(row.to_dict()) if as_json else row.to_text())
    console.say("note", in_numbers(verdicts))
    if verdicts[UNREADABLE]:
        return console.USAGE
    worst = next((each for each in (Verdict.WRONG, Verdict.UNCHECKED) if verdicts[each.value]), Verdict.RIGHT)
    return _EXIT_CODES[worst]
