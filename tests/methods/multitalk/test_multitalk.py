"""MultiTalk on the real table: dialogues with a person, an analyzer and a simulator that end in a plan which works."""

from __future__ import annotations

import re

import pytest

from multitalk_dialogue import FINE, LOOKS, THINKS, Talk, asking, asks, at_once, figure, lines
from thinkaloud.loop import Limits
from thinkaloud.records import Critique, Look, Observation, Plan, Refusal, Rehearsal, Started
from thinkaloud.worlds import World, open_world
from thinkaloud.worlds.franka import Franka

SWAP = [
    *("Grasp the mustard bottle 1", "Put the mustard bottle 1 {}"),
    *("Grasp the mustard bottle 2", "Put the mustard bottle 2 where the mustard bottle 1 was"),
    *("Grasp the mustard bottle 1", "Put the mustard bottle 1 where the mustard bottle 2 was"),
]
SWAP_CANS = [
    *("Grasp the soup can 1", "Put the soup can 1 aside"),
    *("Grasp the soup can 2", "Put the soup can 2 where the soup can 1 was"),
    *("Grasp the soup can 1", "Put the soup can 1 where the soup can 2 was"),
]
SPOTS = (("mustard bottle 1", (0.32, -0.33)), ("mustard bottle 2", (0.35, 0.35)))
CANS = (("soup can 1", (0.38, -0.51)), ("soup can 2", (0.40, 0.51)))
GRASPS = [f"grasp(({x:.2f}, {y:.2f}, 0.05)) # Take {name}" for name, (x, y) in (*SPOTS, *CANS)]


def where(world: World, name: str) -> tuple[float, float]:
    assert isinstance(world, Franka)
    x, y, _ = world.position(name)
    return x, y


def near(x: float, y: float) -> object:
    return pytest.approx((x, y), abs=0.02)


# The dialogues of the paper's figures ---------------------------------------------------------------------------------


def test_the_planner_forgets_to_ask_and_the_analyzer_reminds_it() -> None:
    said = [
        *asks("Which food would you like, the soup can or the mustard bottle?"),
        *lines("Grasp the soup can", "Put the soup can at (0.30, 0.00)", "Go home"),
        "2: nobody said where the soup can has to go, and the person was not asked.\n\n",
        *asks("Where should I put the soup can?"),
        *lines("Grasp the soup can", "Put the soup can at (0.40, 0.45)", "Go home"),
        FINE,
    ]
    talk = Talk(figure(1), "multitalk", said, ["The soup can.", "(0.40, 0.45)"])
    assert talk.says("Give me something to eat.").startswith("goal met")
    assert where(talk.world, "soup can") == near(0.40, 0.45)
    assert where(talk.world, "mustard bottle") == near(0.32, -0.33)
    assert talk.kinds[:12] == [
        *("Request", "Observation", "Ask", "Answer", "Plan", "Critique", "Ask", "Answer"),
        *("Plan", "Critique", "Rehearsal", "Started"),
    ]
    assert [critique.by for critique in talk.all(Critique)] == ["rules, analyzer", "rules, analyzer"]


def test_the_analyzer_corrects_the_plan_and_the_simulator_finds_a_collision_in_the_next() -> None:
    said = [
        *asks("Which things should be interchanged?"),
        *lines(*(line.format("aside") for line in SWAP), "Go home"),
        "7: the cans have not been interchanged yet.\n\n",
        *lines(*(line.format("at (0.30, -0.30)") for line in SWAP), *SWAP_CANS, "Go home"),
        FINE,
        *lines(*(line.format("aside") for line in SWAP), *SWAP_CANS, "Go home"),
        FINE,
    ]
    talk = Talk(figure(2), "multitalk:analyzer=model", said, ["The two bottles, and also the two cans."])
    assert talk.says("Interchange two pairs of things.").startswith("goal met")
    for (one, there), (other, here) in ((SPOTS[0], SPOTS[1]), (CANS[0], CANS[1])):
        assert where(talk.world, one) == near(*here)
        assert where(talk.world, other) == near(*there)
    collided, fine = talk.all(Rehearsal)
    assert "ollision detected between mustard bottle 2 and mustard bottle 1" in collided.error
    assert collided.step == 3
    assert fine.feasible
    assert fine.lasted > collided.lasted > 0
    assert talk.kinds.count("Started") == 13
    assert isinstance(talk.world, Franka)
    assert talk.world.collisions == ()


