"""Running processes, for tests that start and kill some."""

from pathlib import Path


def running() -> dict[int, int]:
    """Return the parent of each running process, by process id."""
    found = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, parent = stat.read_text().rpartition(")")[2].split()[:2]
        except OSError:
            continue
        if state != "Z":
            found[int(stat.parent.name)] = int(parent)
    return found


def children(of: int) -> list[int]:
    return [process for process, parent in running().items() if parent == of]
