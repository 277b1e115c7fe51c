"""Tests that code checks for features before it uses them, and that text has one encoding on all systems.

Nothing here runs on Windows or macOS; these tests read the source.
"""

import ast
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

# Modules of the standard library that Windows does not have.
UNIX_MODULES = {"fcntl", "grp", "posix", "pty", "pwd", "readline", "resource", "syslog", "termios", "tty"}
# Names that `os` and `signal` lack there.
UNIX_NAMES = {
    "os": {
        *("fork", "forkpty", "getegid", "geteuid", "getgid", "getloadavg", "getpgid", "getpgrp", "getpriority"),
        *("getuid", "killpg", "mkfifo", "nice", "register_at_fork", "sched_getaffinity", "setpgid", "setsid"),
        *("statvfs", "sysconf", "tcgetpgrp", "uname", "wait", "wait4", "O_NOCTTY", "O_NOFOLLOW", "O_DIRECTORY"),
    },
    "signal": {
        *("SIGALRM", "SIGCHLD", "SIGCONT", "SIGHUP", "SIGKILL", "SIGPIPE", "SIGSTOP", "SIGTSTP", "SIGUSR1"),
        *("SIGUSR2", "alarm", "pthread_kill", "pthread_sigmask", "setitimer", "siginterrupt", "sigwait"),
        "ITIMER_REAL",
    },
}


def texts_in(*places: str) -> dict[Path, str]:
    """Return all Python files in these folders."""
    files = [path for place in places for path in sorted((ROOT / place).rglob("*.py"))]
    return {path: path.read_text(encoding="utf-8") for path in files}


def parents_in(tree: ast.AST) -> dict[ast.AST, ast.AST]:
    return {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}


