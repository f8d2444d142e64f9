"""Statler's demonstrations: programs that a model may write, that run, and that mean what the words say."""

from __future__ import annotations

import asyncio
import itertools
import random
import re

import numpy as np
import pytest

from thinkaloud.agent import Agent
from thinkaloud.clock import ManualClock
from thinkaloud.methods.statler.forms import StateForm
from thinkaloud.methods.statler.short_grammar import short_program_grammar
from thinkaloud.methods.statler.state_grammars import changes_grammar, state_grammar
from thinkaloud.models import grammar as gbnf
from thinkaloud.models.gbnf import Grammar
from thinkaloud.monologue import Monologue
from thinkaloud.plan.programs.grammar import PROGRAM_END
from thinkaloud.records import WorldState
from thinkaloud.state.changes import read_changes
from thinkaloud.state.edit import supports, with_placed
from thinkaloud.state.json_text import read_state
from thinkaloud.worlds.lessons import lesson_of
from thinkaloud.worlds.tabletop.domains import DomainWorld
from thinkaloud.worlds.tabletop.domains import scene_of as staged
from thinkaloud_bench.shell_game import Game
from training.demonstrators.statler import DEMONSTRATORS, HELD_OUT, scenes, showing, talk
from training.demonstrators.statler.table import TABLES, Conversation, begun, scene_of
from training.demonstrators.statler.talk import Turn
from training.demonstrators.statler.templates import chosen, sections
from training.heldout import violations
from training.samples import Sample
from training.teacher import Teacher

SPOKEN = [name for name in sections() if name.split()[0] in ("commands", "asking", "telling", "foreign")]


def drawn(show: object, count: int, seed: int = 3) -> list[Sample]:
    rng = np.random.default_rng(seed)
    found: list[Sample] = []
    while len(found) < count:
        found += show(rng)  # type: ignore[operator]
    return found[:count]


def domain_of(section: str) -> str:
    words = section.split()
    known = {"dirt": "disinfection", "weight": "weight", "cups": "cups"}
    return known.get(words[-1], "pick_and_place")


@pytest.mark.parametrize("section", SPOKEN)
def test_every_family_can_be_said_and_its_program_is_one_that_a_model_may_write(section: str) -> None:
    rng = random.Random(section)
    for family in sections()[section]:
        turn = None
        for _ in range(200):
            scene = scenes.drawn(rng, domain_of(section))
            turn = talk.said(scene, section, family)
            if turn is not None and talk.sayable(turn, scene.objects):
                break
        else:
            pytest.fail(f"{family.program} is never said")
        world, seen = TABLES[scene.domain], scene_of(scene.state)
        grammar = short_program_grammar(world.skills, seen.vocabulary, lesson_of(world), scene.objects, turn.text)
        assert Grammar.parse(grammar).accepts(turn.program + PROGRAM_END), turn
        assert not violations(f"# query: {turn.text}"), turn
        assert "{" not in turn.text + turn.program and "|" not in turn.text, turn


def test_programs_run_on_states_that_fit_them() -> None:
    """A program fails only where what it speaks of is not there or not known."""
    rng = random.Random(5)
    tried = ran = 0
    for _ in range(60):
        scene = scenes.drawn(rng)
        held = Conversation(scene.domain, begun(scene, rng.choice((0.0, 0.5, 0.8))))
        for _ in range(12):
            tried += 1
            ran += held.take(talk.turn(scene)) is not None
    assert ran > 0.6 * tried


SET = ("red block", "blue block", "tan block", "pink block", "white bowl", "green bowl", "disinfector")


