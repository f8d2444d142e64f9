"""A robot of the corpus in another guise: other words everywhere at once, and what was meant comes to the same."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from thinkaloud.language.calls import BUILTINS
from thinkaloud.language.words import plural, words_of
from thinkaloud.program.words import ALWAYS
from thinkaloud.records import Meaning, Noted, Question
from training.robots import Conversation, Robot, Said, all_robots, read_corpus_file
from training.robots import renaming as renaming_module
from training.robots.multiplying import draw_guise, draw_talks
from training.robots.playing import play
from training.robots.renaming import rename_functions, rename_words

CANAL = """\
# A helper at a canal with two sluices.
kind sluice = left sluice, stone sluice
kind barge = Mathilda, coal barge, Old Jonas
kind drink = lemonade, cocoa, punch
skill tow(barge, sluice): Tow {barge} into {sluice}.
skill sluice_open(sluice): Let the water out of a sluice.
skill serve(drink, barge): Bring {drink} aboard {barge}.
skill deliver(barge): Send a barge to town.
skill shout(words: text): Call out to every barge.
is emptied(sluice): {sluice} is empty
is at(barge, sluice): {barge} lies in {sluice}
value load(barge): what {barge} carries, in tonnes
now emptied(left sluice); at(Mathilda, stone sluice); load(Mathilda) = 3; load(coal barge) = 40; load(Old Jonas) = 9
told The stone sluice leaks.
kept coal barge

> tow mathilda into the left sluice
tow("Mathilda", "left sluice")
>> and Jonas too, please
tow("Old Jonas", "left sluice")

> Open every sluice that isn't empty.
sluice_open([s for s in sluices if not emptied(s)])

> Deliver the heaviest of the barges.
deliver(max(barges, key=load))

> Say that the sluice_open(sluice) lever is broken.
shout("the sluice_open(sluice) lever is broken")

> The coal barge's captain sleeps.
note("The coal barge's captain sleeps.")

>de Ist die Mathilda in der steinernen Schleuse?
say(at("Mathilda", "stone sluice"))
"""
WARM = '\n> Something warm for Mathilda.\nserve("cocoa", "Mathilda")\n'
SEEDS = range(12)


def read(folder: Path, text: str) -> Robot:
    path = folder / "canal.txt"
    path.write_text(text, encoding="utf-8")
    return read_corpus_file(path)


@pytest.fixture
def canal(tmp_path: Path) -> Robot:
    return read(tmp_path, CANAL)


def english(robot: Robot) -> list[Conversation]:
    return [talk for talk in robot.conversations if all(turn.language == "en" for turn in talk.turns)]


def shape(meaning: Meaning) -> tuple[Any, ...]:
    """What has to be the same whatever things are called."""
    parts = (
        meaning.deeds,
        meaning.act.wishes,
        meaning.said,
        meaning.content.options if isinstance(meaning.content, Question) else (),
        meaning.notes,
        meaning.kept,
        meaning.freed,
    )
    return meaning.sort, *map(len, parts), isinstance(meaning.content, Noted)


def shapes(robot: Robot, talks: list[Conversation]) -> list[tuple[Any, ...]]:
    return [shape(each.meaning) for talk in talks for each in play(robot, talk)]


def chosen(robot: Robot, other: Robot) -> dict[str, str]:
    """The words of things and kinds that are others now."""
    found: dict[str, str] = {}
    for (kind, things), (new, renamed) in zip(robot.data["kinds"].items(), other.data["kinds"].items(), strict=True):
        for old_name, new_name in zip((kind, *things), (new, *renamed), strict=True):
            pairs = zip(words_of(old_name), words_of(new_name), strict=True)
            found |= {old: word for old, word in pairs if old != word}
    return found


# Guises of the corpus -------------------------------------------------------------------------------------------------


@pytest.mark.sampled(2)
@pytest.mark.parametrize("seed", range(6))
def test_what_is_said_to_a_guise_comes_to_the_same(seed: int) -> None:
    rng = np.random.default_rng([seed, 41])
    robots = all_robots()
    for number in rng.integers(len(robots), size=7):
        robot = robots[int(number)]
        guise = draw_guise(robot, rng)
        by_line = {turn.line: talk for talk in robot.conversations for turn in talk.turns}
        for talk in guise.conversations:
            heard = list(play(guise, talk))  # raises where a program does not run any more
            if (line := talk.turns[0].line) == 0:  # two in one breath
                assert "\n" in talk.turns[0].program and heard[0].meaning.sort in ("deeds", "refusal", "question")
                continue
            meant = [each.meaning for each in play(robot, by_line[line])]
            assert [shape(each.meaning) for each in heard] == [shape(each) for each in meant], robot.name


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "name", ["courthouse_files", "fountain_show", "planetarium", "print_farm", "puppet_theatre", "railway_signal_box"]
)
def test_names_that_were_once_mixed_up_are_kept_apart(name: str) -> None:
    """People's names in lists, functions that are called as lists are, kinds that are several already."""
    robot = next(each for each in all_robots() if each.name == name)
    talks = [talk for talk in english(robot) if re.search(r" in \w+ |key=|\(\w+\)", talk.turns[0].program)][:8]
    meant = shapes(robot, talks)
    for seed in range(3):
        rng = np.random.default_rng([seed, 8])
        other, changed = rename_words(robot, talks, rng)
        other, changed = rename_functions(other, changed, rng)
        assert shapes(other, changed) == meant


