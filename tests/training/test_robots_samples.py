"""Samples of the corpus: what a model is shown is what the stage shows, and some robots are never shown."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from thinkaloud import Agent
from thinkaloud.converse.inbox import Inbox
from thinkaloud.models.contract import Scores
from thinkaloud.monologue import Event
from thinkaloud.records import Answer, Ask, Reading
from thinkaloud.robots.text_file import TextFileWorld
from thinkaloud.understand import deciding, reader
from thinkaloud.understand.checking.certainty import Doubt
from thinkaloud.understand.conversation import MOST_TURNS
from thinkaloud.understand.prompting.prompt import render_prompt
from training.demonstrators import robots as demonstrator
from training.demonstrators.robots import FAMILY, is_kept_back, is_learnt_from, same_trade, samples_of, sessions
from training.robots import Robot, all_robots, read_corpus_file
from training.robots.measure import kept_back
from training.robots.playing import Understood, play
from training.robots.reading import all_places
from training.samples import Sample
from training.teacher import Teacher

GARDEN = """\
# A gardener.
kind plant = fern, rose, ivy
skill water(plant): Water {plant}.
is dry(plant): {plant} is dry
now dry(fern); dry(rose)

> is the fern dry
say(dry("fern"))

> The rose is mine.
note("The rose is mine.")
>> how many plants have you got
say(len(plants))

> leave the ivy alone from now on
keep("ivy")
>> what are you looking after
say(plants)
>> you may have the ivy again
allow("ivy")
>> and what is dry
say([p for p in plants if dry(p)])
"""


class Fluent(Teacher):
    """A teacher that is shown what a model is shown which was trained to write meanings; nobody needs help."""

    fluent = True

    async def score(self, prompt: str, options: Sequence[str], *, worth: Sequence[float] = ()) -> Scores:
        return Scores((-30.0,) * len(options))


@pytest.fixture
def garden(tmp_path: Path) -> Robot:
    path = tmp_path / "garden.txt"
    path.write_text(GARDEN, encoding="utf-8")
    return read_corpus_file(path)


def shown(samples: list[Sample]) -> list[str]:
    """Every whole prompt."""
    found = []
    for sample in samples:
        text = ""
        for prompt, answer in sample.parts:
            found.append(text + prompt)
            text += prompt + answer
    return found


def test_prompts_are_those_that_the_stage_makes(garden: Robot) -> None:
    """A session with the preset itself, which is asked by a script, and the same as samples."""
    answers = iter([turn.program for turn in garden.said])
    teacher = Fluent(lambda asked: next(answers) + "\n\n", FAMILY)
    agent = Agent(TextFileWorld(garden.described), teacher, "thinkaloud:confirm=never")
    for turn in garden.said:
        asyncio.run(agent.run(turn.words))
    assert shown(list(samples_of(garden))) == shown(teacher.samples)


ASKED = """\
# A gardener.
kind plant = fern, tea rose, ivy, dog rose
skill water(plant): Water {plant}.
is dry(plant): {plant} is dry

> give it a drink
? water("fern")
? water("ivy")
>> neither, the rose
water("rose")
>> what you would brew
water("tea rose")
>> and another
ask("Which one?", plants)
>> the fern then
water("fern")
"""


def test_what_was_asked_is_shown_as_the_stage_shows_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "garden.txt"
    path.write_text(ASKED, encoding="utf-8")
    robot = read_corpus_file(path)
    first, *others = robot.said
    programs = [first.program, *(turn.program for turn in others)]
    doubts = iter([Doubt(0.1, (Reading(first.offered[1], "", 0.1),))])

    async def measured(*_: object) -> Doubt:
        return next(doubts, Doubt(1.0))

    monkeypatch.setattr(demonstrator, "chooses", lambda *_: False)
    monkeypatch.setattr(reader, "measure_doubt", measured)
    monkeypatch.setattr(deciding, "threshold_for", lambda *_: 0.8)
    answers, said = iter(programs), iter(others[:2] + others[3:])
    teacher = Fluent(lambda asked: next(answers) + "\n\n", FAMILY)
    person = Inbox(present=True)

    def answer(event: Event) -> None:
        if isinstance(event.record, Ask):
            person.say(Answer(next(said).words))

    agent = Agent(TextFileWorld(robot.described), teacher, "thinkaloud", person=person, listeners=[answer])
    for turn in (first, others[2]):
        asyncio.run(agent.run(turn.words))
    made = shown(list(samples_of(robot)))
    assert made == shown(teacher.samples)[1:], "all but the request that was asked about"
    assert 'water("fern")\n# or\nwater("ivy")\n# -> asked\n\n# "neither' in made[0]
    assert 'water("rose")\n# -> asked\n\n' in made[1] and 'plants)\n# -> asked\n\n# "fern"\n' in made[3]
    assert [play_shown(each) for each in play(robot, robot.conversations[0])][1:] == made


def play_shown(each: Understood) -> str:
    return render_prompt(each.shown, each.earlier[-MOST_TURNS:], each.said.words, explained=False)


def test_prompts_are_those_of_what_was_understood_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compared as the files have it: what is learnt keeps descriptions, too, and nothing that was only asked about."""
    monkeypatch.setattr(demonstrator, "with_pronouns", lambda program, *_: program)
    monkeypatch.setattr(demonstrator, "with_any_of", lambda program, *_: program)
    monkeypatch.setattr(demonstrator, "chooses", lambda *_: False)
    seen = 0
    for robot in all_robots()[::13]:
        for talk in robot.conversations:
            if any(turn.program.startswith(("note(", "keep(", "allow(")) for turn in talk.turns[:-1]):
                samples = list(samples_of(replace(robot, conversations=(talk,))))
                heard = list(play(robot, talk))
                prompts = [
                    render_prompt(each.lexicon, each.earlier[-MOST_TURNS:], each.said.words, explained=False)
                    for each in heard
                    if not each.said.offered
                ]
                assert shown(samples) == prompts
                seen += 1
    assert seen > 3


