"""A server for all tests of a file."""

from collections.abc import Iterator

import httpx
import pytest

from helpers.served import client, served


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        with served() as url, client(url) as session:
            yield session
