"""MultiTalk on the real table: dialogues with a person, an analyzer and a simulator that end in a plan which works."""

from __future__ import annotations

import pytest

from multitalk_dialogue import (
    CAN,
    FINE,
    LATE,
    LOOKS,
    NO_ACTION,
    THINKS,
    Talk,
    asks,
    at_once,
    carry,
    figure,
    objects,
    plan,
)
from thinkaloud.loop import Limits
from thinkaloud.records import Ask, Critique, Look, Observation, Plan, Refusal, Rehearsal, Started
from thinkaloud.robots import open_world
from thinkaloud.worlds import World
from thinkaloud_worlds.franka import Franka

B1, B2, C1, C2 = (0.32, -0.33), (0.35, 0.35), (0.38, -0.51), (0.40, 0.51)
FOUR = {"mustard bottle 1": B1, "mustard bottle 2": B2, "soup can 1": C1, "soup can 2": C2}


def where(world: World, name: str) -> tuple[float, float]:
    assert isinstance(world, Franka)
    x, y, _ = world.position(name)
    return x, y


def near(x: float, y: float) -> object:
    return pytest.approx((x, y), abs=0.02)


# The dialogues of the paper's figures: what goes wrong in them, who says so, and how it is put right ------------------


def test_figure_1_the_planner_forgets_to_ask_and_the_analyzer_reminds_it() -> None:
    said = [
        asks("What object would you like to eat? There are a mustard bottle and a soup can."),
        plan(*carry("the soup can", CAN, (0.0, 0.0), "where the person can take it")),
        objects(s2="(0.00, 0.00) is the base of the arm; where the soup can goes was not said."),
        asks("Where would you like the soup can to be moved? Please say a point on the table."),
        plan(*carry("the soup can", CAN, (0.40, 0.45), "at (0.40, 0.45)")),
        FINE,
    ]
    talk = Talk(figure(1), "multitalk", said, ["The soup can.", "0.4,0.45,0.04"])
    assert talk.says("Give me something to eat.").startswith("goal met")
    assert where(talk.world, "soup can") == near(0.40, 0.45)
    assert where(talk.world, "mustard bottle") == near(0.32, -0.33)
    assert talk.kinds[:12] == [
        *("Request", "Observation", "Ask", "Answer", "Plan", "Critique", "Ask", "Answer"),
        *("Plan", "Critique", "Rehearsal", "Started"),
    ]
    assert [critique.by for critique in talk.all(Critique)] == ["analyzer", "analyzer"]
    assert "Analyzer:\n2: (0.00, 0.00) is the base of the arm" in talk.model.prompts[3]


def swapped(aside: tuple[float, float]) -> str:
    steps: list[str] = []
    for one, a, other, b in (("mustard bottle 1", B1, "mustard bottle 2", B2), ("soup can 1", C1, "soup can 2", C2)):
        steps += [*carry(one, a, aside, "aside"), *carry(other, b, a), *carry(one, aside, b)]
    return plan(*steps)


def test_figure_2_the_analyzer_finds_a_mistake_in_thought_and_the_simulator_a_collision() -> None:
    hasty = plan(
        *carry("mustard bottle 1", B1, B2),
        *carry("mustard bottle 2", B2, B1),
        *carry("soup can 1", C1, C2),
        *carry("soup can 2", C2, C1),
    )
    found = objects(
        s3="mustard bottle 1 has been put here, so this does not grasp mustard bottle 2.",
        s7="soup can 1 has been put here, so this does not grasp soup can 2.",
    )
    said = [
        asks("Which two pairs of objects?"),
        hasty,
        found,
        swapped((0.30, -0.30)),
        FINE,
        swapped((0.30, -0.60)),
        FINE,
    ]
    talk = Talk(figure(2), "multitalk", said, ["The mustard bottles with each other and the soup cans, too."])
    assert talk.says("Interchange the locations of two pairs of objects.").startswith("goal met")
    for one, other in (("mustard bottle 1", "mustard bottle 2"), ("soup can 1", "soup can 2")):
        assert where(talk.world, one) == near(*FOUR[other])
        assert where(talk.world, other) == near(*FOUR[one])
    assert [[violation.step for violation in critique.violations] for critique in talk.all(Critique)] == [
        [2, 6],
        [],
        [],
    ]
    collided, fine = talk.all(Rehearsal)
    assert "ollision detected between mustard bottle 2 and mustard bottle 1" in collided.error
    assert collided.step == 3
    assert f"Simulator: 4: {collided.error}\nOutput:\nThought:" in talk.model.prompts[5]
    assert fine.feasible
    assert fine.lasted > collided.lasted > 0
    assert talk.kinds.count("Started") == 13
    assert isinstance(talk.world, Franka)
    assert talk.world.collisions == ()


