"""`thinkaloud serve` for named people, over TLS, in a real browser."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from page_shots import show_state
from page_stage import Stage
from thinkaloud.web.people import Person, add_person


@pytest.fixture
def house(tmp_path: Path) -> Iterator[tuple[str, dict[str, str]]]:
    """A server for a watcher and an administrator: its address, and their tokens."""
    if (openssl := shutil.which("openssl")) is None:
        pytest.skip("TLS is not tried: there is no openssl here, which makes the certificate")
    certificate, key, people = tmp_path / "cert.pem", tmp_path / "key.pem", tmp_path / "people.toml"
    made = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
    out = ["-subj", "/CN=localhost", "-keyout", str(key), "-out", str(certificate)]
    subprocess.run([openssl, *made, *out], check=True, capture_output=True)
    tokens = {"Wendy": add_person(people, Person("Wendy", "watch"))}
    tokens["Ada"] = add_person(people, Person("Ada", "administer", known_as="engineer"))
    options = [
        "--people",
        str(people),
        "--certificate",
        str(certificate),
        "--key",
        str(key),
        "--port",
        "0",
        "--no-open",
    ]
    environment = {**os.environ, "THINKALOUD_HOME": str(tmp_path / "home"), "THINKALOUD_MODEL": "openai:nobody"}
    environment |= {"THINKALOUD_BASE_URL": "http://127.0.0.1:9/v1", "THINKALOUD_API_KEY": "none"}  # nobody is asked
    environment.pop("PYTEST_CURRENT_TEST", None)
    command = [sys.executable, "-m", "thinkaloud", "serve", *options]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
    try:
        assert server.stdout is not None
        yield server.stdout.readline().split()[1].rstrip("/"), tokens
    finally:
        server.kill()
        server.wait()
        assert server.stdout is not None
        server.stdout.close()


def test_a_watcher_cannot_start_a_robot_and_an_administrator_sees_who_is_there(
    stage: Stage, house: tuple[str, dict[str, str]]
) -> None:
    address, tokens = house

    async def story() -> None:
        async with stage.visit(1440, 900, ignore_https_errors=True) as visit:
            visit.address, page = address, visit.page
            refused = await page.goto(address)
            assert refused is not None and refused.status == 401
            await page.goto(f"{address}/?token={tokens['Wendy']}")
            assert "token" not in page.url
            await page.wait_for_selector("text=Wendy, you may look at the sessions")
            assert await page.get_by_role("button", name="Start").is_disabled()
            await show_state(page, "page-watcher")
            async with httpx.AsyncClient(base_url=address, verify=False) as ada:
                ada.headers["Authorization"] = f"Bearer {tokens['Ada']}"
                lesson = {"world": "kitchen", "said": "tidy", "means": "Shut the top drawer."}
                assert (await ada.post("/api/lessons", json=lesson)).status_code == 200
                started = await ada.post("/api/sessions", json={"world": "by_hand"})
                assert started.status_code == 200, started.text
            await page.goto(address)
            await page.wait_for_selector(".lessons .request >> text=tidy")
            await page.wait_for_selector(".sessions [data-session]")
            assert not await page.locator(".sessions .tools, .lessons button, .lessons form").count()
            await page.goto(f"{address}/s/{started.json()['id']}")
            await page.wait_for_selector(".controls >> text=Share")
            held = page.get_by_role("button", name=re.compile("Fork|Pause|One step|Meddle|Take control"))
            assert not await held.count()
            await page.goto(f"{address}/?token={tokens['Ada']}")
            await page.goto(f"{address}/s/{started.json()['id']}")
            await page.wait_for_selector(".controls >> text=Fork")
            await page.goto(f"{address}/settings")
            await page.wait_for_selector("td >> text=Wendy")
            await page.wait_for_selector(".abilities .can li")
            await page.get_by_role("table").scroll_into_view_if_needed()
            await show_state(page, "page-people")

    stage.play(story())
