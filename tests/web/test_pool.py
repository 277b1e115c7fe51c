"""Tests of the workers of the library in the browser (engine/pool.js), replaced by recorders; in Node."""

from typing import Any

import pytest

from helpers.node import run_script

# Workers that record requests and answer as the test requires; `results` has the outcomes.
# Each starts Node.
pytestmark = pytest.mark.long

_CASE = """
const { WorkerPool } = await import(process.argv[1]);
const workers = [], results = {};
class Noting {
  constructor() { this.asked = []; this.isEnded = false; workers.push(this); }
  postMessage({ name }) { this.asked.push(name); }
  terminate() { this.isEnded = true; }
  say(kind, more = {}) { if (!this.isEnded) this.onmessage({ data: { kind, ...more } }); }
  turn(lane, seconds = 60) { this.say("turn", { lane, seconds, late: "{}" }); }
  answer() {
    this.say("head", { status: 200, type: "text/plain" });
    this.say("part", { bytes: new Uint8Array([104, 105]) });
    this.say("end");
  }
}
const failure = (reason) => ({ error: reason });
const pool = new WorkerPool({ make: () => new Noting(), on: () => {}, failure });
const ask = (name) => {
  const control = new AbortController();
  results[name] = "open";
  pool.ask(name, "{}", control.signal).then(
    async (response) => { results[name] = "head"; results[name] = `${response.status} ${await response.text()}`; },
  ).catch((error) => { results[name] = error.name; });
  return control;
};
const rest = (ms = 5) => new Promise((resolve) => setTimeout(resolve, ms));
"""
_END = """
await rest();
const [asked, ended] = ["asked", "isEnded"].map((name) => workers.map((each) => each[name]));
console.log(JSON.stringify({ results, asked, ended }));
process.exit(0);
"""


def seen(case: str) -> Any:
    """Return results by request, the requests of each worker, and the ended workers."""
    return run_script(_CASE + case + _END, "engine/pool.js")


def test_an_answer_comes_in_parts():
    found = seen('ask("solve"); workers[0].turn("quick"); workers[0].answer();')
    assert found == {"results": {"solve": "200 hi"}, "asked": [["solve"]], "ended": [False]}


def test_cancelled_queued_search_does_not_run():
    found = seen(
        """
        ask("count").abort();
        ask("solve");
        workers[0].say("ready");
        workers[0].turn("search");
        workers.at(-1).turn("quick");
        workers.at(-1).answer();
        """
    )
    assert found["results"] == {"count": "AbortError", "solve": "200 hi"}
    assert found["asked"] == [["count"], ["solve"]] and found["ended"] == [True, False]


def test_cancelled_running_search_ends_its_worker():
    found = seen('const it = ask("count"); workers[0].turn("search"); it.abort(); ask("solve");')
    assert found["results"] == {"count": "AbortError", "solve": "open"}
    assert found["asked"] == [["count"], ["solve"]] and found["ended"] == [True, False]


def test_cancelled_waiting_search_is_not_repeated():
    found = seen('ask("count").abort(); workers[0].say("later"); ask("solve");')
    assert found["asked"] == [["count", "solve"]] and found["ended"] == [False]


@pytest.mark.parametrize("order", ['it.abort(); workers[0].turn("quick");', 'workers[0].turn("quick"); it.abort();'])
def test_a_quick_question_that_is_given_up_keeps_its_worker(order):
    found = seen(f'const it = ask("facts"); {order} workers[0].answer(); ask("solve"); workers[0].answer();')
    assert found["results"] == {"facts": "AbortError", "solve": "200 hi"}
    assert found["asked"] == [["facts", "solve"]] and found["ended"] == [False]


def test_abandoned_stream_reads_no_more_parts():
    found = seen(
        """
        const it = ask("draw"); workers[0].turn("quick");
        workers[0].say("head", { status: 200, type: "text/event-stream" });
        await rest();
        it.abort();
        workers[0].say("part", { bytes: new Uint8Array([104]) }); workers[0].say("end");
        """
    )
    assert found["results"] == {"draw": "AbortError"} and found["ended"] == [False]


@pytest.mark.parametrize("lane", ["search", "puzzle"])
def test_a_long_question_gets_company_once(lane):
    found = seen(
        f'ask("count"); workers[0].turn("{lane}"); ask("solve"); await rest(400); workers[1].turn("{lane}");'
        "await rest(400);"
    )
    assert found["asked"] == [["count"], ["solve"]]


def test_slow_work_ends_with_an_answer():
    found = seen('ask("count"); workers[0].turn("search", 0.01); await rest(100);')
    assert found == {"results": {"count": "503 {}"}, "asked": [["count"], []], "ended": [True, False]}


def test_server_without_started_workers_answers_with_the_reason():
    found = seen('ask("count"); ask("solve"); workers[0].say("failed", { reason: "no memory" }); ask("facts");')
    assert set(found["results"].values()) == {'503 {"error":"no memory"}'}
    # Nothing restarts automatically, since it would fail again.
    assert found["asked"] == [["count"]]


def test_a_worker_that_fails_later_is_replaced():
    found = seen(
        'workers[0].say("ready"); ask("count"); workers[0].turn("search");'
        'workers[0].say("failed", { reason: "no memory" }); ask("solve"); workers[1].answer();'
    )
    assert found["results"] == {"count": '503 {"error":"no memory"}', "solve": "200 hi"}


def test_server_without_allowed_workers_answers_with_the_reason():
    found = seen(
        """
        const told = [];
        const make = () => { throw new Error("refused"); };
        const without = new WorkerPool({ make, on: (each) => told.push(each), failure });
        const { status } = await without.ask("solve", "{}");
        results.solve = status;
        results.told = told[0].reason;
        """
    )
    assert found["results"] == {"solve": 503, "told": "refused"}
