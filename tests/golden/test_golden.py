"""What every preset asks of its model, pinned to the letter: prompts, grammars, tools and stop texts.

Where a change is meant, write the files anew and read the difference: THINKALOUD_GOLDEN=write pytest tests/golden
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from recording import VARIANTS, digest, in_toy_world, in_world
from sampling import SAMPLING
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


def in_short(path: Path, asked: list[str]) -> None:
    compare(path, digest(asked) + "\n")


@pytest.mark.parametrize("trained", [True, False], ids=TOLD.get)
@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_a_preset_asks_its_model_what_it_always_asked(preset: str, trained: bool) -> None:
    """In full, and by what its conversations add up to."""
    asked = in_toy_world(preset, trained=trained)
    name = f"{preset}.{TOLD[trained]}.txt"
    compare(HERE / "prompts" / name, "\n".join(asked[:6]))
    in_short(HERE / "digests" / name, asked)


@pytest.mark.sampled(1 if WRITE else 3)
@pytest.mark.parametrize("trained", [True, False], ids=TOLD.get)
@pytest.mark.parametrize("preset", [each for each in VARIANTS if ":" in each])
def test_a_variant_asks_its_model_what_it_always_asked(preset: str, trained: bool) -> None:
    """By what its conversations add up to."""
    name = f"{preset.replace(':', '-').replace('=', '-')}.{TOLD[trained]}.txt"
    in_short(HERE / "digests" / name, in_toy_world(preset, trained=trained))


@pytest.mark.parametrize("world", sorted(WORLDS))
def test_in_every_world_a_preset_begins_with_the_words_it_always_began_with(world: str) -> None:
    """By default, a third of the presets in each world: every preset is tried in some worlds."""
    if world == "household":
        pytest.importorskip("virtualhome_eval", reason="VirtualHome's simulator is not installed")
    place, everything = sorted(WORLDS).index(world), WRITE or SAMPLING.everything
    asked = {}
    for number, preset in enumerate(sorted(PRESETS), place):
        heard_out = number % (3 if everything else 9) == 0  # each preset in some of the worlds
        for trained in (True, False) if everything or number % 3 == 0 else ():
            words = in_world(world, preset, trained=trained, heard_out=heard_out and trained)
            asked[f"{preset}, {TOLD[trained]}"] = digest(words)
    path = HERE / "worlds" / f"{world}.json"
    always = {} if WRITE else json.loads(path.read_text())
    assert asked.keys() == always.keys() if everything and not WRITE else asked
    compare(path, json.dumps(always | asked, indent=1) + "\n")
