"""What the command line says of a model that is asked over the network: what it keeps to, and what it costs."""

from __future__ import annotations

import http.server
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from thinkaloud.cli import cli
from thinkaloud.cli.doctor import _address
from thinkaloud.settings import load

SECRET = "sk-very-secret-key"


class _Handler(http.server.BaseHTTPRequestHandler):
    """Speaks Anthropic's form, forces tools, and does not look at pictures."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        blocks: list[dict[str, Any]] = [{"type": "text", "text": " nonsense"}]
        if body.get("tools"):
            blocks = [{"type": "tool_use", "name": body["tools"][0]["name"], "input": {}}]
        usage = {"input_tokens": 1000, "output_tokens": 100}
        answer = json.dumps({"content": blocks, "stop_reason": "end_turn", "usage": usage}).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *given: Any) -> None:
        """Say nothing."""


@contextmanager
def serving() -> Iterator[str]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    finally:
        server.shutdown()
        server.server_close()


@pytest.fixture
def address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.chdir(tmp_path)
    with serving() as found:
        given = {"MODEL": "anthropic:wise", "BASE_URL": found, "API_KEY": SECRET, "HOME": str(tmp_path)}
        given |= {"PRICE_READ": "2", "PRICE_WRITTEN": "10"}
        for name, value in given.items():
            monkeypatch.setenv(f"THINKALOUD_{name}", value)
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
        yield found


def test_the_doctor_says_what_the_address_keeps_to_and_keeps_that(address: str, tmp_path: Path) -> None:
    found = _address(load())
    assert found.todo == ""
    assert "constrained by forced tool; it does not look at pictures; prices 2 / 0 / 10" in found.found
    kept = (tmp_path / "cache" / "thinkaloud" / "served.json").read_text()
    assert '"ways": ["tool"]' in kept and SECRET not in kept + found.found


def test_a_run_says_what_it_cost_and_so_do_its_events(address: str) -> None:
    options = ["--world", "by_hand", "--preset", "inner_monologue", "--no-film"]
    ran = CliRunner().invoke(cli, ["run", *options, "Tidy up."])
    assert "Model: " in ran.output and ", cost 0.00" in ran.output
    told = CliRunner().invoke(cli, ["run", *options, "--json", "--timings", "Tidy up."]).output
    assert '"money":0.003' in told and SECRET not in told + ran.output


def test_a_request_that_costs_too_much_ends_as_a_limit(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THINKALOUD_REQUEST_MONEY", "0.001")
    options = ["--world", "by_hand", "--preset", "inner_monologue", "--no-film"]
    ran = CliRunner().invoke(cli, ["run", *options, "Tidy up."])
    assert ran.exit_code == 1 and "may cost 0.001 for a request (request_money)" in ran.output