def test_of_two_things_of_a_kind_it_is_asked_by_their_names() -> None:
    talk = Talk(figure(2), "multitalk", asks("Which one do you mean, soup can 1 or soup can 2?"))
    assert talk.says("Give me the soup can.").startswith("failed: I have to ask (Which one do you mean, soup can 1")


def in_a_row(ys: tuple[float, ...]) -> str:
    xs = (0.0, 0.14, 0.28, 0.42)
    moves = [f"move(({x:.2f}, {y:.2f})) # It stands in line" for x, y in zip(xs, ys, strict=True)]
    return at_once(*(text for pair in zip(GRASPS, moves, strict=True) for text in pair), "home() # All done")


CROOKED, STRAIGHT = in_a_row((-0.34, 0.36, -0.34, 0.51)), in_a_row((-0.34,) * 4)
TO_A_LINE = "Arrange the objects on the table in a straight line."
IN_WHICH = "Questions:\n" + asking("Along which axis should they stand?", "In which order should they stand?")


def test_what_the_analyzer_makes_up_is_overruled_by_a_planner_that_repeats_its_plan() -> None:
    crooked = "".join(f"{step}: the y coordinate differs from that of the other things.\n" for step in (2, 4, 6, 8))
    made_up = "2: a move must be given with three coordinates here.\n\n"
    said = [IN_WHICH, CROOKED, crooked + "\n", STRAIGHT, made_up, STRAIGHT]
    talk = Talk(figure(2), "multitalk:analyzer=model;lines=free", said, ["1: along x 2: any order will do"])
    assert talk.says(TO_A_LINE).startswith("goal met")
    rows = [where(talk.world, name)[1] for name, _ in (*SPOTS, *CANS)]
    assert rows == pytest.approx([-0.34] * 4, abs=0.02)
    assert [len(critique.violations) for critique in talk.all(Critique)] == [4, 1, 0]
    assert len(talk.model.prompts) == len(said)  # the analyzer was not asked about what it had seen before


def test_without_an_analyzer_a_wrong_line_is_carried_out() -> None:
    talk = Talk(figure(2), "multitalk:analyzer=off;lines=free", [IN_WHICH, CROOKED], ["along x, in any order"])
    assert talk.says(TO_A_LINE).startswith("goal met")  # it did what it planned; that this is no line nobody has seen
    rows = [where(talk.world, name)[1] for name, _ in (*SPOTS, *CANS)]
    assert rows == pytest.approx([-0.34, 0.36, -0.34, 0.51], abs=0.02)


# Looking again --------------------------------------------------------------------------------------------------------

LATE = """
late = ["soup can"]
object = [{name = "soup can", x = 0.3, y = 0.4}, {name = "mug", x = 0.3, y = -0.4}, {name = "lime", x = 0.1, y = 0.4}]
"""
FETCH = ["Grasp the soup can", "Put the soup can at (0.30, 0.00)", "Go home"]


@pytest.fixture
def late() -> World:
    return open_world("franka", scene=LATE)


def test_what_comes_late_is_found_by_looking_again(late: World) -> None:
    talk = Talk(late, "multitalk", [*LOOKS, *lines(*FETCH), FINE], [])
    assert talk.says("Put the soup can at (0.30, 0.00).").startswith("goal met")
    before, after, *_ = talk.all(Observation)
    assert before.objects == ("mug", "lime")
    assert after.objects == ("soup can", "mug", "lime")
    assert "Environment now:\n{'soup can': (" in talk.model.prompts[2]


@pytest.mark.parametrize("request_", ["Give me the soup can.", "Give me the soup cans!", "the SOUP CAN", "An apple."])
def test_what_is_not_in_view_is_not_asked_for_before_looking(late: World, request_: str) -> None:
    questions = ["Hm.", "Questions:\n1: Which can do you mean?"]
    talk = Talk(late, "multitalk", questions * 3, ["That one."], held=False)
    assert talk.says(request_).startswith("limit: the model gave no usable answer 3 times")
    assert {refusal.why for refusal in talk.all(Refusal)} == {
        "What is not in view is not asked for; say 'Perception Rerun Required' first."
    }
    assert "Not usable: What is not in view" in talk.model.prompts[-1]


