"""`knightstour sample`: random tours in bulk."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from knightstour.commands.options import output_options, question, several_options, worker_options
from knightstour.errors import ProblemError

if TYPE_CHECKING:
    from knightstour.result import Problem


@click.command()
@question
@several_options
@click.option("--law", default="backbite", help="How they are drawn: backbite (default), uniform, merge or warnsdorff.")
@click.option("--every", type=int, help="backbite: turns between two readings.")
@click.option("--burn-in", type=int, help="backbite: turns before the first reading of a block.")
@click.option("--randomness", type=int, help="merge: 0, 1 or 2.")
@click.option("--seed", type=int, metavar="N", help="A whole number, 0 or more; the same seed gives the same tours.")
@click.option("--offset", type=int, default=0, metavar="N", help="Go on after so many tours of the seed.")
@click.option("--threads", type=int, metavar="N", help="Default one a core; the tours are the same for any number.")
@worker_options("Draw")
@click.option("--stats", is_flag=True, help="Tell rate, repeats and failures at the end.")
@output_options("Write the tours there; .npy holds millions, DIR/ billions.", metavar="FILE|DIR/")
@click.option("--resume", is_flag=True, help="Go on with the data set in DIR/, and mend it.")
@click.option(
    "--columns", metavar="NAME,..", help="DIR/: keep symmetry, turns, crossings, number or rank of each tour."
)
@click.option("--part-tours", type=int, metavar="N", help="DIR/: so many draws in a file.")
@click.option("--json", "as_json", is_flag=True, help="The summary as one JSON object.")
def sample(
    problem: Problem,
    count: int,
    law: str,
    every: int | None,
    burn_in: int | None,
    randomness: int | None,
    unique: bool,
    seed: int | None,
    offset: int,
    output: str | None,
    resume: bool,
    columns: str | None,
    part_tours: int | None,
    **choices: Any,
) -> int:
    """Draw random tours of BOARD in bulk, by a law that is stated. See docs/sampling.md."""
    from knightstour.dataset_command import is_directory, sample_dataset_command
    from knightstour.sampling import SampleQuestion
    from knightstour.sampling_command import sample_command

    given = {"every": every, "burn_in": burn_in, "randomness": randomness}
    parameters = {name: value for name, value in given.items() if value is not None}
    question = SampleQuestion(problem, count, law, parameters, unique, seed, offset)
    if output is None or not is_directory(output):
        for name, value in (("resume", resume), ("columns", columns), ("part-tours", part_tours)):
            if value is not None and value is not False:
                raise ProblemError(f"--{name} is for data sets", help="write one with -o DIR/")
        return sample_command(question, output=output, **choices)
    shown, format_name, force = (choices.pop(name) for name in ("shown", "format_name", "force"))
    asked = {"offset": offset != 0, "print": shown != "all", "format": format_name is not None, "force": force}
    for name, is_asked in asked.items():
        if is_asked:
            raise ProblemError(f"--{name} is not for data sets", help="leave it out, or write to a file")
    named = tuple(name.strip() for name in columns.split(",") if name.strip()) if columns else ()
    return sample_dataset_command(
        question, output=output, resume=resume, columns=named, part_tours=part_tours, **choices
    )
