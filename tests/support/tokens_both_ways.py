"""Counts what a meaning costs by a program and by function calls: tokens of the prompt, and of the right answer.

    python tests/support/tokens_both_ways.py MODEL.gguf

No model is asked: the prompts are those for the robots in `tests/data/development`, the answers what was meant there.
"""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from statistics import mean

import httpx

from development_robots import DEVELOPMENT
from thinkaloud.models.llama import Llama
from thinkaloud.models.settings import ModelSettings
from thinkaloud.models.tools import with_tools
from thinkaloud.understand.calling import MOST_CALLS, calls_of, describe_functions, render_chat
from thinkaloud.understand.lexicon import Lexicon, lexicon_of
from thinkaloud.understand.prompt import render_prompt
from thinkaloud.worlds.described import Described
from thinkaloud.worlds.whole import Whole

Pair = tuple[str, str]
"""The same by a program, and by calls."""


def prompts(lexicon: Lexicon) -> Pair:
    """What a model that was not trained for it is shown before the answer."""
    turns = with_tools(render_chat(lexicon, [], "Hello."), describe_functions(lexicon), MOST_CALLS + 1)
    return render_prompt(lexicon, [], "Hello.", explained=True), "\n".join(turn.text for turn in turns)


def answers(lexicon: Lexicon, path: Path) -> Iterator[Pair]:
    """What was meant by each request."""
    for request in tomllib.loads(path.read_text())["request"]:
        for program in request.get("programs", [request.get("program")]):
            calls = [{"name": call.name, "arguments": call.arguments} for call in calls_of(program, lexicon)]
            yield program, json.dumps(calls, ensure_ascii=False)


def collect() -> dict[str, list[Pair]]:
    """All prompts and all answers."""
    found: dict[str, list[Pair]] = {"prompt": [], "answer": []}
    for path in DEVELOPMENT:
        world = Whole(Described(path.read_text()))
        lexicon = lexicon_of(world, world.observe())
        found["prompt"].append(prompts(lexicon))
        found["answer"] += answers(lexicon, path)
    return found


def main(weights: str) -> None:
    """Print the averages."""
    model = Llama("counted", Path(weights), ModelSettings(context=512, slots=1))
    headers = {"Authorization": f"Bearer {model._key}"}  # xllamacpp offers its tokeniser over HTTP only
    with httpx.Client(base_url=model.address, headers=headers, trust_env=False) as client:

        def count(text: str) -> int:
            return len(client.post("/tokenize", json={"content": text}).raise_for_status().json()["tokens"])

        for what, pairs in collect().items():
            one, two = (mean(count(pair[way]) for pair in pairs) for way in (0, 1))
            print(f"{what}: {one:.1f} tokens by a program, {two:.1f} by calls (n = {len(pairs)})")


if __name__ == "__main__":
    main(sys.argv[1])
