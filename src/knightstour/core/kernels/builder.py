"""Build the library of kernels: all `*.cc` in this folder and below, compiled and linked to one file.

    python -m knightstour.core.kernels.builder [--target NAME] [--variant NAME] [--out FILE]

For this machine it uses $CXX, c++, g++ or clang++. Without a compiler, and for another machine (TARGETS), it uses the
package `ziglang`, which contains one. Flags in $CXXFLAGS are added. In a checkout the loader (core/machine/native.py)
rebuilds an outdated library. `pip install` builds through hatch_build.py, which imports only this file, so it imports
only the standard library.

Next to the library is its *stamp*, a line of text with the ABI version, the checksum of the sources, and the size of
the library, by which the loader verifies the library before loading it.
"""

from __future__ import annotations

import contextlib
import functools
import os
import re
import sys
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

# The loader imports this file, so modules that only a build needs are imported inside functions.

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[3]
EXTENSION = {"win32": ".dll", "darwin": ".dylib"}.get(sys.platform, ".so")
# The library of an installed package or of an editable installation.
LIBRARY = HERE / f"library{EXTENSION}"

_FLAGS = ["-std=c++17", "-fPIC", "-fvisibility=hidden", "-fno-exceptions", "-fno-rtti", "-Wall", "-Wextra"]
# Equal floating-point results on every processor, even with fused multiply-add.
_FLAGS += ["-ffp-contract=off"]
_FAST = ["-O2", "-fwrapv"]
# Sources that compile in 60 % of the time with -O1 and then run as fast, within a few percent.
COLD = {"counting/best.cc", "counting/classes.cc", "counting/corners.cc", "counting/uses.cc"}
_FOUND_BY_COMPILER = "signed-integer-overflow,shift,integer-divide-by-zero,bounds,builtin"
# x86_64_v2 for popcnt, without which counting takes 2.4 times as long; every processor since 2009 has it.
_X86 = ["-mpopcnt", "-msse4.2"]


class Variant(NamedTuple):
    """A form of the library for developers: flags to compile and to link."""

    compile: Sequence[str]
    link: Sequence[str] = ()


