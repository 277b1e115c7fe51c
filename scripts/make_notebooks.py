"""Run the notebooks of docs/notebooks and store their outputs: python scripts/make_notebooks.py"""

import tempfile
from pathlib import Path

import nbclient
import nbformat

NOTEBOOKS = sorted((Path(__file__).parents[1] / "docs" / "notebooks").glob("*.ipynb"))
_WIDGET = "application/vnd.jupyter.widget-view+json"


def execute_notebook(path: Path) -> nbformat.NotebookNode:
    """Return the notebook with the outputs of a run in an empty folder.

    Widgets are omitted, since a file cannot show them. A cell that fails raises CellExecutionError.
    """
    book = nbformat.read(path, as_version=4)
    with tempfile.TemporaryDirectory() as folder:
        resources = {"metadata": {"path": folder}}
        nbclient.NotebookClient(book, timeout=1200, kernel_name="python3", resources=resources).execute()
    for cell in book.cells:
        cell.metadata = {}
        if cell.cell_type == "code":
            for output in cell.outputs:
                if _WIDGET in output.get("data", {}):
                    del output.data[_WIDGET]
                    if " object at 0x" in output.data["text/plain"]:
                        del output.data["text/plain"]
            cell.outputs = [output for output in cell.outputs if output.output_type == "stream" or output.data]
    book.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    return book


def main() -> None:
    """Write the notebooks with their outputs."""
    for path in NOTEBOOKS:
        nbformat.write(execute_notebook(path), path)
        print(f"written: {path.name}, {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
