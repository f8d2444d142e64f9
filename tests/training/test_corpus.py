"""The corpus of robots: all of it is read and holds to its conventions; a mistake in a file is told with its line."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from sampling import how_many
from thinkaloud.errors import BadScene
from training.demonstrators.robots import samples_of
from training.robots import Robot, Said, all_robots, read_corpus_file
from training.robots.check import FEWEST, check_file
from training.robots.playing import Speaking, play
from training.robots.reading import CORPUS, LANGUAGES
from training.robots.renaming import rename_functions, rename_words

NO_DEEDS = ("say(", "ask(", "note(", "cannot(", "unclear(", "stop(", "undo(", "previous(", "keep(", "allow(", "never(")
MOST_DEEDS = 0.8
RECALLING = ("never", "allow", "forget", "why", "when", "done")
"""What is about a deed, and does not do it."""
HEAD = """\
# A helper in a bakery.
kind oven = left oven, right oven
kind loaf = rye loaf, plait
skill bake(loaf, oven): Bake {loaf} in {oven}.
is hot(oven): {oven} is hot
now hot(left oven)
"""


@cache
def all_said() -> list[tuple[Robot, Said]]:
    return [(robot, said) for robot in all_robots() for said in robot.said]


def parsed(having: str) -> Iterator[tuple[Robot, Said, ast.Module]]:
    """What was said, with its program, where there is something in that: to parse them all takes many seconds."""
    return ((robot, said, ast.parse(said.program)) for robot, said in all_said() if re.search(having, said.program))


def calls_in(tree: ast.Module) -> list[ast.Call]:
    return [node for node in ast.walk(tree) if isinstance(node, ast.Call)]


def name_of(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else ""


def deeds_in(robot: Robot) -> float:
    """The share of what was said about which something is done; what a description comes to only a run shows."""
    done = [not said.program.startswith(NO_DEEDS) for said in robot.said]
    if robot.sorts and sum(done) / len(done) >= MOST_DEEDS:
        opened = Speaking(world := robot.open(), world.observe())
        done = [each.meaning.sort == "deeds" for talk in robot.conversations for each in play(robot, talk, opened)]
    return sum(done) / len(done)


# What there is --------------------------------------------------------------------------------------------------------


def test_every_file_is_read_and_every_robot_is_spoken_to() -> None:
    robots = all_robots()
    assert [robot.name for robot in robots] == sorted(path.stem for path in CORPUS.glob("*.txt"))
    assert len(robots) >= 300
    assert min(len(list(robot.said)) for robot in robots) >= FEWEST == 25


def test_all_languages_are_spoken() -> None:
    spoken = Counter(said.language for _, said in all_said())
    assert {*spoken} == {*LANGUAGES}
    assert all(spoken[language] > 100 for language in LANGUAGES)


def test_much_of_what_is_said_is_no_deed() -> None:
    apart = [said.program.startswith(NO_DEEDS) for _, said in all_said()]
    assert 0.2 < sum(apart) / len(apart) < 0.5
    robots = all_robots()
    for robot in robots[:: len(robots) // how_many(len(robots) // 8, of=len(robots))]:
        assert deeds_in(robot) < MOST_DEEDS, robot.name


# Conventions ----------------------------------------------------------------------------------------------------------


def test_programs_are_python() -> None:
    for robot in all_robots()[:: how_many(8, of=1)]:
        ast.parse("\n".join(said.program for said in robot.said), robot.name)


def test_what_any_all_and_sum_are_of_stands_in_brackets() -> None:
    open_ones = [
        f"{robot.name}:{said.line}"
        for robot, said, tree in parsed(r"\bfor\b")
        if any(isinstance(given, ast.GeneratorExp) for call in calls_in(tree) for given in call.args)
    ]
    assert not open_ones


def test_what_is_kept_is_said_before_what_is_done() -> None:
    late = []
    for robot, said, tree in parsed(r"\bkeep\("):
        calls = [
            name_of(node.value) for node in tree.body if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
        ]
        deeds = [place for place, name in enumerate(calls) if name in robot.data["skills"]]
        kept = [place for place, name in enumerate(calls) if name == "keep"]
        if deeds and kept and max(kept) > min(deeds):
            late.append(f"{robot.name}:{said.line}")
    assert not late


def test_programs_have_no_remarks_and_one_kind_of_quotes() -> None:
    for robot, said in all_said():
        code = re.sub(r'"(?:\\.|[^"\\])*"', '""', said.program)
        assert not re.search(r"[#'\t]", code), f"{robot.name}:{said.line}"
        assert not said.program.startswith('"'), f"{robot.name}:{said.line}"


def test_what_a_thing_is_called_is_given_by_a_keyword_in_rules_alone() -> None:
    """Which deed a rule, or a question about the past, is about may leave out what comes first:
    `never(pour(cup="mug"), above=200)`, `why(pour(cup="mug"))`."""
    for robot, said, tree in parsed(r"=(?!=)"):
        calls = calls_in(tree)
        rules = [call for call in calls if name_of(call) in RECALLING]
        about = [given for rule in rules for given in rule.args if isinstance(given, ast.Call)]
        for call in calls:
            known = {"key", "reverse", "n"} | ({"above", "until"} if call in rules else set())
            if call in about:
                known |= {*robot.data["skills"].get(name_of(call), {}).get("parameters", ())}
            assert {each.arg for each in call.keywords} <= known, f"{robot.name}:{said.line}"


def test_every_meaning_of_some_robots_runs() -> None:
    """`python -m training.robots.check` does so for all of them, in a minute."""
    files = sorted(CORPUS.glob("*.txt"))
    for number in np.random.default_rng(12).choice(len(files), 5, replace=False):
        sorts, wrong = check_file(files[int(number)], quiet=True)
        assert not wrong
        assert sorts["deeds"] > 5 and sorts["answer"] and sorts.total() >= FEWEST


def test_the_example_of_the_readme_is_a_robot(tmp_path: Path) -> None:
    text = (CORPUS / "README.md").read_text(encoding="utf-8")
    block = "\n".join(line[4:] for line in re.findall(r"^(?:    .*|)$", text.partition("\n## ")[0], re.M)).strip()
    (tmp_path / "bakery.txt").write_text(block, encoding="utf-8")
    robot = read_corpus_file(tmp_path / "bakery.txt")
    assert robot.told == ("The stone oven is out of order.",) and robot.kept == ("baguette",)
    assert [[turn.language for turn in talk.turns] for talk in robot.conversations] == [["en", "en"], ["de"]]


# Mistakes -------------------------------------------------------------------------------------------------------------


def read(tmp_path: Path, text: str) -> Robot:
    path = tmp_path / "shop.txt"
    path.write_text(text, encoding="utf-8")
    return read_corpus_file(path)


def test_a_robot_is_read_with_all_that_was_said_to_it(tmp_path: Path) -> None:
    said = '\n> rye in the left one\nbake("rye loaf", "left oven")\n>> and the plait\nbake("plait", "left oven")\n'
    robot = read(tmp_path, HEAD + said + '\n>de Ist der linke heiß?\nif True:\n    say(hot("left oven"))\n')
    assert robot.data["kinds"] == {"oven": ["left oven", "right oven"], "loaf": ["rye loaf", "plait"]}
    assert robot.data["skills"]["bake"]["doc"] == "Bake loaf in oven."
    assert robot.data["start"] == {"facts": ["hot(left oven)"], "values": []}
    first, second = robot.conversations
    assert [turn.words for turn in first.turns] == ["rye in the left one", "and the plait"]
    assert second.turns == (Said("Ist der linke heiß?", 'if True:\n    say(hot("left oven"))', "de", 13),)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("skill slice(cake): Cut {cake}.", r"shop\.txt:7: 'cake' is no kind here; there is oven, loaf, number, text"),
        ("skill heat(oven): Heat {loaf}.", r"shop\.txt:7: .*each parameter once in braces.*: oven"),
        ("skill move(loaf, to: oven): Put {loaf} away.", r"shop\.txt:7: .*once in braces.*: loaf, to"),
        ("skill heat oven: Heat it.", r"shop\.txt:7: .*is no head"),
        ("oven = left oven", r"shop\.txt:7: a line begins with world, scene, kind, skill.*not with 'oven'"),
        (">> and the other\nbake(\"plait\", \"left oven\")", r"shop\.txt:7: .*there is none yet"),
        (">it Accendi il forno.\nbake(\"plait\", \"left oven\")", r"shop\.txt:7: it is none of the languages en, de"),
        (">no space\nundo()", r"shop\.txt:7: no is none of the languages"),
        (">please\nundo()", r"shop\.txt:7: what was said stands behind"),
        ("> bake it\n\n> now\nundo()", r"shop\.txt:7: a program has to follow"),
        ("> bake it\nundo()\n>> again", r"shop\.txt:9: a program has to follow"),
        ('> bake it\n? bake("plait", "left oven")', r"shop\.txt:7: what was offered has to be answered"),
        ('> a\n? bake("plait", "left oven")\nundo()\n>> b\nundo()', r"shop\.txt:7: .*behind `\? `, one reading"),
        ('> a\n?\n>> b\nundo()', r"shop\.txt:7: .*behind `\? `, one reading"),
        ("now warm(left oven)", r"shop\.txt: .*warm"),
        ("now hot(third oven)", r"shop\.txt: .*third oven"),
    ],
)  # fmt: skip
def test_a_mistake_is_told_with_its_line(line: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(BadScene, match=message):
        read(tmp_path, HEAD + line + "\n")


ASKED = """
> stick the rye in the warm one
? bake("rye loaf", "left oven"); say("a; b")
? keep("plait"); note("It is hot.")
>> neither, the right one
bake("rye loaf", "right oven")
"""


def test_what_was_offered_is_asked_about_and_nothing_of_it_happens(tmp_path: Path) -> None:
    robot = read(tmp_path, HEAD + ASKED)
    first, second = robot.conversations[0].turns
    assert first.offered == ('bake("rye loaf", "left oven")\nsay("a; b")', 'keep("plait")\nnote("It is hot.")')
    assert first.program == first.offered[0] and not second.offered
    asked, answered = play(robot, robot.conversations[0])
    assert [each.sort for each in (asked.meaning, *asked.others)] == ["deeds", "note"]
    assert not answered.lexicon.kept and not answered.lexicon.notes
    assert [turn.came for turn in answered.earlier] == ["asked"]


@pytest.mark.parametrize(
    ("program", "other", "message"),
    [
        (
            'undo()\nbake("rye loaf", "right oven")',
            'bake("plait", "left oven")',
            "shop.txt:11: .*nothing was done",
        ),
        ('bake("plait", "left oven")', "bake(loaves, nowhere)", "shop.txt:8: .*nowhere"),
        ('bake("plait", "left oven")', 'bake("scone", "left oven")', "shop.txt:8: .*would not be offered.*no scone"),
        ('bake("plait", "left oven")', 'bake("plait", "oven")', "shop.txt:8: .*would not be offered, it is a question"),
        ('bake("plait", "left oven")', 'bake("rye loaf", "left oven")', "shop.txt:8: the same is offered twice"),
    ],
)
def test_what_cannot_be_offered_or_taken_back_is_told(program: str, other: str, message: str, tmp_path: Path) -> None:
    offered = ['bake("rye loaf", "left oven")', other]
    said = "\n> the rye\n" + "".join(f"? {each}\n" for each in offered) + f">> no\n{program}\n"
    path = tmp_path / "shop.txt"
    path.write_text(HEAD + said, encoding="utf-8")
    sorts, wrong = check_file(path, quiet=True)
    assert any(re.match(message, each) for each in wrong), wrong
    assert sorts.total() <= 1  # what was asked about is none of the requests


def test_what_was_offered_is_learnt_from_in_no_way_but_as_what_stood_before_the_answer(tmp_path: Path) -> None:
    robot = read(tmp_path, HEAD + ASKED)
    (sample,) = samples_of(robot)
    ((shown, answer),) = sample.parts
    assert answer == 'bake("rye loaf", "right oven")\n\n' and "# kept" not in shown and "# told" not in shown
    assert shown.endswith('# -> asked\n\n# "neither, the right one"\n')


def test_other_words_are_put_into_what_was_offered_too(tmp_path: Path) -> None:
    robot = read(tmp_path, HEAD + ASKED)
    changed = 0
    for seed in range(8):
        other, talks = rename_words(robot, robot.conversations, np.random.default_rng(seed))
        other, talks = rename_functions(other, talks, np.random.default_rng(seed))
        asked = next(play(other, talks[0]))
        assert [each.sort for each in (asked.meaning, *asked.others)] == ["deeds", "note"]
        changed += "left oven" not in asked.said.offered[0]
    assert changed


def test_a_meaning_that_cannot_be_run_is_told_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "shop.txt"
    path.write_text(HEAD + "> twice\nbake(loaves, nowhere)\n\n> again\nbake(loaves, nowhere)\n", encoding="utf-8")
    sorts, wrong = check_file(path, quiet=True)
    assert not sorts
    assert [each.partition(": ")[0] for each in wrong] == ["shop.txt:7", "shop.txt:10", "shop.txt"]
    assert "at least 25 are wanted" in wrong[-1]
    path.write_text(HEAD.replace("rye loaf", "pretzel"), encoding="utf-8")
    assert any("'pretzel' is held out for tests" in each for each in check_file(path, quiet=True)[1])
    path.write_text("kind\nskill", encoding="utf-8")
    assert "is no head" in check_file(path, quiet=True)[1][0]
