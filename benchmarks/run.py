"""Run every benchmark and write benchmarks/RESULTS.md: python benchmarks/run.py [NAME ...]

Each other file of this folder prints Markdown or plain text on stdout. Times are process CPU time, medians of several
runs; what is worth comparing is the ratio to the yardstick that ran beside, not the seconds of this machine that day.
"""

import os
import platform
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent


def machine() -> str:
    """The machine, named."""
    model = "unknown processor"
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        models = [line.split(":", 1)[1].strip() for line in cpuinfo.read_text().splitlines() if "model name" in line]
        model = models[0] if models else model
    return f"{model}, {os.cpu_count()} cores, Python {platform.python_version()}, {platform.system()}"


def main() -> None:
    """Run the benchmarks named, or all, and write the page."""
    names = sys.argv[1:] or sorted(path.stem for path in HERE.glob("*.py") if path.stem != "run")
    parts = [f"# Measured\n\nBy `make bench` on: {machine()}.\n"]
    for name in names:
        print(f"running {name} ...", file=sys.stderr)
        done = subprocess.run([sys.executable, str(HERE / f"{name}.py")], stdout=subprocess.PIPE, text=True, check=True)
        # A benchmark prints Markdown, which begins with a heading, or plain text.
        is_markdown = done.stdout.startswith("#")
        parts.append(done.stdout if is_markdown else f"## {name.replace('_', ' ')}\n\n```\n{done.stdout}```\n")
    target = HERE / "RESULTS.md"
    partial = target.with_suffix(".part")
    partial.write_text("\n".join(parts), encoding="utf-8")
    partial.replace(target)
    print(f"written: {target}", file=sys.stderr)


if __name__ == "__main__":
    main()
