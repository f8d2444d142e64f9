"""The analyzer: what it is shown, and what it may say."""

from __future__ import annotations

import asyncio

import pytest

from thinkaloud.clock import ManualClock
from thinkaloud.methods.multitalk.analyzer import (
    MOST_VIOLATIONS,
    Analyzer,
    read_violations,
    render_queries,
    verdict_grammar,
)
from thinkaloud.methods.multitalk.dialogue_examples import carry, example_plan, home, scene_with
from thinkaloud.models import Scripted
from thinkaloud.models.gbnf import accepts
from thinkaloud.monologue import Monologue
from thinkaloud.records import Answer, Ask, Critique, Plan, Record, Request, Violation
from thinkaloud.robots import open_world
from toyworld import ToyWorld

FRANKA = open_world("franka")
SCENE = scene_with({"mug": ((0.07, 0.07, 0.09), (0.3, -0.4, 0.05))})
ONE = example_plan(*carry("mug", (0.3, -0.4, 0.05), 0.1, 0.3), home())
TWO = example_plan(*carry("mug", (0.3, -0.4, 0.05), 0.2, 0.3), home())
FINE = " It is so.\nFeasible Plan!\n\n"
WRONG = Critique((Violation(1, "not there."),), "analyzer")


def monologue(*records: Record) -> Monologue:
    said = Monologue(ManualClock())
    for record in (Request("Move the mug."), SCENE, *records):
        said.append(record)
    return said


def critique(plan: Plan, said: Monologue, answer: str) -> tuple[Critique, Scripted]:
    model = Scripted([answer])
    return asyncio.run(Analyzer(model, FRANKA).critique(plan, said)), model


def test_it_is_shown_the_task_the_scene_what_was_asked_and_the_plan() -> None:
    said = monologue(Ask(("Where to?",)), Answer("to the left"), ONE)
    found, model = critique(ONE, said, " It goes left.\n2: this is the right-hand side.\n\n")
    assert found == Critique((Violation(1, "this is the right-hand side."),), "analyzer")
    assert model.prompts[0].endswith(
        "Task: Move the mug.\nEnvironment:\n{'mug': ((0.07, 0.07, 0.09), (0.30, -0.40, 0.05))}\nRelations: []\n"
        "Questions and answers:\n1: Where to?\n2: to the left\n"
        "Step-by-step Instructions:\n1: grasp((0.30, -0.40, 0.05))\n"
        "2: move((0.10, 0.30))\n3: home()\nViolations:\nThought:"
    )
    assert "Actions: grasp((x, y, [z])), home(), move((x, y, [z]))\nTask: " in model.prompts[0]


def test_what_the_planner_means_to_do_is_not_told_only_what_it_does() -> None:
    """Its reasons may say what was asked for, and its actions something else."""
    told = render_queries(monologue(example_plan(*carry("mug", (0.3, -0.4, 0.05), 0.1, 0.3, "where it was asked for"))))
    assert "2: move((0.10, 0.30))\nViolations:" in told and "asked for" not in told.partition("Environment:")[2]


def test_it_sees_what_it_said_before_and_not_what_others_said() -> None:
    said = monologue(ONE, WRONG, TWO, Critique((Violation(0, "the rules speak."),), "rules"), TWO)
    told = render_queries(said)
    assert told.count("Environment:") == 1
    assert told.count("Step-by-step Instructions:") == 2
    assert "2: not there.\n\nQuestions and answers:\nNone\n" in told
    assert "the rules speak" not in told
    assert render_queries(monologue(ONE, Critique((), "rules, analyzer"), TWO)).count("Feasible Plan!\n\n") == 1


def test_a_new_look_is_shown_again() -> None:
    other = scene_with({"lime": ((0.05, 0.05, 0.05), (0.3, 0.4, 0.02))})
    told = render_queries(monologue(ONE, WRONG, other, TWO))
    assert told.count("Environment:") == 2
    assert told.index("'mug'") < told.index("not there.") < told.index("'lime'")


