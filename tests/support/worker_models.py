"""A model that worker processes can open: it always wants the first block on the middle, and then says so."""

from __future__ import annotations

import re

from thinkaloud.errors import ModelMissing
from thinkaloud.models import Model, ModelSettings, Scripted


def first_block_to_the_middle(prompt: str) -> str:
    scene = prompt.rsplit("There is", 1)[-1]
    block = re.findall(r"\w+ block", scene)[0]
    last = prompt.rsplit("\n\n", 1)[-1]
    return (
        " Done."
        if "Pick the" in last.partition("Human:")[2].partition("\n")[2]
        else f" Pick the {block} and place it on the middle."
    )


def open_scripted(name: str, settings: ModelSettings) -> Model:
    return Scripted(first_block_to_the_middle, name=name)


def open_nothing(name: str, settings: ModelSettings) -> Model:
    raise ModelMissing("There is no such model here.")
