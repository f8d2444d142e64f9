"""Every preset, with every value of every option, carries an episode to an end that can be written down.

That each of them does so in every world, too, is seen in `tests/golden`, where its first words there are pinned.
"""

from __future__ import annotations

import asyncio
import itertools
import math
from pathlib import Path

import msgspec
import pytest

from campaign.babbling import Babbling
from recording import SPELLED, TOY_GUIDELINES, VARIANTS
from thinkaloud.agent import Agent
from thinkaloud.converse.inbox import Inbox
from thinkaloud.errors import BadInput, UnknownName
from thinkaloud.guidelines import Guidelines, read_guidelines
from thinkaloud.loop import Limits
from thinkaloud.models import Model, Scripted
from thinkaloud.monologue import Event
from thinkaloud.presets import PRESETS, read_preset, spell
from thinkaloud.records import Answer, Ask, Begin, End, Started
from thinkaloud.remember.journal import Journal
from thinkaloud.serialization import from_data, record_kind, to_data
from toy_answers import answer, likes
from toyworld import ToyWorld

pytestmark = pytest.mark.sampled(3)


def guidelines_for(preset: str) -> Guidelines | None:
    """The toy world has none of its own."""
    return read_guidelines(TOY_GUIDELINES) if preset.startswith("itp") else None


class Slippery(ToyWorld):
    """What slips here does not do so where it is tried out before."""

    def twin(self) -> ToyWorld:
        other = super().twin()
        other.slips = 0
        return other


class Harmless(Slippery):
    """Without what never ends, and what is at fault itself: for who may choose to do anything."""

    def __init__(self) -> None:
        super().__init__()
        self.skills = {name: each for name, each in self.skills.items() if name not in ("paint", "stare", "open")}


