"""Hints for unknown commands and options."""

import pytest

COMMANDS = {
    **dict.fromkeys(("generate", "find", "tour", "slove"), "did you mean solve?"),
    **dict.fromkeys(("list", "all", "enumarate"), "did you mean enumerate?"),
    **dict.fromkeys(("print", "plot", "show"), "did you mean draw?"),
    **dict.fromkeys(("validate", "verify"), "did you mean check?"),
    **dict.fromkeys(("catalogue", "families"), "did you mean examples?"),
    "random": "did you mean sample?",
    "info": "did you mean facts?",
    "play": "did you mean serve?",
    "stats": "did you mean measure?",
    "improv": "did you mean improve?",
    "cuont": "did you mean count?",
    "plan": "did you mean count --plan?",
    "hidato": "did you mean puzzle?",
    "help": "Write knightstour COMMAND --help",
    "version": "Write knightstour --version",
    "frobnicate": "knightstour --help",
}
OPTIONS = {
    **dict.fromkeys(("--king", "--queen"), "A piece belongs to the board: 8x8:"),
    "--piece king": "A piece belongs to the board: 8x8:king",
    "--torus": "Joined sides belong to the board: 8x8:torus",
    "--random": "Write knightstour sample BOARD",
    "--all": "Write knightstour enumerate BOARD",
    "--svg": "Write -o FILE.svg, or --format svg",
    "--png": "Write -o FILE.png, or --format png",
    **dict.fromkeys(("--out x", "--output-file x"), "did you mean --output?"),
    **dict.fromkeys(("--cycle", "--circuit", "--clsed"), "did you mean --closed?"),
    **dict.fromkeys(("--open", "--undirected"), "That is the default; omit it"),
    "--algorithm x": "did you mean --method?",
    **dict.fromkeys(("--n 3", "--number 3"), "did you mean -n?"),
    **dict.fromkeys(("--time 3", "--timout 3"), "did you mean --timeout?"),
    **dict.fromkeys(("--threads 2", "-j 2"), "did you mean --workers?"),
    "--board 8x8": "BOARD is an argument: knightstour solve 8x8",
    "--verbose": "Notes are printed already; --watch shows the search",
    "-v": "Notes are printed already; --watch shows the search",
    **dict.fromkeys(("-s a1", "--startt a1"), "did you mean --start?"),
    "--sed 1": "did you mean --seed?",
    "--symetry 180": "did you mean --symmetry?",
    "--force": "Files are overwritten; omit it",
    "--through a1-b3": "did you mean --require?",
    "--avoid a1-b3": "did you mean --forbid?",
    "--visits some": "did you mean --partial?",
    "--objective turns": "did you mean --minimize?",
    "--explain": "did you mean --why?",
    "--arcs": "Write FILE:directed",
    "--unique": "Tours of -n are different; omit it",
    "--no-such-option": "knightstour solve --help",
}
OF_OTHERS = {
    "puzzle make 6x6 --difficulty hard": "did you mean --level?",
    "puzzle 6x6 --hard": "did you mean --level?",
    "puzzle make 6x6 --number 3": "did you mean -n?",
    "puzzle mak 6x6": "did you mean make?",
    "oeis fnd 6x6": "did you mean find?",
    "count 6x6 --cycle": "did you mean --closed?",
    "count 6x6 --undirected": "That is the default; omit it",
    "count 6x6 --n 3": "knightstour count --help",
    "count 6x6 --classes": "did you mean --up-to-symmetry?",
    "count 6x6 --threads 2": "did you mean --workers?",
    "count 6x6 --by symmetry": "Write knightstour census BOARD --by NAME",
    "count 6x6 --estimate 5": "Write knightstour estimate BOARD",
    "sample 6x6 --style curve": "Write ... | knightstour draw - --style NAME -o tour.svg",
    "convert t.txt --to csv": "did you mean --format?",
}
ALL = {**COMMANDS, **{f"solve 8x8 {words}": hint for words, hint in OPTIONS.items()}, **OF_OTHERS}


@pytest.mark.parametrize("words", ALL)
def test_an_unknown_word_has_one_hint(words, run):
    code, out, err = run(*words.split())
    assert (code, out) == (2, "")
    assert f"\nhelp: {ALL[words]}" in err and err.count("\n") == 2 and len(err) < 200
