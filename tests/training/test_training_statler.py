"""Statler's demonstrations: what the experts do is what the words say, and is written as the real stages ask for it."""

from __future__ import annotations

import asyncio
import itertools
import random
import re
from collections.abc import Callable, Iterable
from functools import cache, partial

import numpy as np
import pytest

from sampling import how_many
from thinkaloud.agent import Agent
from thinkaloud.clock import ManualClock
from thinkaloud.methods.code_as_policies.conversation import ConversationForm
from thinkaloud.methods.statler.reader_prompt import SHOWN_EARLIER, StateForm
from thinkaloud.methods.statler.state_grammars import changes_grammar, state_grammar
from thinkaloud.methods.statler.writer import render_update
from thinkaloud.models import grammar as gbnf
from thinkaloud.models.gbnf import Grammar
from thinkaloud.monologue import Monologue
from thinkaloud.plan.programs.grammar import PROGRAM_END, plan_program_grammar
from thinkaloud.plan.programs.missing_functions import define_missing
from thinkaloud.records import Observation, Plan, Request, WorldState
from thinkaloud.state.change_lines import read_changes
from thinkaloud.state.edits import supports, with_placed
from thinkaloud.state.json_text import read_state, render_opening, render_state
from thinkaloud_bench.shell_game import Game
from thinkaloud_worlds.tabletop.statler_worlds import DomainWorld
from thinkaloud_worlds.tabletop.statler_worlds import scene_of as staged
from training.demonstrators.statler import DEMONSTRATORS, HELD_OUT, scenes, showing, talk
from training.demonstrators.statler.table import TABLES, Conversation, begun, scene_of
from training.demonstrators.statler.talk import Turn
from training.demonstrators.statler.templates import chosen, sections
from training.heldout import violations
from training.samples import Sample
from training.teacher import Asked, Teacher

Show = Callable[[np.random.Generator], Iterable[Sample]]
SPOKEN = [name for name in sections() if name.split()[0] in ("commands", "asking", "telling", "foreign")]


@cache
def started(show: Show) -> tuple[list[Sample], np.random.Generator]:
    """Return what was drawn so far and where to go on; each sample is drawn once for all tests."""
    return [], np.random.default_rng(3)


def drawn(show: Show, count: int) -> list[Sample]:
    found, rng = started(show)
    while len(found) < count:
        found += show(rng)
    return found[:count]


def domain_of(section: str) -> str:
    words = section.split()
    known = {"dirt": "disinfection", "weight": "weight", "cups": "cups"}
    return known.get(words[-1], "pick_and_place")


@pytest.mark.parametrize("section", SPOKEN)
def test_every_family_can_be_said_and_its_program_is_one_that_runs(section: str) -> None:
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
        compile(turn.program, "a program", "exec")
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
        ('say(weight("blue block"))', "How much the blue block weighs is not known."),
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
        found = list(itertools.islice(each.forever(np.random.default_rng(1)), how_many(10, of=25)))
        assert len({sample.text for sample in found}) > 0.8 * len(found), each.name
        assert not [violations(sample.text) for sample in found if violations(sample.text)], each.name


@pytest.mark.parametrize("text", [
    "# query: Make sure that the red block ends up on the tan block.", "# query: Woops, somebody took it",
    "# query: is the green block in a higher position than the white block",
])  # fmt: skip
def test_held_out_phrasings_are_known_as_such(text: str) -> None:
    assert any(re.search(each, text, re.IGNORECASE) for each in HELD_OUT)


def test_programs_fit_their_grammar_and_writers_say_the_next_state() -> None:
    for show, own in ((showing.reader, ("say", "update_wm")), (showing.unified, ("say",)), (showing.history, ("say",))):
        for sample in drawn(show, how_many(12, of=25)):
            prompt, answer = sample.parts[0]
            if "put_first_on_second(first" in prompt:
                scene = scene_of(_state_in(prompt))
                grammar = plan_program_grammar(TABLES["pick_and_place"], scene, own, think=True)
                assert Grammar.parse(grammar).accepts(answer), sample
    for sample in drawn(showing.writer, how_many(12, of=25)) + drawn(showing.other_writers, how_many(12, of=25)):
        prompt, answer = sample.parts[0]
        state = _state_in(prompt)
        if sample.family == "statler.changes":
            root, _, rules = changes_grammar(state).partition("\n")
            assert Grammar.parse(gbnf.grammar(f"({root}) {gbnf.literal(PROGRAM_END)}\n{rules}")).accepts(answer), sample
            assert read_changes(answer.removesuffix(PROGRAM_END), state).objects == state.objects
        else:
            grammar = gbnf.grammar(state_grammar(state, objects=False))
            assert Grammar.parse(grammar).accepts(answer), sample
            assert read_state(prompt[prompt.rindex("# state") :] + answer, state).objects == state.objects
        assert prompt.startswith("Your task is") == (sample.family == "statler.auto" or "Write one line" in prompt)


