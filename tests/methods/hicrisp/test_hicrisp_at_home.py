"""HiCRISP in a home: what a correction is told, and where that comes from."""

from __future__ import annotations

import asyncio
from pathlib import Path

from thinkaloud.agent import Agent
from thinkaloud.models import Scripted
from thinkaloud.records import Outcome, Started
from thinkaloud_worlds.household import HomeGraph, Household

FLAT = Path(__file__).parents[3] / "examples" / "scenes" / "flat.json"


def home() -> Household:
    return Household(HomeGraph.from_json(FLAT.read_text()))


def played(world: Household, request: str, *said: str, preset: str = "hicrisp") -> tuple[Agent, Scripted, str]:
    model = Scripted([f" {each}" for each in said])
    agent = Agent(world, model, preset)
    end = asyncio.run(agent.run(request))
    return agent, model, f"{end.result}: {end.because}"


GRAB = ("salmon.", "Find the salmon. -> Nothing new.", "Grab the salmon. -> The robot holds the salmon.", "Done.")
OPEN = ("The fridge is open.", "Open the fridge.")


def test_where_a_thing_is_shut_away_nobody_tells_and_what_is_closed_at_hand_is_seen() -> None:
    agent, model, end = played(home(), "Take the salmon.", *GRAB, *OPEN)
    told = next(prompt for prompt in model.prompts if "\nFailed: " in prompt).rsplit("\n\n", 1)[-1]
    assert "Why: The salmon is inside another thing, which is closed." in told
    assert "Seen: The robot is close to the fridge. The fridge is closed.\n" in told, "seen, where it went to"
    assert end.startswith("goal met")
    assert "in the fridge" not in " ".join(outcome.report for outcome in agent.monologue.since(None, Outcome))


def test_what_is_closed_elsewhere_is_not_told_and_neither_is_it_where_the_thing_is_in_view() -> None:
    far = ("apple.", "Grab the apple. -> The robot holds the apple.", "Done.")
    _, model, _ = played(home(), "Take the apple.", *far, "The robot is close to the apple.", "Find the apple.")
    assert "is closed" not in next(prompt for prompt in model.prompts if "\nFailed: " in prompt).rsplit("\n\n", 1)[-1]


def test_after_a_wrong_guess_the_search_goes_on() -> None:
    wrong = ("The microwave is open.", "Open the microwave.", "The robot is close to the microwave.")
    back = ("The robot is close to the salmon.", "Find the salmon.")
    said = (*GRAB, *wrong, "Find the microwave.", *back, *OPEN)
    agent, model, end = played(home(), "Take the salmon.", *said)
    assert end.startswith("goal met")
    words = [each.step.words for each in agent.monologue.since(None, Started)]
    assert words[-2:] == ["Open the fridge.", "Grab the salmon."]
    assert any("Tried: Open the microwave." in prompt for prompt in model.prompts)
