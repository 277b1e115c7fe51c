"""The first calls of a process, from eight threads at once, answer as they do alone; and so does a fork."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import knightstour as kt
from knightstour.interfaces.cli.app import COMMANDS

# Public name -> an expression that asks it, whose answer is compared as text. A thread may write beside `path`.
CALLS = {
    "Board": "kt.Board('5x6').is_rectangle",
    "Piece": "kt.Piece.of('king').reach",
    "BoardError": "str(kt.BoardError('no'))",
    "Census": "isinstance(kt.census('5x5', 'turns'), kt.Census)",
    "Certificate": "isinstance(kt.solve('3x3').certificate, kt.Certificate)",
    "Comparison": "[row.method for row in kt.compare('5x5', methods=['warnsdorff'], seeds=1).rows]",
    "Estimate": "isinstance(kt.estimate_count('5x5', rng=1), kt.Estimate)",
    "FormatError": "str(kt.FormatError('no'))",
    "ImplicitTour": "isinstance(kt.implicit_tour('100x100'), kt.ImplicitTour)",
    "Improvement": "type(kt.improve(kt.find_tour('6x6', rng=1), 'turns', limits=kt.Limits(nodes=9))).__name__",
    "InvalidTour": "str(kt.InvalidTour('no'))",
    "KnightsTourError": "str(kt.KnightsTourError('no'))",
    "LimitReached": "str(kt.LimitReached(kt.solve('8x8', method='backtracking', limits=kt.Limits(nodes=5), rng=1)))",
    "Limits": "kt.Limits(seconds=2)",
    "MethodError": "str(kt.MethodError('no'))",
    "NoSuchPlace": "str(kt.NoSuchPlace('no'))",
    "NoTour": "str(kt.NoTour(kt.solve('3x3')))",
    "Problem": "kt.Problem.of('5x5', start='a1').start_index",
    "ProblemError": "str(kt.ProblemError('no'))",
    "Progress": "kt.Progress('counting', 1, 2, 0.5, '')",
    "Puzzle": "kt.Puzzle(kt.Board('5x5'), {0: 1}).given",
    "Result": "isinstance(kt.solve('5x5'), kt.Result)",
    "Sample": "isinstance(kt.sample_tours('5x5', 2, rng=1), kt.Sample)",
    "Status": "kt.Status.FOUND",
    "Tour": "kt.Tour('3x4', kt.find_tour('3x4', rng=1).squares).order.tolist()",
    "TourSpace": "kt.TourSpace.build('5x5', path=path + '.space').count",
    "Trace": "kt.Trace().is_full",
    "animate": "kt.animate(kt.find_tour('5x5', rng=1))[:6]",
    "board_facts": "kt.board_facts('3x3').degrees.tolist()",
    "catalogue": "kt.catalogue('historical-8x8').entry('euler').tour.order.tolist()",
    "census": "kt.census('5x5', 'turns').total",
    "certify_count": "kt.certify_count('3x4').to_json()",
    "check_tours": "kt.check_tours(kt.sample_tours('5x5', 4, rng=1)).is_valid",
    "compare": "[row.method for row in kt.compare('5x5', methods=['warnsdorff', 'neural'], seeds=1).rows]",
    "count_starts": "kt.count_starts('5x5')",
    "count_table": "kt.count_table('5x5')",
    "count_tours": "kt.count_tours('6x6', closed=True)",
    "draw": "kt.draw(kt.find_tour('5x5', rng=1))[:200]",
    "draw_svg": "kt.draw_svg(kt.find_tour('5x5', rng=1))[:200]",
    "estimate_count": "kt.estimate_count('5x5', rng=1).mean",
    "find_tour": "kt.find_tour((8, 8), closed=True, rng=5).order.tolist()",
    "format_tour": "kt.format_tour(kt.find_tour('5x5', rng=1), 'grid')",
    "growth_rate": "kt.growth_rate(3, closed=True)",
    "implicit_tour": "next(iter(kt.implicit_tour('100x100')))",
    "improve": "kt.improve(kt.find_tour('6x6', rng=1), 'turns', rng=1, limits=kt.Limits(nodes=999)).after",
    "instances": "[each.is_hamiltonian for each in kt.instances('petersen', n=range(5, 8))]",
    "iter_sample": "next(iter(kt.iter_sample('5x5', 2, rng=1))).orders.tolist()",
    "iter_tours": "len(list(kt.iter_tours('5x5')))",
    "make_puzzle": "kt.make_puzzle('5x5', rng=1).given",
    "measure_tours": "kt.measure_tours(kt.find_tour('5x5', rng=1))['turns'].tolist()",
    "move_graph": "kt.move_graph('5x5').degrees.tolist()",
    "overview": "str(kt.overview('5x5'))[:200]",
    "parse_tours": "kt.parse_tours(kt.format_tour(kt.find_tour('5x5', rng=1), 'grid'))[0].order.tolist()",
    "plan_count": "kt.plan_count('8x8', closed=True).way",
    "plot": "type(kt.plot('turns', '5x5', n=20, rng=1)).__name__",
    "read_board": "kt.read_board(io.StringIO('a b\\nb c\\nc a\\n')).labels",
    "read_boards": "len(list(kt.read_boards(io.StringIO('Bw\\nC~\\n'), 'graph6')))",
    "read_puzzle": "kt.write_puzzle(path, kt.make_puzzle('5x5', rng=1)) or kt.read_puzzle(path).given",
    "read_tours": "kt.read_tours(io.StringIO(kt.format_tour(kt.find_tour('5x5', rng=1), 'grid')))[0].order.tolist()",
    "replay": "list(kt.replay([], '5x5'))",
    "sample_tours": "kt.sample_tours('6x6', 3, rng=1).orders.tolist()",
    "solve": "kt.solve('20x20', closed=True, rng=3).status",
    "solve_puzzle": "kt.solve_puzzle(kt.make_puzzle('5x5', rng=1)).tours[0].order.tolist()",
    "stream_tour": "kt.stream_tour(kt.implicit_tour('100x100'), path + '.npy')",
    "verify": "str(kt.verify(kt.solve('3x3').certificate))",
    "write_board": "kt.write_board(path + '.g6', kt.Board('3x3'))",
    "write_puzzle": "kt.write_puzzle(path + '.json', kt.make_puzzle('5x5', rng=1))",
    "write_tours": "kt.write_tours(path + '.txt', [kt.find_tour('5x5', rng=1)])",
}

# What is asked of tables and of the kernels, with the answer.
OTHERS = {
    "len(kt.METHODS)": repr(len(kt.METHODS)),
    "list(kt.METHODS)": repr(list(kt.METHODS)),
    "kt.solve('6x6', method='neural', rng=1).method": "'neural'",
    "kt.solve('20x20', closed=True, method='straight').status": "<Status.FOUND: 'found'>",
    "kt.FORMATS['grid'].name": "'grid'",
    "door('warnsdorff_step').form[1]": "'int'",
    "helps()": repr(sorted(COMMANDS)),
}
QUICK = {"solve", "len(kt.METHODS)"}
CASES = {**CALLS, **{call: call for call in OTHERS}}

CHILD = """
import contextlib, io, json, sys, threading
import knightstour as kt

