"""What every preset asks of its model, pinned to the letter: prompts, grammars, tools and stop texts.

Where a change is meant, write the files anew and read the difference: THINKALOUD_GOLDEN=write pytest tests/golden
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from recording import VARIANTS, digest, in_toy_world, in_world
from thinkaloud.presets import PRESETS
from thinkaloud.worlds import WORLDS

HERE = Path(__file__).parent
WRITE = os.environ.get("THINKALOUD_GOLDEN") == "write"
TOLD = {True: "trained", False: "untrained"}


def compare(path: Path, found: str) -> None:
    if WRITE:
        path.parent.mkdir(exist_ok=True)
        path.write_text(found)
    assert found == path.read_text(), f"{path.name} is no longer what is asked"


@pytest.mark.parametrize("trained", [True, False], ids=TOLD.get)
@pytest.mark.parametrize("preset", VARIANTS)
def test_a_preset_asks_its_model_what_it_always_asked(preset: str, trained: bool) -> None:
    """In full for the preset as it comes; the variants by what their conversations add up to."""
    asked = in_toy_world(preset, trained=trained)
    name = f"{preset.replace(':', '-').replace('=', '-')}.{TOLD[trained]}.txt"
    if ":" not in preset:
        compare(HERE / "prompts" / name, "\n".join(asked[:6]))
    compare(HERE / "digests" / name, digest(asked) + "\n")


@pytest.mark.parametrize("world", sorted(WORLDS))
def test_in_every_world_a_preset_begins_with_the_words_it_always_began_with(world: str) -> None:
    if world == "household":
        pytest.importorskip("virtualhome_eval", reason="VirtualHome's simulator is not installed")
    place = sorted(WORLDS).index(world)
    asked = {}
    for number, preset in enumerate(sorted(PRESETS)):
        for trained in (True, False):
            heard_out = trained and (number + place) % 5 == 0  # each preset in some of the worlds
            asked[f"{preset}, {TOLD[trained]}"] = digest(in_world(world, preset, trained=trained, heard_out=heard_out))
    compare(HERE / "worlds" / f"{world}.json", json.dumps(asked, indent=1) + "\n")
