"""The executor by the model's own function calling, how a scene is told, and the same orders as programs."""

from __future__ import annotations

import asyncio
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from counterworld import BRING, CHECKS, GUIDELINES, POUR, SERVE, Counter, checked, plan_of, steps_for
from thinkaloud.agent import Agent
from thinkaloud.methods.itp.executor import PROMPTS, read_turns
from thinkaloud.models import Scripted, Turn
from thinkaloud.monologue import Event
from thinkaloud.records import Observation, Outcome, Outline, Plan, Refusal, Started, Step, WorldState
from thinkaloud.state.scene_text import render_scene
from thinkaloud_worlds.dishwasher import Dishwasher

TEA = "A plain tea, please."
POURING = '[{"name": "pour", "arguments": {"ingredient": "tea"}}]'


def moving(start: str, end: str) -> str:
    calls = {"grab_cup": start, "put_cup": end}
    return json.dumps([{"name": name, "arguments": {"location": place}} for name, place in calls.items()])


CALLS = [moving("rack", "counter"), POURING, moving("counter", "tray")]


def calling(*answers: str) -> tuple[Agent, Scripted]:
    model = checked(plan_of(*steps_for("tea")), *answers)
    return Agent(Counter(), model, "itp:executor=tools"), model


def refused(agent: Agent) -> list[str]:
    return [refusal.why for refusal in agent.monologue.since(None, Refusal) if refusal.role == "executor"]


# Function calling -----------------------------------------------------------------------------------------------------


def test_steps_are_carried_out_by_function_calls() -> None:
    agent, model = calling(*CALLS)
    assert asyncio.run(agent.run(TEA)).result == "goal met"
    assert agent.world.inside == ["tea"]  # type: ignore[attr-defined]
    prompt = model.prompts[3]
    assert prompt.startswith("system: You control a robot")
    assert (
        f"Completed: {BRING}\nScene: there is tea, honey, lemon. cup is at the counter\nStep: {POUR['tea']}" in prompt
    )


def test_function_calling_begins_with_turns_in_which_another_robot_calls() -> None:
    shown = read_turns(PROMPTS.open().text("executor", {"tools"}))
    assert [turn.role for turn in shown] == ["system", *("user", "assistant") * 5]
    answers = [json.loads(turn.text) for turn in shown if turn.role == "assistant"]
    called = [call["name"] for calls in answers for call in calls]
    assert "cannot" in called
    assert called[-1] != "cannot"  # a small model repeats what comes last
    agent, model = calling(*CALLS)
    asyncio.run(agent.run(TEA))
    assert all(turn.text in model.prompts[3] for turn in shown)
    assert model.prompts[3].endswith(f"Step: {POUR['tea']}\n")


def test_a_file_of_ones_own_shows_its_own_examples(tmp_path: Path) -> None:
    file = tmp_path / "own.txt"
    file.write_text('--- executor ---\nCall.\n\nBriefly.\n\nStep: go\n[{"name": "go", "arguments": {}}]\n')
    shown = read_turns(PROMPTS.open(str(file)).text("executor", {"tools"}))
    assert shown == [
        Turn("system", "Call.\n\nBriefly."),
        Turn("user", "Step: go\n"),
        Turn("assistant", '[{"name": "go", "arguments": {}}]'),
    ]


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ('{"name": "brew", "arguments": {}}', "There is no function 'brew'"),
        ('{"name": "pour", "arguments": {"ingredient": "tea", "speed": 3}}', "pour has no argument 'speed'"),
        ('{"name": "pour", "arguments": {"ingredient": "rum"}}', "There is no ingredient 'rum' here"),
        ('{"name": "pour", "arguments": {"ingredient": ["tea"]}}', "has to be a single value"),
        ('{"name": "pour", "arguments": {"ingredient": null}}', "has to be a single value"),
        ('{"name": "pour", "arguments": {}}', "pour needs the argument 'ingredient'"),
        ('{"name": "pour"}', "did not write a function call"),
        ("I would rather not.", "did not write valid JSON"),
        ("[]", "did not write a function call"),
    ],
)
def test_a_call_that_cannot_be_made_goes_back_and_the_drink_is_finished(said: str, why: str) -> None:
    agent, model = calling(CALLS[0], said, *CALLS[1:])
    assert asyncio.run(agent.run(TEA)).result == "goal met"
    (reason,) = refused(agent)
    assert why in reason
    assert f"# refused: {reason}" in model.prompts[4]


