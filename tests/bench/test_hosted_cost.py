"""A hosted model: what a table would cost, and a whole run against a server that plays recorded answers back."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import msgspec
import pytest

from thinkaloud.errors import BadInput
from thinkaloud.models.usage import Prices
from thinkaloud.settings import Settings
from thinkaloud_bench import BENCHES, run_bench
from thinkaloud_bench.costs.hosted import estimate, main
from thinkaloud_bench.episode_log import read_log

ANSWERS = (Path(__file__).parents[1] / "data" / "hosted_answers.json").read_text(encoding="utf-8")
"""What an untrained 1.5B said in one episode (seed 1000): each answer with the end of the prompt that it goes on."""
COLUMN = "inner_monologue:feedback=object+scene"


class Recorded(BaseHTTPRequestHandler):
    """A server in OpenAI's form: it keeps to no constraint, and knows the recorded prompts and no others."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        prompt = asked.get("prompt", "")
        known = [each["text"] for each in json.loads(ANSWERS) if prompt.endswith(each["end"])]
        text = known[0] if known and prompt.startswith("Scene: There is a") else "Hello there!"  # to probes
        usage = {"prompt_tokens": len(prompt) // 4, "completion_tokens": 10}
        choice = {"text": text, "delta": {"content": text}, "finish_reason": "stop"}
        said = [{"choices": [choice]}, {"choices": [], "usage": usage}]
        body = "".join(f"data: {json.dumps(each)}\n\n" for each in said) + "data: [DONE]\n\n"
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing is printed."""


@pytest.fixture
def address() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Recorded)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    server.shutdown()
    server.server_close()


def test_a_hosted_model_plays_a_column_and_its_money_is_what_its_tokens_cost(address: str, tmp_path: Path) -> None:
    prices = {"price_read": 3.0, "price_written": 15.0}
    settings = replace(Settings(home=tmp_path / "home", base_url=address), **prices)  # type: ignore[arg-type]
    report = run_bench(
        "inner-monologue-tabletop",
        presets=[COLUMN],
        model="openai:recorded",
        episodes=1,
        seed=1000,
        jobs=1,
        episodes_file=None,
        out=tmp_path / "out",
        settings=settings,
        progress=lambda *_: None,
        tasks=["pick-and-place"],
    )
    (played,) = read_log(tmp_path / "out")[1]
    assert played.calls, played.because
    assert report.complete and played.calls == len(json.loads(ANSWERS)) and played.model == "openai:recorded"
    assert played.money == pytest.approx((played.evaluated * 3 + played.generated * 15) / 1e6) and played.money > 0
    assert {row.metric for row in report.rows} >= {"success", "false_success", "money"}
    (found,) = estimate(BENCHES["inner-monologue-tabletop"], [played], Prices(3.0, 3.0, 15.0), full=False)
    assert found.money == pytest.approx(played.money) and found.read > 500  # with our examples


def test_a_whole_table_is_estimated_from_a_few_episodes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    costs = {"calls": 2, "evaluated": 900, "cached": 100, "generated": 50, "later_evaluated": 0, "later_cached": 0}
    line = {**costs, "preset": COLUMN, "task": "stack", "index": 0, "seed": 1, "request": "", "success": True}
    line |= {"result": "goal met", "because": "", "steps": 1, "seconds": 1.0, "thinking": 1.0, "model": "m"}
    heading = {"bench": "inner-monologue-tabletop", "model": "m", "seed": 0, "settings": {}, "thinkaloud": "0"}
    log = tmp_path / "episodes.jsonl"
    log.write_bytes(b"\n".join([msgspec.json.encode(heading), msgspec.json.encode(line), b""]))
    main([str(tmp_path), "--read", "2", "--cached", "0", "--written", "10", "--full"])
    assert "400 episodes, each 900 read, 100 cached, 50 written: 0.92" in capsys.readouterr().out
    log.write_bytes(log.read_bytes().replace(b":900", b":0").replace(b":100,", b":0,"))
    with pytest.raises(BadInput, match="records no tokens"):
        main([str(tmp_path), "--read", "2", "--written", "10"])