def _state_in(prompt: str) -> WorldState:
    from thinkaloud.state.json_reading import read_state_json
    from thinkaloud.state.json_text import read_initial_state

    if "# state" not in prompt:
        return WorldState(tuple(re.findall(r'"([^"]+)"', prompt[prompt.index("# objects") :].split("\n")[0])))
    begin = prompt.index("# state")
    return read_initial_state(read_state_json(prompt[begin : prompt.index("\n# }") + 4]))


THINGS = ("red block", "tan block", "white bowl")
FIRST, SECOND = "put the red block in the white bowl", "what is in the white bowl"


def demonstrated() -> showing.Talk:
    """A short conversation, as the demonstrators would have it."""
    held = showing.Talk(np.random.default_rng(0), 0)
    held.called, held.held = "put_first_on_second", Conversation("pick_and_place", WorldState(THINGS))
    held.held.take(Turn(FIRST, 'put("red block", "white bowl")'))
    held.held.take(Turn(SECOND, 'say(inside("white bowl"))'))
    return held


@pytest.mark.parametrize(
    ("preset", "answers"),
    [
        ("code_as_policies", ['put_first_on_second("red block", "white bowl")\n#', 'say("red block")\n#']),
        ("statler", ['put_first_on_second("red block", "white bowl")\nupdate_wm("Put the red block in the white bowl")'
                     "\n#", "STATE", '# THINK: in white bowl: red block\nsay("red block")\n#']),
    ],
)  # fmt: skip
def test_prompts_are_those_of_the_real_stages(preset: str, answers: list[str]) -> None:
    held = demonstrated()
    done = held.held.turns
    after = render_state(done[0].after).removeprefix(render_opening(done[0].after, objects=True))
    world = DomainWorld("pick_and_place", staged(WorldState(THINGS), seed=1, domain="pick_and_place"))
    given = iter(answers)
    teacher = Teacher(lambda asked: next(given).replace("STATE", after), "test")
    agent = Agent(world, teacher, preset)

    async def converse() -> str:
        await agent.run(FIRST)
        return (await agent.run(SECOND)).because

    assert asyncio.run(converse()) == "red block"
    prompts = ["".join(prompt for prompt, _ in sample.parts[:1]) for sample in teacher.samples]
    if preset == "statler":
        own = ("say", "update_wm")
        wanted = [
            held.known(done[0], own),
            render_update(done[0].before, showing.note(done[0])),
            held.known(done[1], own),
        ]
        assert prompts == wanted
        assert showing.thoughts(done[1]) + held.code(done[1]) + PROGRAM_END == answers[-1]
    else:
        assert prompts[0] == (
            "# functions: put_first_on_second(first, second), say(text), noop()\n"
            f'# objects = ["red block", "tan block", "white bowl"]\n# query: {FIRST}\n'
        )


@pytest.mark.parametrize(("program", "thoughts"), [
    ('say(blocks("dirty"))', ["dirty blocks: red block, blue block"]),
    ('say(colour(under("red block")))', ["red block is on blue block"]),
    ('say(len(inside("white bowl")))', ["in white bowl: blue block, red block"]),
    ('say(higher("red block", "tan block"))',
     ["red block on blue block in white bowl: level 1", "tan block on the table: level 0"]),
    ('say(blocks("outside"))', ["places: red block on blue block, blue block in white bowl",
                                "outside blocks: tan block, pink block"]),
    ('put(blocks(), "white bowl")', ["blocks: red block, blue block, tan block, pink block",
                                     "already there: blue block"]),
    ('say(heaviest(blocks()))', ["weights: pink block 12, blue block 3 * 12 = 36, tan block 2 * 12 = 24, red block 24",
                                 "by weight: blue block 36, red block 24, tan block 24, pink block 12",
                                 "heaviest: blue block"]),
    ('say(ratio("blue block", "pink block"))',
     ["weights: pink block 12, blue block 3 * 12 = 36, tan block 2 * 12 = 24, red block 24",
      "blue block 36 / pink block 12 = 3"]),
    ('match("green bowl", "white bowl")', None),
    ('put("tan block", "green bowl")', []),
])  # fmt: skip
def test_what_has_to_be_looked_up_is_thought_first(program: str, thoughts: list[str] | None) -> None:
    state = with_placed(with_placed(WorldState(SET), "blue block", "white bowl"), "red block", "blue block")
    held = Conversation("disinfection", state)
    for told in ('mark(["red block", "blue block"], "dirty")', 'mark(blocks("unknown"), "clean")',
                 'weighs("tan block", 2, "pink block")', 'weighs("red block", 1, "tan block")',
                 'weighs("blue block", 3, "pink block")'):  # fmt: skip
        assert held.take(Turn("", told))
    done = held.take(Turn("", program))
    assert (None if done is None else list(done.thoughts)) == thoughts