def test_that_no_function_carries_out_a_step_can_be_said_by_a_call() -> None:
    agent, _ = calling(CALLS[0], '[{"name": "cannot", "arguments": {"why": "the tap is dry"}}]')
    end = asyncio.run(agent.run(TEA))
    assert (end.result, end.because) == ("failed", f"this cannot be done: {POUR['tea']} (the tap is dry)")


def test_a_call_that_fails_comes_back_as_feedback() -> None:
    agent, model = calling(CALLS[0], POURING, POURING, CALLS[2])
    agent.world.broken = 1  # type: ignore[attr-defined]
    assert asyncio.run(agent.run(TEA)).result == "goal met"
    assert '# pour("tea") failed: The tap is stuck.' in model.prompts[4]


# How a scene is told --------------------------------------------------------------------------------------------------


def test_of_many_things_the_same_is_said_once() -> None:
    world = Dishwasher()
    world.reset(0)
    told = render_scene(world.observe())
    assert "plate 1, 2, 3, 4" in told
    assert told.count(" at the sink") == 1


def test_words_facts_and_what_is_merely_there_are_told() -> None:
    state = WorldState(
        ("cup", "bowl"), (), {"cup": {"dirty": True, "weight": 3, "lost": False}}, ("The cup is heavier.",)
    )
    told = render_scene(Observation(("cup", "bowl", "bowl 1", "bowl 2", "7"), {}, state=state))
    assert told == "there is cup, bowl, bowl 1, 2, 7. cup is dirty. The cup is heavier."
    assert render_scene(Observation((), {})) == "nothing is seen"


# The same as programs -------------------------------------------------------------------------------------------------

PROGRAM = 'grab_cup("rack")\nput_cup("counter")\npour("tea")\ngrab_cup("counter")\nput_cup("tray")'


def test_the_baseline_is_told_all_that_itp_is_told() -> None:
    model = Scripted([PROGRAM])
    agent = Agent(Counter(), model, "code_as_policies")
    assert asyncio.run(agent.run(TEA)).result in ("goal met", "unconfirmed")
    assert (agent.world.where, agent.world.inside) == ("tray", ["tea"])  # type: ignore[attr-defined]
    (prompt,) = model.prompts
    for line in GUIDELINES.strip().splitlines():
        assert f"# {line}".rstrip() in prompt.splitlines()
    assert "# grab_cup(location): Take hold of a cup, to bring or serve it." in prompt
    assert "# say(text): " in prompt
    assert prompt.endswith(f"# scene: there is tea, honey, lemon. cup is at the rack\n# request: {TEA}\n")
    assert not [
        line for line in prompt.splitlines()[: prompt.count("#")] if line and not re.match(r"#|[a-z_]+\(", line)
    ]


def test_without_guidelines_the_baseline_is_what_it_was() -> None:
    model = Scripted(["noop()"])
    asyncio.run(Agent(Counter(""), model, "code_as_policies").run(TEA))
    assert "Options" not in model.prompts[0]


def test_what_was_done_so_far_is_told_with_a_new_request_also_what_was_under_way() -> None:
    model = Scripted([PROGRAM, 'pour("lemon")\ngrab_cup("counter")\nput_cup("tray")'])
    agent = Agent(Counter(), model, "code_as_policies")
    said = iter(["With lemon, please."])

    def speak(event: Event) -> None:
        if isinstance(event.record, Started) and event.record.step.skill == "pour":
            for words in said:
                agent.say(words)

    agent.monologue.listeners.append(speak)
    asyncio.run(agent.run(TEA))
    assert agent.world.inside == ["tea", "lemon"]  # type: ignore[attr-defined]
    assert (
        '# done so far: grab_cup("rack"); put_cup("counter"); pour("tea")\n'
        "# scene: there is tea, honey, lemon. cup is at the counter. There is tea in the cup\n"
        "# request: With lemon, please.\n"
    ) in model.prompts[1]
    assert model.prompts[1].count(PROGRAM) == 1


