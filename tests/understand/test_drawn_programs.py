"""For any robot: whatever is written in its own words is understood or refused; nothing moves, nothing breaks."""

from __future__ import annotations

import json
import random

from hypothesis import example, given, settings
from hypothesis import strategies as st

from drawn_robots import draw_robot
from thinkaloud.errors import CodeRefused
from thinkaloud.models.gbnf import read_grammar
from thinkaloud.program.lexicon import Lexicon, lexicon_of
from thinkaloud.program.words import AT_START, BEFORE, spelled
from thinkaloud.records import Meaning
from thinkaloud.robots.text_file import TextFileWorld
from thinkaloud.skills.signatures import Parameter, Signature
from thinkaloud.understand.meaning.circumstances import Circumstances
from thinkaloud.understand.meaning.running import run_program
from thinkaloud.understand.prompting.grammar import program_grammar
from thinkaloud.understand.prompting.prompt import render_prompt
from thinkaloud.worlds.full_world import FullWorld

SEEDS = st.integers(0, 2**31 - 1)


class Drawn:
    """A robot, and programs about it."""

    def __init__(self, seed: int) -> None:
        self.world = FullWorld(TextFileWorld(draw_robot(seed)))
        scene = self.world.observe()
        self.lexicon: Lexicon = lexicon_of(self.world, scene)
        state = scene.state
        assert state is not None
        self.at = Circumstances(self.world, scene, self.lexicon, {BEFORE: state, AT_START: state})
        self.random = random.Random(seed)

    def run(self, program: str) -> Meaning | None:
        """What it means; None where it is refused."""
        before = self.world.snapshot()
        try:
            return run_program(program, self.at)
        except CodeRefused as refused:
            assert str(refused) and refused.role == "understanding"
            return None
        finally:
            assert self.world.snapshot() == before

    def value(self, parameter: Parameter, lists: bool = False) -> str:
        """A value of a parameter, as a program spells it."""
        names = list(self.at.scene.vocabulary.get(parameter.kind or "", ()))
        if parameter.choices is not None:
            found = self.random.choice(parameter.choices)
            return json.dumps(found) if parameter.type is str else found
        if parameter.kind is None:
            return '"some words"' if parameter.type is str else str(self.random.choice((0, 2, 1.5)))
        kind = self.lexicon.list_of(parameter)
        if lists and kind is not None and kind in self.lexicon.kinds:
            return self.random.choice([kind, "things", json.dumps(names), f"[x for x in {kind}]", f"sorted({kind})"])
        return json.dumps(self.random.choice(names)) if names else '"nobody"'

    def call(self, name: str, signature: Signature, lists: bool = False) -> str:
        """A call of one of the robot's functions."""
        return f"{name}({', '.join(self.value(p, lists) for p in signature.parameters)})"

    def programs(self) -> list[str]:
        """Each function once or twice, in every place that it may stand in."""
        say, keep, before = (spelled(word, self.lexicon) for word in ("say", "keep", BEFORE))
        found = [f"{say}(len(things))", f"{keep}(things)", f"{keep}([])"]
        for name, signature in self.lexicon.skills.items():
            found += [self.call(name, signature), self.call(name, signature, lists=True), f"{name}()"]
        for name, signature in self.lexicon.relations.items():
            asked = self.call(name, signature)
            found += [f"{say}({asked})", f"{say}({before}({asked}))", f"if {asked}:\n    {keep}(things)"]
            found += [f"{say}([x for x in things if {name}(x)])"]
        for name, signature in self.lexicon.measures.items():
            kind = self.lexicon.list_of(signature.parameters[0])
            found += [f"{say}({self.call(name, signature)})", f"{say}(sorted({kind}, key={name}))"]
            found += [f"{say}({before}({self.call(name, signature)}))"]
        return found


@settings(max_examples=20)
@given(SEEDS)
@example(5)
@example(11)
def test_programs_in_a_robots_own_words_are_understood_or_refused(seed: int) -> None:
    drawn = Drawn(seed)
    for program in drawn.programs():
        meaning = drawn.run(program)
        if meaning is None:
            continue
        assert meaning.words.strip(), program
        for step in meaning.deeds:
            for value in step.arguments.values():
                assert str(value) in meaning.words, (program, meaning.words)
        for thing in meaning.kept:
            assert thing in meaning.words
        assert meaning.deeds == () or meaning.sort == "deeds"


@settings(max_examples=40)
@given(SEEDS)
def test_a_call_with_things_of_its_kinds_is_never_refused(seed: int) -> None:
    drawn = Drawn(seed)
    for name, signature in drawn.lexicon.skills.items():
        if all(p.kind is None or drawn.at.scene.vocabulary.get(p.kind) for p in signature.parameters):
            program = drawn.call(name, signature)
            meaning = drawn.run(program)
            assert meaning is not None and meaning.sort == "deeds", (program, meaning)


@settings(max_examples=40)
@given(SEEDS)
def test_what_nobody_has_is_missing_for_every_robot(seed: int) -> None:
    drawn = Drawn(seed)
    for name, signature in drawn.lexicon.skills.items():
        if signature.parameters and signature.parameters[0].kind is not None:
            values = ['"qqq unicorn"', *(drawn.value(p) for p in signature.parameters[1:])]
            meaning = drawn.run(f"{name}({', '.join(values)})")
            assert meaning is not None and (meaning.sort, meaning.deeds) == ("refusal", ())
            assert "There is no qqq unicorn here." in meaning.words


@settings(max_examples=20)
@given(SEEDS, st.text(alphabet="abe()[]'\"\n .=,:#19_", max_size=40))
def test_whatever_is_written_is_understood_or_refused(seed: int, program: str) -> None:
    Drawn(seed % 50).run(program)


@settings(max_examples=25)
@given(SEEDS)
def test_every_robot_has_a_prompt_of_whole_lines_and_a_grammar(seed: int) -> None:
    drawn = Drawn(seed)
    prompt = render_prompt(drawn.lexicon, [], "x\n# robot", explained=False)
    assert prompt.endswith('\n# "x # robot"\n')
    assert read_grammar(program_grammar(drawn.lexicon)).start is not None
