"""Paths of files: a file that cannot be opened or written raises an OSError with its name."""

import errno
import io
import os
from pathlib import Path
from typing import Any

import pytest

import knightstour as kt
from helpers.command_line import Run
from knightstour.core.model.errors import FormatError, ProblemError
from knightstour.lab.instances.folder import write_folder

TOUR = kt.find_tour("5x6", closed=True, seed=1)
PUZZLE = kt.make_puzzle("3x4", seed=1)

READ = {
    "read_tours": kt.read_tours,
    "read_boards": lambda path: list(kt.read_boards(path)),
    "Board": kt.Board,
    "Board.from_file": kt.Board.from_file,
    "Board.from_image": kt.Board.from_image,
    "Puzzle.from_file": kt.Puzzle.from_file,
    "read_puzzles": kt.puzzles.read_puzzles,
    "check": kt.check,
    "verify": kt.certificates.verify,
    "read_dataset": kt.datasets.read_dataset,
    "check_dataset": kt.datasets.check_dataset,
    "TourSpace.open": kt.TourSpace.open,
}
WRITE = {
    "t.txt": lambda path: kt.write_tours(path, TOUR),
    "tour.svg": TOUR.save,
    "b.graph6": kt.Board(3, 4).save,
    "b.svg": kt.Board(3, 4).save,
    "p.json": PUZZLE.save,
    "p.jsonl": lambda path: kt.puzzles.write_puzzles(path, [PUZZLE]),
    "picture.svg": kt.draw(TOUR).save,
    "c.csv": lambda path: kt.census("3x4", by="turns").save(path),
    "c.json": kt.solve("4x4").certificate().write,
    "it.npy": lambda path: kt.constructions.stream_tour(kt.constructions.implicit_tour((8, 8)), path),
    "it.space": kt.TourSpace((3, 4)).save,
    "build.space": lambda path: kt.TourSpace.build("3x4", path=path),
    "made.space": lambda path: kt.TourSpace("3x4", path=path),
}
# Folders, which are created.
FOLDERS = {
    "count": lambda path: kt.count("6x6", closed=True, checkpoint=path),
    "sequences.check": lambda path: kt.sequences.check("A001230", checkpoint=path),
    "sample_dataset": lambda path: kt.datasets.sample_dataset(path, "5x6", 3),
    "write_folder": lambda path: write_folder(path, [], "hcp"),
}
ALL: dict[str, Any] = READ | WRITE | FOLDERS


@pytest.mark.parametrize("name", READ)
def test_missing_file_raises_file_not_found(name: str, tmp_path: Path) -> None:
    path = tmp_path / "missing.svg"
    with pytest.raises(FileNotFoundError) as caught:
        READ[name](path)
    assert Path(caught.value.filename) == path and caught.value.errno == errno.ENOENT


@pytest.mark.parametrize("name", [*WRITE, *FOLDERS])
def test_file_in_place_of_a_folder_raises_oserror(name: str, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    path = tmp_path / "file" / name
    with pytest.raises(NotADirectoryError) as caught:
        ALL[name](path)
    assert Path(caught.value.filename) == path


@pytest.mark.parametrize("name", WRITE)
def test_missing_and_wrong_folders_are_named(name: str, tmp_path: Path) -> None:
    path = tmp_path / "nowhere" / name
    with pytest.raises(FileNotFoundError, match="there is no directory") as caught:
        WRITE[name](path)
    assert Path(caught.value.filename) == path
    (tmp_path / name).mkdir()
    with pytest.raises(OSError) as wrong:
        WRITE[name](tmp_path / name)
    assert Path(wrong.value.filename) == tmp_path / name


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="the superuser may read and write all files"
)
@pytest.mark.parametrize("name", [*READ, *WRITE])
def test_forbidden_file_raises_permission_error(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.touch(mode=0)
    tmp_path.chmod(0o500)
    with pytest.raises(PermissionError):
        ALL[name](path)
    tmp_path.chmod(0o700)


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize(
    ("path", "error"),
    # A FormatError: the suffix selects no format.
    [
        ("", (FileNotFoundError, FormatError)),
        ("a\0b", (ProblemError, FormatError)),
        (5, TypeError),
        (None, TypeError),
        (object(), TypeError),
    ],
    ids=["empty", "NUL", "int", "None", "object"],
)
def test_value_that_is_not_a_path_is_refused(name: str, path: Any, error: type[Exception]) -> None:
    if name in ("count", "sequences.check", "made.space") and path is None:
        return  # no checkpoint, and no file
    if (name == "Board" and not hasattr(path, "read")) or name == "write_folder":
        return  # a size or a word, not a path; a function of the command line
    with pytest.raises(error):
        ALL[name](path)


@pytest.mark.parametrize("file", ["folder", "missing.txt"])
@pytest.mark.parametrize("command", ["check", "measure", "draw", "convert", "rank", "puzzle check", "puzzle solve"])
def test_command_line_prints_one_line(command: str, file: str, tmp_path: Path, run: Run) -> None:
    (tmp_path / "folder").mkdir()
    code, out, err = run(*command.split(), str(tmp_path / file))
    assert (code, out) == (2, "") and err.startswith(f"error: {tmp_path / file}: "), err
    assert err.count("error:") == 1 and "Traceback" not in err


def test_stream_without_a_name_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken(io.StringIO):
        def read(self, *_: object) -> str:
            raise OSError(errno.EIO, "Input/output error")

    with pytest.raises(OSError, match="Input/output") as caught:
        kt.read_tours(Broken())
    assert caught.value.filename is None
