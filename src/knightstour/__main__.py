"""Command line: `knightstour`, or `python -m knightstour`."""

import sys


def main() -> None:
    """Run the command line; Ctrl-C ends it without a traceback, even during imports."""
    try:
        from knightstour.interfaces.cli import app

        app.main()
    except KeyboardInterrupt:
        sys.stderr.write("note: interrupted\n")
        sys.exit(130)


if __name__ == "__main__":
    main()
