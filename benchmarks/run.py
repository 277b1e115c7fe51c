"""Measure commands, and write benchmarks/figures.json: python benchmarks/run.py [WORD ...]

Each row of questions.py is a process. The figures are the median of its processor seconds, including child processes,
and its peak memory. With words, only rows whose key contains a word are measured; other rows, and rows of missing
programs, keep their figures. PEERS_PYTHON is a Python with the libraries of the other programs: pip install graphillion
ortools python-sat. `make docs` writes the figures into the pages.
"""

import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from datetime import datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from questions import LIBRARIES, ROWS, START, Row, prepare_row

TARGET = Path(__file__).parent / "figures.json"


def machine() -> str:
    """Return the name of the machine."""
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text().splitlines() if cpuinfo.exists() else []
    models = [line.split(":", 1)[1].strip() for line in lines if "model name" in line]
    return f"{models[0] if models else 'unknown processor'}, {os.cpu_count()} cores, {platform.system()}"


def versions(python: str) -> dict[str, str]:
    """Return the versions of all measured programs."""
    found = {"Python": platform.python_version(), **{name: version(name) for name in ("knightstour", "numpy")}}
    for name in LIBRARIES.values():
        package = {"pysat": "python-sat"}.get(name, name)
        asked = f"from importlib.metadata import version; print(version({package!r}))"
        done = subprocess.run([python, "-c", asked], capture_output=True, text=True, check=False)
        if done.returncode == 0:
            found[package] = done.stdout.strip()
    for compiler, words in (("g++", ["-dumpfullversion"]), ("javac", ["-version"])):
        if shutil.which(compiler):
            done = subprocess.run([compiler, *words], capture_output=True, text=True, check=False)
            found[compiler] = done.stdout.split()[-1]
    return found


def one_run(words: Sequence[str]) -> tuple[float, float]:
    """Return processor seconds and megabytes of one process."""
    # Bytecode of Python is kept, as for a user.
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    process = subprocess.Popen(words, env=kept, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    # Exit code 1 is the result that there is no such tour.
    if process.returncode not in (0, 1):
        raise RuntimeError(f"exit code {process.returncode}: {' '.join(words)}")
    return used.ru_utime + used.ru_stime, used.ru_maxrss * (1 if sys.platform == "darwin" else 1024) / 1e6


def measure_row(row: Row, words: Sequence[str]) -> dict[str, Any]:
    """Return the figures of a row. A fast row first runs once without measurement, since it may compile."""
    runs = []
    for _ in range(row.runs + (row.runs > 1)):
        if row.command.endswith("-o tours/"):  # else the data set would be continued
            shutil.rmtree("tours", ignore_errors=True)
        runs.append(one_run(words))
    runs = runs[-row.runs :]
    seconds = statistics.median(cpu for cpu, _ in runs)
    return {
        "command": row.command,
        "seconds": round(seconds, 4),
        "megabytes": round(max(memory for _, memory in runs)),
        "runs": row.runs,
        "month": f"{datetime.now():%Y-%m}",
    }


def main() -> int:
    """Measure, and write the file after each row. Return the number of rows that could not be measured."""
    python = os.environ.get("PEERS_PYTHON", sys.executable)
    old: dict[str, Any] = json.loads(TARGET.read_text(encoding="utf-8")) if TARGET.exists() else {}
    known: dict[str, Any] = {row.key: old["rows"][row.key] for row in ROWS if row.key in old.get("rows", {})}
    missing = 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for row in ROWS:
            if sys.argv[1:] and not any(word in row.key for word in sys.argv[1:]):
                continue
            words = prepare_row(row, python)
            if not words:
                print(f"{row.key}: not installed", file=sys.stderr)
                missing += 1
                continue
            known[row.key] = measure_row(row, words)
            print(f"{row.key}: {known[row.key]['seconds']} s, {known[row.key]['megabytes']} MB", file=sys.stderr)
            start = known[START.key]["seconds"]
            for figures in known.values():
                figures["times_start"] = round(figures["seconds"] / start, 2)
            rows = {row.key: known[row.key] for row in ROWS if row.key in known}
            page = {"machine": machine(), "versions": {**old.get("versions", {}), **versions(python)}, "rows": rows}
            TARGET.write_text(json.dumps(page, indent=1) + "\n", encoding="utf-8")
    return missing


if __name__ == "__main__":
    sys.exit(main())