@pytest.mark.parametrize("request_", ["Give me the lime.", "Something nice, please.", "Where is my hat?"])
def test_what_is_in_view_or_never_heard_of_may_be_asked_for_at_once(late: World, request_: str) -> None:
    talk = Talk(late, "multitalk", asks("Where should I put it then?") * 5, ["Guess."] * 5)
    assert talk.says(request_) == "limit: more than 4 questions"


def test_after_looking_in_vain_it_is_asked_and_not_looked_again(late: World) -> None:
    said = [*LOOKS, "Hm.", "Perception rerun required!", *asks("Which thing would you like instead?")]
    talk = Talk(late, "multitalk", said, None, held=False)
    assert talk.says("Give me the apple.").startswith("failed: I have to ask (Which thing")
    assert talk.all(Refusal)[0].why.startswith("The scene has been looked at again already")
    assert len(talk.all(Look)) == 1


def test_what_an_answer_names_is_looked_for_as_well(late: World) -> None:
    said = [*asks("Which thing would you like to eat?"), *LOOKS, *lines(*FETCH), FINE]
    talk = Talk(late, "multitalk", said, ["The soup can, at (0.30, 0.00)."])
    assert talk.says("Give me something to eat.").startswith("goal met")


# Nobody there, and too much of everything -----------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["known", "free"])
def test_without_a_person_nothing_is_asked(form: str) -> None:
    question = "Questions:\n1: Which can do you mean?"
    said = [question] * 3 if form == "free" else ["Hm.", question] * 3
    talk = Talk(figure(1), f"multitalk:human=off;lines={form}", said, held=False)
    assert talk.says("Give me something.").endswith("Nobody is there to answer; go ahead with your own interpretation.")
    assert "Questions:" not in talk.model.prompts[0]


def test_a_question_that_nobody_hears_ends_the_run() -> None:
    talk = Talk(figure(1), "multitalk", asks("Which one do you want?"))
    assert (
        talk.says("Give me something.")
        == "failed: I have to ask (Which one do you want?) and nobody is there to answer"
    )


def test_revisions_without_end_are_a_limit_and_nothing_was_moved() -> None:
    plans = iter(range(100))

    def said(prompt: str) -> str:
        if prompt.endswith("Violations:\n"):
            return "2: not there, and please somewhere else.\n\n"
        return at_once("grasp((0.30, 0.40)) # Take it", f"move((0.{next(plans) + 10}, -0.10)) # Put it", "home() # Bye")

    talk = Talk(figure(1), "multitalk:analyzer=model;lines=free", said)
    before = talk.world.snapshot()
    assert talk.says("Clear up.") == "limit: the plan was sent back 7 times and is still not sound"
    assert talk.world.snapshot() == before


def test_looks_without_end_are_a_limit(late: World) -> None:
    talk = Talk(late, "multitalk", LOOKS, limits=Limits(looks=0))
    assert talk.says("Give me the soup can.") == "limit: more than 0 looks"


def test_a_rehearsal_changes_nothing_in_the_world() -> None:
    plan = at_once("grasp((0.32, -0.33)) # Take it", "move((0.30, 0.40)) # Onto the can", "home() # Bye")
    talk = Talk(figure(1), "multitalk:analyzer=off;lines=free", [plan], limits=Limits(revisions=0))
    before = talk.world.snapshot()
    assert talk.says("Clear up.").startswith("limit: the plan was sent back 1 time and")
    (tried,) = talk.all(Rehearsal)
    assert (tried.feasible, tried.step) == (False, 1)
    assert "ollision detected between mustard bottle and soup can" in tried.error
    assert talk.world.snapshot() == before
    assert talk.all(Started) == []


def test_what_fails_when_it_is_carried_out_ends_the_run_as_failed() -> None:
    plan = at_once("grasp((0.30, 0.30)) # Take it", "move((0.20, 0.30)) # Put it there", "home() # Bye")
    talk = Talk(figure(1), "multitalk:analyzer=off;simulator=off;lines=free", [plan])
    end = talk.says("Clear up.")
    assert end.startswith("failed: this did not work: Grasp the object at (0.3, 0.3, 0.0) (Nothing to grasp")
    assert len(talk.all(Started)) == 1


