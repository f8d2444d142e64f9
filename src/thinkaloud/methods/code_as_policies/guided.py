"""Code as Policies for tasks with guidelines: all that ITP is told stands in comments, and examples show the code.

The paper gives this baseline 40 lines of code besides; so many are below.
"""

from __future__ import annotations

from thinkaloud.calls import render_function, render_skill_call
from thinkaloud.guidelines import Guidelines
from thinkaloud.monologue import Monologue
from thinkaloud.outline import order_start, worked
from thinkaloud.records import Observation, Plan, Refusal, Request
from thinkaloud.state.scene import render_scene
from thinkaloud.worlds import World

DRINKS = """\
# request: Pure milk, please.
grasp_cup("cup stack")
place_cup("working area")
pour("working area", "milk")
grasp_cup("working area")
place_cup("finished location")
# request: I'd like a strawberry milk.
grasp_cup("cup stack")
place_cup("working area")
pour("working area", "strawberry jam")
pour("working area", "milk")
grasp_cup("working area")
place_cup("finished location")
# request: One boba milk.
grasp_cup("cup stack")
place_cup("working area")
scoop_boba_to_location("working area")
pour("working area", "milk")
grasp_cup("working area")
place_cup("finished location")
# request: Take the cup away, nobody wants it.
grasp_cup("working area")
place_cup("waste bin")
# request: A mango milk, please.
grasp_cup("cup stack")
place_cup("working area")
pour("working area", "mango jam")
pour("working area", "milk")
grasp_cup("working area")
place_cup("finished location")
# request: A coconut milk, please.
say("Coconut is not available.")
# request: Milk with blueberry and boba.
grasp_cup("cup stack")
place_cup("working area")
scoop_boba_to_location("working area")
pour("working area", "blueberry")
pour("working area", "milk")
grasp_cup("working area")
place_cup("finished location")
"""
DISHES = """\
# request: Wash one plate with rose flavor.
grasp_utensil("plate")
remove_particles()
open_dishwasher()
pull_out_racks()
put_on_rack("plate", "third rack")
add_detergent("rose detergent")
close_dishwasher()
start_dishwasher()
wait_minutes()
check_clean_and_dry()
return_utensils()
# request: Please wash a spoon.
grasp_utensil("spoon")
remove_particles()
open_dishwasher()
pull_out_racks()
put_on_rack("spoon", "first rack")
add_detergent("original detergent")
close_dishwasher()
start_dishwasher()
wait_minutes()
check_clean_and_dry()
return_utensils()
# request: Wash a cup with mint flavor.
say("Mint detergent is not available.")
# request: Wash a plate and a fork.
grasp_utensil("plate")
remove_particles()
open_dishwasher()
pull_out_racks()
put_on_rack("plate", "third rack")
grasp_utensil("fork")
remove_particles()
put_on_rack("fork", "first rack")
add_detergent("original detergent")
close_dishwasher()
start_dishwasher()
wait_minutes()
check_clean_and_dry()
return_utensils()
"""


def guided_prompt(world: World, guidelines: Guidelines, monologue: Monologue) -> str:
    """Everything up to where the program for the request at hand begins."""
    scene = monologue.last(Observation)
    told = [f"# {line}".rstrip() for line in guidelines.text.strip().splitlines()]
    lines = [*told, "#", "# Functions:", *(f"# {render_function(skill)}" for skill in world.skills.values())]
    lines += ["# say(text): Tell the person something, such as what is not available.", "#"]
    lines += [*(DISHES if world.name == "dishwasher" else DRINKS).splitlines(), "# ==="]
    start, asked = order_start(monologue), len(lines)
    for event in list(monologue)[start:]:
        match event.record:
            case Request(text=text):
                done = worked(monologue, before=event.index)
                if event.index > start and done:
                    calls = (
                        render_skill_call(world.skills[step.skill], step.arguments)
                        for step in done
                        if step.skill in world.skills
                    )
                    lines.append(f"# done so far: {'; '.join(calls)}")
                asked = len(lines)
                lines.append(f"# request: {text}")
            case Plan(thought=code) if code and event.index < monologue.task_start():
                lines.append(code)
            case Refusal(words=words, why=why) if event.index > monologue.task_start():
                lines.append(f"# refused: {'; '.join(words.splitlines())[:200]}: {why}")
            case _:
                pass
    if scene is not None:
        lines.insert(asked, f"# scene: {render_scene(scene)}")
    return "\n".join(lines) + "\n"
