"""Keys as they are pressed, without Enter, and a terminal that is left as it was.

The keys come from the terminal itself, also when stdin is something else. Where there is none, or the program runs in
the background, there are no keys.
"""

from __future__ import annotations

import os
import select
import sys
import time

if sys.platform != "win32":
    import termios
    import tty

# What a terminal sends for keys that are no characters.
_NAMES = {"\x1b[C": "right", "\x1bOC": "right", "\x1b": "escape", "\r": "enter", "\n": "enter", "\x04": "q"}


class Keys:
    """A context in which `get` waits for a key. The terminal's mode is put back at its end, however that comes.

    is_on: whether there are any keys.
    """

    def __init__(self) -> None:
        self.is_on = False
        self._file = -1
        self._mode: list[int | list[bytes | int]] = []
        self._waiting: list[str] = []

    def __enter__(self) -> Keys:
        if sys.platform == "win32":
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
        """The next key, or "" after some seconds without one: a character, or right, escape or enter."""
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
    """The keys of what a terminal has sent; keys without a meaning here are left out.

    >>> keys_of("n\\x1b[C +")
    ['n', 'right', ' ', '+']
    >>> keys_of("\\x1b[1;5A\\x1b[3~")
    []
    """
    keys = []
    i = 0
    while i < len(sent):
        end = i + 1
        if sent[i] == "\x1b" and sent[end : end + 1] in ("[", "O"):
            # A sequence ends with a letter or a tilde.
            end += 1
            while end < len(sent) and not (sent[end].isalpha() or sent[end] == "~"):
                end += 1
            end += 1
        key = sent[i:end]
        i = end
        name = _NAMES.get(key, key)
        if len(key) == 1 or key in _NAMES:
            keys.append(name)
    return keys