def test_rules_alone_say_what_is_wrong_without_asking_a_model() -> None:
    said = [*lines("Grasp the soup can", "Put the soup can where the mustard bottle was", "Go home")]
    said += lines("Grasp the soup can", "Put the soup can next to the mustard bottle", "Go home")
    talk = Talk(figure(1), "multitalk:analyzer=rules", said)
    assert talk.says("Bring the soup can to the mustard bottle.").startswith("goal met")
    assert "mustard bottle stands there" in talk.all(Critique)[0].violations[0].why
    assert len(talk.model.prompts) == len(said)
    assert isinstance(talk.world, Franka)
    assert talk.world.relations["near"].holds(object="soup can", other="mustard bottle")


# Models that no grammar holds -----------------------------------------------------------------------------------------

WHOLE = """\
The soup can is wanted.
Step-by-step Instructions:
1: Grasp the soup can: grasp((0.30, 0.40, 0.05))
2: Put the soup can at (0.30, 0.00): move((0.30, 0.00))
3: Go home: home()"""
CHATTY = """\
```
Thought: I know what to do.
**Step-by-step instructions:**
1. Grasp the soup can.
2. Put the soup can at (0.3, 0.0).
3. Go home
```"""
CALLS = """\
Of course!
Step-by-step Instructions:
1: grasp((0.3, 0.4, 0.05)) # Take the can
2: move([0.3, 0]) # There
3: home()"""


@pytest.mark.parametrize("said", [WHOLE, CHATTY, CALLS], ids=["whole", "chatty", "calls"])
@pytest.mark.parametrize("thought", [True, False])
def test_a_model_may_say_all_of_its_plan_at_once(said: str, thought: bool) -> None:
    answers = [THINKS, said] if thought else [said]
    talk = Talk(figure(1), "multitalk:analyzer=off", answers, held=False)
    assert talk.says("Put the soup can at (0.30, 0.00).").startswith("goal met")
    (plan, _) = talk.all(Plan)
    assert [step.skill for step in plan.steps] == ["grasp", "move", "home"]
    assert "\n" not in plan.thought
    assert not plan.thought.startswith("Thought")


def test_a_model_may_say_the_rest_of_its_plan_in_the_middle() -> None:
    rest = "Put the soup can at (0.30, 0.00): move((0.30, 0.00))\n3: Go home: home()\n"
    said = [THINKS, "Step-by-step Instructions:", "Grasp the soup can: grasp((0.30, 0.40))", rest]
    talk = Talk(figure(1), "multitalk:analyzer=off", said, held=False)
    assert talk.says("Put the soup can at (0.30, 0.00).").startswith("goal met")


def test_questions_may_be_said_at_once_as_well() -> None:
    said = ["I do not know which.\n**Questions:**\n1. Which one?\n2. Where to?"]
    talk = Talk(figure(1), "multitalk", said, held=False)
    assert talk.says("Give me something.").startswith("failed: I have to ask (Which one? Where to?)")


def test_a_line_that_means_nothing_here_is_refused_with_what_could_be_said() -> None:
    said = [THINKS, "Step-by-step Instructions:", "Grasp the moon", *lines("Go home")]
    talk = Talk(figure(1), "multitalk:analyzer=off", said, held=False)
    assert talk.says("Put the moon down.").startswith("unconfirmed")
    (refusal,) = talk.all(Refusal)
    assert refusal.why == "'Grasp the moon' cannot be said now; for example: Grasp the soup can."


def test_a_plan_that_goes_on_and_on_is_refused() -> None:
    def said(prompt: str) -> str:
        number = re.search(r"\n(\d+): $", prompt)
        if number is None:
            return THINKS if prompt.endswith("Thought: ") else "Step-by-step Instructions:"
        return "Grasp the soup can" if int(number[1]) % 2 else "Put the soup can aside"

    talk = Talk(figure(1), "multitalk:analyzer=off", said, held=False)
    assert "The plan does not come to an end; 20 steps at most." in talk.says("Tidy up.")
