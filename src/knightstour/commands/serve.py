"""`knightstour serve`: the page in the browser."""

from __future__ import annotations

import click


@click.command()
@click.option("--port", type=click.IntRange(0, 65535), default=8000, help="Default 8000; 0 takes any free one.")
@click.option("--host", default="127.0.0.1", metavar="ADDRESS", help="Where to listen; default this computer only.")
@click.option("--allow-remote", is_flag=True, help="Let other computers in, if --host does.")
@click.option("--open", "opens", is_flag=True, help="Open it in the browser.")
def serve(port: int, host: str, allow_remote: bool, opens: bool) -> int:
    """Show the page: choose a board, watch the search, play, and look through all tours. See docs/web.md."""
    from knightstour.web import listening

    return listening.serve(host, port, allow_remote=allow_remote, opens=opens)