VARIANTS = {
    "plain": Variant(_FAST),
    # Checks indices and arithmetic: a fault becomes an error with its place (checked.cc).
    "checked": Variant(["-O1", "-DCHECKED", f"-fsanitize={_FOUND_BY_COMPILER}"]),
    "sanitized": Variant(
        ["-O1", "-g", "-fno-omit-frame-pointer", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"],
        ["-fsanitize=address,undefined"],
    ),
    "coverage": Variant(["-O0", "-g", "--coverage", "-fprofile-update=atomic"], ["--coverage"]),
}


class Target(NamedTuple):
    """Another machine: name and flags for zig, tag of the wheels, suffix of the library."""

    zig: Sequence[str]
    tag: str
    suffix: str


# For Pyodide 0.27, 0.28 and 0.29 (which has two names), and 314: one file runs in all of them.
_PYODIDE = "pyodide_2024_0_wasm32.pyodide_2025_0_wasm32.pyemscripten_2025_0_wasm32.pyemscripten_2026_0_wasm32"
_LINUX = "manylinux_2_17_{0}.manylinux2014_{0}.musllinux_1_1_{0}"
TARGETS = {
    "linux-x86_64": Target(["x86_64-linux-gnu.2.17", "-mcpu=x86_64_v2"], _LINUX.format("x86_64"), ".so"),
    "linux-aarch64": Target(["aarch64-linux-gnu.2.17"], _LINUX.format("aarch64"), ".so"),
    "macos-x86_64": Target(["x86_64-macos.11.0", "-mcpu=x86_64_v2"], "macosx_11_0_x86_64", ".dylib"),
    "macos-arm64": Target(["aarch64-macos.11.0"], "macosx_11_0_arm64", ".dylib"),
    "windows-x86_64": Target(["x86_64-windows-gnu", "-mcpu=x86_64_v2"], "win_amd64", ".dll"),
    "windows-arm64": Target(["aarch64-windows-gnu"], "win_arm64", ".dll"),
    "pyodide": Target(["wasm32-emscripten"], _PYODIDE, ".so"),
}


class CannotBuild(RuntimeError):
    """The compiler is missing or failed. The message gives the reason, `help` a solution."""

    def __init__(self, message: str, help: str = "") -> None:
        super().__init__(message)
        self.help = help


# ---------------------------------------------------------------- the sources and the library


@functools.cache
def version() -> str:
    """Return the version of a library of these sources: the ABI version, and the checksum of all C++ files."""
    checksum = 0
    for file in sorted([*_sources(), *HERE.rglob("*.h")]):
        checksum = zlib.crc32(f"{file.relative_to(HERE).as_posix()}\n".encode(), checksum)
        # Git may have changed the line ends.
        checksum = zlib.crc32(file.read_bytes().replace(b"\r\n", b"\n"), checksum)
    found = re.search(r"^constexpr i64 ABI = (\d+);$", (HERE / "abi.h").read_text(encoding="utf-8"), re.MULTILINE)
    assert found is not None
    return f"{found[1]} {checksum:08x}"


def _sources() -> list[Path]:
    return sorted(HERE.rglob("*.cc"))


def stamp_of(library: Path) -> Path:
    """Return the path of the stamp of a library, with the version, size and checksum."""
    return library.with_name(f"{library.name}.stamp")


def size_and_checksum(library: Path) -> str:
    """Return the size of a library and its checksum, which detect damage."""
    data = library.read_bytes()
    return f"{len(data)} {zlib.crc32(data):08x}"


def is_checkout() -> bool:
    """Return whether this is a checkout, where the library can be rebuilt."""
    return (ROOT / "hatch_build.py").is_file() and (ROOT / "src") in HERE.parents


def library_of(variant: str) -> Path:
    """Return the path of a variant of the library; only the plain one is inside the package."""
    return LIBRARY if variant == "plain" else ROOT / "build" / "kernels" / variant / LIBRARY.name


def is_current(library: Path) -> bool:
    """Return whether the library exists and matches the current sources."""
    try:
        words = stamp_of(library).read_text(encoding="ascii").split()
        return words == [*version().split(), *size_and_checksum(library).split()]
    except (OSError, ValueError):
        return False


# ---------------------------------------------------------------- compilers


def compiler() -> list[str]:
    """Return the compiler of this machine, or an empty list."""
    import shlex
    import shutil

    return shlex.split(os.environ.get("CXX", "")) or [*filter(shutil.which, ("c++", "g++", "clang++"))][:1]


def has_compiler() -> bool:
    """Return whether a compiler for C++ is available."""
    return bool(compiler()) or _has_zig()


def _has_zig() -> bool:
    import importlib.util

    return importlib.util.find_spec("ziglang") is not None


def _zig() -> list[str]:
    if not _has_zig():
        raise CannotBuild(
            "there is no C++ compiler", help="install g++ or clang++, or `pip install ziglang`, which is one"
        )
    return [sys.executable, "-m", "ziglang"]


def _this_machine() -> str:
    import sysconfig

    system, _, rest = sysconfig.get_platform().partition("-")
    machine = rest.rpartition("-")[2].replace("amd64", "x86_64")
    name = f"{ {'win': 'windows', 'macosx': 'macos'}.get(system, system) }-{machine}"
    if name not in TARGETS:
        raise CannotBuild(f"there is no target {name} for ziglang", help="install g++ or clang++")
    return name


class Commands(NamedTuple):
    """Commands to compile a source (the source, -o and the object are appended), and to link the objects."""

    compile: list[str]
    link: list[str]


def _commands(variant: Variant, target: str) -> Commands:
    import platform
    import shlex

    flags = [
        *_FLAGS,
        *variant.compile,
        f'-DSOURCES="{version().split()[1]}"',
        *shlex.split(os.environ.get("CXXFLAGS", "")),
    ]
    own = compiler()
    if own and not target:
        is_x86 = platform.machine() in ("x86_64", "AMD64")
        return Commands([*own, *(_X86 if is_x86 else []), *flags, "-c"], [*own, "-shared", *variant.link])
    zig = _zig()
    target = target or _this_machine()
    # Named explicitly, to avoid code for the local processor only. The first use without any library takes 0.1 s.
    named = ["-target", *TARGETS[target].zig, "-fno-sanitize=undefined"]
    if target == "pyodide":
        linked = [*zig, "wasm-ld", "-shared", "--experimental-pic", "--no-entry", "--strip-all"]
        return Commands([*zig, "c++", *named, *flags, "-c"], linked)
    linked = [*zig, "c++", *named, "-shared", "-nostdlib", *variant.link]
    if target.startswith("windows"):  # no entry point is needed; compilers call memset, which is in Windows
        flags.remove("-fPIC")
        linked += ["-Wl,--no-entry", "-lucrtbase"]
    elif target.startswith("macos"):  # instead of the path on this machine
        linked.append("-Wl,-install_name,@rpath/library.dylib")
    if not variant.link and "-g" not in variant.compile:
        linked.append("-s")
    return Commands([*zig, "c++", *named, *flags, "-c"], linked)


# ---------------------------------------------------------------- building


def build(library: Path = LIBRARY, *, variant: str = "plain", target: str = "") -> Path:
    """Build the library unconditionally.

    The file is replaced atomically, since other processes may load it meanwhile. Raises CannotBuild.
    """
    import tempfile
    from concurrent.futures import ThreadPoolExecutor

    commands = _commands(VARIANTS[variant], target)
    library = library.absolute()
    library.parent.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory(dir=library.parent, prefix=".building-") as folder,
        ThreadPoolExecutor(os.cpu_count()) as pool,
    ):
        # The coverage data refers to the paths of the objects.
        objects_in = library.parent if variant == "coverage" else Path(folder)
        names = [file.relative_to(HERE).as_posix() for file in _sources()]
        objects = [objects_in / f"{name.removesuffix('.cc').replace('/', '-')}.o" for name in names]
        made = Path(folder) / library.name
        # Relative to the root of the checkout, for messages.
        named = [str(file.relative_to(ROOT)) for file in _sources()]
        cold = ["-O1" if flag == "-O2" else flag for flag in commands.compile]
        compiles = [cold if name in COLD else commands.compile for name in names]
        jobs = zip(compiles, named, map(str, objects), strict=True)
        for warnings in pool.map(_run, ([*words, source, "-o", object] for words, source, object in jobs)):
            print(warnings, end="", file=sys.stderr)
        _run([*commands.link, *map(str, objects), "-o", str(made)])
        stamp = Path(folder) / "stamp"
        stamp.write_text(f"{version()} {size_and_checksum(made)}\n", encoding="ascii")
        # The stamp is last: a stamp that does not match the library triggers a new build.
        os.replace(made, library)
        os.replace(stamp, stamp_of(library))
    return library


