"""`python -m knightstour` and `knightstour` are the command line."""

import sys


def main() -> None:
    """Run the command line. Ctrl-C ends it quietly from the first moment, when even its modules are not loaded yet."""
    try:
        from knightstour.interfaces.cli import app

        app.main()
    except KeyboardInterrupt:
        sys.stderr.write("note: interrupted\n")
        sys.exit(130)


if __name__ == "__main__":
    main()