def in_a_row(*ys: float) -> str:
    xs = (0.0, 0.14, 0.28, 0.42)
    carried = [carry(name, at, (x, y)) for (name, at), x, y in zip(FOUR.items(), xs, ys, strict=True)]
    return plan(*(line for pair in carried for line in pair))


CROOKED, STRAIGHT = in_a_row(-0.34, 0.36, -0.34, 0.51), in_a_row(*[-0.34] * 4)
TO_A_LINE = "Arrange the objects on the table in a straight line."
IN_WHICH = asks("In which direction should they be aligned?", "What should be their order?")


def test_figure_3_what_the_analyzer_makes_up_does_no_harm_to_a_planner_that_sticks_to_its_plan() -> None:
    crooked = objects(**{f"s{step}": "the y coordinate is not that of the others." for step in (2, 4, 6, 8)})
    made_up = objects(s2="the move command should not include the z-coordinate.")
    said = [IN_WHICH, CROOKED, crooked, STRAIGHT, made_up, STRAIGHT, FINE]
    talk = Talk(figure(2), "multitalk", said, ["1: along x-axis 2: any order works"])
    assert talk.says(TO_A_LINE).startswith("goal met")
    assert [where(talk.world, name)[1] for name in FOUR] == pytest.approx([-0.34] * 4, abs=0.02)
    assert [len(critique.violations) for critique in talk.all(Critique)] == [4, 1, 0]
    assert "\nStep-by-step Instructions:\nThe same as before.\nViolations:\nThought:" in talk.model.prompts[-1]


def test_figure_4_without_an_analyzer_a_wrong_line_is_carried_out() -> None:
    talk = Talk(figure(2), "multitalk:analyzer=off", [IN_WHICH, CROOKED], ["1: along x-axis 2: any order works"])
    assert talk.says(TO_A_LINE).startswith("goal met")  # it did what it planned; that this is no line nobody has seen
    rows = [where(talk.world, name)[1] for name in FOUR]
    assert rows == pytest.approx([-0.34, 0.36, -0.34, 0.51], abs=0.02)


# What is the model's to decide ----------------------------------------------------------------------------------------

FETCH = plan(*carry("the soup can", CAN, (0.30, 0.0), "at (0.30, 0.00)"))


@pytest.fixture
def late() -> World:
    return open_world("franka", scene=LATE)


def test_what_comes_late_is_found_by_looking_again(late: World) -> None:
    talk = Talk(late, "multitalk", [LOOKS, FETCH, FINE], [])
    assert talk.says("Put the soup can at (0.30, 0.00).").startswith("goal met")
    before, after, *_ = talk.all(Observation)
    assert before.objects == ("mug", "lime")
    assert after.objects == ("soup can", "mug", "lime")
    assert "Perception Rerun Required\n\nEnvironment now:\n{'soup can': (" in talk.model.prompts[1]


def test_what_is_not_in_view_may_be_asked_for_too_nobody_but_the_model_decides(late: World) -> None:
    talk = Talk(late, "multitalk:analyzer=off", [asks("Where is the soup can?"), LOOKS, FETCH], ["Look again."])
    assert talk.says("Put the soup can at (0.30, 0.00).").startswith("goal met")


def test_nothing_may_be_done(late: World) -> None:
    talk = Talk(late, "multitalk", [NO_ACTION])
    assert talk.says("Put the lime at (0.10, 0.40).").startswith("unconfirmed")
    assert [*talk.all(Plan), *talk.all(Started)] == []


@pytest.mark.parametrize("answer", ["No.", "no, thanks", "No no."])
def test_a_no_is_a_no_and_nothing_moves(answer: str) -> None:
    offer = asks("There is no apple here. Shall I bring the soup can instead?")
    talk = Talk(figure(1), "multitalk", [offer, FETCH, FINE], [answer])
    before = talk.world.snapshot()
    assert talk.says("Give me an apple.") == "stopped: you said no"
    assert talk.world.snapshot() == before
    assert len(talk.model.prompts) == 1


