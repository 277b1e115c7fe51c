"""The files of the page and the texts of the API as they are sent: compressed, with tags, and all modules at once."""

import gzip
import os
import re
from pathlib import Path

import httpx
import pytest

from helpers.served import client, served
from knightstour.interfaces.web.modules import STATIC, short_style
from knightstour.interfaces.web.server import Files

pytestmark = pytest.mark.processes


def plain(web: httpx.Client, path: str, **headers: str) -> tuple[httpx.Response, bytes]:
    """The answer as it comes, in as many bytes as were sent."""
    with web.stream("GET", path, headers=headers) as answer:
        return answer, b"".join(answer.iter_raw())


@pytest.mark.parametrize("path", ["/", "/app.js", "/style/base.css", "/api/methods"])
def test_texts_are_compressed_for_those_who_take_that(web: httpx.Client, path: str) -> None:
    small, few = plain(web, path, **{"Accept-Encoding": "br, gzip"})
    large, many = plain(web, path, **{"Accept-Encoding": "br"})
    assert small.headers["content-encoding"] == "gzip" and "content-encoding" not in large.headers
    assert small.headers["vary"] == large.headers["vary"] == "Accept-Encoding"
    assert gzip.decompress(few) == many and 2 * len(few) < len(many)
    assert small.headers.get("etag") == large.headers.get("etag")
    assert "content-encoding" not in plain(web, path, **{"Accept-Encoding": "gzip;q=0, *"})[0].headers


def test_small_answers_and_pictures_are_sent_as_they_are(web: httpx.Client) -> None:
    assert "content-encoding" not in web.get("/api/health").headers
    answer = web.post("/api/draw", json={"board": "8x8", "format": "png"})
    assert answer.content.startswith(b"\x89PNG") and "content-encoding" not in answer.headers
    answer = web.post("/api/draw", json={"board": "20x20", "format": "svg"})
    assert answer.text.startswith("<svg") and answer.headers["content-encoding"] == "gzip"
    answer = web.post("/api/solve", json={"board": "20x20"})
    assert answer.json()["status"] == "found" and answer.headers["content-encoding"] == "gzip"


def test_the_page_asks_for_one_script_and_one_style_sheet(web: httpx.Client) -> None:
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
    files = Files(tmp_path)
    first = files.get("/app.js")
    assert first is not None and first is files.get("/app.js") and b"const a = 1;" in first.body
    (tmp_path / "a.js").write_text("export const a = 2;\n", encoding="utf-8")
    os.utime(tmp_path / "a.js", ns=(0, 2 * (tmp_path / "a.js").stat().st_mtime_ns))
    second = files.get("/app.js")
    assert second is not None and b"const a = 2;" in second.body and second.tag != first.tag


def test_a_file_that_changes_gets_another_tag(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<head></head>one", encoding="utf-8")
    with served(static=tmp_path) as url, client(url) as web:
        first = web.get("/")
        assert first.text == "<head></head>one"
        (tmp_path / "index.html").write_text("<head></head>two", encoding="utf-8")
        os.utime(tmp_path / "index.html", (1, 1))
        second = web.get("/", headers={"If-None-Match": first.headers["etag"]})
        assert second.status_code == 200 and second.text.endswith("two")
        assert web.get("/app.js").status_code == 404 and web.post("/").status_code == 405
        assert web.head("/").status_code == 200
