"""What a preset asks of its model, written down: every prompt, with the grammar or the tools that hold the answer."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from campaign.babbling import Babbling
from thinkaloud.agent import Agent
from thinkaloud.errors import BadInput, ModelError
from thinkaloud.guidelines import read_guidelines
from thinkaloud.loop import Limits
from thinkaloud.models import Completion, Reply, Scores, Turn
from thinkaloud.models.contract import Listener
from thinkaloud.presets import PRESETS, read_preset, spell
from thinkaloud.robots import open_world
from thinkaloud.worlds import World
from toyworld import ToyWorld

SPELLED = sorted(
    set(PRESETS)
    | {
        f"{p.name}:{option}={value}"
        for p in PRESETS.values()
        for option, values in p.options.items()
        if option not in p.several
        for value in values
    }
)
"""Every preset as it comes, and with every value of every option written out."""


def _whole(spelled: str) -> str:
    preset, options = read_preset(spelled)
    return spell(preset.name, options)


VARIANTS = sorted({_whole(spelled): spelled for spelled in sorted(SPELLED, reverse=True)}.values())
"""The same without what comes to another of them: to write a value out that an option has anyway changes nothing."""
TOY_GUIDELINES = """\
Options: Tidy up
Instructions:
Tidy up
Material: ball
Steps:
0) move the ball to the shelf

Available material we have now: ball, cup, box
"""
SEED = 1001
REQUESTS = ("Tidy up, please: everything where it belongs.", "No, leave the last one where it is.")


class Listening(Babbling):
    """Says anything, and keeps everything that it was asked; `once`: it keeps what comes first, and says nothing."""

    def __init__(self, seed: int, *, trained: bool, once: bool = False) -> None:
        super().__init__(seed, trained=trained)
        self.asked: list[str] = []
        self._once = once

    def _keep(self, asked: str) -> None:
        if not (self._once and self.asked):
            self.asked.append(asked)
        if self._once:
            raise ModelError("That was enough.")

    async def complete(
        self,
        prompt: str,
        *,
        stop: Sequence[str] = (),
        grammar: str | None = None,
        most: int = 256,
        listener: Listener | None = None,
    ) -> Completion:
        held = f"=== grammar\n{grammar}" if grammar is not None else "=== no grammar"
        self._keep(f"=== prompt\n{prompt}\n{held}\n=== stop {json.dumps(list(stop))}, at most {most}\n")
        return await super().complete(prompt, stop=stop, grammar=grammar, most=most, listener=listener)

    async def chat(
        self,
        turns: Sequence[Turn],
        *,
        tools: Sequence[Mapping[str, Any]] = (),
        schema: Mapping[str, Any] | None = None,
        calls: int = 1,
        most: int = 512,
        listener: Listener | None = None,
    ) -> Reply:
        said = "\n".join(f"--- {turn.role}\n{turn.text}" for turn in turns)
        held = json.dumps({"tools": list(tools), "schema": schema}, sort_keys=True, indent=1)
        self._keep(f"=== chat\n{said}\n=== held to\n{held}\n=== {calls} calls, at most {most}\n")
        return await super().chat(turns, tools=tools, schema=schema, calls=calls, most=most, listener=listener)

    async def score(self, prompt: str, options: Sequence[str], *, worth: Sequence[float] = ()) -> Scores:
        self._keep(f"=== scored\n{prompt}\n=== options {json.dumps(dict(zip(options, worth, strict=False)))}\n")
        return await super().score(prompt, options, worth=worth)


class Harmless(ToyWorld):
    """Without what never ends, and what is at fault itself."""

    def __init__(self) -> None:
        super().__init__()
        self.skills = {name: each for name, each in self.skills.items() if name not in ("paint", "stare", "open")}


def asked_in(
    world: World,
    preset: str,
    *,
    trained: bool,
    seed: int,
    requests: Sequence[str] = REQUESTS,
    once: bool = False,
    plans: int = 4,
    steps: int = 2,
    start: bytes | None = None,
) -> list[str]:
    """Everything that the model is asked in a conversation of two requests; nothing where the preset does not fit.

    `start` is how the episode begins, where that is at hand; to draw it takes most worlds longer than to restore it.
    Whatever it says, each request comes to an end, and not by a fault of ours.
    """
    model = Listening(seed, trained=trained, once=once)
    guidelines = read_guidelines(TOY_GUIDELINES) if preset.startswith("itp") and isinstance(world, ToyWorld) else None
    limits = Limits(steps=steps, plans=plans, revisions=1, questions=1)
    try:
        agent = Agent(world, model, preset, limits=limits, guidelines=guidelines)
    except BadInput as error:
        assert "guidelines" in str(error) or "no twin" in str(error)
        return []
    if start is None:
        world.reset(SEED)
    else:
        world.restore(start)
    for request in requests:
        end = asyncio.run(agent.run(request))
        assert "Error: " not in end.because, end
    assert model.asked
    return model.asked


def in_toy_world(preset: str, *, trained: bool) -> list[str]:
    """What is asked where nothing depends on physics."""
    return [asked for seed in range(2) for asked in asked_in(Harmless(), preset, trained=trained, seed=seed)]


def in_world(name: str, preset: str, *, trained: bool, heard_out: bool = False, all_calls: bool = False) -> list[str]:
    """What is asked first in a world of ours; with `all_calls`, what is asked after motions, too.

    `heard_out`: what the model says is carried out even so, to see that nothing which it may say makes a run fall over.
    """
    (world, start), once = _begun(name), not (heard_out or all_calls)
    requests = REQUESTS if all_calls else REQUESTS[:1]
    plans, steps = (4, 2) if all_calls else (2, 1)
    asked = asked_in(
        world, preset, trained=trained, seed=2, requests=requests, once=once, plans=plans, steps=steps, start=start
    )
    return asked if all_calls else asked[:1]


@lru_cache(maxsize=1)
def _begun(name: str) -> tuple[World, bytes]:
    """A world that every preset meets, one after another, and how its episode begins."""
    world = open_world(name)
    world.reset(SEED)
    return world, world.snapshot()


def digest(asked: Sequence[str]) -> str:
    """How many calls there were, and what they come to."""
    return f"{len(asked)} {hashlib.sha256(chr(0).join(asked).encode()).hexdigest()[:20]}"
