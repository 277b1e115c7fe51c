"""Numbers, times and sizes as text for people."""

from __future__ import annotations

# Maximum length of the repr of our objects.
LONGEST_REPR = 120


def short_repr(value: object, text: str, end: str = "") -> str:
    """`<Name: text end>` in one line, for `repr`; a text that is too long for LONGEST_REPR is cut, and ends in "...".

    >>> from decimal import Decimal
    >>> short_repr(Decimal(1), "found", " (3 nodes)"), len(short_repr(Decimal(1), 500 * "a", " (3 nodes)"))
    ('<Decimal: found (3 nodes)>', 120)
    """
    name = type(value).__name__
    return f"<{name}: {cut_short(text, LONGEST_REPR - len(f'<{name}: {end}>'))}{end}>"


def cut_short(text: str, most: int) -> str:
    """Return a text in one line of at most `most` characters; a truncated text ends in "...".

    >>> cut_short("a tour of the board", 20), cut_short("a tour of the board", 12)
    ('a tour of the board', 'a tour o ...')
    """
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 4] + " ..."


def in_figures(count: float) -> str:
    """An estimated number for people, in two figures.

    >>> in_figures(3.0), in_figures(12345), in_figures(2.46e8)
    ('3', '12,000', '2.5e8')
    """
    if count < 1e6:
        return f"{float(f'{count:.2g}'):,.0f}"
    return f"{count:.1e}".replace("e+0", "e").replace("e+", "e")


def in_time(seconds: float) -> str:
    """A time for people.

    >>> in_time(3), in_time(7200), in_time(1e7), in_time(1e15)
    ('3 s', '2 hours', '4 months', 'millions of years')
    """
    if seconds < 1:
        return "under a second"
    for unit, size, most in (
        ("s", 1, 100),
        ("min", 60, 100),
        ("hours", 3600, 48),
        ("days", 86_400, 60),
        ("months", 2.63e6, 24),
        ("years", 3.156e7, 1e4),
    ):
        if seconds < size * most:
            return f"{seconds / size:.0f} {unit}"
    return "thousands of years" if seconds < 3.156e13 else "millions of years"


def in_words(count: int) -> str:
    """A number of bytes for people.

    >>> in_words(3_200_000_000), in_words(10**60)
    ('3.2 GB', '1.0e+60 bytes')
    """
    if count >= 10**18:
        from decimal import Decimal

        # Not by way of a float, which ends at 10**308.
        return f"{Decimal(count):.2g} bytes"
    for unit, size in (("PB", 10**15), ("TB", 10**12), ("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if count >= size:
            return f"{count / size:.3g} {unit}"
    return "1 byte" if count == 1 else f"{count} bytes"
