"""`knightstour improve`: tours of a file, with fewer or more turns or crossings."""

from __future__ import annotations

import json

import click

from knightstour import console
from knightstour.commands.options import BoardWords, file_board, limits_of, output_options


@click.command()
@click.argument("file")
@click.option(
    "--objective",
    default="turns",
    metavar="WHAT",
    help="What to have few of: turns (default) or crossings; or many: most-turns, most-crossings.",
)
@click.option("--goal", type=int, metavar="N", help="End as soon as a tour has so many.")
@click.option("--keep-ends", is_flag=True, help="Open tours begin and end where they do.")
@click.option("--seed", type=int, metavar="N", help="With --max-nodes: the same seed gives the same tours.")
@click.option("--timeout", type=float, metavar="S", help="Seconds for each tour; default 5.")
@click.option("--max-nodes", type=int, metavar="N", help="Steps for each tour, in place of seconds.")
@click.option("--from", "read_format", metavar="FORMAT", help="What FILE is, if not told by its suffix or content.")
@file_board
@output_options()
@click.option("--json", "as_json", is_flag=True, help="One JSON object a tour: before, after, and the tour.")
def improve(
    file: str,
    objective: str,
    goal: int | None,
    keep_ends: bool,
    seed: int | None,
    timeout: float | None,
    max_nodes: int | None,
    read_format: str | None,
    words: BoardWords,
    format_name: str | None,
    output: str | None,
    force: bool,
    as_json: bool,
) -> int:
    """Look for tours with fewer turns or crossings than those in FILE (- for stdin), of the same boards and kinds.

    Each is annealed for 5 seconds, or until --timeout or --max-nodes. What comes out is never worse than what went in.
    """
    from knightstour import checking, formats
    from knightstour.errors import FormatError
    from knightstour.improvement import DEFAULT_SECONDS, checked_objective
    from knightstour.improvement import improve as improved
    from knightstour.writing import check_output, write_out

    checked_objective(objective)
    if as_json and (format_name is not None or output is not None):
        raise FormatError("--json prints the tours itself", help="leave out --format and -o, or --json")
    check_output(format_name, output, force)
    limits = limits_of(timeout, max_nodes, DEFAULT_SECONDS if max_nodes is None else None)
    given = formats.read_tours(checking.source_of(file), read_format, checking.board_for(*words))
    what = objective.removeprefix("most-")
    status = console.StatusLine()
    better = []
    is_interrupted = False
    with console.told_about_compiling(status):
        for tour in given:
            try:
                found = improved(
                    *(tour, objective),
                    keep_ends=keep_ends,
                    goal=goal,
                    seed=seed,
                    limits=limits,
                    on_progress=status.searching,
                )
            except KeyboardInterrupt:
                is_interrupted = True
                break
            status.clear()
            better.append(found.tour)
            if as_json:
                figures = {"objective": objective, "before": found.before, "after": found.after, "seed": found.seed}
                click.echo(json.dumps({**figures, **json.loads(formats.format_tour(found.tour, "json"))}))
            else:
                console.say("note", f"{found.before:,} {what} before, {found.after:,} after; seed {found.seed}")
    status.clear()
    if better and not as_json:
        write_out(better, format_name, output, force)
    if is_interrupted:
        console.say("note", f"interrupted after {len(better):,} of {len(given):,} tours")
        return console.INTERRUPTED
    return console.FOUND