def test_examples_are_shown_to_robots_that_could_follow_them() -> None:
    assert Analyzer(Scripted(), FRANKA).prompt(monologue(ONE)).count("Task: ") > 3
    assert Analyzer(Scripted(), ToyWorld()).prompt(monologue(ONE)).count("Task: ") == 1


def test_that_the_planner_sticks_to_its_plan_is_told_and_the_model_decides() -> None:
    found, model = critique(ONE, monologue(ONE, WRONG, ONE), " The planner sticks to it.\nFeasible Plan!\n\n")
    assert found == Critique((), "analyzer")
    same = "Step-by-step Instructions:\nThe same as before.\nViolations:\nThought:"
    assert model.prompts[0].endswith(same)
    found, model = critique(ONE, monologue(ONE, WRONG, ONE), " Still not.\n2: it is still not there.\n\n")
    assert found.violations
    assert not critique(TWO, monologue(ONE, WRONG, TWO), FINE)[1].prompts[0].endswith(same)


def test_who_is_alone_is_said_and_only_the_latest_plans_are_told() -> None:
    model = Scripted([FINE])
    said = monologue(ONE, WRONG, TWO, WRONG, ONE)
    asyncio.run(Analyzer(model, FRANKA, asks=False).critique(ONE, said))
    assert "Nobody is there to answer questions.\nTask:" in model.prompts[0]
    assert render_queries(said).count("Step-by-step Instructions:") == 2


def test_a_model_that_was_trained_reads_no_introduction() -> None:
    class Trained(Scripted):
        trained = True

    long, short = (Analyzer(kind(), FRANKA).prompt(monologue(ONE)) for kind in (Scripted, Trained))
    assert short.startswith("The base of the arm is at (0, 0).")
    assert long.endswith(short)
    assert len(long) > 2 * len(short)


# What it says ---------------------------------------------------------------------------------------------------------


def test_its_grammar_knows_the_steps_of_the_plan() -> None:
    grammar = verdict_grammar(3)
    assert accepts(grammar, " So.\nFeasible Plan!\n\n")
    assert accepts(grammar, " So.\n1: this is too far away.\n3: nobody asked for this.\n\n")
    assert not accepts(grammar, " So.\n4: this is too far away.\n\n")
    assert not accepts(grammar, " So.\n0: this is too far away.\n\n")
    assert not accepts(grammar, " So.\nFeasible Plan!\n1: this is too far away.\n\n")
    assert not accepts(grammar, " So.\n1: no.\n\n")
    assert not accepts(grammar, " So.\n".join("1: this is too far away.\n" for _ in range(MOST_VIOLATIONS + 1)) + "\n")
    assert not accepts(grammar, "Feasible Plan!\n\n")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Feasible Plan!", ()),
        ("**Feasible plan!**", ()),
        ("feasible plan.\n1: it could be shorter", ()),
        ("No violations found.", ()),
        ("1: no violations\n2: feasible plan", ()),
        ("", ()),
        ("2: too far", ((1, "too far"),)),
        ("This is not a feasible plan!\n2: too far", ((1, "too far"),)),
        ("Step 2: too far\n3) too near\n  1. too high ", ((1, "too far"), (2, "too near"), (0, "too high"))),
        ("1: No problem here.\n2: too far", ((1, "too far"),)),
        ("No problem in step 1, but in step 2.\n2: too far", ((1, "too far"),)),
        ("I look at all.\nNo problems with step 1.\n2: too far", ((1, "too far"),)),
        ("I look at all.\nNo violations.", ()),
        ("7: too many", ((None, "too many"),)),
        ("0: too few", ((None, "too few"),)),
        (
            "\n".join(f"{n}: wrong" for n in (1, 2, 3, 1, 2, 3)),
            ((0, "wrong"), (1, "wrong"), (2, "wrong"), (0, "wrong")),
        ),
    ],
)
def test_violations_are_read_however_they_are_numbered(text: str, found: tuple[tuple[int | None, str], ...]) -> None:
    assert read_violations(text, 3) == tuple(Violation(*each) for each in found)