def test_what_was_told_or_kept_is_shown_from_then_on(garden: Robot) -> None:
    prompts = shown(list(samples_of(garden)))
    assert ['# told: "The rose is mine."' in prompt for prompt in prompts] == [False] * 2 + [True] * 5
    assert ['# kept: "ivy"' in prompt for prompt in prompts] == [False] * 4 + [True] * 2 + [False]


def test_a_sample_goes_on_until_more_is_shown_than_what_was_said(garden: Robot) -> None:
    samples = list(samples_of(garden))
    assert [len(sample.parts) for sample in samples] == [2, 2, 2, 1]
    for sample in samples:
        assert sample.family == FAMILY and sample.text.startswith("# robot\nplants = ")
        assert all(answer.endswith(")\n\n") and prompt.endswith('"\n') for prompt, answer in sample.parts)


def test_what_is_kept_beside_a_deed_is_kept_this_time_only(tmp_path: Path) -> None:
    path = tmp_path / "garden.txt"
    head = GARDEN.partition("\n>")[0]
    path.write_text(
        head + '\n> all but the ivy\nkeep("ivy")\nwater(plants)\n>> thanks\nunclear("?")\n', encoding="utf-8"
    )
    assert not any("# kept" in prompt for prompt in shown(list(samples_of(read_corpus_file(path)))))


def test_now_and_then_the_work_was_under_way(tmp_path: Path) -> None:
    path = tmp_path / "garden.txt"
    path.write_text(GARDEN.partition("\n>")[0] + '\n> fern\nwater("fern")\n>> rose\nwater("rose")\n', encoding="utf-8")
    robot = read_corpus_file(path)
    texts = {prompt for seed in range(90) for prompt in shown(list(samples_of(robot, np.random.default_rng(seed))))}
    assert any("under way" in text for text in texts)
    assert not any("under way" in prompt for prompt in shown(list(samples_of(robot))))


def test_some_robots_are_never_learnt_from(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = set[str]()

    def remember(robot: Robot, rng: np.random.Generator, *, renamed: bool = True) -> Robot:
        drawn.add(robot.name)
        return replace(robot, conversations=robot.conversations[:1])

    monkeypatch.setattr(demonstrator, "draw_guise", remember)
    monkeypatch.setattr(demonstrator, "samples_of", lambda robot, rng: ())
    rng = np.random.default_rng(1)
    for _ in range(14000):
        assert not list(sessions(rng))
    kept = {robot.name for robot in kept_back() if robot.place is None}
    assert kept == {robot.name for robot in all_robots() if is_kept_back(robot)} and len(kept) > 10
    assert {place.name for place in kept_back() if place.place} == {p.name for p in all_places() if is_kept_back(p)}
    assert not drawn & (kept | same_trade())
    assert drawn == {robot.name for robot in all_robots() if is_learnt_from(robot)}
    assert len(drawn) > 0.8 * len(all_robots())


def test_every_robot_that_is_set_apart_is_one_of_the_corpus() -> None:
    assert same_trade() <= {robot.name for robot in all_robots()}
