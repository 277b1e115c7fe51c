"""Tests of the page's files as sent, with all modules bundled."""

import os
import re
from pathlib import Path

import httpx
import pytest

from helpers.served import client, served
from knightstour.interfaces.web.modules import STATIC, short_style

pytestmark = pytest.mark.processes


def test_page_loads_one_script_and_one_stylesheet(web: httpx.Client) -> None:
    start = web.get("/").text
    assert re.findall(r'<(?:script|link)[^>]* (?:src|href)="([^"]+)"', start) == [
        "icon.svg",
        "early.js",
        "page.css",
        "app.js",
    ]
    script, style = web.get("/app.js").text, web.get("/page.css").text
    assert not re.search(r"^(?:import|export)\b", script, re.MULTILINE)
    # All of the modules and sheets that the files beside it have.
    assert "class BoardView" in script and '"lead":' in script
    for path in re.findall(r'href="(style/[^"]+)"', (STATIC / "index.html").read_text("utf-8")):
        assert short_style(web.get(f"/{path}").text) in style
    assert web.get("/model/link.js").text == (STATIC / "model/link.js").read_text("utf-8")


def test_a_module_that_changes_makes_another_script(tmp_path: Path) -> None:
    texts = {"index.html": "<head></head>", "app.js": 'import { a } from "./a.js";\n', "a.js": "export const a = 1;\n"}
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    with served(static=tmp_path) as url, client(url) as web:
        assert "const a = 1;" in web.get("/app.js").text
        (tmp_path / "a.js").write_text("export const a = 2;\n", encoding="utf-8")
        os.utime(tmp_path / "a.js", ns=(0, 2 * (tmp_path / "a.js").stat().st_mtime_ns))
        assert "const a = 2;" in web.get("/app.js").text
        assert web.post("/").status_code == 405 and web.head("/").status_code == 200
        assert web.get("/b.js").status_code == 404