def test_a_no_to_a_question_for_preferences_is_an_answer() -> None:
    question = asks("Do you have a preference where it should go?")
    talk = Talk(figure(1), "multitalk:analyzer=off", [question, FETCH], ["No."])
    assert talk.says("Put the soup can somewhere else.").startswith("goal met")


def test_who_does_not_want_it_any_more_is_left_alone() -> None:
    leaves = " The person does not want it any more.\nNo Action Required\n\n"
    talk = Talk(figure(1), "multitalk", [asks("Where should I put it?"), leaves], ["Oh, leave it where it is."])
    assert talk.says("Give me the soup can.") == "stopped: The person does not want it any more."


def test_questions_are_in_the_models_own_words() -> None:
    question = "Hm, the soup can is round: would it be fine to stand it by the mustard?"
    talk = Talk(figure(1), "multitalk", [asks(question)])
    assert talk.says("Give me the soup can.").startswith(
        f"failed: I have to ask, and nobody is there to answer: {question}"
    )


# A person agrees with the plan first ----------------------------------------------------------------------------------


def test_a_person_may_be_shown_the_plan_before_it_is_rehearsed() -> None:
    talk = Talk(figure(1), "multitalk:approval=on", [FETCH, FINE], ["Yes, go ahead."])
    assert talk.says("Put the soup can at (0.30, 0.00).").startswith("goal met")
    assert talk.kinds[2:7] == ["Plan", "Critique", "Ask", "Answer", "Rehearsal"]
    (asked,) = talk.all(Ask)
    assert asked.questions[0].startswith("May I do this? 1. Grasp the object at (0.3, 0.4, 0.05). 2. Move it")


def test_a_plan_that_the_person_does_not_want_is_not_even_rehearsed() -> None:
    talk = Talk(figure(1), "multitalk:approval=on", [FETCH, FINE], ["No."])
    assert talk.says("Put the soup can at (0.30, 0.00).") == "declined: you did not agree with the plan"
    assert [*talk.all(Rehearsal), *talk.all(Started)] == []


def test_what_the_person_says_of_the_plan_goes_back_to_the_planner() -> None:
    other = plan(*carry("the soup can", CAN, (0.30, 0.10), "at (0.30, 0.10)"))
    talk = Talk(figure(1), "multitalk:approval=on", [FETCH, FINE, other, FINE], ["A bit more to y = 0.10.", "yes"])
    assert talk.says("Put the soup can at (0.30, 0.00).").startswith("goal met")
    assert "\n\nHuman:\nA bit more to y = 0.10.\nOutput:\nThought:" in talk.model.prompts[2]
    assert "May I" not in talk.model.prompts[2]
    assert where(talk.world, "soup can") == near(0.30, 0.10)


def test_where_nobody_is_there_nobody_has_to_agree() -> None:
    talk = Talk(figure(1), "multitalk:approval=on;human=off;analyzer=off", [FETCH])
    assert talk.says("Put the soup can at (0.30, 0.00).").startswith("goal met")


# Left out, and too much of everything ---------------------------------------------------------------------------------


def test_without_a_person_nothing_is_asked() -> None:
    question = "Questions:\n1: Which can do you mean?"
    talk = Talk(figure(1), "multitalk:human=off", [question] * 3, held=False)
    assert talk.says("Give me something.").endswith("Nobody is there to answer; go ahead with your own interpretation.")
    assert "Questions:" not in talk.model.prompts[0]
    assert "Nobody is there to answer questions." in talk.model.prompts[0]


def test_without_another_look_perception_is_not_told_to_look_again(late: World) -> None:
    talk = Talk(late, "multitalk:rescan=off", ["Perception Rerun Required"] * 3, held=False)
    assert talk.says("Give me the soup can.").endswith("Perception cannot look again; plan with what there is.")
    assert "Perception Rerun" not in talk.model.prompts[0]
    assert talk.all(Look) == []


def test_a_question_that_nobody_hears_ends_the_run() -> None:
    talk = Talk(figure(1), "multitalk", [asks("Which one do you want?")])
    assert (
        talk.says("Give me something.")
        == "failed: I have to ask, and nobody is there to answer: Which one do you want?"
    )


