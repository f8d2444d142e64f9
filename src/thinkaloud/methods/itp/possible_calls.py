"""Which calls make sense now for a step in words, the grammar that holds a model to those, and reading them back.

What a skill declares is taken seriously before anything moves: a call whose precondition does not hold, in the scene as
it is or as the call before it will leave it, is not offered.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from thinkaloud.calls import call_grammar, read_call, read_step, render_skill_call
from thinkaloud.errors import SkillError, Unparseable
from thinkaloud.models import grammar as gbnf
from thinkaloud.names import all_names, names_in, narrow_vocabulary
from thinkaloud.records import Arguments, Observation, Step, Value
from thinkaloud.skills import Skill, Vocabulary
from thinkaloud.state.foresight import foresee
from thinkaloud.worlds import World

CALLS_PER_STEP = 3
"""For one step; a step that takes more is two steps."""
_FEW = 6
"""Calls to choose from; where there are more, only two in a row are looked through."""
_MANY = 60
"""Where there are more than these, only one at a time: a grammar with every pair of them would be too long."""
CALLS_END = "\n#"
"""What follows the calls of a step in every prompt, and so tells that they are over."""


Calls = dict[str, tuple[Skill, dict[str, Value]]]
"""Calls as they are written, with what they mean."""


def possible_calls(skills: Mapping[str, Skill], scene: Observation, words: str) -> Calls:
    """The calls that could be made in a scene for a step in words; of skills without free arguments.

    They take what the words name. But where a skill cannot be called with it, it may be meant for another argument:
    "to the finished location" does not say where the cup is now.
    """
    kinds = {p.kind for skill in skills.values() for p in skill.signature.parameters if p.kind}
    named = narrow_vocabulary(scene.vocabulary, words)
    wider = {
        kind: tuple(scene.vocabulary[kind]) if any({*names} & {*named.get(k, ())} for k in kinds - {kind}) else names
        for kind, names in named.items()
    }
    found: Calls = {}
    for skill in skills.values():
        found |= _calls_of(skill, scene, named) or _calls_of(skill, scene, wider)
    return found


def _calls_of(skill: Skill, scene: Observation, vocabulary: Vocabulary) -> Calls:
    found: Calls = {}
    for call in skill.signature.calls(vocabulary):
        try:
            arguments = skill.refuse(call, scene)
        except SkillError:
            continue
        found[render_skill_call(skill, arguments)] = (skill, arguments)
    return found


def step_calls_grammar(
    world: World,
    choices: Sequence[Mapping[str, Skill]],
    scene: Observation,
    words: str,
    without: Collection[str] = (),
    *,
    any_of: bool = False,
) -> str:
    """The grammar of up to three different calls for a step in words, each possible after the others.

    `choices` are the skills to choose from, the best ones first. Where none of them can be called now, one call of any
    skill may come before that makes one possible: what is held has to be put down, or what is not has to be taken.
    Where nothing helps, they may be called nevertheless, so that it is said why that does not work. What the step names
    has to be used, and then the calls are over. First comes none of the calls `without`, which were of no use just now.
    With `any_of`, the model chooses among all the choices, and not only among the first that is possible.
    """
    if any_of:
        rules = {"end": gbnf.literal(CALLS_END)}
        first: list[str] = []
        for skills in choices:
            first += _Tree(world, skills, words, frozenset(without), rules).first(scene)
            waiting = {name: skill for name, skill in skills.items() if not possible_calls({name: skill}, scene, words)}
            if waiting and _take_all(waiting, scene, words):
                first += _Tree(world, waiting, words, frozenset(without), rules).first_prepared(scene)
        if first:
            return gbnf.grammar(gbnf.choice(first), rules)
    for skills in choices:
        if found := _Tree(world, skills, words, frozenset(without)).grammar(scene):
            return found
    for skills in choices:
        if found := _Tree(world, skills, words, frozenset(without)).prepared(scene):
            return found
    blind = {name: replace(skill, preconditions=()) for name, skill in choices[0].items()}
    if found := _Tree(world, blind, words, frozenset()).grammar(scene):
        return found
    raise Unparseable(f"There is no call that could be made now for {words!r}.", words)


@dataclass
class _Tree:
    """The calls that can follow each other, as grammar rules."""

    world: World
    skills: Mapping[str, Skill]
    words: str
    without: frozenset[str]
    rules: dict[str, str] = field(default_factory=lambda: {"end": gbnf.literal(CALLS_END)})

    def grammar(self, scene: Observation) -> str:
        """All of it; empty where nothing can be called."""
        first = self.first(scene)
        return gbnf.grammar(gbnf.choice(first), self.rules) if first else ""

    def prepared(self, scene: Observation) -> str:
        """The same after one call of any skill of the world that makes it possible."""
        first = self.first_prepared(scene)
        return gbnf.grammar(gbnf.choice(first), self.rules) if first else ""

    def first(self, scene: Observation) -> list[str]:
        """The calls that can be made now, each with what may follow."""
        count = len(possible_calls(self.skills, scene, self.words))
        deep = CALLS_PER_STEP if count <= _FEW else 2 if count <= _MANY else 1
        return self._after(scene, deep, self.without, self._named(scene))

    def first_prepared(self, scene: Observation) -> list[str]:
        """The calls of any skill that make one of these possible, each with that."""
        first: list[str] = []
        calls = possible_calls(self.world.skills, scene, self.words)
        for text, (skill, arguments) in calls.items() if len(calls) <= _MANY else ():
            then = self._after(self._foreseen(scene, skill, arguments), 1, frozenset({text}), self._named(scene))
            if then and text not in self.without:
                first.append(f"{gbnf.literal(text)} {self._rest(then, over=False)}")
        return first

    def _named(self, scene: Observation) -> frozenset[str]:
        """What the step names that one of the skills takes."""
        taken = {p.kind for skill in self.skills.values() for p in skill.signature.parameters if p.kind}
        named = names_in(self.words, all_names(scene.vocabulary))
        return frozenset(name for kind in taken for name in scene.vocabulary.get(kind, ()) if name in named)

    def _foreseen(self, scene: Observation, skill: Skill, arguments: Arguments) -> Observation:
        if scene.state is None:
            return scene
        return replace(scene, state=foresee(skill, arguments, scene.state, self.world.relations))

    def _after(self, seen: Observation, deep: int, made: frozenset[str], open_: frozenset[str]) -> list[str]:
        vocabulary = narrow_vocabulary(seen.vocabulary, self.words)
        free = {name: skill for name, skill in self.skills.items() if _free(skill, vocabulary)}
        options = [f"{call_grammar(free, vocabulary)} end"] if free else []
        calls = {text: call for text, call in possible_calls(self.skills, seen, self.words).items() if text not in made}
        using = {text: call for text, call in calls.items() if open_ & {*map(str, call[1].values())}}
        called = {skill.name for text in made - self.without for skill in self.skills.values() if _is_of(text, skill)}
        for text, (skill, arguments) in (using or calls).items():
            if not open_ and skill.name in called:
                continue  # nothing asks for more of the same
            left = open_ - {*map(str, arguments.values())}
            then: list[str] = []
            if deep > 1 and not (open_ and not left):  # once all that was named has been used, the step is done
                after = self._foreseen(seen, skill, arguments)
                then = self._after(after, deep - 1, (made | {text}) - self.without, left)
            options.append(f"{gbnf.literal(text)} {self._rest(then, over=not left)}")
        return options

    def _rest(self, then: Sequence[str], *, over: bool) -> str:
        """What follows a call: others, or the end, where nothing that was named is left or could be used."""
        if not then:
            return "end"
        name = f"after-{len(self.rules)}"
        more = [f"{gbnf.literal(chr(10))} {each}" for each in then]
        self.rules[name] = gbnf.choice(["end", *more] if over else more)
        return name


def _take_all(skills: Mapping[str, Skill], scene: Observation, words: str) -> bool:
    """Whether everything that a step names can be given to some of these skills."""
    kinds = {p.kind for skill in skills.values() for p in skill.signature.parameters if p.kind}
    taken = {name for kind in kinds for name in scene.vocabulary.get(kind, ())}
    return {*names_in(words, all_names(scene.vocabulary))} <= taken


def _is_of(text: str, skill: Skill) -> bool:
    return text.startswith(f"{skill.name}(")


def _free(skill: Skill, vocabulary: Vocabulary) -> bool:
    """Whether its calls cannot be listed: some argument is any text or number."""
    parameters = skill.signature.parameters
    return any(p.default is None and p.options(vocabulary) is None for p in parameters)


def find_only_call(world: World, words: str) -> Step | None:
    """The one call that there is to make of any words, where the world has a single skill that takes words."""
    if len(world.skills) != 1:
        return None
    (skill,) = world.skills.values()
    parameters = skill.signature.parameters
    if len(parameters) != 1 or parameters[0].type is not str or parameters[0].kind or parameters[0].choices:
        return None
    return skill.step({parameters[0].name: words})


def read_calls(text: str, skills: Mapping[str, Skill], vocabulary: Vocabulary, reason: str = "") -> tuple[Step, ...]:
    """The steps that calls stand for; Unparseable says what is no call, no skill here, or no argument of it."""
    fenced = re.search(r"```(?:\w+)?\n(.*?)(?:```|$)", text, re.DOTALL)
    body = (fenced[1] if fenced else text).strip()
    lines = [line.strip() for line in body.split("\n") if line.strip() and not line.strip().startswith("#")]
    if not lines:
        raise Unparseable(f"No function was called for {reason!r}; call at least one of {', '.join(skills)}.", text)
    if len(lines) > CALLS_PER_STEP:
        raise Unparseable(f"{len(lines)} calls for one step; {CALLS_PER_STEP} at most.", text)
    return tuple(read_step(read_call(line), skills, vocabulary, reason) for line in lines)
