"""Kernels in C++: their library, and calls of its functions with NumPy arrays in place (core/kernels/abi.h).

`kernel_function("warnsdorff_step")` is a function of the library, which contains its signature, so that mismatches with
Python are detected. An argument is an array of exactly the kind in the signature, contiguous, and writable if the
kernel writes to it; or a number; or a tuple of these. Anything else raises TypeError, since kernels do not check.

A call costs 1 us and another for each array, which is checked. `kernel_function(name).bind(state)` checks once; its
result is called with the remaining numbers, in 0.5 us. Shape and memory of bound arrays must not change.

Calls release the GIL, and kernels have no global state, so threads may call them with separate arrays. Ctrl-C is
handled when a call returns, so slices.py cuts long work.

The library is loaded at the first call. With KNIGHTSTOUR_NATIVE=checked, or another of builder.VARIANTS, a checkout
uses another variant, which raises KernelFault for an index out of bounds or an overflow.
"""

from __future__ import annotations

import ctypes
import functools
import os
import struct
from array import array as words_of
from collections.abc import Callable, Iterator
from operator import index
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import numpy as np

from knightstour.core.model.budget import CLOCKS
from knightstour.core.model.errors import KnightsTourError
from knightstour.core.model.forks import Lock

if TYPE_CHECKING:
    from pathlib import Path

VARIANT_WORD: Final = "KNIGHTSTOUR_NATIVE"
_REINSTALL = "install it again: pip install --force-reinstall knightstour"
_REBUILD = "build it: python -m knightstour.core.kernels.builder"
# Result of a function of the checked library after an error; FAULT in abi.h.
_FAULT = -(1 << 63)


class LibraryError(KnightsTourError):
    """The library of kernels is missing, or for another version or machine."""


class KernelFault(AssertionError):
    """Error in a kernel of the checked library: an index out of bounds, or an overflow."""


# ---------------------------------------------------------------- the library


class _Text(ctypes.Structure):
    """Text that C++ writes; Text in abi.h."""

    _fields_ = (("length", ctypes.c_int64), ("chars", ctypes.c_char * 2040))


def _help() -> str:
    from knightstour.core.kernels import builder

    return _REBUILD if builder.is_checkout() else _REINSTALL


def _path() -> tuple[Path, str]:
    from knightstour.core.kernels import builder

    variant = os.environ.get(VARIANT_WORD) or "plain"
    if variant not in builder.VARIANTS:
        raise LibraryError(
            f"unknown variant of the library of kernels: {VARIANT_WORD}={variant}",
            help="one of " + ", ".join(builder.VARIANTS),
        )
    if variant != "plain" and not builder.is_checkout():
        raise LibraryError(
            f"there is no {variant} library of kernels in an installed package", help=f"leave {VARIANT_WORD} empty"
        )
    return builder.library_of(variant), variant


_LOADING = Lock()


@functools.cache
def library() -> ctypes.CDLL:
    """Return the loaded library. In a checkout it is rebuilt first if necessary, outside of time limits.

    The first of several threads loads it.

    Raises:
        LibraryError: If it is missing, truncated, damaged, of another version, or for another machine.
    """
    with CLOCKS.pause(), _LOADING:
        return _load_library()


@functools.cache
def _load_library() -> ctypes.CDLL:
    from knightstour.core.kernels import builder

    path, variant = _path()
    if builder.is_checkout():
        try:
            builder.bring_up_to_date(path, variant)
        except builder.CannotBuild as error:
            raise LibraryError(str(error), help=error.help) from error
    check_stamp(path)
    try:
        found = ctypes.CDLL(str(path))
        version = _text_of(found.knightstour_version)
    except (OSError, AttributeError) as error:
        raise LibraryError(
            "the library of kernels cannot be loaded; is it for another machine?",
            note=" ".join(str(error).split()),
            help=_help(),
        ) from error
    _check_version(path, version)
    return found


def check_stamp(path: Path) -> None:
    """Check that the library is complete and of this version; loading an invalid one may crash the process."""
    from knightstour.core.kernels import builder

    try:
        size, checksum = builder.size_and_checksum(path).split()
        *version, wanted_size, wanted_checksum = builder.stamp_of(path).read_text(encoding="ascii").split()
        int(wanted_size)
    except FileNotFoundError as error:
        raise LibraryError(
            "the library of kernels is missing", note=f"there is no {error.filename}", help=_help()
        ) from error
    except (OSError, ValueError) as error:
        raise LibraryError("the library of kernels cannot be read", note=f"{path}: {error}", help=_help()) from error
    if size != wanted_size:
        raise LibraryError(
            "the library of kernels is truncated",
            note=f"{path} has {int(size):,} bytes of {int(wanted_size):,}",
            help=_help(),
        )
    if checksum != wanted_checksum:
        raise LibraryError(
            "the library of kernels is damaged",
            note=f"{path} has the checksum {checksum}; wanted: {wanted_checksum}",
            help=_help(),
        )
    _check_version(path, " ".join(version))


