"""A model with its adapter behind an OpenAI-compatible address, many requests at once, for measuring on a GPU.

    python -m training.serving BASE.gguf [--adapter ADAPTER.gguf] [--judge ADAPTER.gguf] [--port 8000]

The same weights as llama.cpp runs, in bfloat16, greedy, with log-probabilities, and held to a grammar where one is
sent; options are scored by the likelihoods of texts that are echoed; no chat. Thousands of requests take minutes
instead of hours, so that what was learnt can be seen while the machine is still warm. With `--judge`, a request for a
model whose name ends in `:judge` is answered with that adapter, of the same base or of `--judge-base`. Needs what
`training.train` needs, and `tokenizers`.
"""

from __future__ import annotations

import argparse
import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from thinkaloud.models.contract import JUDGE
from thinkaloud.models.gbnf_rules import BadGrammar
from training.batching import Batched


def _handler(writer: Batched, judge: Batched | None = None) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            judged = str(body.get("model", "")).endswith(f":{JUDGE}")
            if judged and judge is None:
                return self._send(404, {"error": {"message": "no judge is served here; start with --judge ADAPTER"}})
            model = judge if judged and judge is not None else writer
            if self.path == "/v1/completions" and body.get("echo") and isinstance(body.get("prompt"), list):
                echoed = [
                    {"index": n, "text": "", "logprobs": odds} for n, odds in enumerate(model.echo(body["prompt"]))
                ]
                return self._send(200, {"object": "text_completion", "choices": echoed, "usage": {}})
            if self.path != "/v1/completions" or not isinstance(body.get("prompt"), str):
                return self._send(404, {"error": {"message": "only /v1/completions of one prompt is here"}})
            stop = list(body.get("stop") or ())
            try:
                said = model.ask(body["prompt"], int(body.get("max_tokens") or 160), stop, body.get("grammar"))
            except BadGrammar as error:
                return self._send(400, {"error": {"message": f"the grammar cannot be read: {error}"}})
            text = model.text([each["id"] for each in said])
            ends = [text.index(stop) for stop in body.get("stop") or () if stop in text]
            text = text[: min(ends)] if ends else text
            logprobs = {
                "content": [
                    {
                        "token": each["token"],
                        "logprob": each["logprob"],
                        "top_logprobs": [{"token": t, "logprob": v} for t, v in each["others"].items()],
                    }
                    for each in said
                    if each["token"].strip()
                ]
            }
            choice = {"index": 0, "text": text, "finish_reason": "stop", "logprobs": logprobs}
            usage = {"prompt_tokens": 0, "completion_tokens": len(said)}
            return self._send(200, {"object": "text_completion", "choices": [choice], "usage": usage})

        def _send(self, status: int, data: Any) -> None:
            sent = json.dumps(data).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(sent)))
            self.end_headers()
            self.wfile.write(sent)

        def log_message(self, *_: Any) -> None:
            """Quiet."""

    return Handler


def main() -> None:
    """The command."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("base", type=Path)
    options.add_argument("--adapter", type=Path)
    options.add_argument("--judge", type=Path, help="the adapter of the judge of readings")
    options.add_argument("--judge-base", type=Path, help="the judge's base model, if it is another")
    options.add_argument("--port", type=int, default=8000)
    options.add_argument("--plain", action="store_true", help="record no steps: slower, for a GPU that cannot")
    given = options.parse_args()
    model = Batched(given.base, given.adapter, recorded=not given.plain)
    judge = None
    if given.judge is not None:
        judge = Batched(given.judge_base or given.base, given.judge, recorded=not given.plain)
    server = ThreadingHTTPServer(("127.0.0.1", given.port), _handler(model, judge))
    print(f"Ready at http://127.0.0.1:{given.port}/v1", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
