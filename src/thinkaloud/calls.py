"""Function calls as text: which of them make sense now, the grammar that holds a model to those, and reading them back.

What a skill declares is taken seriously before anything moves: a call whose precondition does not hold, in the scene as
it is or as the call before it will leave it, is not offered.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from thinkaloud.errors import SkillError, UnknownName, Unparseable
from thinkaloud.models import grammar as gbnf
from thinkaloud.plan.programs.grammar import a_call
from thinkaloud.records import Arguments, Observation, Step, Value
from thinkaloud.sentences import names_in
from thinkaloud.skills import Skill, Vocabulary
from thinkaloud.state.foresight import foreseen
from thinkaloud.worlds import World

MOST_CALLS = 3
"""For one step; a step that takes more is two steps."""
FEW = 6
"""Calls to choose from; where there are more, only two in a row are looked through."""
MANY = 60
"""Where there are more than these, only one at a time: a grammar with every pair of them would be too long."""
END = "\n#"
"""What follows the calls of a step in every prompt, and so tells that they are over."""


def written(skill: Skill, arguments: Arguments) -> str:
    """A call as it is written: `pour("working area", "milk")`; what is at its default is left out at the end."""
    values = [(p, arguments.get(p.name, p.default)) for p in skill.signature.parameters]
    while values and values[-1][0].default is not None and values[-1][1] == values[-1][0].default:
        values.pop()
    return f"{skill.name}({', '.join(_literal(value) for _, value in values)})"


def render_function(skill: Skill) -> str:
    """A function with its documentation, in one line."""
    names = ", ".join(p.name for p in skill.signature.parameters)
    return f"{skill.name}({names}): {' '.join(skill.signature.about.split())}"


def _literal(value: Value | None) -> str:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)


def narrowed(vocabulary: Vocabulary, words: str) -> dict[str, tuple[str, ...]]:
    """The vocabulary with, of every kind, only what the words name, if they name any of it."""
    named = names_in(words, {name for names in vocabulary.values() for name in names})
    return {kind: tuple(name for name in names if name in named) or tuple(names) for kind, names in vocabulary.items()}


Calls = dict[str, tuple[Skill, dict[str, Value]]]
"""Calls as they are written, with what they mean."""


def possible(skills: Mapping[str, Skill], scene: Observation, words: str) -> Calls:
    """The calls that could be made in a scene for a step in words; of skills without free arguments.

    They take what the words name. But where a skill cannot be called with it, it may be meant for another argument:
    "to the finished location" does not say where the cup is now.
    """
    kinds = {p.kind for skill in skills.values() for p in skill.signature.parameters if p.kind}
    named = narrowed(scene.vocabulary, words)
    wider = {
        kind: tuple(scene.vocabulary[kind]) if any({*names} & {*named.get(k, ())} for k in kinds - {kind}) else names
        for kind, names in named.items()
    }
    found: Calls = {}
    for skill in skills.values():
        found |= _possible(skill, scene, named) or _possible(skill, scene, wider)
    return found


def _possible(skill: Skill, scene: Observation, vocabulary: Vocabulary) -> Calls:
    found: Calls = {}
    for call in skill.signature.calls(vocabulary):
        try:
            arguments = skill.refuse(call, scene)
        except SkillError:
            continue
        found[written(skill, arguments)] = (skill, arguments)
    return found


def calls_grammar(
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
        rules = {"end": gbnf.literal(END)}
        first: list[str] = []
        for skills in choices:
            first += _Tree(world, skills, words, frozenset(without), rules).first(scene)
            waiting = {name: skill for name, skill in skills.items() if not possible({name: skill}, scene, words)}
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
    rules: dict[str, str] = field(default_factory=lambda: {"end": gbnf.literal(END)})

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
        count = len(possible(self.skills, scene, self.words))
        deep = MOST_CALLS if count <= FEW else 2 if count <= MANY else 1
        return self._after(scene, deep, self.without, self._named(scene))

    def first_prepared(self, scene: Observation) -> list[str]:
        """The calls of any skill that make one of these possible, each with that."""
        first: list[str] = []
        calls = possible(self.world.skills, scene, self.words)
        for text, (skill, arguments) in calls.items() if len(calls) <= MANY else ():
            then = self._after(self._foreseen(scene, skill, arguments), 1, frozenset({text}), self._named(scene))
            if then and text not in self.without:
                first.append(f"{gbnf.literal(text)} {self._rest(then, over=False)}")
        return first

    def _named(self, scene: Observation) -> frozenset[str]:
        """What the step names that one of the skills takes."""
        taken = {p.kind for skill in self.skills.values() for p in skill.signature.parameters if p.kind}
        named = names_in(self.words, {name for names in scene.vocabulary.values() for name in names})
        return frozenset(name for kind in taken for name in scene.vocabulary.get(kind, ()) if name in named)

    def _foreseen(self, scene: Observation, skill: Skill, arguments: Arguments) -> Observation:
        if scene.state is None:
            return scene
        return replace(scene, state=foreseen(skill, arguments, scene.state, self.world.relations))

    def _after(self, seen: Observation, deep: int, made: frozenset[str], open_: frozenset[str]) -> list[str]:
        vocabulary = narrowed(seen.vocabulary, self.words)
        free = {name: skill for name, skill in self.skills.items() if _free(skill, vocabulary)}
        options = [f"{a_call(free, vocabulary, _own_name)} end"] if free else []
        calls = {text: call for text, call in possible(self.skills, seen, self.words).items() if text not in made}
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
    return names_in(words, {name for names in scene.vocabulary.values() for name in names}) <= taken


def _is_of(text: str, skill: Skill) -> bool:
    return text.startswith(f"{skill.name}(")


def _own_name(skill: Skill) -> str:
    return skill.name


def _free(skill: Skill, vocabulary: Vocabulary) -> bool:
    """Whether its calls cannot be listed: some argument is any text or number."""
    parameters = skill.signature.parameters
    return any(p.default is None and p.options(vocabulary) is None for p in parameters)


def only_call(world: World, words: str) -> Step | None:
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
    if len(lines) > MOST_CALLS:
        raise Unparseable(f"{len(lines)} calls for one step; {MOST_CALLS} at most.", text)
    return tuple(_read(line, skills, vocabulary, reason) for line in lines)


def _read(line: str, skills: Mapping[str, Skill], vocabulary: Vocabulary, reason: str) -> Step:
    return called(*parsed_call(line), skills, vocabulary, reason)


def parsed_call(line: str) -> tuple[str, list[object], dict[str, object]]:
    """Name, arguments and named arguments of a call, all of them plain values; Unparseable for anything else."""
    try:
        node = ast.parse(line, mode="eval").body
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            raise ValueError
        given = [_plain(each) for each in node.args]
        named = {str(each.arg): _plain(each.value) for each in node.keywords}
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):
        raise Unparseable(f'{line!r} is no function call such as name("argument", 2).', line) from None
    return node.func.id, given, named


def _plain(node: ast.expr) -> object:
    """The value that is written there; grammars write flags in lower case."""
    if isinstance(node, ast.Name) and node.id in ("true", "false"):
        return node.id == "true"
    value: object = ast.literal_eval(node)
    return value


def called(
    name: str,
    given: Sequence[object],
    named: Mapping[str, object],
    skills: Mapping[str, Skill],
    vocabulary: Vocabulary,
    reason: str,
) -> Step:
    """The step of a call that came as data."""
    if name not in skills:
        raise Unparseable(str(UnknownName("function", name, skills)), name)
    skill = skills[name]
    names = [p.name for p in skill.signature.parameters]
    if len(given) > len(names):
        raise Unparseable(f"{name} takes {len(names)} arguments ({', '.join(names)}), not {len(given)}.", name)
    if twice := [each for each in names[: len(given)] if each in named]:
        raise Unparseable(f"{name}: {twice[0]} is given twice.", name)
    try:
        arguments = skill.signature.check(dict(zip(names, given, strict=False)) | dict(named), vocabulary)  # type: ignore[arg-type]
    except SkillError as error:
        raise Unparseable(str(error), name) from None
    return skill.step(arguments, reason)