def test_blocks_are_chosen_by_their_weights_one_sum_after_another() -> None:
    held = Conversation("weight", with_placed(WorldState(SET[:6]), "red block", "white bowl"))
    for told in ('weighs("red block", 3, "tan block")', 'weighs("blue block", 2, "tan block")'):
        held.take(Turn("", told))
    done = held.take(Turn("", 'match("green bowl", "white bowl")'))
    assert done is not None and sorted(done.moves) == [("blue block", "green bowl"), ("tan block", "green bowl")]
    assert done.thoughts[1:] == (
        "in white bowl: red block 36; in green bowl: 0; wanted: 36",
        "free: blue block 24, tan block 12",
        "blue block 24 + tan block 12 = 36",
    )


def test_weights_are_worked_out_from_where_one_can_begin_and_not_from_the_lightest() -> None:
    held = Conversation("weight", WorldState(SET[:6]))
    for told in ('weighs("red block", 1/3, "blue block")', 'weighs("blue block", 1/2, "tan block")'):
        held.take(Turn("", told))
    done = held.take(Turn("", 'say(lightest(["red block", "tan block"]))'))
    assert done is not None
    assert done.thoughts[0] == "weights: tan block 12, blue block 1/2 * 12 = 6, red block 1/3 * 6 = 2"


def test_bowls_to_be_made_as_heavy_as_others_are_a_good_part_of_what_is_asked_of_weights() -> None:
    answers = [
        sample.parts[-1][1] for sample in drawn(showing.reader, how_many(160, of=250)) if '"weight"' in sample.text
    ]
    assert sum("wanted: " in answer for answer in answers) > len(answers) / 12


def test_the_note_for_the_writer_says_what_was_told_and_not_what_follows() -> None:
    held = Conversation("disinfection", with_placed(WorldState(SET), "red block", "blue block"))
    done = held.take(Turn("", 'mark(["red block", "tan block"], "dirty")'))
    assert done is not None and showing.note(done) == "The red block and the tan block are dirty"
    assert done.after.attributes["blue block"] == {"dirty": True}


def test_the_reader_is_asked_only_what_the_state_and_the_latest_queries_tell() -> None:
    for sample in drawn(showing.reader, 150):
        prompt, answer = sample.parts[0]
        assert prompt.count("# query: ") <= SHOWN_EARLIER + 1
        if "last moved: " in answer:
            thing = re.search(r"last moved: (.+)", answer)
            assert thing is not None and f'"{thing[1]}"' in prompt.split("# state")[0]


def _always(answer: str, asked: Asked) -> str:
    return answer


def test_long_jobs_are_functions_that_are_demonstrated_too() -> None:
    several = [
        s for s in drawn(showing.reader, how_many(160, of=400)) if re.search(r"^\w+\(\[", s.parts[0][1], re.MULTILINE)
    ]
    assert several
    for sample in drawn(showing.functions, how_many(15, of=40)):
        prompt, answer = sample.parts[0]
        call = prompt.rsplit("# define function: ", 1)[1].strip()
        name = prompt.split("# functions: ")[1].split("(")[0]
        made: list[tuple[str, ...]] = []
        teacher = Teacher(partial(_always, answer), "test")
        whole = asyncio.run(define_missing(teacher, prompt.split("\n")[0], call, [name]))
        exec(whole, {name: lambda *given, made=made: made.append(given), "zip": zip})
        assert teacher.samples[0].parts[0][0] == prompt and made


def test_earlier_programs_are_those_that_code_as_policies_sees() -> None:
    said = Monologue(ManualClock())
    said.append(Observation(THINGS, {}))
    held = demonstrated()
    for done in held.held.turns:
        said.append(Request(done.turn.text))
        said.append(Plan(done.turn.text, (), (), verbatim=showing.thoughts(done) + held.code(done)))
    said.append(Request("And now?"))
    world = TABLES["pick_and_place"]
    teacher = Teacher(lambda _: "", "test")
    for form in (ConversationForm(world, teacher), StateForm(world, teacher)):
        assert "\n".join(f"# query: {text}\n{code}" for text, code in held.earlier(held.held.turns)) in (
            form.render_prompt(said)
        )


def test_what_is_not_known_is_said() -> None:
    held = Conversation("weight", WorldState(SET))
    done = held.take(Turn("", 'say(heavier("red block", "tan block"))'))
    assert done is not None and done.answer == "Whether red block or tan block is heavier is not known."


def test_what_is_not_there_is_said() -> None:
    scene = scenes.drawn(random.Random(1))
    done = Conversation(scene.domain, scene.state).take(talk.absent(scene))
    assert done is not None and done.answer.startswith("There is no ") and not done.moves
    assert not any(name in done.answer for name in scene.objects)


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
