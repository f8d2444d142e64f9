"""A server and a browser that all tests of the page share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from page_stage import Server, Stage, find_browser


@pytest.fixture(scope="session")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """A server and a browser; one line where there is none."""
    pytest.importorskip("playwright")
    if find_browser() is None:
        pytest.skip("the page is not tested: there is no chromium here (apt-get install chromium)")
    server = Server(tmp_path_factory.mktemp("page"))
    try:
        stage = Stage(server)
        yield stage
        stage.close()
    finally:
        server.kill()
