"""Fixtures: the page as a folder of files, built once, and a static web host."""

import functools
import http.server
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from knightstour.interfaces.web.modules import STATIC

HERE = Path(__file__).parent
SUBFOLDER = "some/where"
# The folder that `make page` made, for the tests to look at instead of a server's page.
MADE = os.environ.get("KNIGHTSTOUR_PAGE")

# The page asks its workers, and tests watch, hold and answer requests: so each question goes to the host first, as
# with a server, and where the host has no answer it goes to the worker.
ASK_THE_HOST_FIRST = """
  globalThis.Worker = class extends Worker {
    async postMessage(question) {
      const say = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      // A question that a test holds can be given up, as a search can; but searches do not wait for it.
      const held = setTimeout(() => say({ kind: "turn", lane: "held", seconds: 600, late: "{}" }), 500);
      const response = await fetch(`api/${question.name}`, { method: "POST", body: question.body }).catch(() => null);
      clearTimeout(held);
      if (!response || response.status === 404) {
        super.postMessage(question);
        return;
      }
      say({ kind: "head", status: response.status, type: response.headers.get("Content-Type") });
      say({ kind: "part", bytes: new Uint8Array(await response.arrayBuffer()) });
      say({ kind: "end" });
    }
  };
"""


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves files without a log."""

    def log_message(self, format: str, *args: Any) -> None:
        """Write no log."""

    def do_POST(self) -> None:
        """Refuse requests, as a static host does."""
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(404)
        self.send_header("Content-Length", "0")
        self.end_headers()


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the served folder; the page is in a subfolder."""
    served = tmp_path_factory.mktemp("host")
    if MADE:
        shutil.copytree(MADE, served / SUBFOLDER)
    else:
        _make(served / SUBFOLDER)
    # For tests, which call the page's modules one by one; the page itself has them as one.
    shutil.copytree(STATIC, served / "modules")
    return served


def _make(folder: Path) -> None:
    command = [sys.executable, str(HERE.parents[1] / "scripts/make_page.py"), str(folder)]
    done = subprocess.run(
        command, capture_output=True, text=True, env=os.environ | {"PYTHONPATH": str(HERE.parents[1] / "src")}
    )
    if "cannot be built here" in done.stderr:
        pytest.skip(done.stderr.strip()[-300:])
    assert done.returncode == 0, done.stderr[-2000:]


class Host:
    """A static web host on a free port."""

    def __init__(self, folder: Path) -> None:
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.address = f"http://127.0.0.1:{self.server.server_port}/{SUBFOLDER}/"

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture(scope="session")
def host(folder: Path) -> Iterator[Host]:
    made = Host(folder)
    yield made
    made.close()
