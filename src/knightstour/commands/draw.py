"""`knightstour draw`: pictures of tours and boards."""

from __future__ import annotations

from typing import Any

import click

from knightstour.commands.options import file_board


@click.command()
@click.argument("file")
@click.option("-o", "--output", metavar="FILE", help="The picture: .svg, .png, .gif, .apng or .webp.")
@click.option("--format", "format_name", metavar="KIND", help="Kind of picture, if FILE does not tell; for stdout.")
@click.option("--force", is_flag=True, help="Overwrite FILE.")
@click.option("--style", metavar="STYLE", help="board, line, curve, numbers, heat, plotter; lines, blocks, boxes.")
@click.option("--theme", metavar="THEME", help="auto (SVG: as the reader prefers), light or dark.")
@click.option("--size", type=float, metavar="N", help="Longer side in pixels; for a plotter in millimetres.")
@click.option("--numbers", type=int, metavar="K", help="Show each K-th number; 1 for all.")
@click.option("--coordinates/--no-coordinates", default=None, help="Names of rows and columns.")
@click.option("--arrows", is_flag=True, default=None, help="A head on each move.")
@click.option("--filled", is_flag=True, default=None, help="Colour the inside of a closed tour.")
@click.option("--title", metavar="TEXT", help="What screen readers call it.")
@click.option("--columns", type=int, metavar="N", help="Several tours on a sheet: so many in a row.")
@click.option("--window", metavar="R,C,H,W", help="Only H rows from row R and W columns from column C.")
@click.option("--fps", type=float, metavar="N", help="Frames a second.")
@click.option("--frames", type=int, metavar="N", help="Frames at most; default 240.")
@click.option("--width", type=int, metavar="N", help="Characters in a line; default as the terminal has.")
@click.option("--ascii", "is_ascii", is_flag=True, help="Draw with ASCII characters only.")
@click.option("--tour", type=click.Choice(["open", "closed"]), help="FILE is a size: construct its tour, at any size.")
@click.option("--from", "read_format", metavar="FORMAT", help="What FILE is, if not told by its suffix or content.")
@file_board
def draw(file: str, **choices: Any) -> int:
    """Draw the tours in FILE (- for stdin), or the board of a size such as 8x8.

    Without -o it is drawn on the terminal with characters: lines, blocks, or numbers in boxes.
    """
    from knightstour.drawing_command import draw_command

    return draw_command(file, **choices)
