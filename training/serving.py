"""A model with its adapter behind an OpenAI-compatible address, many requests at once, for measuring on a GPU.

    python -m training.serving BASE.gguf [--adapter ADAPTER.gguf] [--port 8000]

The same weights as llama.cpp runs, in bfloat16, greedy, with log-probabilities, and held to a grammar where one is
sent; options are scored by the likelihoods of texts that are echoed; no chat, no cache. A few hundred requests take a
minute instead of an hour, so that what was learnt can be seen while the machine is still warm. Needs what
`training.train` needs, and `tokenizers`.
"""

from __future__ import annotations

import argparse
import json
import queue
import threading
import time
from concurrent.futures import Future
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from gguf import GGUFReader
from tokenizers.decoders import ByteLevel

from thinkaloud.models.gbnf import State, read_grammar
from thinkaloud.models.pieces import BadGrammar
from thinkaloud.models.scoring import shared_length
from training.pack import tokenizer
from training.train import Base, Student

MOST_TOGETHER = 96
_OTHERS = 4
_LIKELY, _VOCABULARY = 64, 20_000
"""Tokens that are tried first where a grammar has to allow one, and in the end."""


@dataclass
class Asked:
    """A prompt, what ends the answer, what the grammar still allows, and where the answer goes."""

    ids: list[int]
    most: int
    stop: list[str]
    state: State | None = None
    answer: Future[list[dict[str, Any]]] = field(default_factory=Future)


