"""Tests of usage errors: one row per error, with exit code 2 and no file."""

import io
import re
import shlex
from pathlib import Path

import click
import pytest

import knightstour as kt
from knightstour.interfaces.cli import app

# Command and error; " ... " matches any words. BIG is a side of 31 digits.
REFUSED = {
    # What is typed
    "solve -3x5": "unknown option",
    "solve 8x8 -5": "unknown option",
    "unrank 6x6 --closed -- -1": "-1",
    "unrank 5x6 9 --closed": "there are 8 closed tours of the 5x6 board",
    "solve 8x": "not a board",
    "solve nowhere/board.txt": "no board file",
    "solve BIG": "bytes ... implicit_tour",
    "solve BIG --json": "bytes ... help: in Python implicit_tour",
    "solve BIG:2,3": "bytes ... only plain rectangles",
    "solve 8x8:sphere": "unknown part of a board: 'sphere'",
    "solve 8x8 --format doc": "unknown format ... grid",
    "solve 8x8 --method warnsdorff --set ties=coin": "coin",
    "solve 8x8 --method merge --set randomness=7": "7",
    "solve 8x8 --method backtracking --set move_order=11111111": "order",
    "solve 8x8 --method backtracking --set prune=nothing": "nothing",
    "solve 8x8 --method warnsdorff --set ties": "write --set ties=VALUE",
    "solve 8x8 --set ties=first": "no option ... warnsdorff",
    "solve 8x8 --timeout 0": "timeout must be above 0",
    "solve 8x8 -o /nonexistent-folder/t.txt": "t.txt: there is no directory",
    "solve 8x8 --no-such-option": "unknown option",
    "frobnicate": "unknown command 'frobnicate'\nhelp: knightstour --help",
    "8 8": "help: knightstour solve 8x8",
    "check /nonexistent.txt": "error: /nonexistent.txt: No such file or directory",
    "measure ''": "the path is empty",
    "oeis find 5x5 --symmetry nope": "no symmetry 'nope'\nnote: its symmetries: 180, vertical",
    # Typing errors: the likely intention is suggested
    "solve 8x8 --method warnsdorf": "; did you mean 'warnsdorff'?\nhelp: ",
    "explain warnsdorf": "; did you mean 'warnsdorff'?\nhelp: ",
    "solve 8x8 --method warnsdorff --set ties=poll": "; did you mean 'pohl'?\nhelp: ",
    "solve 8x8 --format algebraicc": "; did you mean 'algebraic'?\nhelp: ",
    "solve 8x8 -o t.sgv": "; did you mean '.svg'?\nhelp: ",
    "solve 8x8 -o t.svg --style currve": "; did you mean 'curve'?\nhelp: ",
    "draw 8x8 -o t.svg --colors path=blu": "; did you mean 'blue'?\nhelp: ",
    "draw 8x8 -o t.svg --colors pth=blue": "; did you mean 'path'?\nhelp: ",
    "draw 8x8 -o t.svg --theme drak": "; did you mean 'dark'?\nhelp: ",
    "solve 8x8 --set tie=pohl": "; did you mean 'ties'?\nhelp: ",
    "solve 8x8:torrus": "; did you mean 'torus'?\nhelp: ",
    "sample 8x8 --distribution uniforn": "; did you mean 'uniform'?\nhelp: ",
    "census 5x6 --closed --by crosings": "; did you mean 'crossings'?\nhelp: ",
    "puzzle 6x6 --level esay": "; did you mean 'easy'?\nhelp: ",
    "solve hex:6:kng": "; did you mean 'king'?\nhelp: ",
    # Unknown words: advice is given
    "solve 4x4x": "not a board: '4x4x'\nhelp: write boxes as 4x4x4, hexagons as hex:6; here 4x4x4?",
    "count hex6": "not a board: 'hex6'\nhelp: write boxes as 4x4x4, hexagons as hex:6; here hex:6?",
    "solve 8x8 --method xyz": "unknown method 'xyz'\nhelp: one of auto, ",
    "solve 8x8 -o t.parquet": "t.parquet: unknown suffix '.parquet'\nhelp: for text, end it in .txt ",
    "solve 8x8 -o no/t.svg": "there is no directory 'no'",
    "solve .": "'.' is a directory",
    "solve 8 8": "unexpected extra argument (8)\nhelp: write a board as one word, 8x8",
    "solve 5x5 --start 1 1": "unexpected extra argument (1)\nhelp: knightstour solve --help",
    "convert a.txt b.json": "help: to write that file: -o b.json",
    "facts 8x8 b.json": "unexpected extra argument (b.json)",
    "convert t.json -o t.json": "the command would overwrite its own input",
    "puzzle 30x30": "puzzles are created on boards of up to 256 squares, but the 30x30 board has 900",
    # Options that would change nothing
    "check t.json --workers 2": "only the check of a data set uses workers",
    "draw t.json --fps 3": "a terminal does not support --fps",
    "draw t.json --per-row 3": "a terminal does not support --per-row",
    "draw t.json -o t.gif --per-row 2": "a .gif shows one tour, not rows",
    "draw 6x6 6x6": "only a file of tours supports a second argument",
    "sample 6x6 --part-tours 0": "--part-tours requires a data set",
    "sample 6x6 --json --format grid": "--json and --format cannot be combined",
    "solve 6x6 --json --format csv": "--json and --format cannot be combined",
    "count 5x6 --checkpoint ''": "the name of a directory",
    "solve 2001x2001 --set ties=first -o x.npy": "has no option 'ties'",
    # One step of a tour
    # Conditions
    "solve 8x8 --forbid a1": "forbid: 'a1' is not a move",
    "solve 99999999999x9 --forbid a1-b3": "forbid is for boards of up to",
    "solve 99999999999x8 --symmetry 180": "symmetry is for boards of up to",
    # Zero
    # Watching
    "solve 101x101 --watch": "a board of 10,201 squares cannot be watched",
    # Graphs
    "solve csv:house.txt": "the format csv supports tours, not boards",
    "solve nonsense:house.txt": "unknown format 'nonsense'",
    "solve graph6:house.txt": "house.txt:1",
    "solve edges:house.txt:torus": "a graph has no leaper, wrap or holes",
    "facts dimacs:-": "a line begins with p, e or c",
    "solve 8x8:directed": "only a graph in a file can be directed",
    "solve drawn.txt:directed": "the file is not a graph, so it cannot be directed",
    "examples petersen:n=5..": "invalid parameter of a family: 'n=5..'",
    "examples petersen:5": "invalid parameter of a family: '5'",
    "examples petersen:n=5,n=6": "n is given twice",
    "examples petersen:n=9..5": "the range 9..5 of n is empty",
    "examples flowers:n=5": "did you mean 'flower'?",
    "examples flower:n=8": "n must be odd, not 8",
    "enumerate two.g6": "several graphs ... `solve`, `count` and `facts`",
    "solve two.g6 -o x.json": "each gets one line",
    "solve two.g6 --format tour": "each gets one line",
    "solve two.g6 -n 2": "each gets one line",
    "solve two.g6 --proof x.json": "each gets one line",
    "solve two.g6 --why": "each gets one line",
    "solve two.g6 --watch": "each gets one line",
    "solve two.g6 --style line": "each gets one line",
    "census two.g6 --by symmetry": "several graphs ... `solve`, `count` and `facts`",
    "count two.g6 --proof x.json": "each gets one line",
    "count two.g6 --checkpoint x": "each gets one line",
    "count two.g6 --plan": "each gets one line",
    # Files of tours
    "solve 5x5 -o x.hcp": "holds the graph of a board, and no tour",
    "sample 5x5 -n 2 --format graph6": "holds the graph of a board, and no tour",
    "enumerate 5x6 -n 1 -o x.hcp": "holds the graph of a board, and no tour",
    "convert t.json --format hcp": "convert BOARD -o FILE",
    "convert t.json --rotate 45": "45",
    "check t.json --timeout 0": "timeout must be above 0",
    "facts 5x6 --timeout nan": "timeout must be a number, not nan",
    # Pictures
    "draw t.json -o t.bmp": "unknown picture format: 't.bmp'",
    "draw t.json -o x.svg --fps 3": "does not move",
    "draw two.json -o x.gif": "shows one tour, not 2",
    "draw t.json --style heat": "a terminal does not support the style heat",
    "draw t.json --numbers 2": "a terminal does not support --numbers",
    "solve 5x5 -o x.gif -n 2": "shows one tour, not 2",
    "solve 3000x3000 -o x.png": "too large for a picture",
    "draw t.json -o x.svg --style curve --paper A4": "the style curve does not use paper, except in a PDF",
    "draw t.json -o x.svg --highlight z9": "z9",
    "draw t.json -o x.svg --per-row 0": "per_row must be at least 1",
    "sample 6x6 -n 100000 -o x.svg": "more than 1,000,000 squares",
    "enumerate 3x10 -o x.gif": "a .gif shows one tour",
    "solve 5x5 -n 2 -o x.html": "a web page shows one tour, not 2",
    "draw 5x5 -o x.html": "a web page requires a tour",
    "puzzle 5x5 -o p.gif": "a puzzle cannot be written as .gif",
    "puzzle 5x5 -o p.jsn": "did you mean '.json'?",
    "solve 5x5 --watch -o s.html": "a web page shows the tour, and not the search",
    "solve 5x5 -o s.avi": "s.avi: unknown suffix '.avi'",
    "compare 5x5 -o s.txt": "unknown suffix: s.txt",
    # Counts
    "count 6x6 --memory much": "invalid size: 'much'",
    "count 6x6 --memory 1e400": "invalid size: '1e400'",
    "count 6x6 --symmetry 180 --checkpoint d": "keeps nothing on disk",
    "count 6x6 --workers 0": "workers must be 1 or more, not 0",
    "unrank 5x6 7..5 --closed": "invalid range: 7..5",
    "count 6x6 --symmetry 60 --closed": "60",
    "unrank 5x6 0 --closed": "no tour number 0",
    "unrank 5x6 many --closed": "invalid number of a tour: 'many'",
    "census 6x6 --by turns --seed 1": "--seed requires --samples",
    # Sequences
    "oeis extend --timeout 5": "missing argument 'SEQUENCE'",
    "oeis extend A070030 --timeout 0": "timeout must be above 0",
    "oeis check": "missing argument 'SEQUENCE'",
    "oeis find 8x8 A070030": "unexpected extra argument",
    # Measures, improvements and comparisons
    "measure t.json --by height": "unknown statistic 'height'",
    "measure t.json --csv --json": "--csv and --json cannot be combined",
    "improve t.json --maximize visits": "cannot visit more",
    "count 5x5 --up-to-symmetry --where turns=10..20": "classes cannot be combined with a range of a statistic",
    "improve t.json 7x7": "7x7",
    # Workers
    "solve 8x8 --workers 2": "method auto does not support workers",
    "solve 8x8 --method merge --workers tcp://x:1": "method merge does not support clusters",
    "solve 6x6 --method backtracking --workers 0": "workers must be at least 1, not 0",
    "solve 6x6 --method backtracking --workers 2 --watch": "cannot be watched",
    # Puzzles
    "puzzle 6x6 --keep a": "invalid numbers: 'a'",
    "puzzle 6x6 -n 0": "-n must be 1 or more, not 0",
    "puzzle worksheet 6x6 --kind empty": "missing option '-o' / '--output'",
    "puzzle worksheet 6x6 7x7 -o x.pdf --kind empty": "unexpected extra argument (7x7)",
    "puzzle 6x6 --given a6=2..3": "a6 has 2 numbers",
    "puzzle 7x7:wazir --kind zip --clues 4 --given a1=1": "cannot be combined with given",
    "puzzle check x.txt 6x6": "x.txt: No such file",
    "puzzle today 8x8": "invalid day: '8x8'",
    "puzzle today --kind zip": "unknown kind of a daily puzzle 'zip'",
    # Catalogues
    "examples magic-8x9": "did you mean 'magic-8x8'?",
    "examples historical-8x8:eulr": "did you mean 'euler'?",
    "examples magic-8x8 tours.txt": "unexpected extra argument (tours.txt)",
    "solve 8x8 --minimize turns --maximize turns": "--minimize and --maximize cannot be combined",
    "solve 8x8 --optimal": "--optimal requires --minimize or --maximize",
    "solve 8x8 --why --json": "--why and --json cannot be combined",
    "solve 8x8 --watch --minimize turns": "--watch and --minimize cannot be combined",
    "solve 8x8 --proof x.json -n 2": "--proof and -n cannot be combined",
    "count 6x6 --plan --proof x.json": "--plan and --proof cannot be combined",
    "count 6x6 --plan --workers 2": "--workers and --plan cannot be combined",
    "count 6x6 --workers many": "invalid --workers: 'many'",
    "census 6x6 --by symmetry --samples 9": "the table by symmetry is exact",
    "census 6x6 --by turns -o x.txt": "unknown suffix: x.txt",
    "puzzle 7x7:wazir --kind zip": "--kind zip requires --clues",
    "puzzle 6x6 --kind zap": "unknown kind of puzzle 'zap'",
    "puzzle sheet x.txt -o x.png": ".svg or .pdf",
    "draw t.json -o x.pdf --paper A4,landscape": "A4,landscape",
    "examples eulr": "unknown example 'eulr'",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with tours, drawings and a graph; stdin is a graph too."""
    monkeypatch.chdir(tmp_path)
    tour = kt.find_tour("6x6", closed=True, seed=1)
    kt.write_tours("t.json", tour)
    kt.write_tours("two.json", [tour, tour.reversed()])
    Path("drawn.txt").write_text("..\n..\n")
    Path("there.svg").write_text("mine")
    Path("house.txt").write_text("1 2\n2 3\n3 1\n")
    Path("two.g6").write_text("Cl\nCl\n")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"1 2\n")))
    return tmp_path


@pytest.mark.parametrize("typed", REFUSED)
def test_rejected_command_writes_nothing(typed: str, folder: Path, run) -> None:
    before = {path: path.read_bytes() for path in folder.iterdir()}
    code, out, err = run(*shlex.split(typed.replace("BIG", f"{10**30}x{10**30}")))
    assert (code, out) == (2, ""), err
    assert re.findall("^error: ", err, re.MULTILINE) == ["error: "] and "Traceback" not in err
    assert re.search(".*".join(map(re.escape, REFUSED[typed].split(" ... "))), err, re.DOTALL), err
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            "draw 6x6 --arrows none -o x.svg",
            "--arrows accepts no value, and 'none' follows it ... use --arrows alone, or omit it",
        ),
        ("solve 6x6 --closed no", "--closed accepts no value, and 'no' follows it ... use --closed alone, or omit it"),
        ("facts 6x6 --json TRUE", "--json accepts no value"),
    ],
)
def test_a_switch_that_is_followed_by_a_value_is_named(words: str, message: str, run) -> None:
    code, out, err = run(*words.split())
    assert (code, out) == (2, "")
    assert re.search(".*".join(map(re.escape, message.split(" ... "))), err, re.DOTALL), err


@pytest.mark.parametrize("command", ["solve", "count", "facts"])
@pytest.mark.parametrize("name", ["t.txt", "t.squares", "t.san", "t.json", "t.csv", "t.npy", "t.link", "t.tour"])
def test_tour_as_board_is_named(name: str, command: str, folder: Path, run) -> None:
    kt.find_tour("6x6", seed=1).save(name)
    code, out, err = run(command, name)
    assert (code, out) == (2, "") and err.startswith(f"error: {name}: the file contains a tour, not a board\n")
    assert f"`knightstour check {name}`" in err
    with pytest.raises(kt.FormatError, match="the file contains a tour, not a board"):
        kt.Board.from_file(name)


def test_tour_of_stdin_as_board_is_named(folder: Path, run, monkeypatch) -> None:
    text = kt.find_tour("6x6", seed=1).to_text().encode()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text)))
    assert "contains a tour, not a board" in run("solve", "-")[2]


@pytest.mark.parametrize("suffix", ["txt", "json"])
def test_puzzle_and_certificate_as_board_are_named(suffix: str, folder: Path, run) -> None:
    kt.make_puzzle("5x5", seed=1).save(f"p.{suffix}")
    code, _, err = run("solve", f"p.{suffix}")
    assert code == 2 and f"contains a puzzle, not a board\nhelp: use `knightstour puzzle solve p.{suffix}`" in err
    kt.solve("4x4").certificate().write("c.json")
    assert "contains a certificate, not a board\nhelp: use `knightstour check c.json`" in run("count", "c.json")[2]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("solve 8x8 --timeout ten", "'ten' is not a number; write it in digits"),
        ("draw t.json --size big", "'big' is not a number"),
        ("draw t.json -o x.gif --fps fast", "'fast' is not a number"),
        ("serve --port abc", "'abc' is not a whole number"),
        ("serve --port 65536", "65536 is not from 0 to 65535"),
        ("solve 8x8 -n two", "'two' is not a whole number; write it in digits, such as 20 or 1e6"),
        ("solve 8x8 --require a1b3", "'a1b3' is not a move\nhelp: write a move as a1-b3"),
        ("solve 8x8 --forbid a1b3", "'a1b3' is not a move\nhelp: write a move as a1-b3"),
        ("solve 8x8 --proof p.txt", "unknown suffix of a proof: .txt\nhelp: end the name in .json or .drat"),
        ("solve 8x8 --proof p", "unknown suffix of a proof: none"),
        ("count 5x5 --proof p.txt", "unknown suffix of a proof: .txt\nhelp: end the name in .json\n"),
        ("count 5x5 --proof p.drat", "unknown suffix of a proof: .drat"),
    ],
)
def test_invalid_value_is_explained_in_plain_words(words: str, message: str, folder: Path, run) -> None:
    before = sorted(folder.iterdir())
    code, out, err = run(*words.split())
    assert (code, out) == (2, "") and message in err
    assert sorted(folder.iterdir()) == before


def repeatable() -> list[tuple[str, str, str]]:
    """Return each option that may be given once, with its command and a value."""
    found = []
    for name, command in app.all_commands().items():
        for each in command.params:
            if isinstance(each, click.Option) and not each.multiple and not each.is_eager:
                found.append((name, each.opts[0], " ".join([""] + ["1"] * each.nargs * (not each.is_flag))))
    return found


@pytest.mark.parametrize(("name", "option", "value"), repeatable())
def test_repeated_option_is_rejected(name: str, option: str, value: str, run) -> None:
    code, out, err = run(*f"{name} 5x5 {option}{value} {option}{value}".split())
    assert (code, out) == (2, "") and re.match(r"error: --?[a-z-]+ is given 2 times\nhelp: give it once\n", err), err


def test_options_for_several_values_may_be_repeated(run) -> None:
    code, out, _ = run(*["solve", "5x5", "--given", "a1=1", "--given", "b3=2", "--seed", "1"])
    assert code == 0 and out.splitlines()[4].split()[0] == "1" and out.splitlines()[2].split()[1] == "2"


def test_advice_on_the_command_line_has_no_python(run) -> None:
    code, _, err = run(*["count", "10x10", "--memory", "1GB"])
    assert code == 3 and "help: `knightstour estimate BOARD` estimates the number" in err
    with pytest.raises(kt.LimitReached) as raised:
        kt.count("10x10", memory="1GB")
    assert raised.value.help.startswith("estimate(board) or `knightstour estimate BOARD` estimates")


@pytest.mark.parametrize("board", ["5x6 --closed", "6x6"])
def test_solve_reports_the_statistic_of_its_objective(board: str, run, tmp_path) -> None:
    path = tmp_path / "t.json"
    words = f"solve {board} --minimize turns --seed 1 -o {path}".split()
    code, _, err = run(*words)
    (tour,) = kt.read_tours(path)
    assert code == 0 and f"note: turns: {kt.measure(tour, 'turns', closed='--closed' in board)['turns'][0]}\n" in err