def door(name):
    from knightstour.core.machine import native
    return native.door(name)

def helps():
    from knightstour.interfaces.cli.app import COMMANDS
    return sorted(COMMANDS)

call, folder = sys.argv[1:]
barrier, answers = threading.Barrier(8), [None] * 8

def ask(k):
    barrier.wait()
    try:
        answers[k] = repr(eval(call, {**globals(), "path": f"{folder}/{k}"}))
    except BaseException as error:
        answers[k] = f"{type(error).__name__}: {error}"

threads = [threading.Thread(target=ask, args=(k,)) for k in range(8)]
with contextlib.redirect_stdout(io.StringIO()):
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
print(json.dumps(answers))
"""


def test_every_name_that_can_be_called_has_a_case() -> None:
    assert {name for name in kt.__all__ if callable(getattr(kt, name))} == set(CALLS)


@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.long] * (name not in QUICK)) for name in CASES])
def test_the_first_calls_of_eight_threads_all_answer(name: str, tmp_path: Path) -> None:
    call = CASES[name]
    done = subprocess.run(
        [sys.executable, "-c", CHILD, call, str(tmp_path)], capture_output=True, text=True, timeout=300, check=True
    )
    wanted = OTHERS.get(name) or repr(eval(call, {"kt": kt, "io": io, "path": str(tmp_path / "alone")}))
    assert json.loads(done.stdout) == [wanted] * 8


# ---------------------------------------------------------------- forks


# A thread holds every lock of the package and one waits for what no limit counts, at the moment of the fork.
FORKED_CHILD = """
import contextlib, os, signal, threading
import knightstour as kt
from knightstour.core.model import forks
from knightstour.core.model.budget import CLOCKS

kt.solve((8, 8), closed=True, rng=1)
kt.count_tours("5x5")
held, waiting = threading.Event(), threading.Event()

def hold():
    waiting.wait()
    with contextlib.ExitStack() as stack:
        for lock in list(forks._LOCKS):
            stack.enter_context(lock)
        held.set()
        threading.Event().wait()

def wait():
    with CLOCKS.stopped():
        waiting.set()
        threading.Event().wait()

for work in (hold, wait):
    threading.Thread(target=work, daemon=True).start()
held.wait()
assert len(forks._LOCKS) > 1
child = os.fork()
if not child:
    signal.alarm(60)  # a child that hangs ends by it
    budget = kt.Limits(nodes=10**9, seconds=30)
    assert kt.solve((8, 8), closed=True, rng=2, limits=budget).tour is not None
    assert kt.count_tours("6x6", closed=True, limits=budget) == 9862
    began = CLOCKS.by_clock()
    while CLOCKS.by_clock() == began:  # it stands still only while somebody waits
        pass
    os.write(1, b"answered")
    os._exit(0)
os._exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) & 255)
"""


@pytest.mark.long
@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks here")
def test_a_fork_answers_whatever_other_threads_hold() -> None:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", FORKED_CHILD], capture_output=True, timeout=120, check=False
    )
    assert (done.returncode, done.stdout) == (0, b"answered"), done.stderr.decode()
