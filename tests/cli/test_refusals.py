"""What the command line refuses: a row a slip, each with one clear error, exit code 2, and no file written."""

import io
import re
import shlex
from pathlib import Path

import pytest

import knightstour as kt

# What is typed, and what the error says; " ... " stands for any words between. BIG is a side of 31 digits.
REFUSED = {
    # What is typed
    "solve -3x5": "No such option",
    "solve 8x8 -5": "No such option",
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
    "solve 8x8 --timeout 0": "no time",
    "solve 8x8 -o /nonexistent-folder/t.txt": "cannot be written",
    "solve 8x8 --no-such-option": "No such option",
    "frobnicate": "No such command 'frobnicate'\nhelp: knightstour --help",
    "8 8": "help: knightstour solve 8x8",
    "check /nonexistent.txt": "cannot be read",
    "measure ''": "the path is empty",
    "oeis --of 5x5 --symmetry nope": "no symmetry 'nope'\nnote: its symmetries: 180, vertical",
    # Slips: what was probably meant is named
    "slove 8x8": "Did you mean ... solve ... --help\n",
    "solve 8x8 --clsed": "Did you mean ... --closed ... --help\n",
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
    # Slips that resemble nothing: what to do is said
    "solve 4x4x": "not a board: '4x4x'\nhelp: write boxes as 4x4x4, hexagons as hex:6; here 4x4x4?",
    "count hex6": "not a board: 'hex6'\nhelp: write boxes as 4x4x4, hexagons as hex:6; here hex:6?",
    "solve 8x8 --method xyz": "unknown method 'xyz'\nhelp: one of auto, ",
    "solve 8x8 -o t.parquet": "does not say the format\nhelp: end it in ",
    "solve 8x8 -o no/t.svg": "there is no directory 'no'",
    "solve .": "'.' is a directory",
    "solve 8 8": "unexpected extra argument (8)\nhelp: write a board as one word, 8x8",
    "solve 5x5 --start 1 1": "unexpected extra argument (1)\nhelp: knightstour solve --help",
    "convert a.txt b.json": "help: to write that file: -o b.json",
    "facts 8x8 b.json": "unexpected extra argument (b.json)",
    "convert t.json -o t.json": "give another name, or --force to overwrite it",
    "puzzle 30x30": "puzzles are made on boards of up to 256 squares, and the 30x30 board has 900",
    "puzzle 3x4 --set text=knight": "help: give a text of 12 letters",
    # Options that would change nothing
    "check t.json --workers 2": "only data sets",
    "draw t.json --fps 3": "a terminal cannot show fps",
    "draw t.json --per-row 3": "a terminal cannot show per row",
    "draw t.json -o t.svg --width 50": "--width is for drawings on the terminal",
    "draw t.json -o t.gif --per-row 2": "a .gif shows one tour, not rows",
    "draw 6x6 6x6": "a second word is the board",
    "sample 6x6 --part-tours 0": "--part-tours is for data sets",
    "sample 6x6 --json --format grid": "prints the summary and no tours",
    "solve 6x6 --json --format csv": "two forms of the answer",
    "enumerate 5x6 --count -o x.json": "prints a number and no tours",
    "count 5x6 --checkpoint ''": "the name of a directory",
    "solve 2001x2001 --set ties=first -o x.npy": "has no option 'ties'",
    # One step of a tour
    "solve 8x8 --at 0": "no step 0",
    "solve 8x8 --at z1": "not on",
    "solve 8x8 --at 5 --method merge": "--method is not for this",
    "solve 8x8 --at 5 -o t.txt": "--output is not for this",
    "solve 8x8 --at 5 --set ties=pohl": "--set is not for this",
    # Conditions
    "solve 8x8 --forbid a1": "avoid: 'a1' is not a move",
    "count 8x8 --given a1=3 --proof p.json": "the certificate of a count does not support",
    "solve 99999999999x9 --forbid a1-b3": "forbid is for boards of up to",
    "solve 99999999999x8 --symmetry 180": "symmetry is for boards of up to",
    # Zero
    "count 5x5 --seed 0": "--seed goes with --estimate",
    "oeis A193055 --first 0": "--first goes with --extend",
    # Watching
    "solve 101x101 --watch": "a board of 10,201 squares cannot be watched",
    "solve 8x8 --watch --speed 0": "a speed of 0 steps a second makes no sense",
    "solve 8x8 --speed 5": "--speed goes with --watch",
    # Graphs
    "solve csv:house.txt": "the format csv holds tours, no boards",
    "solve nonsense:house.txt": "unknown format 'nonsense'",
    "solve graph6:house.txt": "house.txt:1",
    "solve edges:house.txt:torus": "a graph has no leaper, wrap or holes",
    "facts dimacs:-": "a line begins with p, e or c",
    "solve 8x8 --arcs": "--arcs is for a file with a graph",
    "check tours.txt --arcs": "--arcs is about a graph in BOARD",
    "solve drawn.txt --arcs": "--arcs is for a file with a graph",
    "convert --family petersen:n=5..": "'n=5..' is no parameter of a family",
    "convert --family petersen:5": "'5' is no parameter of a family",
    "convert --family petersen:n=5,n=6": "n is given twice",
    "convert --family petersen:n=9..5": "the range 9..5 of n is empty",
    "convert --family flowers:n=5": "did you mean 'flower'?",
    "convert --family flower:n=8": "n must be odd, not 8",
    "convert edges:house.txt --reverse": "FILE holds a graph, and no tour",
    "enumerate two.g6": "several graphs ... `solve`, `count` and `facts`",
    "solve two.g6 -o x.json": "each gets one line",
    "solve two.g6 --format tour": "each gets one line",
    "solve two.g6 -n 2": "each gets one line",
    "solve two.g6 --proof x.json": "each gets one line",
    "solve two.g6 --explain": "each gets one line",
    "solve two.g6 --watch": "each gets one line",
    "solve two.g6 --style line": "each gets one line",
    "count two.g6 --by symmetry": "each gets one line",
    "count two.g6 --proof x.json": "each gets one line",
    "count two.g6 --checkpoint x": "each gets one line",
    "count two.g6 --plan": "each gets one line",
    # Files of tours
    "solve 5x5 -o x.hcp": "holds the graph of a board, and no tour",
    "sample 5x5 -n 2 --format graph6": "holds the graph of a board, and no tour",
    "enumerate 5x6 -n 1 -o x.hcp": "holds the graph of a board, and no tour",
    "convert t.json --to hcp": "convert BOARD -o FILE",
    "convert t.json --rotate 45": "45",
    "convert t.json --open": "--canonical",
    "check t.json --timeout 0": "no time",
    "draw t.json --timeout -1": "no time",
    "facts 5x6 --timeout nan": "seconds must be a number, not nan",
    # Pictures
    "draw t.json -o t.bmp": "is no kind of picture",
    "draw t.json -o there.svg": "exists already",
    "draw t.json -o x.svg --window 1,2": "not a window",
    "draw t.json -o x.svg --fps 3": "does not move",
    "draw two.json -o x.gif": "shows one tour, not 2",
    "draw t.json -o x.gif --window 0,0,2,2": "shows the whole board",
    "draw two.json -o x.svg --window 0,0,2,2": "a sheet shows whole boards",
    "draw t.json -o x.svg --tour open": "give its size",
    "draw t.json --style heat": "a terminal cannot show the style heat",
    "draw t.json --numbers 2": "a terminal cannot show numbers",
    "solve 5x5 -o x.gif -n 2": "shows one tour, not 2",
    "solve 5x5 -o there.svg": "exists already",
    "solve 3000x3000 -o x.png": "too large to be drawn as it is found",
    "draw t.json -o x.svg --style curve --paper A4": "the style curve does not use paper, except in a PDF",
    "draw t.json -o x.svg --highlight z9": "z9",
    "draw t.json -o x.svg --per-row 0": "per_row must be at least 1",
    "sample 6x6 -n 100000 -o x.svg": "more than 1,000,000 squares",
    "enumerate 3x10 -o x.gif": "a .gif shows one tour",
    "sample 6x6 -n 2 -o x/ --style line": "--style is not for this",
    "solve 5x5 -n 2 -o x.html": "a web page shows one tour, not 2",
    "draw 5x5 -o x.html": "this is none",
    "draw 5x6 --tour closed --window 0,0,2,2 -o x.html": "shows the whole board",
    "puzzle 5x5 -o p.gif": "a puzzle is not written as .gif",
    "puzzle 5x5 -o p.jsn": "did you mean '.json'?",
    "solve 5x5 --watch -o s.html": "a web page shows the tour, and not how it was found",
    "solve 5x5 -o s.avi": "'s.avi' does not say the format",
    "compare 5x5 -o s.txt": "names no format of a table",
    # Counts
    "count 6x6 --memory much": "not a size",
    "count 6x6 --by moves --directed": "--directed does not go with --by moves",
    "count 6x6 --by moves --by steps": "two questions",
    "count 6x6 --plan --max-nodes 5": "--max-nodes does not go with --plan",
    "count 6x6 --estimate 100 --symmetry 180": "--symmetry does not go with --estimate",
    "count 6x6 --closed --by symmetry --workers 2": "--workers does not go with --by symmetry",
    "count 6x6 --workers 2 --checkpoint d --memory 1GB": "counts in one process",
    "count 6x6 --symmetry 180 --checkpoint d": "keeps nothing on disk",
    "count 6x6 --threads 0": "threads must be 1 or more, not 0",
    "unrank 5x6 7..5 --closed": "goes down",
    "count 6x6 --symmetry 60 --closed": "60",
    "count 5x6 --closed --across 7": "5 or 6",
    "count 5x6 --closed --across 6 --by symmetry": "--across does not go with --by symmetry",
    "unrank 5x6 0 --closed": "no tour number 0",
    "unrank 5x6 many --closed": "not the number of a tour",
    "census 6x6": "Missing option '--by'",
    "census 6x6 --by turns --seed 1": "--seed goes with --sample",
    "census 6x6 --by turns --extremes --json": "--extremes is for the table",
    # Sequences
    "oeis --extend 5": "--extend goes with SEQUENCE",
    "oeis A070030 --first 5": "--first goes with --extend",
    "oeis A070030 --last 5": "--last goes with --extend",
    "oeis A070030 --extend 0": "leaves no time",
    "oeis --check": "--check goes with SEQUENCE",
    "oeis A070030 --closed": "--closed goes with --of",
    "oeis A070030 --of 8x8": "two questions",
    # Measures, improvements and comparisons
    "measure --by turns": "--by goes with FILE",
    "measure t.json --by height": "unknown statistic 'height'",
    "measure t.json --csv --json": "--csv does not go with --json",
    "improve t.json --objective most-visits": "`solve --partial --objective most-visits`",
    "count 5x5 --classes --where turns=10..20": "classes are counted of all tours",
    "improve t.json 7x7": "7x7",
    # Workers
    "solve 8x8 --workers 2": "method auto does not share its work",
    "solve 8x8 --method merge --workers tcp://x:1": "method merge does not search on a",
    "enumerate 6x6 --workers many": "not a number of workers: 'many'",
    "solve 6x6 --method backtracking --workers 0": "0 workers do no work",
    "solve 6x6 --method backtracking --workers 2 --watch": "cannot be watched",
    # Puzzles
    "puzzle 6x6 --keep a": "not numbers: 'a'",
    "puzzle 6x6 -n 0": "0 of them are none",
    "puzzle 6x6 --set paper=A4": "--set paper is not for this: it goes with --sheet",
    "puzzle 6x6 --worksheet empty": "--worksheet goes with --sheet",
    "puzzle 6x6 --worksheet empty --sheet x.pdf --level easy": "--level is not for this",
    "puzzle 6x6 7x7 --worksheet empty --sheet x.pdf": "a worksheet is of one board",
    "puzzle 6x6 7x7 --check x.txt": "--check is of one puzzle",
    "puzzle 6x6 --given a6=2..3": "a6 has 2 numbers",
    "puzzle 7x7:wazir --in-order 4 --given a1=1": "with given",
    "puzzle --today --given a1=1": "--given is not for this",
    "puzzle 6x6 --set shade=0.3": "--set shade is not for this: it goes with --sheet",
    "puzzle 6x6 --set font=Arial --sheet x.pdf": "unknown font of a PDF 'Arial'",
    "puzzle 6x6 --set colors=dark --sheet x.svg": "not names with values: 'dark'",
    "puzzle 6x6 --set colors=dark=red": "it goes with --sheet",
    "puzzle 6x6 --set square_mm=60 --sheet x.pdf": "squares of 60 mm do not fit",
    "puzzle 6x6 --set shade=0.9 --sheet x.pdf": "shade cannot be 0.9",
    "puzzle 6x6 --sheet x.png": "an .svg or a .pdf",
    "puzzle 6x6 --check x.txt": "x.txt: cannot be read",
    "puzzle --check x.txt --level easy": "--level is not for this",
    "puzzle --check x.txt --solve y.txt": "--check and --solve at once",
    "puzzle 8x8 --today": "BOARD is not for this",
    "puzzle --set kind=hard": "it goes with --today",
    "puzzle --today --set kind=zip": "unknown kind of a daily puzzle 'zip'",
    # Catalogues
    "convert --catalogue magic-8x9": "did you mean 'magic-8x8'?",
    "convert --catalogue historical-8x8:eulr": "did you mean 'euler'?",
    "convert --catalogue magic-8x8 tours.txt": "--catalogue does not go with FILE",
    "convert --catalogue magic-8x8 --family flower:n=5": "--family",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with tours, drawings and a graph, from which the command line is called; stdin is a graph too."""
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


@pytest.mark.parametrize("words", ["draw 3x3 -o x.svg --tour open"])
def test_impossible_board_writes_no_picture(words: str, folder: Path, run) -> None:
    code, _, err = run(*words.split())
    assert code == 1 and "impossible" in err and not list(folder.glob("x.*"))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            "draw 6x6 --arrows none -o x.svg",
            "--arrows accepts no value, and 'none' follows it ... use --arrows or --no-arrows",
        ),
        ("solve 6x6 --closed no", "--closed accepts no value, and 'no' follows it ... use --closed alone, or omit it"),
        ("facts 6x6 --json TRUE", "--json accepts no value"),
    ],
)
def test_a_switch_that_is_followed_by_a_value_is_named(words: str, message: str, run) -> None:
    code, out, err = run(*words.split())
    assert (code, out) == (2, "")
    assert re.search(".*".join(map(re.escape, message.split(" ... "))), err, re.DOTALL), err
