"""Keys as they are pressed, without Enter; the terminal is left as it was.

The keys come from the terminal itself, even when stdin is something else. A program without a terminal, or in the
background, gets no keys.
"""

from __future__ import annotations

import os
import re
import select
import time
from importlib.util import find_spec

HAS_KEYS = find_spec("termios") is not None
if HAS_KEYS:
    import termios
    import tty

# What a terminal sends for keys that are not characters.
_NAMES = {"\x1b[C": "right", "\x1bOC": "right", "\x1b": "escape", "\r": "enter", "\n": "enter", "\x04": "q"}
# A sequence of the terminal, which ends with a letter or a tilde; or a character.
_KEY = re.compile(r"\x1b[\[O][^A-Za-z~]*[A-Za-z~]?|.", re.DOTALL)


class Keys:
    """A context in which `get` waits for a key; its end, however it comes, puts the terminal's mode back.

    is_on: whether there are any keys.
    """

    def __init__(self) -> None:
        self.is_on = False
        self._file = -1
        self._mode: list[int | list[bytes | int]] = []
        self._waiting: list[str] = []

    def __enter__(self) -> Keys:
        if not HAS_KEYS:
            return self
        try:
            self._file = os.open("/dev/tty", os.O_RDONLY | os.O_NOCTTY)
            # A job in the background would be stopped for touching the terminal.
            if os.tcgetpgrp(self._file) == os.getpgrp():
                self._mode = termios.tcgetattr(self._file)
                self.resume()
        except (OSError, termios.error):
            self.is_on = False
        return self

    def __exit__(self, *failure: object) -> None:
        self.suspend()
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def resume(self) -> None:
        """Take each key as it comes, and show none. Ctrl-C and Ctrl-Z stay what they are."""
        if self._mode:
            tty.setcbreak(self._file, termios.TCSANOW)
            self.is_on = True

    def suspend(self) -> None:
        """Put the terminal's mode back."""
        if self._mode and self.is_on:
            termios.tcsetattr(self._file, termios.TCSANOW, self._mode)
        self.is_on = False

    def get(self, seconds: float) -> str:
        """The next key: a character, or right, escape or enter; "" after some seconds without one."""
        if not self.is_on:
            time.sleep(max(0.0, seconds))
            return ""
        if not self._waiting and select.select([self._file], [], [], max(0.0, seconds))[0]:
            sent = os.read(self._file, 64)
            # Nothing to read after all: the terminal is gone.
            self.is_on = bool(sent)
            self._waiting = keys_of(sent.decode(errors="ignore"))
        return self._waiting.pop(0) if self._waiting else ""


def keys_of(sent: str) -> list[str]:
    """The keys in what a terminal has sent, without those that have no meaning here.

    >>> keys_of("n\\x1b[C +")
    ['n', 'right', ' ', '+']
    >>> keys_of("\\x1b[1;5A\\x1b[3~")
    []
    """
    return [_NAMES.get(key, key) for key in _KEY.findall(sent) if len(key) == 1 or key in _NAMES]
