"""Numbers of any length, as counts have them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def any_digits() -> Iterator[None]:
    """Within, Python reads and writes numbers of any length; else only of some thousand digits."""
    most = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(most)