@pytest.mark.parametrize(
    ("program", "answer"),
    [
        ('say(colour(under("red block")))', "blue"),
        ('say(inside("white bowl"))', "blue block and red block"),
        ('say(bowls("empty"))', "green bowl"),
        ('say(blocks("outside"))', "tan block and pink block"),
        ('say(but("red block"))', "blue block, tan block and pink block"),
        ('say(other("white bowl"))', "green bowl"),
        ('say(blocks("dirty", inside("white bowl")))', "red block and blue block"),
        ('say(len(blocks("clean")))', "2"),
        ('say(every(inside("white bowl"), "dirty"))', "yes"),
        ('say(any(inside("green bowl")))', "no"),
        ("say(tallest())", "blue block and red block"),
        ("say(highest())", "red block"),
        ("say(most(bowls()))", "white bowl"),
        ('say(ratio("tan block", "pink block") == 2)', "yes"),
        ('say(as_heavy("tan block"))', "red block"),
        ('say(heavier_than("pink block"))', "red block and tan block"),
        ('say(heaviest(["tan block", "pink block"], 2))', "pink block"),
        ('say(weight("blue block"))', None),
    ],
)
def test_the_answers_are_those_that_the_state_gives(program: str, answer: str | None) -> None:
    state = with_placed(with_placed(WorldState(SET), "blue block", "white bowl"), "red block", "blue block")
    held = Conversation("disinfection", state)
    for told in (
        'mark(["red block", "blue block"], "dirty")',
        'mark(blocks("unknown"), "clean")',
        'weighs("tan block", 2, "pink block")',
        'weighs("red block", 1, "tan block")',
    ):
        assert held.take(Turn("", told))
    done = held.take(Turn("", program))
    assert (done.answer if done else None) == answer


@pytest.mark.parametrize(
    ("programs", "where"),
    [
        (['put("red block", "white bowl")', "undo()"], {}),
        (['put("red block", "white bowl")', 'put(it(), "blue block")'], {"red block": "blue block"}),
        (['put("red block", "white bowl")', 'put(others(), "green bowl")'],
         {"red block": "white bowl"} | dict.fromkeys(("blue block", "tan block", "pink block"), "green bowl")),
        (['put("red block", "white bowl")', 'put("tan block", there())'],
         {"red block": "white bowl", "tan block": "white bowl"}),
        (['say(colour("red block"))', 'put(it(), "green bowl")'], {"red block": "green bowl"}),
        (['stack(["red block", "blue block", "tan block"])'], {"blue block": "red block", "tan block": "blue block"}),
        (['put("red block", "white bowl")', 'put("tan block", "green bowl")', 'swap("red block", "tan block")'],
         {"red block": "green bowl", "tan block": "white bowl"}),
        (['put("red block", "white bowl")', 'swap("white bowl", "green bowl")'], {"red block": "green bowl"}),
        (['weighs("red block", 2, "tan block")', 'weighs("tan block", 1, "pink block")',
          'put("red block", "white bowl")', 'match("green bowl", "white bowl")'],
         {"red block": "white bowl", "tan block": "green bowl", "pink block": "green bowl"}),
        (['placed("red block", "white bowl", "dirty")', 'put(blocks("dirty"), "disinfector")'],
         {"red block": "disinfector"}),
        (['if empty("white bowl"): put("red block", "white bowl")'], {"red block": "white bowl"}),
    ],
)  # fmt: skip
def test_the_moves_lead_where_the_words_say(programs: list[str], where: dict[str, str]) -> None:
    held = Conversation("disinfection", WorldState(SET))
    for program in programs:
        assert held.take(Turn("", program)), program
    assert supports(held.state) == where


def test_dirt_that_people_tell_of_goes_over_to_what_it_touches() -> None:
    held = Conversation("disinfection", with_placed(WorldState(SET), "red block", "blue block"))
    held.take(Turn("", 'mark(blocks(), "clean")'))
    held.take(Turn("", 'mark("red block", "dirty")'))
    done = held.take(Turn("", 'say(blocks("dirty"))'))
    assert done is not None and done.answer == "red block and blue block"


def test_samples_vary_and_nothing_held_out_is_in_them() -> None:
    for each in DEMONSTRATORS:
        found = list(itertools.islice(each.forever(np.random.default_rng(1)), 25))
        assert len({sample.text for sample in found}) > 20, each.name
        assert not [violations(sample.text) for sample in found if violations(sample.text)], each.name


@pytest.mark.parametrize("text", [
    "# query: Make sure that the red block ends up on the tan block.", "# query: Woops, somebody took it",
    "# query: is the green block in a higher position than the white block",
])  # fmt: skip
def test_held_out_phrasings_are_known_as_such(text: str) -> None:
    assert any(re.search(each, text, re.IGNORECASE) for each in HELD_OUT)


