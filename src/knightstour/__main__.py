"""`python -m knightstour` and `knightstour` are the command line."""

import sys


def main() -> None:
    """Run the command line. Ctrl-C ends it without a traceback, even while its modules are imported."""
    try:
        from knightstour.interfaces.cli import app

        app.main()
    except KeyboardInterrupt:
        sys.stderr.write("note: interrupted\n")
        sys.exit(130)


if __name__ == "__main__":
    main()
