"""Tests of first calls from eight threads at once, and in a fork: the same results."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import knightstour as kt
from knightstour.interfaces.cli.app import COMMANDS

# Public name -> an expression that asks it, whose answer is compared as text. A thread may write beside `path`. Each
# leads to another folder, which is loaded when it is first asked; of what a folder holds one name is enough.
CALLS = {
    "Certificate": "isinstance(kt.solve('3x3').certificate(), kt.certificates.Certificate)",
    "TourSpace": "kt.TourSpace.build('5x5', path=path + '.space').count",
    "animate": "bytes(kt.draw(kt.find_tour('5x5', seed=1), 'gif'))[:6]",
    "catalogue": "kt.examples.catalogue('historical-8x8').entry('euler').tour.order.tolist()",
    "census": "kt.census('5x5', 'turns').total",
    "certify_count": "kt.certificates.certify_count('3x4').to_json()",
    "compare": "[row.method for row in kt.compare('5x5', methods=['warnsdorff', 'neural'], seeds=1).rows]",
    "count": "kt.count('6x6', closed=True)",
    "draw": "bytes(kt.draw(kt.find_tour('5x5', seed=1)))[:200]",
    "implicit_tour": "next(iter(kt.constructions.implicit_tour('100x100')))",
    "improve": "kt.improve(kt.find_tour('6x6', seed=1), minimize='turns', seed=1, max_nodes=999).after",
    "instances": "[each.is_hamiltonian for each in kt.examples.instances('petersen', n=range(5, 8))]",
    "make_puzzle": "kt.make_puzzle('5x5', seed=1).given",
    "read_board": "kt.Board.from_file(io.StringIO('a b\\nb c\\nc a\\n')).labels",
    "sample": "kt.sample('6x6', 3, seed=1).orders.tolist()",
    "solve": "kt.solve('20x20', closed=True, seed=3).status",
    "verify": "str(kt.certificates.verify(kt.solve('3x3').certificate()))",
}

# Calls of tables and kernels, with results.
OTHERS = {
    "len(kt.METHODS)": repr(len(kt.METHODS)),
    "list(kt.METHODS)": repr(list(kt.METHODS)),
    "kt.solve('6x6', method='neural', seed=1).method": "'neural'",
    "kt.FORMATS['grid'].name": "'grid'",
    "kernel_function('warnsdorff_step').signature[1]": "'int'",
    "helps()": repr(sorted(COMMANDS)),
}
QUICK = {"solve", "len(kt.METHODS)"}
CASES = {**CALLS, **{call: call for call in OTHERS}}

CHILD = """
import contextlib, io, json, sys, threading
import knightstour as kt

def kernel_function(name):
    from knightstour.core.machine import native
    return native.kernel_function(name)

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

kt.solve((8, 8), closed=True, seed=1)
kt.count("5x5")
held, waiting = threading.Event(), threading.Event()

def hold():
    waiting.wait()
    with contextlib.ExitStack() as stack:
        for lock in list(forks._LOCKS):
            stack.enter_context(lock)
        held.set()
        threading.Event().wait()

def wait():
    with CLOCKS.pause():
        waiting.set()
        threading.Event().wait()

for work in (hold, wait):
    threading.Thread(target=work, daemon=True).start()
held.wait()
assert len(forks._LOCKS) > 1
child = os.fork()
if not child:
    signal.alarm(60)  # a child that hangs ends by it
    assert kt.solve((8, 8), closed=True, seed=2, timeout=30, max_nodes=10**9).tour is not None
    assert kt.count("6x6", closed=True, timeout=30, max_nodes=10**9) == 9862
    began = CLOCKS.by_clock()
    while CLOCKS.by_clock() == began:  # it stands still only while somebody waits
        pass
    os.write(1, b"answered")
    os._exit(0)
os._exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) & 255)
"""


@pytest.mark.long
@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks here")
def test_fork_answers_regardless_of_locks_in_other_threads() -> None:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", FORKED_CHILD], capture_output=True, timeout=120, check=False
    )
    assert (done.returncode, done.stdout) == (0, b"answered"), done.stderr.decode()
