"""What the minds of HiCRISP and ProgPrompt are shown: possible in the worlds it is for, and asked in no benchmark."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache

import pytest

from thinkaloud.methods.hicrisp import correction_examples as correcting
from thinkaloud.methods.hicrisp import plan_examples as plans
from thinkaloud.methods.hicrisp.answers import CANNOT, WHETHER
from thinkaloud.methods.hicrisp.planner import NOTHING_NEW
from thinkaloud.methods.progprompt import examples as programs
from thinkaloud.robots import open_world
from thinkaloud.skills.signatures import Signature
from thinkaloud.worlds import World
from thinkaloud_bench.hicrisp import HICRISP_TASKS
from thinkaloud_bench.virtualhome.titles import COUNTS
from thinkaloud_worlds.household.virtualhome_package import is_there
from thinkaloud_worlds.warehouse import LANDMARKS

WORLDS = ("tabletop", "around", "warehouse", *(["household"] if is_there() else []))
Shown = correcting.CorrectionExample | plans.PlanExample | programs.ExampleProgram
SHOWN: tuple[Shown, ...] = (*correcting.CORRECTION_EXAMPLES, *plans.PLAN_EXAMPLES, *programs.EXAMPLE_PROGRAMS)


@cache
def world(name: str) -> World:
    return open_world(name)


def fits(shown: Shown, name: str) -> bool:
    return shown.skills <= world(name).skills.keys() | world(name).relations.keys()


def homes(shown: Shown) -> list[World]:
    """The worlds in which an example is shown."""
    found = [world(name) for name in WORLDS if fits(shown, name)]
    if not found and not is_there():
        pytest.skip("the household is not installed")
    return found


def called(shown: Shown) -> str:
    return shown.task[:40]


def read(text: str, signatures: Mapping[str, Signature]) -> tuple[str, dict[str, str]]:
    """Which of them a sentence is, and what it names."""
    for name, signature in signatures.items():
        form = re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>.+?)", re.escape(signature.says))
        if match := re.fullmatch(form, text, re.IGNORECASE):
            return name, match.groupdict()
    raise AssertionError(f"{text!r} is no sentence of this world")


def skill_of(text: str, there: World) -> tuple[str, dict[str, str]]:
    return read(text, {name: skill.signature for name, skill in there.skills.items()})


def relation_of(text: str, there: World) -> tuple[str, dict[str, str]]:
    return read(text, {name: relation.signature for name, relation in there.relations.items()})


def promised(there: World, skill: str, arguments: Mapping[str, str]) -> set[str]:
    return {each.words.lower() for each in there.skills[skill].promises(arguments, there.relations)}


@pytest.mark.parametrize("shown", SHOWN, ids=called)
def test_every_example_is_for_some_world(shown: Shown) -> None:
    assert shown.skills
    assert homes(shown)


@pytest.mark.parametrize("name", WORLDS)
def test_every_world_is_shown_something_of_its_own_by_each_mind(name: str) -> None:
    for shown in (correcting.CORRECTION_EXAMPLES, plans.PLAN_EXAMPLES, programs.EXAMPLE_PROGRAMS):
        assert any(fits(each, name) for each in shown)


@pytest.mark.parametrize("shown", correcting.CORRECTION_EXAMPLES, ids=called)
def test_a_correction_is_said_in_the_sentences_of_its_world(shown: correcting.CorrectionExample) -> None:
    for there in homes(shown):
        correction_is_right(shown, there)


def correction_is_right(shown: correcting.CorrectionExample, there: World) -> None:
    for sentence in (*shown.done, shown.failed, *shown.tried):
        skill_of(sentence, there)
    for sentence in (*shown.seen, *filter(None, [shown.expected])):
        relation_of(sentence, there)
    if shown.needed == correcting.HOPELESS:
        assert not shown.first
    elif shown.needed == correcting.NOTHING_NEEDED:
        skill, arguments = skill_of(shown.first, there)
        assert promised(there, skill, arguments) == set(), "what it brings about is what is needed"
    else:
        relation_of(shown.needed, there)
        assert shown.needed.lower() in promised(there, *skill_of(shown.first, there))


@pytest.mark.parametrize("shown", plans.PLAN_EXAMPLES, ids=called)
def test_a_plan_is_said_in_the_sentences_of_its_world_and_about_its_things(shown: plans.PlanExample) -> None:
    for there in homes(shown):
        plan_is_right(shown, there)


def plan_is_right(shown: plans.PlanExample, there: World) -> None:
    if shown.steps[0].startswith(plans.ANSWERS):
        assert len(shown.steps) == 1
        answer_is_right(shown.steps[0], shown.things, there)
        return
    said = [step.split(" -> ") for step in shown.steps]
    named = [name for action, _ in said for name in skill_of(action, there)[1].values()]
    assert {*named} == {*shown.things}
    for action, state in said:
        promises = promised(there, *skill_of(action, there))
        assert {state.lower()} == promises if promises else state == NOTHING_NEW


def answer_is_right(line: str, things: Sequence[str], there: World) -> None:
    what = line.partition(": ")[2]
    if line.startswith(WHETHER):
        relation_of(what, there)
    else:
        assert line.startswith(CANNOT) or what.rstrip(".") in things


@pytest.mark.parametrize("shown", programs.EXAMPLE_PROGRAMS, ids=called)
def test_a_program_calls_what_there_is_and_an_else_brings_about_what_is_asserted(
    shown: programs.ExampleProgram,
) -> None:
    for there in homes(shown):
        program_is_right(shown, there)


def program_is_right(shown: programs.ExampleProgram, there: World) -> None:
    named = set[str]()
    for line in shown.lines:
        match = re.fullmatch(r"assert (.+) else: (.+)", line)
        name, *values = re.findall(r"\w[\w ]*", match[2] if match else line)
        named |= {*values}
        signature = there.skills[name].signature
        arguments = dict(zip((p.name for p in signature.parameters), values, strict=True))
        if match:
            relation, *about = re.findall(r"\w[\w ]*", match[1])
            parameters = there.relations[relation].signature.parameters
            condition = there.relations[relation].condition(dict(zip((p.name for p in parameters), about, strict=True)))
            assert condition.words.lower() in promised(there, name, arguments)
    assert named == {*shown.takes}
    assert shown.name == "_".join(re.findall(r"[a-z0-9]+", shown.task.lower()))


# No benchmark ---------------------------------------------------------------------------------------------------------


def words(text: str) -> str:
    return f" {' '.join(re.findall(r'[a-z0-9]+', text.lower()))} "


REQUESTS = [*(task.title for task in HICRISP_TASKS.values()), *COUNTS]


@pytest.mark.parametrize("shown", SHOWN, ids=called)
def test_no_example_is_a_request_of_a_benchmark(shown: Shown) -> None:
    tasks, text = words(shown.task), words(shown.text())
    for request in REQUESTS:
        assert words(request) not in tasks
        assert len(request.split()) == 1 or words(request) not in text
        assert {*words(request).split()} - {"the", "a"} != {*tasks.split()} - {"the", "a"}


def test_no_example_drives_to_a_landmark_of_the_courses() -> None:
    driving = [each.text() for each in SHOWN if "drive_to" in each.skills]
    assert driving
    for text in driving:
        assert not [name for name in LANDMARKS if words(name) in words(text)]


def test_a_prompt_ends_where_the_answer_begins() -> None:
    at_hand = correcting.CorrectionExample(
        task="Sit.", failed="Sit down.", why="It is far.", done=("Stand up.",), seen=("It is.",)
    )
    assert at_hand.text() == "Task: Sit.\nDone: Stand up.\nSeen: It is.\nFailed: Sit down.\nWhy: It is far.\nNeeded:"
    shown = correcting.CORRECTION_EXAMPLES[0].text()
    assert shown.endswith(
        f"\nNeeded: {correcting.CORRECTION_EXAMPLES[0].needed}\nDo first: {correcting.CORRECTION_EXAMPLES[0].first}"
    )