def _check_version(path: Path, version: str) -> None:
    from knightstour.core.kernels import builder

    if version != builder.version():
        raise LibraryError(
            "the library of kernels and the package have different versions",
            note=f"{path} has the version {version}; wanted: {builder.version()}",
            help=_help(),
        )


def _function(found: Any) -> Callable[[int], int]:
    """Return a function of the library with the common type, which WebAssembly requires."""
    found.argtypes, found.restype = [ctypes.c_void_p], ctypes.c_int64
    return found


def _text_of(found: Any) -> str:
    text = _Text()
    _function(found)(ctypes.addressof(text))
    return text.chars.decode("ascii")


# ---------------------------------------------------------------- signatures


class ArrayKind(NamedTuple):
    """Array parameter.

    Attributes:
        dtypes: Allowed types.
        items: Number of numbers per item.
        is_read_only: Whether the kernel only reads it.
    """

    dtypes: tuple[np.dtype[Any], ...]
    items: int
    is_read_only: bool

    def __str__(self) -> str:
        many = f", {self.items} an item" if self.items > 1 else ""
        which = " or ".join(map(str, self.dtypes))
        return f"{'an' if self.is_read_only else 'a writable'} array of {which}{many}"


# A parameter: an array, the word for a number, or a tuple of parameters.
Kind: TypeAlias = "ArrayKind | str | tuple[Kind, ...]"
Signature: TypeAlias = tuple[Kind, ...]


def parse_signature(text: str) -> Signature:
    """Parse the description of a function's parameters.

    >>> parse_signature(" { i8x3 =u1|u2 } int")
    ((ArrayKind(dtypes=(dtype('int64'),), items=3, is_read_only=False),
      ArrayKind(dtypes=(dtype('uint8'), dtype('uint16')), items=1, is_read_only=True)), 'int')
    """
    return _parameters(iter(text.split()))


def _parameters(words: Iterator[str]) -> Signature:
    kinds: list[Kind] = []
    for word in words:
        if word == "}":
            break
        if word == "{":
            kinds.append(_parameters(words))
        elif word in _NUMBERS:
            kinds.append(word)
        else:
            names, _, items = word.lstrip("=").partition("x")
            dtypes = tuple(np.dtype(name) for name in names.split("|"))
            kinds.append(ArrayKind(dtypes, int(items or 1), word.startswith("=")))
    return tuple(kinds)


def _uint(value: Any) -> int:
    number = index(value)
    if not 0 <= number < 1 << 64:
        raise OverflowError("not an unsigned 64-bit integer")
    return number - (number >> 63 << 64)


def _float(value: Any) -> int:
    if not isinstance(value, float):
        raise TypeError("not a float")
    return int(struct.unpack("q", struct.pack("d", value))[0])


# Conversions of a number to a signed 64-bit integer.
_NUMBERS: Final[dict[str, Callable[[Any], int]]] = {"int": index, "uint": _uint, "float": _float}


# ---------------------------------------------------------------- calls


