"""The notebooks of docs/notebooks run from top to bottom, and are kept without what they print."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))


def test_there_are_notebooks() -> None:
    assert {notebook.stem for notebook in NOTEBOOKS} >= {"learning", "oeis"}


@pytest.mark.long
@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda notebook: notebook.stem)
# What Jupyter warns of is not ours.
@pytest.mark.filterwarnings("default")
def test_a_notebook_runs(notebook: Path, tmp_path: Path) -> None:
    import nbclient
    import nbformat

    book = nbformat.read(notebook, as_version=4)
    cells = [cell for cell in book.cells if cell.cell_type == "code"]
    assert not any(cell.outputs or cell.execution_count for cell in cells)
    # A cell that fails raises CellExecutionError with its traceback.
    nbclient.NotebookClient(
        book, timeout=1200, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}
    ).execute()
    shown = [output for cell in cells for output in cell.outputs]
    assert len(cells) > 5 and not any(output.output_type == "error" for output in shown)
    assert any(output.output_type in ("execute_result", "stream") for output in shown)
