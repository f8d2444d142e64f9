"""Which form of merged weights answers like the adapter beside its base model, as exactly as it was trained.

    python -m training.agreement ADAPTER.gguf SAMPLES.jsonl --samples 200 --kinds Q8_0,Q4_1,Q4_0

Every part of a sample is a question: the prompt so far, and the answer. Each form of the weights answers all of them by
itself, without a grammar. Printed for each: how many of its answers are those of the reference (base and adapter, not
merged), how many are the samples' own, and its seconds.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from thinkaloud.models import ModelSettings, gguf
from thinkaloud.models.llama import Llama
from thinkaloud.models.merge_adapter import merge
from thinkaloud.models.weight_files import embedded_weights

KINDS = {kind.name: kind for kind in (gguf.Q8_0, gguf.Q4_1, gguf.Q4_0, gguf.F16)}
SETTINGS = ModelSettings(context=2048, slots=1)


def questions(lines: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Every (prompt, answer) of samples written as JSON: {"parts": [[prompt, answer], …]}."""
    for line in lines:
        text = ""
        for prompt, answer in json.loads(line)["parts"]:
            yield text + prompt, answer
            text += prompt + answer


async def answers(model: Llama, asked: Sequence[tuple[str, str]]) -> tuple[list[str], float]:
    """What a model answers, to the length of each given answer, and the seconds that took."""
    found, began = [], time.perf_counter()
    for prompt, answer in asked:
        most = max(4, len(answer) // 2)
        said = (await model.complete(prompt, most=most, stop=[answer[-1]] if answer[-1:] == "\n" else ())).text
        found.append(said[: len(answer.rstrip("\n"))])
    return found, time.perf_counter() - began


def agreement(adapter: Path, asked: Sequence[tuple[str, str]], kinds: Sequence[str]) -> Iterator[str]:
    """A line for the reference and for each kind of merged weights."""
    base = embedded_weights()
    with tempfile.TemporaryDirectory() as folder:
        reference: list[str] = []
        for name in ("beside", *kinds):
            path = base if name == "beside" else Path(folder) / f"{name}.gguf"
            if name != "beside":
                merge(base, adapter, path, KINDS[name])
            model = Llama(name, path, SETTINGS, [adapter] if name == "beside" else [])
            said, seconds = asyncio.run(answers(model, asked))
            asyncio.run(model.close())
            reference = reference or said
            same = sum(one == other for one, other in zip(said, reference, strict=True))
            right = sum(one == answer.rstrip("\n") for one, (_, answer) in zip(said, asked, strict=True))
            yield f"{name:8} same {same}/{len(asked)}  right {right}/{len(asked)}  {seconds:.1f} s"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("adapter", type=Path)
    parser.add_argument("samples", type=Path)
    parser.add_argument("--samples", dest="most", type=int, default=200)
    parser.add_argument("--kinds", default="Q8_0,Q4_1,Q4_0")
    given = parser.parse_args()
    chosen = list(questions(given.samples.read_text().splitlines()))[: given.most]
    for line in agreement(given.adapter, chosen, given.kinds.split(",")):
        print(line, flush=True)