def test_revisions_without_end_are_a_limit_and_nothing_was_moved() -> None:
    plans = iter(range(100))

    def said(prompt: str) -> str:
        if prompt.endswith("Violations:\nThought:"):
            return objects(s2="not there, and please somewhere else.")
        return plan(*carry("it", CAN, (0.10 + 0.01 * next(plans), -0.10)))

    talk = Talk(figure(1), "multitalk", said)
    before = talk.world.snapshot()
    assert talk.says("Clear up.") == "limit: the plan was sent back 7 times and is still not sound"
    assert talk.world.snapshot() == before


def test_looks_without_end_are_a_limit(late: World) -> None:
    talk = Talk(late, "multitalk", [LOOKS] * 3)
    assert talk.says("Give me the soup can.") == "limit: more than 2 looks"


def test_a_rehearsal_changes_nothing_in_the_world() -> None:
    onto = plan(*carry("mustard bottle", (0.32, -0.33), CAN, "onto the can"))
    talk = Talk(figure(1), "multitalk:analyzer=off", [onto], limits=Limits(revisions=0))
    before = talk.world.snapshot()
    assert talk.says("Clear up.").startswith("limit: the plan was sent back 1 time and")
    (tried,) = talk.all(Rehearsal)
    assert (tried.feasible, tried.step) == (False, 1)
    assert "ollision detected between mustard bottle and soup can" in tried.error
    assert talk.world.snapshot() == before
    assert talk.all(Started) == []


def test_what_fails_when_it_is_carried_out_ends_the_run_as_failed() -> None:
    nowhere = plan(*carry("it", (0.30, 0.30), (0.20, 0.30)))
    talk = Talk(figure(1), "multitalk:analyzer=off;simulator=off", [nowhere])
    end = talk.says("Clear up.")
    assert end.startswith("failed: this did not work: Grasp the object at (0.3, 0.3, 0.05) (Nothing to grasp")
    assert len(talk.all(Started)) == 1


def test_rules_alone_say_what_is_wrong_without_asking_a_model() -> None:
    onto = plan(*carry("the soup can", CAN, (0.32, -0.33), "where the mustard bottle is"))
    beside = plan(*carry("the soup can", CAN, (0.32, -0.20), "next to the mustard bottle"))
    talk = Talk(figure(1), "multitalk:analyzer=rules", [onto, beside])
    assert talk.says("Bring the soup can to the mustard bottle.").startswith("goal met")
    assert "mustard bottle stands there" in talk.all(Critique)[0].violations[0].why
    assert len(talk.model.prompts) == 2


# Models that no grammar holds -----------------------------------------------------------------------------------------

CHATTY = """\
```
Thought: I know what to do.
**Step-by-step instructions:**
1. Grasp the soup can: `grasp((0.30, 0.40, 0.05))`
2. Put it at (0.3, 0.0): move((0.3, 0.0))
3. Go home: home()
```"""
PAPER = """\
Of course!
Step-by-step Instructions:
1: grasp((0.3, 0.4, 0.05)) # Take the can
2: move([0.3, 0]) # There
3: home()"""


@pytest.mark.parametrize("said", [CHATTY, PAPER, THINKS + PAPER, at_once(*FETCH.splitlines()[2:5])])
def test_a_plan_is_understood_however_it_is_said(said: str) -> None:
    said = said.replace("1: 1:", "1:").replace("2: 2:", "2:").replace("3: 3:", "3:")
    talk = Talk(figure(1), "multitalk:analyzer=off", [said], held=False)
    assert talk.says("Put the soup can at (0.30, 0.00).").startswith("goal met")
    (made, _) = talk.all(Plan)
    assert [step.skill for step in made.steps] == ["grasp", "move", "home"]
    assert "\n" not in made.thought


def test_questions_may_be_said_without_a_thought_as_well() -> None:
    said = ["I do not know which.\n**Questions:**\n1. Which one?\n2. Where to?"]
    talk = Talk(figure(1), "multitalk", said, held=False)
    assert talk.says("Give me something.").startswith(
        "failed: I have to ask, and nobody is there to answer: Which one? Where to?"
    )


def test_a_line_that_is_no_action_goes_back_to_the_model() -> None:
    talk = Talk(figure(1), "multitalk:analyzer=off", [at_once("grasp the moon()"), FETCH], held=False)
    assert talk.says("Put the soup can at (0.30, 0.00).").startswith("goal met")
    (refusal,) = talk.all(Refusal)
    assert refusal.why in talk.model.prompts[1]
