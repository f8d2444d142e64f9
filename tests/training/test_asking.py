"""Plain requests that the robot asked back about: what it offers comes to something else, and what is meant stays."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from thinkaloud.language.words import begins_with_no
from thinkaloud.records import Meaning
from thinkaloud.understand.meaning.circumstances import Circumstances
from thinkaloud.understand.meaning.running import run_program
from thinkaloud.understand.offering import outcome_of
from training.demonstrators import robots as demonstrator
from training.heldout import violations
from training.robots import Conversation, Robot, read_corpus_file
from training.robots import asking as asking_module
from training.robots.asking import AGAIN, NEITHER, NO, ask_back
from training.robots.playing import Speaking, play
from training.robots.reading import LANGUAGES

GARDEN = """\
# A gardener.
kind plant = fern, rose, ivy, dog violet
kind shed = left shed, right shed
skill water(plant): Water {plant}.
skill carry(plant, shed): Carry {plant} to {shed}.
skill shut(shed): Shut {shed}.
is dry(plant): {plant} is dry
now dry(fern); dry(rose)

> Water the fern.
water("fern")

>de Bring den Farn in den linken Schuppen.
carry("fern", "left shed")

> shut both sheds
shut(sheds)

> is the fern dry
say(dry("fern"))

> water the orchid
water("orchid")

> The rose is mine.
note("The rose is mine.")

> the ivy, into the right shed
carry("ivy", "right shed")
>> and the fern
carry("fern", "right shed")
"""


@pytest.fixture
def garden(tmp_path: Path) -> Robot:
    path = tmp_path / "garden.txt"
    path.write_text(GARDEN, encoding="utf-8")
    return read_corpus_file(path)


def asked_back(robot: Robot, seed: int) -> tuple[list[Conversation], Circumstances]:
    world = robot.open()
    speaking = Speaking(world, world.observe())
    at = Circumstances(world, speaking.scene, speaking.lexicon([], (), (), shown=False))
    return ask_back(robot.conversations, at, lambda program: run_program(program, at), _rng(seed)), at


def _rng(seed: int) -> np.random.Generator:
    return np.random.default_rng(1000 + seed)


def test_what_is_offered_can_be_run_and_is_something_else_and_the_answer_is_what_was_meant(
    garden: Robot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking_module, "SHARE", 1.0)
    sizes, among, openings = set[int](), set[bool](), set[str]()
    for seed in range(12):
        talks, at = asked_back(garden, seed)
        changed = [n for n, (talk, old) in enumerate(zip(talks, garden.conversations, strict=True)) if talk != old]
        assert {*changed} <= {0, 1, 2}, "deeds alone that can be done"
        for number in changed:
            (meant,) = garden.conversations[number].turns
            asked, answer = talks[number].turns
            assert asked.words == meant.words and asked.program == asked.offered[0] and not answer.offered
            assert (answer.program, answer.language) == (meant.program, meant.language)
            first, second = play(garden, talks[number])
            offered = [outcome_of(each, at.world) for each in (first.meaning, *first.others)]
            assert len(set(offered)) == len(offered)
            assert all(_comes_to_something(each) for each in (first.meaning, *first.others))
            right = outcome_of(second.meaning, at.world)
            assert (right in offered) is (meant.program in asked.offered)
            assert set(offered) - {right}, "at least one is wrong"
            if right in offered and (found := re.search(r"\d|first|second|third|fourth", answer.words)):
                place = {"first": 1, "second": 2, "third": 3, "fourth": 4}
                assert asked.offered[int(place.get(found[0], found[0])) - 1] == meant.program
            if right in offered:
                assert not begins_with_no(answer.words)
            sizes.add(len(offered))
            among.add(right in offered)
            openings.add(answer.words.split()[0].lower())
    assert sizes == {1, 2, 3, 4} and among == {True, False} and len(openings) > 12


def _comes_to_something(meaning: Meaning) -> bool:
    return bool(meaning.deeds) if meaning.sort == "deeds" else meaning.sort in ("answer", "note")


def test_one_plain_request_in_eight_is_asked_about(garden: Robot) -> None:
    plain = garden.conversations[0]
    world = garden.open()
    speaking = Speaking(world, world.observe())
    at = Circumstances(world, speaking.scene, speaking.lexicon([], (), (), shown=False))
    talks = ask_back([plain] * 400, at, lambda program: run_program(program, at), _rng(0))
    assert 30 < sum(len(talk.turns) == 2 for talk in talks) < 70


def test_people_say_it_again_in_every_language_and_with_no_word_that_is_held_out() -> None:
    for openings in (AGAIN, NO, NEITHER):
        assert {*openings} == {*LANGUAGES}
        assert not [each for listed in openings.values() for each in listed if violations(each)]
    assert len(AGAIN["en"]) >= 12 and len(NO["en"]) >= 12
    assert all(begins_with_no(each) for each in NO["en"][:7])


def test_sessions_have_such_questions_in_them_and_nothing_that_was_offered_is_learnt(
    garden: Robot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking_module, "SHARE", 1.0)
    monkeypatch.setattr(demonstrator, "_OPINION", 0.0)
    programs = {f"{turn.program}\n\n" for turn in garden.said}
    samples = [sample for seed in range(3) for sample in demonstrator.samples_of(garden, _rng(seed))]
    assert {answer for sample in samples for _, answer in sample.parts} <= programs
    assert sum("# -> asked\n" in sample.text for sample in samples) >= 3
    assert not any("-> asked" in sample.text for sample in demonstrator.samples_of(garden))
