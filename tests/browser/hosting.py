"""The page as a folder of files, built once, and a static web host for it; for the tests of this folder."""

from __future__ import annotations

import functools
import http.server
import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from knightstour.interfaces.web.modules import STATIC

HERE = Path(__file__).parent
SUBFOLDER = "some/where"


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves files, and writes no log."""

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that is served; the page is in a folder below it."""
    served = tmp_path_factory.mktemp("host")
    command = [sys.executable, str(HERE.parents[1] / "scripts/make_page.py"), str(served / SUBFOLDER)]
    done = subprocess.run(
        command, capture_output=True, text=True, env=os.environ | {"PYTHONPATH": str(HERE.parents[1] / "src")}
    )
    if "cannot be built here" in done.stderr:
        pytest.skip(done.stderr.strip()[-300:])
    assert done.returncode == 0, done.stderr[-2000:]
    # For tests, which call the page's modules one by one; the page itself has them as one.
    shutil.copytree(STATIC, served / "modules")
    return served


class Host:
    """A static web host on a free port."""

    def __init__(self, folder: Path) -> None:
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.address = f"http://127.0.0.1:{self.server.server_port}/{SUBFOLDER}/"

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()
