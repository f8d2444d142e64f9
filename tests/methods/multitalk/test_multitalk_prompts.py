"""MultiTalk with prompts from a file: the parts that the paper prints, in the form in which it prints them."""

from __future__ import annotations

import asyncio
from pathlib import Path

from thinkaloud import Agent, Inbox, Scripted, open_world
from thinkaloud.methods.multitalk.planner_answers import dialogue_answer_grammar
from thinkaloud.models.gbnf import accepts
from thinkaloud.records import Ask, Critique, Plan, Rehearsal

SCENE = """
[[object]]
name = "soup can"
x = 0.30
y = 0.40

[[object]]
name = "mustard bottle"
x = 0.32
y = -0.33
"""
FIRST = """\
You steer an arm. Write numbered actions with their reasons, such as
Step-by-step Instructions:
1: action_1 # reason
Actions: grasp(<object_coordinates>), move(<desired_coordinates>), home().

Scene: <objects>
What is wanted: <Task>
Output:
"""
LISTING = f"""\
--- planner ---
{FIRST}--- human feedback ---
Somebody answered:
<answers>
Go on in the same format.
--- analyzer feedback ---
Somebody found these faults:
<comments>
--- simulator feedback ---
The test run ended with: <simulator feedback> Revise.
--- analyzer ---
You find faults. Write the number of each faulty step and what is wrong, or Feasible Plan!
--- analyzer query ---
Wanted: <task>
Planner's output:
<plan>
Asked and answered:
<question_and_answers>
There: <objects> Related: <semantic_relations>
--- analyzer query again ---
The plan was changed:
<plan>
Asked and answered:
<question_and_answers>
"""
ASKS = "Questions:\n\n1: Where to?"
STEPS = "1: grasp((0.3, 0.4, 0.05)) # the can\n2: move({}) # {}\n3: home() # over"
HITS = f"Step-by-step Instructions:\n\n{STEPS.format((0.32, -0.33), 'there')}"
FREE = f"Step-by-step Instructions:\n{STEPS.format((0.32, -0.1), 'beside')}"


class Trained(Scripted):
    """One that knows our form."""

    trained = True


def talk(file: Path, *said: str, kind: type[Scripted] = Trained) -> tuple[Agent, Scripted, str]:
    model = kind([*said])
    agent = Agent(open_world("franka", scene=SCENE), model, f"multitalk:prompts={file}", person=Inbox(present=True))
    agent.monologue.listeners.append(lambda e: agent.say("By the bottle.") if isinstance(e.record, Ask) else None)
    return agent, model, asyncio.run(agent.run("Give me the can.")).result


def test_a_listing_with_its_feedback_is_shown_as_it_is_and_answered_in_its_form(tmp_path: Path) -> None:
    file = tmp_path / "listing.txt"
    file.write_text(LISTING)
    fault, fine = "2: violation description of this step # it is taken", "Feasible Plan!"
    agent, model, result = talk(file, ASKS, HITS, fault, HITS, fine, FREE, fine)
    assert result == "goal met"
    first, answered, judged, told, again, simulated, last = model.prompts
    assert first.startswith(FIRST[:60]) and "grasp(<object_coordinates>)" in first
    assert first.endswith("(0.32, -0.33, 0.09))}\nWhat is wanted: Give me the can.\nOutput:\n")
    assert (
        answered
        == first + "Questions:\n1: Where to?\n\nSomebody answered:\nBy the bottle.\nGo on in the same format.\n"
    )
    assert judged.startswith("You find faults.")
    assert (
        "Wanted: Give me the can.\nPlanner's output:\nStep-by-step Instructions:\n1: grasp((0.30, 0.40, 0.05))"
        in judged
    )
    assert judged.endswith("Related: []\n") and "1: Where to?\n2: By the bottle.\n" in judged
    assert "2: move((0.32, -0.33)) # there\n3: home() # over\n\nSomebody found these faults:\n2: violation" in told
    assert again.startswith(judged) and "\nThe plan was changed:\nStep-by-step Instructions:\n1: grasp(" in again
    collision = "2: Collision detected between soup can and mustard bottle."
    assert simulated.endswith(f"The test run ended with: {collision} Revise.\n")
    assert last.endswith("1: Where to?\n2: By the bottle.\n") and "Thought:" not in "".join(model.prompts)
    assert [each.feasible for each in agent.monologue.since(None, Rehearsal)] == [False, True]
    assert len(agent.monologue.since(None, Critique)) == 3
    reasons = [step.reason for step in agent.monologue.since(None, Plan)[2].steps]
    assert reasons == ["the can", "beside", "over"]


def test_a_file_without_headings_is_the_planners_first_part(tmp_path: Path) -> None:
    file = tmp_path / "first.txt"
    file.write_text(FIRST)
    _, model, result = talk(file, FREE, " It is free.\nFeasible Plan!\n\n")
    assert result == "goal met" and model.prompts[0].startswith("You steer an arm.")
    assert model.prompts[1].startswith(
        "The base of the arm"
    )  # the analyzer's words are ours: none for one that is trained


def test_a_first_part_that_speaks_of_thoughts_keeps_our_form(tmp_path: Path) -> None:
    file = tmp_path / "own.txt"
    file.write_text("Say after Thought: what you mean to do. Then plan.\n")
    plan = " It is free.\n" + FREE.replace("grasp(", "Take it: grasp(").replace(" # the can", "")
    _, model, result = talk(file, plan, " It is so.\nFeasible Plan!\n\n")
    assert result == "goal met"
    assert "Then plan.\nThe base of the arm" in model.prompts[0] and model.prompts[0].endswith("Output:\nThought:")


def test_the_grammar_of_the_papers_form_has_the_reason_last_and_no_thought() -> None:
    world = open_world("franka", scene=SCENE)
    papers = dialogue_answer_grammar(world.skills, world.observe().vocabulary, thinks=False)
    assert accepts(papers, "Step-by-step Instructions:\n1: grasp((0.30, 0.40)) # the can\n2: home() # over\n\n")
    assert accepts(papers, "Perception Rerun Required\n\n")
    assert not accepts(papers, " So.\nPerception Rerun Required\n\n")
    assert not accepts(papers, "Step-by-step Instructions:\n1: the can: grasp((0.30, 0.40))\n2: home() # over\n\n")
