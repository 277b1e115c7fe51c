"""Write instances for solvers to a folder: one file per graph, and an index of all answers."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable

from knightstour.core.formats.table import GRAPH_FORMATS, format_named
from knightstour.core.machine.files import open_target
from knightstour.lab.instances.instance import Instance

# File name of the index.
ANSWERS = "answers.jsonl"


def write_folder(folder: str, instances: Iterable[Instance], format: str) -> int:
    """Write graphs to the files 1.cnf, 2.cnf, ... of a folder, with an index, and return their number.

    Each line of the index, answers.jsonl, contains the file, the name, the answer and its reason. Formats with comments
    also contain the name and the answer.

    Raises:
        FormatError: If the format does not support these graphs.
        OSError: If a file cannot be written.
    """
    row = format_named(format).check_boards(GRAPH_FORMATS)
    assert row.write_board is not None
    os.makedirs(folder, exist_ok=True)
    titled = _TITLED.get(row.name, lambda instance, text: text)
    count = 0
    with open_target(os.path.join(folder, ANSWERS)) as index:
        for count, instance in enumerate(instances, 1):
            name = f"{count}{row.suffixes[0]}"
            with open_target(os.path.join(folder, name)) as file:
                file.write(titled(instance, "".join(map(str, row.write_board(instance.board)))).encode())
            index.write((json.dumps({"file": name, **instance.answer()}) + "\n").encode())
    return count


def _in_cnf(instance: Instance, text: str) -> str:
    word = "SATISFIABLE" if instance.is_hamiltonian else "UNSATISFIABLE"
    return f"c {instance.name}\nc {word}\n{text}"


def _in_dimacs(instance: Instance, text: str) -> str:
    return f"c {instance.name}\nc {_answer(instance)}\n{text}"


def _in_edges(instance: Instance, text: str) -> str:
    return f"# {instance.name}: {_answer(instance)}\n{text}"


def _in_hcp(instance: Instance, text: str) -> str:
    _, _, rest = text.partition("\n")
    return f"NAME : {instance.name}\nCOMMENT : {_answer(instance)}\n{rest}"


def _answer(instance: Instance) -> str:
    return "Hamiltonian" if instance.is_hamiltonian else "not Hamiltonian"


# For each format: a function that adds the name and the answer to the text of a file.
_TITLED: dict[str, Callable[[Instance, str], str]] = {
    "cnf": _in_cnf,
    "dimacs": _in_dimacs,
    "edges": _in_edges,
    "hcp": _in_hcp,
}
