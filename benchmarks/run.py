"""Run every benchmark and write benchmarks/RESULTS.md: python benchmarks/run.py [NAME ...]

Each other file of this folder prints Markdown or plain text on stdout. Times are process CPU time, medians of several
runs; what is worth comparing is the ratio to the yardstick that ran beside, not the seconds of this machine that day.
The page is written after each of them; what is not run again, or fails, keeps its part of the page.
"""

import os
import platform
import re
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


TARGET = HERE / "RESULTS.md"
# Before the part of each benchmark on the page.
_MARK = re.compile(r"^<!-- (\w+) -->\n", re.MULTILINE)


def parts_of_page() -> dict[str, str]:
    """The page as it is: the text of each benchmark, by name."""
    if not TARGET.exists():
        return {}
    _, *pieces = _MARK.split(TARGET.read_text(encoding="utf-8"))
    return dict(zip(pieces[::2], pieces[1::2], strict=True))


def write_page(parts: dict[str, str]) -> None:
    """All parts, in the order of their names."""
    texts = [f"<!-- {name} -->\n{parts[name].strip()}\n" for name in sorted(parts)]
    partial = TARGET.with_suffix(".part")
    partial.write_text("\n".join([f"# Measured\n\nBy `make bench` on: {machine()}.\n", *texts]), encoding="utf-8")
    partial.replace(TARGET)


def main() -> int:
    """Run the benchmarks named, or all, and write the page. Returns how many failed."""
    known = sorted(path.stem for path in HERE.glob("*.py") if path.stem not in ("run", "measure"))
    parts = {name: text for name, text in parts_of_page().items() if name in known}
    failed = 0
    for name in sys.argv[1:] or known:
        print(f"running {name} ...", file=sys.stderr)
        done = subprocess.run(
            [sys.executable, str(HERE / f"{name}.py")], stdout=subprocess.PIPE, text=True, check=False
        )
        if done.returncode != 0:
            print(f"{name} failed; its part of the page stays as it was", file=sys.stderr)
            failed += 1
            continue
        # A benchmark prints Markdown, which begins with a heading, or plain text.
        is_markdown = done.stdout.startswith("#")
        parts[name] = done.stdout if is_markdown else f"## {name.replace('_', ' ')}\n\n```\n{done.stdout}```\n"
        write_page(parts)
    print(f"written: {TARGET}", file=sys.stderr)
    return failed


if __name__ == "__main__":
    sys.exit(main())
