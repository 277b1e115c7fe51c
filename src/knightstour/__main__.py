"""`python -m knightstour` is the command line."""

from knightstour.cli import main

main()