def test_plain_answers_fit_their_grammars_and_say_the_next_state() -> None:
    for sample in drawn(showing.reader, 25):
        state = _state_in(sample.parts[0][0])
        world = TABLES["pick_and_place"]
        grammar = StateForm(world, trained=True).grammar(scene_of(state), Monologue(ManualClock()))
        assert Grammar.parse(grammar).accepts(sample.parts[0][1]), sample
    for sample in drawn(showing.writer, 25):
        prompt, answer = sample.parts[0]
        state = _state_in(prompt)
        if "whole" in prompt:
            grammar = gbnf.grammar(state_grammar(state, objects=False))
            assert Grammar.parse(grammar).accepts(answer), sample
            assert read_state(prompt[prompt.rindex("# state") :] + answer, state).objects == state.objects
        else:
            root, _, rules = changes_grammar(state).partition("\n")
            assert Grammar.parse(gbnf.grammar(f"({root}) {gbnf.literal(PROGRAM_END)}\n{rules}")).accepts(answer), sample
            assert read_changes(answer.removesuffix(PROGRAM_END), state).objects == state.objects


def _state_in(prompt: str) -> WorldState:
    from thinkaloud.state.json_reading import read_json
    from thinkaloud.state.json_text import read_initial_state

    begin = prompt.index("# state")
    return read_initial_state(read_json(prompt[begin : prompt.index("\n# }") + 4]))


@pytest.mark.parametrize(
    ("preset", "answers"),
    [
        ("statler:reader=query", ['put("red block", "white bowl")\n#', 'say(inside("white bowl"))\n#']),
        ("code_as_policies", ['put_first_on_second("red block", "white bowl")\n#', 'say("red block")\n#']),
        ("statler:writer=delta", ['put_first_on_second("red block", "white bowl")\nupdate_wm("Put the red block in the '
                                  'white bowl")\n#', "red block is in white bowl\n#", 'say("red block")\n#']),
    ],
)  # fmt: skip
def test_prompts_are_those_of_the_real_stages(preset: str, answers: list[str]) -> None:
    objects = ("red block", "tan block", "white bowl")
    world = DomainWorld("pick_and_place", staged(WorldState(objects), seed=1, domain="pick_and_place"))
    given = iter(answers)
    teacher = Teacher(lambda asked: next(given), "test")
    agent = Agent(world, teacher, preset)

    async def converse() -> str:
        await agent.run("put the red block in the white bowl")
        return (await agent.run("what is in the white bowl")).because

    assert asyncio.run(converse()) == "red block"
    text = "".join(prompt for sample in teacher.samples for prompt, _ in sample.parts)
    assert "A program may call" not in text and "===" not in text and len(text) < 1500
    first = teacher.samples[0].parts[0][0]
    if "query" in preset:
        assert first == "# objects: red block, tan block, white bowl\n# query: put the red block in the white bowl\n"
        assert len(teacher.samples) == 2  # the writer is not asked at all
    elif "code" in preset:
        assert len(teacher.samples) == 1 and teacher.samples[0].parts[1][0] == " query: what is in the white bowl\n"


def test_what_is_not_known_is_said() -> None:
    world = DomainWorld("weight", staged(WorldState(("red block", "tan block", "white bowl")), seed=1, domain="weight"))
    agent = Agent(world, Teacher(lambda _: 'say(heavier("red block", "tan block"))\n#', "test"), "statler:reader=query")
    end = asyncio.run(agent.run("is the red block heavier than the tan block?"))
    assert end.because == "Whether red block or tan block is heavier is not known."


def test_games_that_are_tested_are_not_shown() -> None:
    from training.demonstrators.statler import shell

    for sample in drawn(shell.games, 100):
        text = sample.text
        swaps = tuple((int(a), int(b)) for a, b in re.findall(r"Swap cup (\d) with cup (\d)", text))
        first = re.search(r"cups = \[(.*?)\]", text)
        assert first is not None
        game = Game(first[1].split(", ").index("True"), swaps)
        last = re.findall(r"\[(.*?)\]", text)[-1].split(", ").index("True")
        assert game.states()[-1][last]
        assert len(swaps) < shell.FIRST_TESTED or game not in shell._tested(len(swaps))


def test_alternatives_are_all_drawn() -> None:
    rng = random.Random(1)
    assert {chosen(rng, "(a|b (c|d)|)x") for _ in range(99)} == {"ax", "b cx", "b dx", "x"}