def test_the_same_chance_gives_the_same_guise_and_another_another() -> None:
    robot = all_robots()[0]
    first, same, other = (draw_guise(robot, np.random.default_rng(seed)) for seed in (3, 3, 4))
    assert first == same != other


def test_a_session_has_few_turns_and_conversations_stay_whole() -> None:
    robot = all_robots()[5]
    for seed in range(20):
        talks = draw_talks(robot, np.random.default_rng(seed))
        assert all(talk in robot.conversations for talk in talks)
        assert len({id(talk) for talk in talks}) == len(talks) > 0
        assert sum(len(talk.turns) for talk in talks) <= 8 or len(talks) == 1


# Other words ----------------------------------------------------------------------------------------------------------


def test_words_are_changed_everywhere_at_once(canal: Robot) -> None:
    talks, seen = english(canal), set[str]()
    meant = shapes(canal, talks)
    for seed in SEEDS:
        other, changed = rename_words(canal, talks, np.random.default_rng(seed))
        words = chosen(canal, other)
        seen |= {*words}
        names = "|".join(name for part in ("skills", "relations", "values") for name in canal.data[part])
        said = [f"{turn.words} {turn.program}" for talk in changed for turn in talk.turns]
        text = json.dumps([other.data, other.told, other.kept, said]).replace("canal", "")
        there = set(words_of(re.sub(rf"\b({names})\b", "", text)))
        assert not there & {*words, *map(plural, words)}
        assert there >= {new.lower() for new in words.values()}
        assert shapes(other, changed) == meant
        if "sluice" in words:
            new = words["sluice"]
            assert plural(new) in changed[1].turns[0].program and plural(new) not in changed[0].turns[0].program
            assert f"{new} is empty" in other.data["relations"]["emptied"]["doc"]
            assert new in other.data["skills"]["tow"]["parameters"] and new in other.told[0]
    assert seen >= {"sluice", "barge", "coal", "stone", "mathilda", "jonas"}
    assert not seen & {"left", "old"}  # words that mean too much elsewhere


def test_capitals_are_as_they_were(canal: Robot) -> None:
    for seed in SEEDS:
        other, changed = rename_words(canal, english(canal), np.random.default_rng(seed))
        if (new := chosen(canal, other).get("mathilda")) is not None:
            assert f"tow {new} into" in changed[0].turns[0].words
            assert f'tow("{new.capitalize()}", ' in changed[0].turns[0].program
            return
    pytest.fail("she was never called otherwise")


def test_what_needs_knowledge_keeps_its_names(tmp_path: Path) -> None:
    """Nobody said cocoa: that it is warm has to be known, and nobody knows whether a zorb is."""
    robot = read(tmp_path, CANAL + WARM)
    for seed in SEEDS:
        other, changed = rename_words(robot, english(robot), np.random.default_rng(seed))
        assert "cocoa" in str(other.data["kinds"].values()) and not {"cocoa", "punch", "drink"} & {
            *chosen(robot, other)
        }
        assert changed[-1].turns[0].program.startswith('serve("cocoa", ')
    said = replace(robot, conversations=robot.conversations[:-1])
    renamed = [chosen(said, rename_words(said, english(said), np.random.default_rng(seed))[0]) for seed in SEEDS]
    assert any("cocoa" in words for words in renamed)


