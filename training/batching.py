"""Continuing many prompts at once on a GPU, held to grammars, and weighing texts: what `training.serving` serves.

Each request has a slot until it is answered; all slots go on by a token at once, and whoever comes meanwhile takes a
free one: that whose last text begins most like the new one, so that only the rest has to be read.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from gguf import GGUFReader
from tokenizers.decoders import ByteLevel

from thinkaloud.models.gbnf import State, read_grammar
from thinkaloud.models.scoring import shared_length
from training.pack import tokenizer
from training.train import Base, Student

SLOTS, ROOM = 48, 6144
"""Requests at once, and the tokens of one, prompt and answer."""
_ROOMS = (1024, 2048, 4096, ROOM)
"""A step over short texts need not look at all the room."""
_NOWHERE = ROOM - 1
"""Where a slot writes that is not in use."""
_OTHERS = 4
_TOGETHER = 32
"""Texts that are weighed at once."""
_LIKELY, _VOCABULARY = 64, 20_000
"""Tokens that are tried first where a grammar has to allow one, and in the end."""


@dataclass
class Asked:
    """A prompt, what ends the answer, what the grammar still allows, what was said, and where the answer goes."""

    ids: list[int]
    most: int
    stop: list[str]
    state: State | None = None
    said: list[dict[str, Any]] = field(default_factory=list)
    text: str = ""
    answer: Future[list[dict[str, Any]]] = field(default_factory=Future)


@dataclass
class Weighed:
    """Texts whose likelihoods are asked for, and where these go."""

    texts: list[list[int]]
    answer: Future[list[list[float]]] = field(default_factory=Future)


class Batched:
    """Continues many prompts at once."""

    def __init__(self, base: Path, adapter: Path | None, *, recorded: bool = True) -> None:
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        self.recorded = recorded and self.device == "cuda"
        weights = Base(base, self.device, torch.bfloat16 if self.device == "cuda" else torch.float32)
        rank = 8 if adapter is None else min(int(n) for each in GGUFReader(str(adapter)).tensors for n in each.shape)
        self.student = Student(weights, rank, ROOM, beside=False)
        if adapter is not None:
            self.student.begin(adapter)
        with torch.no_grad():
            self.student.merge()
        self.layers: list[dict[str, Any]] = [
            {name: each.detach() for name, each in layer.items()} for layer in self.student.weights()
        ]
        self.weights = weights
        self.words = tokenizer(base)
        self.words.decoder = ByteLevel()
        self.end = int(GGUFReader(str(base)).fields["tokenizer.ggml.eos_token_id"].contents())
        self.pieces: dict[int, str] = {}
        self.queue: queue.Queue[Asked | Weighed] = queue.Queue()
        self.active: list[Asked | None] = [None] * SLOTS
        self.read = [np.zeros(0, np.int64) for _ in range(SLOTS + 1)]
        """What each slot has read; the last one is for texts that are weighed."""
        shape = (SLOTS + 1, weights.kv, ROOM, weights.head)
        kind = weights.weights["token_embd.weight"].dtype
        self.keys = [torch.zeros(shape, device=self.device, dtype=kind) for _ in range(weights.layers)]
        self.values = [torch.zeros_like(each) for each in self.keys]
        self.next = torch.zeros(SLOTS, dtype=torch.long, device=self.device)
        self.places = torch.full((SLOTS,), _NOWHERE, dtype=torch.long, device=self.device)
        self.rows = torch.arange(SLOTS, device=self.device)
        self.groups = (weights.kv, weights.heads // weights.kv)
        with torch.no_grad():
            self.steps = {room: self._prepared(room) for room in _ROOMS}
        threading.Thread(target=self._work, daemon=True).start()

    def ask(self, prompt: str, most: int, stop: list[str], grammar: str | None = None) -> list[dict[str, Any]]:
        """The tokens that follow, each with its likelihood and what else was likely."""
        state = None if grammar is None else read_grammar(grammar).start
        most = min(most, ROOM // 4)
        asked = Asked(self.words.encode(prompt).ids[-(ROOM - 2 - most) :], most, stop, state)
        self.queue.put(asked)
        return asked.answer.result()

    def echo(self, texts: list[str]) -> list[dict[str, list[Any]]]:
        """How likely each token of these texts is after those before it, from where they differ on: to score options.

        What they have in common is not weighed: it is the same for all of them. Its likelihoods are 0.
        """
        told = self.words.encode_batch(texts)
        weighed = Weighed([each.ids for each in told])
        self.queue.put(weighed)
        return [
            {
                "text_offset": [start for start, _ in each.offsets],
                "token_logprobs": [0.0] * (len(each.ids) - len(likely)) + likely,
            }
            for each, likely in zip(told, weighed.answer.result(), strict=True)
        ]

    def text(self, tokens: list[int]) -> str:
        """The text of tokens; the one that ends an answer has none."""
        return str(self.words.decode([each for each in tokens if each != self.end], skip_special_tokens=False))

    def piece(self, token: int) -> str:
        """The text of one token."""
        if token not in self.pieces:
            self.pieces[token] = self.text([token])
        return self.pieces[token]

    # The work of all requests, in one thread --------------------------------------------------------------------------

    def _work(self) -> None:
        while True:
            while not self.queue.empty() or not any(self.active):
                if None not in self.active:
                    break
                self._take(self.queue.get())
            try:
                with torch.no_grad():
                    self._go_on()
            except Exception as error:
                for slot, asked in enumerate(self.active):
                    if asked is not None:
                        self._free(slot)
                        asked.answer.set_exception(error)

    def _take(self, job: Asked | Weighed) -> None:
        """Give a request a slot and read its prompt; weigh texts at once."""
        try:
            with torch.no_grad():
                if isinstance(job, Weighed):
                    return job.answer.set_result(self._weigh(job.texts))
                ids = np.array(job.ids, np.int64)
                free = [slot for slot, asked in enumerate(self.active) if asked is None]
                shared = {slot: _shared(self.read[slot], ids) for slot in free}
                slot = max(free, key=lambda each: (shared[each], -len(self.read[each])))
                last = self._read_prompt(slot, ids, min(shared[slot], len(ids) - 1))
                self.active[slot] = job
                values, tokens = self._likeliest(last[None])
                self._choose_next(slot, job, last, tokens[0].tolist(), values[0].tolist())
                self._tell_slots()
        except Exception as error:
            job.answer.set_exception(error)

    def _go_on(self) -> None:
        """One more token for every request."""
        needed = max((len(self.read[slot]) for slot, asked in enumerate(self.active) if asked is not None), default=0)
        if not needed:
            return
        graph, (odds, values, tokens) = self.steps[next(room for room in _ROOMS if room > needed)]
        if graph is None:
            odds, values, tokens = self._step(next(room for room in _ROOMS if room > needed))
        else:
            graph.replay()
        likely, which = values.tolist(), tokens.tolist()
        for slot, asked in enumerate(self.active):
            if asked is not None:
                self.read[slot] = np.append(self.read[slot], asked.said[-1]["id"])
                self._choose_next(slot, asked, odds[slot], which[slot], likely[slot])
        self._tell_slots()

    def _tell_slots(self) -> None:
        tokens = [0 if asked is None else asked.said[-1]["id"] for asked in self.active]
        places = [_NOWHERE if asked is None else len(self.read[slot]) for slot, asked in enumerate(self.active)]
        self.next.copy_(torch.tensor(tokens))
        self.places.copy_(torch.tensor(places))

    def _choose_next(self, slot: int, asked: Asked, odds: torch.Tensor, tokens: list[int], likely: list[float]) -> None:
        """Take the next token of an answer, and give the answer where that was the last."""
        token, value = self._allowed(asked, odds, tokens, likely)
        others = {self.piece(t): v for t, v in zip(tokens[: _OTHERS + 1], likely, strict=False) if t != token}
        asked.said.append({"token": self.piece(token), "logprob": value, "others": others, "id": token})
        asked.text += "" if token == self.end else self.piece(token)
        ended = token == self.end or any(stop in asked.text for stop in asked.stop)
        if ended or len(asked.said) >= asked.most or (asked.state is not None and asked.state.over):
            self._free(slot)
            asked.answer.set_result(asked.said)

    def _free(self, slot: int) -> None:
        self.active[slot] = None

    def _allowed(self, asked: Asked, odds: torch.Tensor, tokens: list[int], likely: list[float]) -> tuple[int, float]:
        """The likeliest token that the grammar allows, which has then gone on; the end where it allows none."""
        if asked.state is None:
            return tokens[0], likely[0]
        for token, value in zip(tokens, likely, strict=True):
            if self._allows(asked, token):
                return token, value
        if len(tokens) < _VOCABULARY:
            best = odds.float().log_softmax(-1).topk(_VOCABULARY)
            return self._allowed(asked, odds, best.indices.tolist(), best.values.tolist())
        return self.end, likely[0]

    def _allows(self, asked: Asked, token: int) -> bool:
        assert asked.state is not None
        if token == self.end:
            return asked.state.ends
        piece = self.piece(token)
        after = asked.state.after(piece) if piece and "\ufffd" not in piece else None
        if after is not None:
            asked.state = after
        return after is not None

    # The model --------------------------------------------------------------------------------------------------------

    def _prepared(self, room: int) -> tuple[Any, tuple[torch.Tensor, ...]]:
        """A step over so much room; on a GPU recorded once, so that hundreds of small calls are one."""
        if not self.recorded:
            return None, (torch.empty(0),) * 3
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(3):
                self._step(room)
        torch.cuda.current_stream().wait_stream(side)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            made = self._step(room)
        return graph, made

    def _step(self, room: int) -> tuple[torch.Tensor, ...]:
        """The next token of all slots: how likely each is, and the likeliest."""
        seen = torch.arange(room, device=self.device)[None] <= self.places[:, None]

        def attend(layer: int, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
            self.keys[layer][self.rows, :, self.places] = k[:, :, 0]
            self.values[layer][self.rows, :, self.places] = v[:, :, 0]
            keys, values = self.keys[layer][:SLOTS, :, :room], self.values[layer][:SLOTS, :, :room]
            return self._attend(q, keys, values, seen[:, None, None])

        odds = self.student.logits(self._forward(self.next[:, None], self.places[:, None], attend)[:, 0])
        return odds, *self._likeliest(odds)

    def _likeliest(self, odds: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        odds = odds.float()
        best = odds.topk(_LIKELY, -1)
        return best.values - odds.logsumexp(-1, keepdim=True), best.indices

    def _read_prompt(self, slot: int, ids: np.ndarray[Any, Any], start: int) -> torch.Tensor:
        """Read what a slot has not read yet of a prompt; how likely each token is after it."""
        new = torch.from_numpy(ids[start:]).to(self.device)[None]
        at = torch.arange(start, len(ids), device=self.device)[None]
        seen = (torch.arange(len(ids), device=self.device)[None] <= at[0][:, None])[None, None]

        def attend(layer: int, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
            self.keys[layer][slot, :, start : len(ids)], self.values[layer][slot, :, start : len(ids)] = k[0], v[0]
            if start == 0:
                return F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)
            keys, values = (each[layer][slot : slot + 1, :, : len(ids)] for each in (self.keys, self.values))
            return F.scaled_dot_product_attention(q, keys, values, attn_mask=seen, enable_gqa=True)

        hidden = self._forward(new, at, attend)
        self.read[slot] = ids
        return self.student.logits(hidden[0, -1])

    def _weigh(self, texts: list[list[int]]) -> list[list[float]]:
        """The likelihoods of the tokens of texts, from where they differ on; of a single text, of all but the first."""
        over = max(0, max(len(each) for each in texts) - ROOM)
        texts = [each[over:] for each in texts]
        shared = max(1, shared_length(texts) - 1) if len(texts) > 1 else 1
        ids = np.array(texts[0][:shared], np.int64)
        first = self._read_prompt(SLOTS, ids, min(_shared(self.read[SLOTS], ids), shared - 1))
        longest = max(len(each) for each in texts) - shared
        found: list[list[float]] = []
        for some in (texts[at : at + _TOGETHER] for at in range(0, len(texts), _TOGETHER)):
            rest = np.zeros((len(some), longest), np.int64)
            for row, each in enumerate(some):
                rest[row, : len(each) - shared] = each[shared:]
            wanted = torch.from_numpy(rest).to(self.device)
            odds = torch.cat((first.expand(len(some), 1, -1), self._after_shared(wanted, shared)[:, :-1]), 1)
            chosen = odds.gather(-1, wanted[..., None])[..., 0].float()
            likely = (chosen - odds.float().logsumexp(-1)).tolist()
            found += [row[: len(each) - shared] for row, each in zip(likely, some, strict=True)]
        return found

    def _after_shared(self, rest: torch.Tensor, shared: int) -> torch.Tensor:
        """How likely each token is after each of several texts that go on from what was read to be weighed."""
        n, t = rest.shape
        at = torch.arange(shared, shared + t, device=self.device)[None].expand(n, t)
        own = torch.ones(t, t, dtype=torch.bool, device=self.device).tril()
        seen = torch.cat((torch.ones(t, shared, dtype=torch.bool, device=self.device), own), 1)[None, None]

        def attend(layer: int, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
            before, worth = (each[layer][SLOTS, :, :shared].expand(n, -1, -1, -1) for each in (self.keys, self.values))
            keys, values = torch.cat((before, k), 2), torch.cat((worth, v), 2)
            return F.scaled_dot_product_attention(q, keys, values, attn_mask=seen, enable_gqa=True)

        return self.student.logits(self._forward(rest, at, attend))

    def _attend(self, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, seen: torch.Tensor) -> torch.Tensor:
        """Attention of one token each; the heads that share keys stand beside each other, so that none is repeated."""
        n, heads, _, size = q.shape
        odds = (q.view(n, *self.groups, size) @ k.mT).float() * size**-0.5
        weights = odds.masked_fill(~seen, -torch.inf).softmax(-1).to(v.dtype)
        return (weights @ v).view(n, heads, 1, size)

    def _forward(self, ids: torch.Tensor, at: torch.Tensor, attend: Callable[..., torch.Tensor]) -> torch.Tensor:
        """Hidden states of tokens at their places in each row; `attend` keeps keys and values, and looks at them."""
        student, base = self.student, self.weights
        n, t = ids.shape
        x = F.embedding(ids, base.weights["token_embd.weight"])
        cos, sin = student.cos[at][:, None], student.sin[at][:, None]
        for layer, w in enumerate(self.layers):
            h = self._norm(x, w["attn_norm.weight"])
            q, k, v = (
                F.linear(h, w[f"attn_{part}.weight"], w.get(f"attn_{part}.bias"))
                .view(n, t, heads, base.head)
                .transpose(1, 2)
                for part, heads in (("q", base.heads), ("k", base.kv), ("v", base.kv))
            )
            o = attend(layer, student.turn(q, cos, sin), student.turn(k, cos, sin), v)
            x = x + F.linear(o.transpose(1, 2).reshape(n, t, base.width), w["attn_output.weight"])
            h = self._norm(x, w["ffn_norm.weight"])
            gated = F.silu(F.linear(h, w["ffn_gate.weight"])) * F.linear(h, w["ffn_up.weight"])
            x = x + F.linear(gated, w["ffn_down.weight"])
        return self._norm(x, base.weights["output_norm.weight"])

    def _norm(self, x: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
        return F.rms_norm(x, (self.weights.width,), weights, self.weights.epsilon)


def _shared(one: np.ndarray[Any, Any], other: np.ndarray[Any, Any]) -> int:
    """How many tokens both begin with."""
    most = min(len(one), len(other))
    differs = np.flatnonzero(one[:most] != other[:most])
    return int(differs[0]) if len(differs) else most