class BoundFunction:
    """A kernel function with its first arguments, for repeated calls with the remaining numbers by one thread.

    It keeps the arrays alive. Their address, shape and dtype must not change.
    """

    __slots__ = ("_address", "_arguments", "_function", "_later", "_spans", "_words", "name")

    def __init__(self, function: KernelFunction, arguments: tuple[Any, ...]) -> None:
        signature, given = function.signature, len(arguments)
        self.name, self._function, self._arguments = function.name, function.function, arguments
        # (first byte, byte after the last, whether it is written to) of each nonempty array.
        self._spans: list[tuple[int, int, bool]] = []
        self._words = words_of("q")
        if given > len(signature):
            raise TypeError(f"{self.name} needs {len(signature)} arguments, not {given}")
        self._pack(signature[:given], arguments)
        self._check_apart()
        # Index and conversion of each number that comes with the call.
        self._later = [(len(self._words) + i, _NUMBERS.get(str(kind))) for i, kind in enumerate(signature[given:])]
        if any(kind is None for _, kind in self._later):
            raise TypeError(f"{self.name}: only numbers can be passed later; bind {signature[given:]}")
        # At least one, since an empty array may have no address.
        self._words.extend([0] * (len(self._later) or 1))
        self._address = self._words.buffer_info()[0]

    def __call__(self, *numbers: float) -> int:
        later = self._later
        if len(numbers) != len(later):
            raise TypeError(f"{self.name} needs {len(later)} numbers, not {len(numbers)}")
        for (place, word_of), number in zip(later, numbers, strict=True):
            self._words[place] = word_of(number)  # type: ignore[misc]
        result = self._function(self._address)
        if result == _FAULT:
            raise KernelFault(f"{self.name}: {_text_of(library().knightstour_fault)}")
        return result

    def _pack(self, kinds: Signature, values: tuple[Any, ...]) -> None:
        """Raises TypeError for the wrong kind."""
        words = self._words
        for i, (kind, value) in enumerate(zip(kinds, values, strict=True)):
            if isinstance(kind, ArrayKind):
                if wrong := _fault_of(kind, value):
                    raise TypeError(f"{self.name}: {_place(values, i)} must be {kind}, {wrong}")
                address = _address_of(value)
                words.append(address)
                words.append(value.size)
                if len(kind.dtypes) > 1:
                    words.append(value.itemsize)
                if address:
                    self._spans.append((address, address + value.nbytes, not kind.is_read_only))
            elif isinstance(kind, str):
                try:
                    words.append(_NUMBERS[kind](value))
                except (TypeError, OverflowError) as error:
                    raise TypeError(f"{self.name}: {_place(values, i)} must be {kind}, {_not_but(value)}") from error
            elif isinstance(value, tuple) and len(value) == len(kind):
                self._pack(kind, value)
            else:
                raise TypeError(f"{self.name}: {_place(values, i)} must be a tuple of {len(kind)}, {_not_but(value)}")

    def _check_apart(self) -> None:
        end = end_of_written = 0
        for first, after, is_written in sorted(self._spans):
            if first < (end if is_written else end_of_written):
                raise TypeError(f"{self.name}: two arrays share memory, and one of them is written to")
            end = max(end, after)
            if is_written:
                end_of_written = max(end_of_written, after)


def _fault_of(kind: ArrayKind, value: Any) -> str:
    """Return the reason why a value does not fit a parameter, or ""."""
    if type(value) is not np.ndarray or value.dtype not in kind.dtypes:
        return _not_but(value)
    flags = value.flags
    # A single check for most arrays.
    if not flags.carray and not (flags.c_contiguous and flags.aligned and kind.is_read_only):
        return "contiguous and aligned" if flags.writeable or kind.is_read_only else "and this is read-only"
    if kind.items > 1 and value.size % kind.items:
        return f"but {value.size} is not a multiple of that"
    return ""


def _address_of(value: np.ndarray) -> int:
    if not value.size:
        return 0
    # `ctypes.data` takes three times as long.
    return ctypes.addressof(ctypes.c_char.from_buffer(value.data)) if value.flags.writeable else value.ctypes.data


def _not_but(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"not a {type(value).__name__} of {value.dtype} with shape {value.shape}"
    return f"not {value!r:.40}" if isinstance(value, (int, float)) else f"not a {type(value).__name__}"


def _place(values: tuple[Any, ...], i: int) -> str:
    """Return the name of an argument or field."""
    return str(getattr(values, "_fields", [f"argument {k}" for k in range(len(values))])[i])


class KernelFunction:
    """A function of the library, which is loaded at the first call."""

    def __init__(self, name: str) -> None:
        self.name = name

    @functools.cached_property
    def signature(self) -> Signature:
        """Parameters."""
        return parse_signature(_text_of(self._in_library("signature")))

    @functools.cached_property
    def function(self) -> Callable[[int], int]:
        """The function of the address of its words."""
        return _function(self._in_library("call"))

    def _in_library(self, what: str) -> Any:
        try:
            return getattr(library(), f"{self.name}_{what}")
        except AttributeError as error:
            raise LibraryError(f"the library of kernels has no {self.name}", help=_help()) from error

    def bind(self, *arguments: Any) -> BoundFunction:
        """Return the function with its first arguments bound, including all arrays. Raises TypeError."""
        return BoundFunction(self, arguments)

    def __call__(self, *arguments: Any) -> int:
        return BoundFunction(self, arguments)()


@functools.cache
def kernel_function(name: str) -> KernelFunction:
    """Return the function of the library with this name.

    >>> kernel_function("warnsdorff_step").signature[1]
    'int'
    """
    return KernelFunction(name)
