"""The world state over a conversation: who writes it, what is refused, and what each change was caused by."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace

import pytest

from program_conversation import Conversation, table
from thinkaloud.agent import Agent
from thinkaloud.methods.statler.writer import Writer, render_update
from thinkaloud.models import Recorded, Scripted
from thinkaloud.presets import read_preset
from thinkaloud.records import WorldState
from thinkaloud.state.edits import supports, with_marked, with_placed
from thinkaloud.state.json_text import render_opening, render_state
from thinkaloud.state.state_history import latest_state

THINGS = ("red block", "blue block", "green block", "white bowl", "black bowl", "disinfector")
BARE = WorldState(THINGS)
IN_BOWL = with_placed(BARE, "red block", "white bowl")
PUT = 'put_first_on_second("red block", "white bowl")\nupdate_wm("Put the red block in the white bowl")'


def whole(state: WorldState) -> str:
    """A state as the model goes on writing it."""
    return render_state(state).removeprefix(render_opening(state, objects=True))


def talk(preset: str, *answers: str | Callable[[str], str]) -> Conversation:
    world = table("disinfection", *THINGS)
    if len(answers) == 1 and callable(answers[0]):
        return Conversation(preset, answers[0], world)
    return Conversation(preset, [str(answer) for answer in answers], world)


@pytest.mark.parametrize(
    ("preset", "written"),
    [
        ("statler", whole(IN_BOWL)),
        ("statler:writer=delta", "red block is in white bowl"),
        ("statler_auto", whole(IN_BOWL)),
        ("statler_auto:writer=delta", "red block is in white bowl\n#"),
    ],
)
def test_the_writer_brings_the_state_up_to_date_and_says_why(preset: str, written: str) -> None:
    said = talk(preset, PUT, written)
    assert said.says("Put the red block in the white bowl.").result == "goal met"
    assert said.changes == [("red block is in white bowl", "Put the red block in the white bowl")]
    assert supports(said.state) == {"red block": "white bowl"}


def test_the_reader_of_the_next_query_reads_what_the_writer_wrote() -> None:
    said = talk("statler", PUT, whole(IN_BOWL), 'say("red")')
    said.says("Put the red block in the white bowl.", "What is in the white bowl?")
    assert render_state(IN_BOWL) + "\n# query: What is in the white bowl?\n" in said.model.prompts[-1]


def test_nothing_is_written_where_the_program_asks_for_no_update() -> None:
    said = talk("statler", 'put_first_on_second("red block", "white bowl")')
    said.says("Put the red block in the white bowl.")
    assert said.changes == []
    assert supports(said.state) == {}


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        ("garbage", "JSON"),
        (whole(IN_BOWL).replace('"green block"', '"pink block"'), "green block"),
        (whole(IN_BOWL).replace('#     "green block": {},\n', ""), "green block"),
        (whole(with_placed(IN_BOWL, "white bowl", "red block")), "red block"),
        (whole(with_placed(with_placed(BARE, "red block", "blue block"), "blue block", "red block")), "blue block"),
        (whole(replace(with_marked(BARE, ["red block"], "dirty"))).replace('"dirty"', '"dirty", "clean"'), "clean"),
    ],
)
def test_a_state_that_cannot_be_is_refused_and_asked_for_again(bad: str, why: str) -> None:
    said = talk("statler", PUT, bad, whole(IN_BOWL))
    assert said.says("Put the red block in the white bowl.").result == "goal met"
    (refusal,) = said.refusals
    assert (refusal.role, why in refusal.why) == ("memory", True)
    assert refusal.why in said.model.prompts[-1]
    assert supports(said.state) == {"red block": "white bowl"}
    assert said.moves == [("red block", "white bowl")]  # the arm did not move again for it


def never_right(prompt: str) -> str:
    """The reader works; the writer writes nothing that can be read."""
    if not prompt.splitlines()[-1].startswith("# query: "):
        return "garbage"
    query = prompt.splitlines()[-1].removeprefix("# query: ")
    return {MOVE: PUT, ASK: 'say("red")'}.get(query, f'update_wm("{query}")')


MOVE, ASK = "Put the red block in the white bowl.", "What is in the white bowl?"


def test_a_note_that_cannot_be_written_is_told_and_the_motion_still_counts() -> None:
    said = talk("statler", never_right)
    end = said.says(MOVE)
    assert end.result == "goal met"
    assert "I could not remember this, so my notes are as before: Take note: Put the red block in the" in end.because
    assert [refusal.role for refusal in said.refusals] == ["memory"] * 3
    assert said.state.objects == BARE.objects
    assert supports(said.state) == {}


def test_the_conversation_goes_on_after_a_note_that_cannot_be_written() -> None:
    said = talk("statler", never_right)
    assert said.says("The red block is dirty.").result == "failed"
    assert said.says(ASK).result == "answered"
    assert said.says(MOVE).result == "goal met"
    assert len(said.refusals) == 3  # for the latest query: no note is tried again for a later one
    assert said.moves == [("red block", "white bowl")]


def test_the_rest_of_a_program_runs_after_a_note_that_cannot_be_written() -> None:
    program = 'update_wm("The red block is dirty")\nsay("noted")'
    said = talk("statler", lambda prompt: program if prompt.endswith("dirty.\n") else "garbage")
    end = said.says("The red block is dirty.")
    assert end.result == "answered"
    assert end.because.startswith("noted; I could not remember this")


def test_a_note_is_written_again_once_the_writer_can() -> None:
    said = talk("statler", PUT, "bad", "bad", "bad", PUT, whole(IN_BOWL))
    said.says(MOVE)
    end = said.says(MOVE)
    assert "could not" not in end.because
    assert supports(said.state) == {"red block": "white bowl"}


def test_one_model_may_write_both_program_and_next_state() -> None:
    said = talk("statler_unified", 'put_first_on_second("red block", "white bowl")', whole(IN_BOWL))
    assert said.says("Put the red block in the white bowl.").result == "goal met"
    assert supports(said.state) == {"red block": "white bowl"}
    first, second = said.model.prompts
    assert second.startswith(first)  # one prompt that grows


def test_a_next_state_of_the_unified_model_that_cannot_be_is_asked_for_again() -> None:
    said = talk("statler_unified", 'put_first_on_second("red block", "white bowl")', "garbage", whole(IN_BOWL))
    assert said.says("Put the red block in the white bowl.").result == "goal met"
    assert len(said.refusals) == 1
    assert supports(said.state) == {"red block": "white bowl"}


def test_instructions_take_the_place_of_examples() -> None:
    said = talk("statler_auto", PUT, whole(IN_BOWL))
    said.says("Put the red block in the white bowl.")
    assert "pink block" in said.model.prompts[0]  # the reader is shown the lesson
    assert "pink block" not in said.model.prompts[1]
    assert "Your task is" in said.model.prompts[1]
    trained = Conversation("statler_auto", [PUT, whole(IN_BOWL)], table("disinfection", *THINGS), trained=True)
    trained.says("Put the red block in the white bowl.")
    assert trained.model.prompts[1].startswith("Your task is")  # that is no introduction


def test_only_the_writer_writes_the_state_whatever_the_model() -> None:
    world = table("disinfection", *THINGS)
    after = with_marked(with_placed(BARE, "red block", "blue block"), ["red block"], "dirty")
    put = 'put_first_on_second("red block", "blue block")\nupdate_wm("Put the red block on the blue block")'
    said = Conversation("statler", [put, whole(after)], world, trained=True)
    said.says("Put the red block on the blue block.")
    assert said.changes == [
        ("red block is on blue block", "Put the red block on the blue block"),
        ("red block is dirty", "Put the red block on the blue block"),
    ]
    assert len(said.model.prompts) == 2


@pytest.mark.parametrize("trained", [True, False])
@pytest.mark.parametrize("preset", ["statler", "statler_unified", "statler_auto", "statler:writer=delta"])
def test_a_trained_model_is_told_the_same_without_the_introduction(preset: str, trained: bool) -> None:
    written = "red block is in white bowl" if "delta" in preset else whole(IN_BOWL)
    program = PUT.splitlines()[0] if "unified" in preset else PUT
    prompts = []
    for each in (trained, True):
        said = Conversation(preset, [program, written], table("disinfection", *THINGS), trained=each)
        assert said.says("Put the red block in the white bowl.").result == "goal met"
        prompts.append(said.model.prompts)
    assert all(long.endswith(short) for long, short in zip(*prompts, strict=True))
    assert all(
        ("pink block" in long) == (not trained and (n == 0 or "auto" not in preset))
        for n, long in enumerate(prompts[0])
    )
    assert prompts[1][0].startswith("# functions: put_first_on_second(first, second), say(text), ")


@pytest.mark.parametrize(("preset", "thinks"), [("statler", True), ("statler:think=no", False)])
def test_thoughts_before_a_program_are_shown_and_allowed_where_they_are_wanted(preset: str, thinks: bool) -> None:
    said = talk(preset, "# THINK: on the table: red block\n" + PUT, whole(IN_BOWL), 'say("red")')
    said.says("Put the red block in the white bowl.", "What is in the white bowl?")
    assert ("# THINK: " in said.model.prompts[0]) == thinks
    now = said.model.prompts[-1].rsplit("# ===", 1)[1]
    assert "# THINK" not in now and 'update_wm("' not in now  # of what was before only what was done is told
    assert (
        '# query: Put the red block in the white bowl.\nput_first_on_second("red block", "white bowl")\n# state' in now
    )


@pytest.mark.parametrize(
    ("preset", "shown"),
    [("statler", [2, 3, 4, 5, 6]), ("statler:earlier=all", [*range(7)]), ("statler_unified:earlier=0", [6])],
)
def test_as_many_earlier_queries_stand_before_the_state_as_were_asked_for(preset: str, shown: list[int]) -> None:
    written = [whole(BARE)] if "unified" in preset else []
    said = talk(preset, *[answer for n in range(7) for answer in (f'say("{n}")', *written)])
    said.says(*(f"query {n}" for n in range(7)))
    reader = next(prompt for prompt in reversed(said.model.prompts) if prompt.endswith("# query: query 6\n"))
    now = reader.rsplit("# ===", 1)[1]
    assert [n for n in range(7) if f"query {n}\n" in now] == shown


def test_a_move_that_failed_is_tried_again_and_not_remembered_as_done(monkeypatch: pytest.MonkeyPatch) -> None:
    said = talk("statler", PUT)
    tries = []

    async def slips(object: str, target: str) -> str:
        tries.append((object, target))
        return "It slipped."

    skill = said.world.skills["pick_and_place"]
    monkeypatch.setitem(said.world.skills, "pick_and_place", replace(skill, function=slips))
    end = said.says("Put the red block in the white bowl.")
    assert end.result == "failed"
    assert "did not work" in end.because
    assert len(tries) == 3
    assert supports(said.state) == {}


def test_a_writer_may_be_asked_after_every_step_that_worked() -> None:
    world, model = table("disinfection", *THINGS), Scripted([whole(IN_BOWL)])
    programs = Recorded(Scripted(['put_first_on_second("red block", "white bowl")']), emit=lambda call: None)
    preset, options = read_preset("code_as_policies")
    mind = replace(preset.build(world, programs, options, None), remember=Writer(model, world, steps=True))
    agent = Agent(world, Scripted(), mind)
    assert asyncio.run(agent.run("Put the red block in the white bowl.")).result == "goal met"
    assert supports(latest_state(agent.monologue)) == {"red block": "white bowl"}
    assert model.prompts[0].endswith(render_update(BARE, "Pick the red block and place it on the white bowl."))
