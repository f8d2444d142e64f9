"""Measure what a served model without training of ours understands, through each way of constraining its answers.

    python -m thinkaloud_bench.costs.ways [--weights embedded-base] [--requests 100] [--way grammar,…] [--out DIR]
    python -m thinkaloud_bench.costs.ways --weights ~/models/qwen2.5-coder-1.5b-instruct-q4_k_m.gguf --requests 100

A llama.cpp server with the weights runs in this process and is asked over HTTP in OpenAI's form, with the prompts for
models that were not trained on ours. The ways: `grammar` continues a text under the grammar, `free` without it; `chat`
asks for the continuation in a conversation, `schema` for JSON with the text in it, and `tool` for a call with the text.
Every answer is parsed by the same readers. The requests are those of the benchmark `understanding`, spread over its
robots. Prints a row for each way.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import secrets
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from thinkaloud.models import Completion, Model, ModelSettings, Turn
from thinkaloud.models.chat_form import GO_ON, continuation
from thinkaloud.models.constraining import KnownWays, Probing, Way
from thinkaloud.models.llama_server import start_server
from thinkaloud.models.openai import OpenAI
from thinkaloud.models.weight_files import embedded_weights
from thinkaloud.settings import load
from thinkaloud_bench import BENCHES, run_bench
from thinkaloud_bench.rows import MEAN
from thinkaloud_bench.understanding.judging import OUTCOMES

WAYS: Mapping[str, frozenset[Way]] = {
    "grammar": frozenset({"grammar"}),
    "free": frozenset(),
    "chat": frozenset(),
    "schema": frozenset({"schema"}),
    "tool": frozenset({"tool"}),
}
_TEXT = {"type": "string", "description": "The words with which the text goes on."}
_SCHEMA = {"type": "object", "properties": {"text": _TEXT}, "required": ["text"], "additionalProperties": False}
_TOOL = {"name": "go_on", "description": "Go on with the text.", "parameters": _SCHEMA}
_AROUND = 40
"""Tokens that JSON takes around a text."""
_CONTEXT = 4096


class _Only(KnownWays):
    """An address of which only some ways are used, whatever it can do."""

    def __init__(self, ways: frozenset[Way]) -> None:
        super().__init__(Path("unused"))
        self._ways = ways

    async def find(self, model: Probing, *, again: bool = False) -> frozenset[Way]:
        """Return the ways; nobody is asked."""
        return self._ways


class AskedThrough(OpenAI):
    """A served model that continues every text in one way."""

    def __init__(self, way: str, settings: ModelSettings) -> None:
        super().__init__(way, settings, known=_Only(WAYS[way]))
        self._way = way
        self._completes = way in ("grammar", "free")

    async def complete(self, prompt: str, *, stop: Sequence[str] = (), **given: Any) -> Completion:
        """Continue a prompt."""
        if self._way not in ("schema", "tool"):
            return await super().complete(prompt, stop=stop, **given)
        turns, most = (Turn("system", GO_ON), Turn("user", prompt)), given.get("most", 256) + _AROUND
        if self._way == "schema":
            reply = await self.chat(turns, schema=_SCHEMA, most=most)
            said = str(json.loads(reply.text)["text"])
        else:
            reply = await self.chat(turns, tools=[_TOOL], most=most)
            said = str(reply.calls[0].arguments.get("text", ""))
        text = continuation(said, prompt)
        for mark in stop:
            text = text.split(mark, 1)[0]
        return Completion(text, reply.usage)

    async def complete_weighed(self, prompt: str, **given: Any) -> Completion:
        """Continue a prompt; a conversation has no likelihoods."""
        if self._way in ("grammar", "free"):
            return await super().complete_weighed(prompt, **given)
        return await self.complete(prompt, **given)


@contextlib.contextmanager
def served(weights: Path, threads: int) -> Iterator[ModelSettings]:
    """Serve weights, without any adapter; gives the settings to ask them."""
    key = secrets.token_hex(16)
    settings = replace(load().for_model(), context=_CONTEXT, slots=2, threads=threads)
    server = start_server(weights, settings, (), key)
    asked = replace(settings, base_url=f"{server.listening_address}/v1", api_key=key, timeout=600.0)
    yield replace(asked, price_read=0.0, price_written=0.0, fluent=False, trained=False)


def measure(way: str, settings: ModelSettings, requests: int, out: Path) -> dict[str, float]:
    """Have requests read in one way; return the share of each outcome, and what a request cost."""
    bench = BENCHES.find("understanding")
    tasks = [name for name, task in bench.tasks.items() if task.group == "robots" and task.episodes]

    def open_through(name: str, given: ModelSettings) -> Model:
        return AskedThrough(way, settings)

    each = -(-requests // len(tasks))
    report = run_bench(
        bench,
        presets=["thinkaloud"],
        model=f"openai:{way}",
        episodes=each,
        seed=0,
        jobs=1,
        episodes_file=None,
        out=out / way,
        settings=load(),
        progress=lambda done, total, what: print(f"{way}: {done} of {total} {what}", file=sys.stderr),  # noqa: T201
        tasks=tasks[: -(-requests // each)],
        open_model=open_through,
    )
    wanted = (*OUTCOMES, "tokens", "seconds")
    rows = [row for row in report.rows if row.task == MEAN and row.metric in wanted]
    return {"n": float(max(row.n for row in rows)), **{row.metric: row.value for row in rows}}


def main() -> int:
    """Measure what is asked for, and print a row for each way."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weights", default="embedded-base", help="embedded-base, or a GGUF file")
    parser.add_argument("--requests", type=int, default=100)
    parser.add_argument("--way", default=",".join(WAYS))
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    ways = given.way.split(",")
    if unknown := [way for way in ways if way not in WAYS]:
        parser.error(f"There is no way {unknown[0]!r}. Ways: {', '.join(WAYS)}.")
    weights = embedded_weights() if given.weights == "embedded-base" else Path(given.weights).expanduser()
    with served(weights, given.threads) as settings, tempfile.TemporaryDirectory() as folder:
        for way in ways:
            found = measure(way, settings, given.requests, given.out or Path(folder))
            told = "  ".join(f"{name} {value:.3g}" for name, value in found.items())
            sys.stdout.write(f"{way:<8} {told}\n")
            sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