@pytest.fixture(params=VARIANTS)
def preset(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def scripted() -> Scripted:
    """Has the ball put on the shelf, in whatever form it is asked."""
    return Scripted(answer, scores=likes)


def episode(preset: str, model: Model, *, steps: int = 6, slips: int = 1) -> Agent:
    world = Harmless() if isinstance(model, Babbling) else Slippery()
    world.slips = slips
    person = Inbox(present=preset.startswith("thinkaloud") or "approval=on" in preset)
    agent = Agent(world, model, preset, limits=Limits(steps=steps), guidelines=guidelines_for(preset), person=person)
    agent.monologue.listeners.append(lambda event: agree(event, person))
    asyncio.run(agent.run("Put the ball on the shelf."))
    return agent


def agree(event: Event, person: Inbox) -> None:
    """A person who says yes to everything."""
    if isinstance(event.record, Ask) and person.present:
        person.say(Answer("yes"))


def test_an_episode_begins_with_begin_and_ends_with_end(preset: str) -> None:
    events: list[Event] = list(episode(preset, scripted()).monologue)
    first, last = events[0].record, events[-1].record
    assert isinstance(first, Begin)
    assert read_preset(first.preset) == read_preset(preset)
    assert isinstance(last, End)
    assert [event.index for event in events] == list(range(len(events)))
    assert sum(isinstance(event.record, Begin | End) for event in events) == 2


def test_every_event_is_the_same_again_after_json(preset: str) -> None:
    for event in episode(preset, scripted()).monologue:
        data = msgspec.json.decode(msgspec.json.encode(to_data(event.record)))
        assert from_data(record_kind(event.record), data) == event.record


@pytest.mark.parametrize("steps", [1, 3])
def test_the_limit_of_steps_is_kept(preset: str, steps: int) -> None:
    agent = episode(preset, scripted(), steps=steps, slips=99)
    assert 1 <= len(agent.monologue.since(None, Started)) <= steps


def test_useless_words_end_an_episode_without_moving_anything(preset: str) -> None:
    agent = episode(preset, Scripted(lambda _: " Kumquat."))
    end = agent.ended()
    assert end is not None
    expected = {"thinkaloud": "declined", "saycan": "failed"}  # that one cannot even be asked
    assert end.result == expected.get(preset.partition(":")[0], "limit")
    assert agent.monologue.since(None, Started) == []


def test_success_is_never_reported_without_a_check(preset: str) -> None:
    agent = episode(preset, scripted(), slips=99)
    end = agent.ended()
    assert end is not None
    assert end.result in ("limit", "unconfirmed", "failed")


def test_an_episode_is_the_same_in_the_journal(preset: str, tmp_path: Path) -> None:
    with Journal(tmp_path / "journal.db") as journal, journal.begin() as session:
        guidelines = guidelines_for(preset)
        agent = Agent(ToyWorld(), scripted(), preset, session=session, limits=Limits(steps=3), guidelines=guidelines)
        asyncio.run(agent.run("Put the ball on the shelf."))
        assert session.events() == [(event.index, event.at, event.record) for event in agent.monologue]


@pytest.mark.sampled(1)
@pytest.mark.parametrize("preset", SPELLED)
def test_a_preset_is_spelled_with_all_its_options_and_read_again(preset: str) -> None:
    chosen, options = read_preset(preset)
    assert read_preset(spell(chosen.name, options)) == (chosen, options)
    assert set(options) == set(chosen.options)
    assert chosen.about


# Trained in the forms of the prompts ----------------------------------------------------------------------------------


def test_whatever_a_trained_model_says_an_episode_comes_to_an_end_that_can_be_written_down(preset: str) -> None:
    for seed in range(3):
        agent = episode(preset, Babbling(seed), steps=3)
        last = list(agent.monologue)[-1].record
        assert isinstance(last, End)
        assert "Error: " not in last.because, last
        assert last.result != "goal met" or agent.monologue.goal()
        for event in agent.monologue:
            data = msgspec.json.decode(msgspec.json.encode(to_data(event.record)))
            assert from_data(record_kind(event.record), data) == event.record


def test_a_trained_model_reads_less(preset: str) -> None:
    short, long = Babbling(1), Babbling(1, trained=False)
    for model in (short, long):
        episode(preset, model, steps=1)
    if not any(form in preset for form in ("free", "tools", "saycan")):  # not trained for that, or not for this world
        assert len(short.prompts[0]) < len(long.prompts[0])
    assert len(short.prompts[0]) <= len(long.prompts[0])


@pytest.mark.parametrize("spelled", [each for each in VARIANTS if each.startswith("itp")])
def test_by_guidelines_an_episode_that_works_is_checked_and_met(spelled: str) -> None:
    end = episode(spelled, scripted()).ended()  # the first move slips
    assert end is not None
    assert end.result == "goal met"


@pytest.mark.parametrize("spelled", [each for each in VARIANTS if each.startswith("multitalk")])
def test_by_dialogue_a_slip_is_seen_and_what_works_is_checked_and_met(spelled: str) -> None:
    slipped, met = (episode(spelled, scripted(), slips=slips).ended() for slips in (1, 0))
    assert slipped is not None
    assert slipped.result == "failed"
    assert met is not None
    assert met.result == "goal met"


@pytest.mark.parametrize(
    "spelled", [each for each in VARIANTS if each.startswith("hicrisp") and "high=off" not in each]
)
def test_what_slips_is_put_right_within_the_step(spelled: str) -> None:
    agent = episode(spelled, scripted(), slips=1)
    end = agent.ended()
    assert end is not None
    assert end.result == "goal met"
    assert [started.correcting for started in agent.monologue.since(None, Started)] == [False, True, True]


@pytest.mark.sampled(1)
@pytest.mark.parametrize("name", sorted(PRESETS))
def test_an_unknown_option_is_named_with_those_there_are(name: str) -> None:
    with pytest.raises(
        UnknownName, match=f"option of {name} 'mood'.*Known: {', '.join(sorted(PRESETS[name].all_options())) or 'none'}"
    ):
        read_preset(f"{name}:mood=good")


def test_an_unknown_value_is_named_with_those_there_are() -> None:
    with pytest.raises(BadInput, match=r"feedback can be object\+scene, object\+success, object, success, not 'smell'"):
        read_preset("inner_monologue:feedback=smell")


def test_an_unknown_preset_is_named_with_what_was_probably_meant() -> None:
    with pytest.raises(UnknownName, match="Did you mean 'inner_monologue'"):
        read_preset("inner_monolog")


def test_words_that_stop_or_refuse_move_nothing_and_ask_no_model(preset: str) -> None:
    for words in ("stop", "Never mind.", "no", "halt an", "arrête", "不要"):
        model = Babbling()
        agent = Agent(Harmless(), model, preset, guidelines=guidelines_for(preset), person=Inbox())
        assert asyncio.run(agent.run(words)) == End("stopped", f"you said {words!r}")
        assert model.prompts == []
        assert agent.monologue.last(Started) is None


JUNK = ("", " ", "\n" * 60, "0", "None", "pass", '""', "[]", "{}", "...", "#", "\u200b", 'say("")', "x = 1", "True",
        "set()", "len([])", "if True:\n    sorted(())")  # fmt: skip


@pytest.mark.parametrize("preset", [p for p in VARIANTS if not p.startswith(("thinkaloud:", "saycan"))])
def test_silence_is_no_answer(preset: str) -> None:
    """Not of SayCan, whose model says nothing but likelihoods: those that are none are below."""
    for junk, trained in itertools.product(JUNK if ":" not in preset else JUNK[::5], (False, True)):
        model = Scripted([junk] * 100)
        model.trained = model.fluent = trained  # type: ignore[attr-defined]
        agent = Agent(Slippery(), model, preset, guidelines=guidelines_for(preset), person=Inbox())
        end = asyncio.run(agent.run("Put the ball on the shelf."))
        assert end.result in ("limit", "declined") and end.because.strip(), (junk, end)
        assert agent.monologue.last(Started) is None
        refused = len(agent.monologue.refusals())
        why_not = ("none of what can be had here", "I have no skill for that")
        assert refused >= 2 or any(each in end.because for each in why_not), "it was told, and could try again"


@pytest.mark.parametrize("junk", [math.nan, math.inf, 3.0], ids=str)
@pytest.mark.parametrize("preset", [p for p in VARIANTS if p.startswith("saycan")])
def test_likelihoods_that_are_none_move_nothing(preset: str, junk: float) -> None:
    for trained in (False, True):
        model = Scripted(answer, scores=lambda prompt, option: junk)
        model.trained = model.fluent = trained  # type: ignore[attr-defined]
        agent = episode(preset, model)
        end = agent.ended()
        assert end is not None and end.result == "failed" and "no log-likelihoods" in end.because
        assert agent.monologue.last(Started) is None
