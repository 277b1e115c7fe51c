"""The files of the page and the texts of the API as they are sent: compressed, with tags, and all modules at once."""

from __future__ import annotations

import gzip
import os
import posixpath
import re
from pathlib import Path

import httpx
import pytest

from helpers.served import client, served

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


def test_small_answers_and_pictures_are_sent_as_they_are(web: httpx.Client) -> None:
    assert "content-encoding" not in web.get("/api/health").headers
    answer = web.post("/api/draw", json={"board": "8x8", "format": "png"})
    assert answer.content.startswith(b"\x89PNG") and "content-encoding" not in answer.headers
    answer = web.post("/api/draw", json={"board": "20x20", "format": "svg"})
    assert answer.text.startswith("<svg") and answer.headers["content-encoding"] == "gzip"
    answer = web.post("/api/solve", json={"board": "20x20"})
    assert answer.json()["status"] == "found" and answer.headers["content-encoding"] == "gzip"


def test_the_start_page_names_all_modules_that_the_page_loads(web: httpx.Client) -> None:
    named = re.findall(r'<link rel="modulepreload" href="([^"]+)">', web.get("/").text)
    waiting, seen = ["app.js"], set[str]()
    while waiting:
        path = waiting.pop()
        seen.add(path)
        for target in re.findall(r'^import [^;]*? from "([^"]+)";', web.get(f"/{path}").text, re.MULTILINE):
            there = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
            waiting += [there] if there not in seen else []
    assert len(named) == len(set(named)) and {*named, "app.js"} == seen


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