class Batched:
    """Continues many prompts at once."""

    def __init__(self, base: Path, adapter: Path | None) -> None:
        device = "cuda" if torch.cuda.is_available() else "cpu"
        weights = Base(base, device, torch.bfloat16 if device == "cuda" else torch.float32)
        rank = 8 if adapter is None else min(int(n) for each in GGUFReader(str(adapter)).tensors for n in each.shape)
        self.student = Student(weights, rank, 4096, beside=False)
        if adapter is not None:
            self.student.begin(adapter)
        with torch.no_grad():
            self.student.merge()
        self.layers: list[dict[str, Any]] = self.student.weights()
        self.weights, self.device = weights, device
        self.words = tokenizer(base)
        self.words.decoder = ByteLevel()
        fields = GGUFReader(str(base)).fields
        self.end = int(fields["tokenizer.ggml.eos_token_id"].contents())
        self.queue: queue.Queue[Asked] = queue.Queue()
        threading.Thread(target=self._work, daemon=True).start()

    def ask(self, prompt: str, most: int, stop: list[str], grammar: str | None = None) -> list[dict[str, Any]]:
        """The tokens that follow, each with its likelihood and what else was likely."""
        state = None if grammar is None else read_grammar(grammar).start
        asked = Asked(self.words.encode(prompt).ids[-3800:], most, stop, state)
        self.queue.put(asked)
        return asked.answer.result()

    def echo(self, texts: list[str]) -> list[dict[str, list[Any]]]:
        """How likely each token of these texts is after those before it, from where they differ on: to score options.

        What they have in common is not weighed: it is the same for all of them. Its likelihoods are 0.
        """
        told = [self.words.encode(text) for text in texts]
        shared = max(1, shared_length([each.ids for each in told]) - 1)
        longest = max(len(each.ids) for each in told)
        ids = torch.zeros(len(told), longest, dtype=torch.long, device=self.device)
        for row, each in enumerate(told):
            ids[row, : len(each.ids)] = torch.tensor(each.ids, device=self.device)
        none = [torch.empty(0)] * self.weights.layers
        with torch.no_grad():
            hidden = self._forward(
                ids, torch.zeros(len(told), dtype=torch.long, device=self.device), none, none[:], longest
            )
            odds = self.student.logits(hidden[:, shared - 1 : -1]).float().log_softmax(-1)
            likely = odds.gather(-1, ids[:, shared:, None])[..., 0].tolist()
        return [
            {
                "text_offset": [start for start, _ in each.offsets],
                "token_logprobs": [0.0] * min(shared, len(each.ids)) + likely[row][: max(0, len(each.ids) - shared)],
            }
            for row, each in enumerate(told)
        ]

    def text(self, tokens: list[int]) -> str:
        """The text of tokens; the one that ends an answer has none."""
        return str(self.words.decode([each for each in tokens if each != self.end], skip_special_tokens=False))

    def _work(self) -> None:
        while True:
            batch = [self.queue.get()]
            time.sleep(0.01)
            while len(batch) < MOST_TOGETHER and not self.queue.empty():
                batch.append(self.queue.get())
            try:
                with torch.no_grad():
                    answers = self._continue(batch)
                for asked, answer in zip(batch, answers, strict=True):
                    asked.answer.set_result(answer)
            except Exception as error:
                for asked in batch:
                    if not asked.answer.done():
                        asked.answer.set_exception(error)

    def _continue(self, batch: list[Asked]) -> list[list[dict[str, Any]]]:
        lengths = torch.tensor([len(asked.ids) for asked in batch], device=self.device)
        longest, most = int(lengths.max()), max(asked.most for asked in batch)
        ids = torch.zeros(len(batch), longest, dtype=torch.long, device=self.device)
        for row, asked in enumerate(batch):
            ids[row, : len(asked.ids)] = torch.tensor(asked.ids, device=self.device)
        room = longest + most
        keys = [torch.empty(0)] * self.weights.layers
        values = [torch.empty(0)] * self.weights.layers
        hidden = self._forward(ids, torch.zeros_like(lengths), keys, values, room)
        last = hidden[torch.arange(len(batch), device=self.device), lengths - 1]
        said: list[list[dict[str, Any]]] = [[] for _ in batch]
        open_ = [True] * len(batch)
        places = lengths.clone()
        for _ in range(most):
            odds = self.student.logits(last).float().log_softmax(-1)
            best = odds.topk(_LIKELY, -1)
            values_, indices = best.values.tolist(), best.indices.tolist()
            chosen = [row[0] for row in indices]
            for row, asked in enumerate(batch):
                if not open_[row]:
                    continue
                token, value = self._choose(asked, odds[row], indices[row], values_[row])
                chosen[row], piece = token, self.text([token])
                likely = list(zip(indices[row], values_[row], strict=True))[: _OTHERS + 1]
                others = {self.text([other]): odds_ for other, odds_ in likely if other != token}
                said[row].append({"token": piece, "logprob": value, "others": others, "id": token})
                text = self.text([each["id"] for each in said[row]])
                ended = token == self.end or any(stop in text for stop in asked.stop)
                over = asked.state is not None and asked.state.over
                open_[row] = not ended and not over and len(said[row]) < asked.most
            if not any(open_):
                break
            following = torch.tensor(chosen, device=self.device)[:, None]
            last = self._forward(following, places, keys, values, room)[:, 0]
            places = places + 1
        return said

    def _choose(self, asked: Asked, odds: torch.Tensor, tokens: list[int], values: list[float]) -> tuple[int, float]:
        """The likeliest token that the grammar allows, which has then gone on; the end where it allows none."""
        if asked.state is None:
            return tokens[0], values[0]
        for token, value in zip(tokens, values, strict=True):
            if self._allows(asked, token):
                return token, value
        if len(tokens) < _VOCABULARY:
            best = odds.topk(_VOCABULARY)
            return self._choose(asked, odds, best.indices.tolist(), best.values.tolist())
        return self.end, values[0]

    def _allows(self, asked: Asked, token: int) -> bool:
        assert asked.state is not None
        if token == self.end:
            return asked.state.ends
        piece = self.text([token])
        after = asked.state.after(piece) if piece and "\ufffd" not in piece else None
        if after is not None:
            asked.state = after
        return after is not None

    def _forward(
        self, ids: torch.Tensor, start: torch.Tensor, keys: list[torch.Tensor], values: list[torch.Tensor], room: int
    ) -> torch.Tensor:
        """Hidden states of the next tokens of each row, which begin at `start`; keys and values are kept."""
        student, base = self.student, self.weights
        n, t = ids.shape
        x = F.embedding(ids, base.weights["token_embd.weight"])
        at = start[:, None] + torch.arange(t, device=self.device)
        cos, sin = student.cos[at][:, None], student.sin[at][:, None]
        first = keys[0].numel() == 0
        mask = None if first else (torch.arange(room, device=self.device)[None] <= start[:, None])[:, None, None]
        for layer, w in enumerate(self.layers):
            h = self._norm(x, w["attn_norm.weight"])
            q, k, v = (
                F.linear(h, w[f"attn_{part}.weight"], w.get(f"attn_{part}.bias"))
                .view(n, t, heads, base.head)
                .transpose(1, 2)
                for part, heads in (("q", base.heads), ("k", base.kv), ("v", base.kv))
            )
            q, k = student.turn(q, cos, sin), student.turn(k, cos, sin)
            if first:
                keys[layer] = torch.zeros(n, base.kv, room, base.head, device=self.device, dtype=k.dtype)
                values[layer] = torch.zeros_like(keys[layer])
                keys[layer][:, :, :t], values[layer][:, :, :t] = k, v
                o = F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)
            else:
                rows = torch.arange(n, device=self.device)
                keys[layer][rows, :, start], values[layer][rows, :, start] = k[:, :, 0], v[:, :, 0]
                o = F.scaled_dot_product_attention(q, keys[layer], values[layer], attn_mask=mask, enable_gqa=True)
            x = x + F.linear(o.transpose(1, 2).reshape(n, t, base.width), w["attn_output.weight"])
            h = self._norm(x, w["ffn_norm.weight"])
            gated = F.silu(F.linear(h, w["ffn_gate.weight"])) * F.linear(h, w["ffn_up.weight"])
            x = x + F.linear(gated, w["ffn_down.weight"])
        return self._norm(x, base.weights["output_norm.weight"])

    def _norm(self, x: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
        return F.rms_norm(x, (self.weights.width,), weights, self.weights.epsilon)


def _handler(model: Batched) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
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
    options.add_argument("--port", type=int, default=8000)
    given = options.parse_args()
    model = Batched(given.base, given.adapter)
    server = ThreadingHTTPServer(("127.0.0.1", given.port), _handler(model))
    print(f"Ready at http://127.0.0.1:{given.port}/v1", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