def test_a_program_that_is_refused_comes_back_below_the_request() -> None:
    model = Scripted(['pour("rum")', 'say("There is no rum.")'])
    agent = Agent(Counter(), model, "code_as_policies")
    assert asyncio.run(agent.run("A rum.")).result == "answered"
    scene, request, why = model.prompts[1].splitlines()[-3:]
    assert scene.startswith("# scene: ")
    assert request == "# request: A rum."
    assert why.startswith('# refused: pour("rum"): ')
    assert model.prompts[1].startswith(model.prompts[0])


def test_a_program_whose_call_fails_ends_the_order_with_the_reason() -> None:
    agent = Agent(Counter(), Scripted(['pour("tea")']), "code_as_policies")
    end = asyncio.run(agent.run(TEA))
    assert end.result == "failed"
    assert "There is no cup at the counter." in end.because


# The dishwasher, from beginning to end --------------------------------------------------------------------------------

WASH = {
    "grasp the dirty plate": 'grasp_utensil("plate")',
    "remove large particles from the plate": "remove_particles()",
    "open the dishwasher": "open_dishwasher()",
    "pull out the racks": "pull_out_racks()",
    "put the plate on the third rack": 'put_on_rack("plate", "third rack")',
    "add rose detergent to the dispenser": 'add_detergent("rose detergent")',
    "close the dishwasher": "close_dishwasher()",
    "select the cycle and start the dishwasher": "start_dishwasher()",
    "when the cycle is over, wait a few minutes until the dishes have cooled down": "wait_minutes(45)",
    "make sure that the plate is clean and dry, otherwise wait again": "check_clean_and_dry()",
    "return the clean plate to the finished location": "return_utensils()",
}


def washing(prompt: str) -> str:
    """The calls of a line; after a check that failed, it is waited before the next."""
    if CHECKS in prompt:
        return 'order("1 plate", "rose detergent")'
    if "\nStep: " not in prompt:
        return plan_of(*WASH, material="rose detergent")
    line, _, feedback = prompt.rsplit("\nStep: ", 1)[1].strip("\n").partition("\n")
    return f"wait_minutes(15)\n{WASH[line]}" if "check_clean_and_dry() failed" in feedback else WASH[line]


def test_a_plate_is_washed_by_the_shipped_guidelines_and_waited_for_until_it_is_dry() -> None:
    world = Dishwasher()
    agent = Agent(world, Scripted(washing), "itp")
    assert asyncio.run(agent.run("Wash one plate with rose flavor.")).result == "goal met"
    assert world.items_at("finished location") == {"plate": 1}
    assert world.additive_used() == "rose detergent"
    assert not agent.monologue.since(None, Refusal)


def test_a_new_request_while_a_plate_is_in_the_gripper_goes_on_with_it() -> None:
    world, (grasp, *others) = Dishwasher(), [*WASH]

    def answer(prompt: str) -> str:
        replanned = "New request" in prompt.partition("Now this robot:")[2] and "\nStep: " not in prompt
        replanned = replanned and CHECKS not in prompt
        return plan_of(*others, first=1, material="rose detergent") if replanned else washing(prompt)

    model = Scripted(answer)
    agent, said = Agent(world, model, "itp"), iter(["With rose flavor, please."])

    def speak(event: Event) -> None:
        if isinstance(event.record, Outcome) and event.record.step.skill == "grasp_utensil":
            for words in said:
                agent.say(words)

    agent.monologue.listeners.append(speak)
    assert asyncio.run(agent.run("Wash one plate.")).result == "goal met"
    outlines = [plan.outline for plan in agent.monologue.since(None, Plan) if plan.outline and plan.outline.at is None]
    assert outlines[:2] == [Outline((grasp, *others)), Outline(tuple(others))]
    assert f"Completed steps:\n0) {grasp}\n\nNew request: With rose flavor, please.\n" in "".join(model.prompts)
    assert world.items_at("finished location") == {"plate": 1}


def test_a_step_says_for_which_line_it_was_made() -> None:
    agent, _ = calling(*CALLS)
    asyncio.run(agent.run(TEA))
    steps: list[Step] = [started.step for started in agent.monologue.since(None, Started)]
    assert [step.reason for step in steps] == [BRING, BRING, POUR["tea"], SERVE, SERVE]
    assert replace(steps[0], reason="") == Step("grab_cup", {"location": "rack"}, "Grab the cup from the rack.")