def _run(command: list[str]) -> str:
    """Return the output; raise CannotBuild with its start if the command fails."""
    import shlex
    import subprocess

    try:
        done = subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace", cwd=ROOT)
    except OSError as error:
        raise CannotBuild(f"the C++ compiler cannot be run: {error}", help="name another one by CXX=...") from error
    if done.returncode:
        lines = (done.stderr + done.stdout).splitlines()
        first = next((line for line in lines if "error" in line.lower()), lines[0] if lines else "no output")
        raise CannotBuild(
            f"the kernels in C++ do not compile: {first}", help=f"see what this prints: {shlex.join(command)}"
        )
    return done.stderr + done.stdout


def bring_up_to_date(library: Path, variant: str) -> None:
    """Build the library if it is outdated; only one of several processes builds."""
    version.cache_clear()
    if is_current(library):
        return
    try:
        library.parent.mkdir(parents=True, exist_ok=True)
        with _lock_file(library.with_name(f"{library.name}.lock")):
            if not is_current(library):
                build(library, variant=variant)
    except OSError as error:
        raise CannotBuild(
            f"the kernels in C++ cannot be written: {error}", help="see that the checkout can be written to"
        ) from error


@contextlib.contextmanager
def _lock_file(path: Path) -> Iterator[None]:
    """Lock a path exclusively within the block, if locks are supported."""
    with open(path, "ab") as file:
        with contextlib.suppress(ImportError, OSError):
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def main() -> None:
    """Build the variant that the command line requests."""
    import argparse

    parser = argparse.ArgumentParser(
        prog="python -m knightstour.core.kernels.builder", description="Build the kernels in C++."
    )
    parser.add_argument("--target", choices=TARGETS, default="", help="another machine (default: this one)")
    parser.add_argument("--variant", choices=VARIANTS, default="plain", help="for developers (default: plain)")
    parser.add_argument("--out", type=Path, help="output file (default: the path from which it is loaded)")
    words = parser.parse_args()
    try:
        print(build(words.out or library_of(words.variant), variant=words.variant, target=words.target))
    except CannotBuild as error:
        sys.exit(f"error: {error}\nhelp: {error.help}")


if __name__ == "__main__":
    main()