def test_what_was_said_in_another_language_keeps_its_words(canal: Robot) -> None:
    for seed in SEEDS:
        rng = np.random.default_rng(seed)
        assert rename_words(canal, canal.conversations, rng) == (canal, list(canal.conversations))
        guise = draw_guise(canal, rng)
        for turn in (turn for talk in guise.conversations for turn in talk.turns if turn.language == "de"):
            assert turn.words.lower().rstrip("?") == "ist die mathilda in der steinernen schleuse"
            assert '"Mathilda", "stone sluice"' in turn.program


def test_a_kind_whose_list_a_function_is_called_as_stays(tmp_path: Path) -> None:
    robot = read(
        tmp_path,
        "# Bells.\nkind bell = big bell, small bell\n"
        "skill ring(bell): Ring {bell}.\nvalue bells(bell): the strokes of {bell}\n"
        "now bells(big bell) = 2; bells(small bell) = 5\n\n> most strokes\nring(max(all_bells, key=bells))\n",
    )
    for seed in SEEDS:
        other, talks = rename_words(robot, robot.conversations, np.random.default_rng(seed))
        assert "bell" in other.data["kinds"]
        assert shapes(other, talks) == shapes(robot, [*robot.conversations])


# Other names of functions ---------------------------------------------------------------------------------------------


def test_a_parameter_that_a_rule_names_is_called_as_it_is_now(tmp_path: Path) -> None:
    head = "# A bar.\nkind cup = mug, beaker\nskill fill(drops: number, cup): Fill {drops} into {cup}.\n"
    robot = read(tmp_path, head + '\n> never fill the mug\nnever(fill(cup="mug"), above=5)\n')
    found = set[str]()
    for seed in SEEDS:
        other, talks = rename_words(robot, robot.conversations, np.random.default_rng(seed))
        found |= {*other.data["skills"]["fill"]["parameters"]} - {"drops"}
        assert [each.meaning.sort for each in play(other, talks[0])] == ["note"]
    assert len(found) > 1


def test_functions_get_other_names_only_where_code_reads_them(canal: Robot) -> None:
    talks, renamed = list(canal.conversations), 0
    meant = shapes(canal, talks)
    for seed in SEEDS:
        other, changed = rename_functions(canal, talks, np.random.default_rng(seed))
        old, new = (
            {name for part in ("skills", "relations", "values") for name in each.data[part]} for each in (canal, other)
        )
        renamed += len(old - new)
        assert not (new - old) & {*ALWAYS, *BUILTINS, "barges", "sluices", "drinks", "things"}
        assert [t.words for talk in changed for t in talk.turns] == [t.words for talk in talks for t in talk.turns]
        docs = [
            [table["doc"] for part in ("skills", "relations", "values") for table in each.data[part].values()]
            for each in (canal, other)
        ]
        assert docs[0] == docs[1] and canal.told == other.told
        assert '("the sluice_open(sluice) lever is broken")' in changed[3].turns[0].program
        assert shapes(other, changed) == meant
    assert renamed > 20


def test_no_function_gets_a_word_of_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    robot = read(tmp_path, CANAL)
    monkeypatch.setattr(renaming_module, "_function_name", lambda name, rng: name[:3])  # deliver: del
    for seed in SEEDS:
        other, changed = rename_functions(robot, robot.conversations, np.random.default_rng(seed))
        assert "deliver" in other.data["skills"]
        assert shapes(other, changed) == shapes(robot, [*robot.conversations])


def test_two_requests_in_one_breath_are_two_deeds(tmp_path: Path) -> None:
    text = (
        CANAL.partition("\n>")[0]
        + '\n> Ring the bell.\nshout("ding")\n\n> I want cocoa on Mathilda!\nserve("cocoa", "Mathilda")\n'
    )
    robot, joined = read(tmp_path, text), set[Said]()
    for seed in range(150):
        guise = draw_guise(robot, np.random.default_rng(seed))
        joined |= {turn for talk in guise.conversations for turn in talk.turns if turn.line == 0}
        if joined:
            (turn,) = joined
            assert len(turn.program.splitlines()) == 2 and len(words_of(turn.words)) >= 7
            (heard,) = play(guise, guise.conversations[0])
            assert len(heard.meaning.deeds) == 2
            return
    pytest.fail("none were joined")