def around(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> Iterator[ast.AST]:
    while node in parents:
        node = parents[node]
        yield node


def heeds(node: ast.AST, parents: dict[ast.AST, ast.AST], errors: set[str]) -> bool:
    """Whether a missing feature is caught around a node, or tested in a function or module around it."""
    for outer in around(node, parents):
        if isinstance(outer, ast.Try):
            caught = {name.id for handler in outer.handlers for name in ast.walk(handler) if isinstance(name, ast.Name)}
            if caught & errors:
                return True
        if isinstance(outer, ast.With):
            if errors & {name.id for item in outer.items for name in ast.walk(item) if isinstance(name, ast.Name)}:
                return True
        if isinstance(outer, ast.If | ast.IfExp | ast.ClassDef | ast.FunctionDef):
            for asked in ast.walk(outer):
                if isinstance(asked, ast.Call) and ast.unparse(asked.func) in ("hasattr", "getattr", "find_spec"):
                    return True
                if isinstance(asked, ast.Name) and asked.id == "HAS_KEYS":
                    return True
    return False


def modules_of(node: ast.AST) -> set[str]:
    """Return the modules that a statement imports."""
    if isinstance(node, ast.ImportFrom):
        return {node.module or ""} if not node.level else set()
    return {alias.name for alias in node.names} if isinstance(node, ast.Import) else set()


@pytest.mark.long
def test_optional_system_features_are_detected() -> None:
    wrong = []
    words = re.compile("|".join(rf"\b{name}\b" for name in set.union(UNIX_MODULES, *UNIX_NAMES.values())))
    for path, text in texts_in("src").items():
        if not words.search(text):
            continue
        tree = ast.parse(text)
        parents = parents_in(tree)
        for node in ast.walk(tree):
            if UNIX_MODULES & modules_of(node) and not heeds(node, parents, {"ImportError"}):
                wrong.append(f"{path}:{node.lineno}: {ast.unparse(node)}")
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                is_missing = node.attr in UNIX_NAMES.get(node.value.id, ())
                if is_missing and not heeds(node, parents, {"AttributeError", "ImportError"}):
                    wrong.append(f"{path}:{node.lineno}: {ast.unparse(node)}")
    assert not wrong, "\n".join(wrong)


def test_package_never_tests_the_system_name() -> None:
    # Where caches belong is a custom of each system, and no feature; a library of C++ is built for one system.
    allowed = {"lab/counting/spaces/file.py", "core/kernels/builder.py"}
    wrong = []
    for path, text in texts_in("src").items():
        if path.relative_to(ROOT / "src/knightstour").as_posix() not in allowed:
            wrong += [f"{path}: {word}" for word in ("sys.platform", "os.name", "platform.system(") if word in text]
    assert not wrong, "\n".join(wrong)


def text_without_encoding(tree: ast.AST) -> Iterator[ast.Call]:
    """Yield calls that read or write text in the system's encoding."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or any(word.arg in ("encoding", None) for word in node.keywords):
            continue
        name = ast.unparse(node.func)
        last = name.rpartition(".")[2]
        if name == "formatter.write_text":  # click writes a paragraph of help
            continue
        if last in ("read_text", "write_text") and len(node.args) < (1 if last == "read_text" else 2):
            yield node
        elif name in ("open", "io.open", "os.fdopen", "NamedTemporaryFile", "tempfile.NamedTemporaryFile"):
            modes = [*node.args[1:2], *(word.value for word in node.keywords if word.arg == "mode")]
            if last == "NamedTemporaryFile" and not modes:
                continue
            if not any(isinstance(mode, ast.Constant) and "b" in str(mode.value) for mode in modes):
                yield node
        elif last in ("run", "Popen", "check_output") and any(
            word.arg in ("text", "universal_newlines") for word in node.keywords
        ):
            yield node


@pytest.mark.long
def test_text_has_an_encoding() -> None:
    wrong = [
        f"{path}:{call.lineno}: {ast.unparse(call)[:100]}"
        for path, text in texts_in("src", "scripts").items()
        if re.search(r"\b(read_text|write_text|open|NamedTemporaryFile|run|Popen|check_output)\(", text)
        for call in text_without_encoding(ast.parse(text))
    ]
    assert not wrong, "\n".join(wrong)


def test_search_for_system_specific_features_finds_them() -> None:
    known = {"os": os, "signal": signal}
    if sys.platform == "linux":
        assert not [name for module, names in UNIX_NAMES.items() for name in names if not hasattr(known[module], name)]
    bad = "def f():\n    import fcntl\n    os.fork()\n    open('x')\n    Path('x').read_text()\n    run(text=True)"
    tree = ast.parse(bad)
    assert len(list(text_without_encoding(tree))) == 3
    parents = parents_in(tree)
    found = [node for node in ast.walk(tree) if isinstance(node, ast.Import)]
    assert len(found) == 1 and not heeds(found[0], parents, {"ImportError"})


# By default one of each; all of them are long tests.
_BY_DEFAULT = {("facts", "cp1252")}


@pytest.mark.parametrize(
    ("words", "encoding"),
    [
        pytest.param(words, encoding, marks=() if (words[0], encoding) in _BY_DEFAULT else pytest.mark.long)
        for words in (["solve", "6x6", "--closed", "--seed", "1"], ["facts", "4x4"], ["explain"])
        for encoding in ("cp1252", "ascii", "")
    ],
)
def test_no_answer_fails_for_a_code_page(words: list[str], encoding: str) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0", "LC_ALL": "C"}
    run = subprocess.run([sys.executable, "-m", "knightstour", *words], capture_output=True, env=environment)
    assert run.returncode in (0, 1) and not run.stderr
    # Without a wish it is UTF-8, as it is in files.
    assert run.stdout.decode(encoding or "utf-8").strip()


@pytest.mark.long
def test_text_picture_can_be_written_to_any_file(tmp_path: Path) -> None:
    """A redirected console of Windows has a code page."""
    environment = {**os.environ, "PYTHONUTF8": "0", "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0"}
    environment.pop("PYTHONIOENCODING", None)
    words = ["solve", "6x6", "--closed", "--seed", "1", "--format", "grid"]
    for name, more in (("redirected", []), ("named", ["-o", str(tmp_path / "named")])):
        command = [sys.executable, "-m", "knightstour", *words, *more]
        with open(tmp_path / f"{name}.out", "wb") as file:
            subprocess.run(command, stdout=file, check=True, env=environment)
    assert (tmp_path / "redirected.out").read_bytes() == (tmp_path / "named").read_bytes()
