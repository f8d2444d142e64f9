"""HiCRISP in a home: what a correction is told, and where that comes from."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from thinkaloud.agent import Agent
from thinkaloud.models import Completion, Scripted
from thinkaloud.models.gbnf import accepts
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


# Questions, and what is not here -------------------------------------------------------------------------------------


def declined(request: str, *said: str, preset: str = "hicrisp") -> str:
    world = home()
    agent, _, end = played(world, request, *said, preset=preset)
    assert not agent.monologue.since(None, Started), "nothing was done"
    return end


@pytest.mark.parametrize("preset", ["hicrisp", "progprompt"])
def test_what_is_not_here_is_not_exchanged_for_something_that_is(preset: str) -> None:
    assert declined("Bring me the unicorn.", "unicorn.", preset=preset) == "declined: There is no unicorn here."


def test_more_of_a_kind_than_there_are_cannot_be_had() -> None:
    why = "There are not so many here: I would need plate 2, and there is only plate."
    assert declined("Put two plates on the table.", "plate, plate 2.") == f"declined: {why}"


def test_what_only_the_model_thought_of_is_chosen_again_from_what_there_is() -> None:
    walk = ("Walk to the kitchen. -> Nothing new.", "Done.")
    _, model, _ = played(home(), "Cook the salmon.", "salmon, wok.", "salmon.", *walk)
    assert model.prompts[0] == model.prompts[1]
    assert model.prompts[2].endswith("Things: salmon.\n1.") or "Now:" in model.prompts[2].rsplit("Things:", 1)[-1]


@pytest.mark.parametrize(
    ("request_", "said", "answer"),
    [
        ("Is the tv on?", "Tell whether: The tv is switched on.", "answered: No (The tv is switched on.)"),
        ("How many sofas?", "Tell how many: sofa.", "answered: I see 1: sofa."),
        ("Is the fridge open?", "Tell whether: The fridge is open.", "declined: I do not see the fridge from here,"),
        ("Sing.", "Cannot: this robot has no voice.", "declined: this robot has no voice."),
    ],
)
def test_a_question_is_answered_by_what_is_seen_and_nothing_is_done(request_: str, said: str, answer: str) -> None:
    assert declined(request_, "tv, sofa, fridge.", said).startswith(answer)


def test_after_the_first_step_there_is_no_answer() -> None:
    grammars = []

    class Held(Scripted):
        async def complete(self, prompt: str, *, grammar: str | None = None, **more: Any) -> Completion:
            grammars.append(grammar)
            return await super().complete(prompt, grammar=grammar, **more)

    model = Held([" tv.", " Find the tv. -> Nothing new.", " Done."])
    asyncio.run(Agent(home(), model, "hicrisp").run("Go to the tv."))
    tell = " Tell whether: The tv is switched on.\n"
    assert [accepts(grammar or "", tell) for grammar in grammars[1:3]] == [True, False]
