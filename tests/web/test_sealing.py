"""Tests of the server's protection: requests of other sites, and headers of responses."""

import httpx
import pytest

from helpers.served import raw

pytestmark = pytest.mark.processes


@pytest.mark.parametrize("path", ["/", "/api/health", "/api/nonsense", "/api/solve"])
def test_every_answer_is_sealed(web: httpx.Client, path: str) -> None:
    headers = web.get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy and "*" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert not any(name.startswith("access-control") for name in headers)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Origin": "{url}"}, 200),
        ({"Sec-Fetch-Site": "same-origin"}, 200),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "https{rest}"}, 403),
        ({"Origin": "http://localhost:1"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}, 403),
        ({"Host": "evil.example"}, 403),
        ({"Host": "127.0.0.1.evil.example"}, 403),
        ({"Host": "192.168.0.7"}, 403),
        ({"Host": "evil.example@localhost"}, 403),
        ({"Host": "localhost/evil"}, 403),
        ({"Host": "localhost#evil"}, 403),
        ({"Host": "localhost?evil"}, 403),
        ({"Host": "127.0.0.1:evil"}, 403),
        ({"Host": "[::1"}, 403),
        ({"Host": "[::1%25evil]"}, 403),
        ({"Host": "[::1]evil"}, 403),
        ({"Host": ""}, 403),
        ({"Host": "localhost:9999"}, 200),
        ({"Host": "[::1]:9999"}, 200),
    ],
)
def test_other_origins_get_nothing(web: httpx.Client, headers: dict[str, str], status: int) -> None:
    url = str(web.base_url).rstrip("/")
    sent = {name: value.format(url=url, rest=url.removeprefix("http")) for name, value in headers.items()}
    answer = web.get("/api/health", headers=sent)
    assert answer.status_code == status
    assert web.post("/api/solve", json={"board": "5x5"}, headers=sent).status_code == status


def test_a_link_on_another_site_may_lead_to_the_page(web: httpx.Client) -> None:
    visit = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    assert web.get("/", headers=visit).status_code == 200
    assert web.get("/", headers={**visit, "Sec-Fetch-Mode": "cors"}).status_code == 403


def test_a_request_without_a_host_or_with_two_is_refused(web: httpx.Client) -> None:
    url = str(web.base_url).rstrip("/")
    two = "Host: localhost\r\nSec-Fetch-Site: same-origin\r\nSec-Fetch-Site: cross-site\r\n"
    for hosts in ("", "Host: localhost\r\nHost: evil.example\r\n", two):
        answer = raw(url, f"GET /api/health HTTP/1.1\r\n{hosts}Connection: close\r\n\r\n".encode())
        assert answer.split()[1] in (b"400", b"403")
