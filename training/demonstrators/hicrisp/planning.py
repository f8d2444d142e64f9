"""The expert who plans: which things a task takes, every action with the state that it leads to, and programs."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from functools import lru_cache

from thinkaloud.language.name_matching import all_names, one_of_each_kind, without_number
from thinkaloud.methods.hicrisp.planner import NOTHING_NEW, WholePlan
from thinkaloud.methods.progprompt.planner import ProgPrompt
from thinkaloud.monologue import Monologue
from thinkaloud.records import Request, Step
from thinkaloud.worlds import World
from training.demonstrators.hicrisp.programs import call_of
from training.samples import Sample
from training.teacher import Asked, Teacher

CHECKED = 0.2
"""The share of episodes in which every answer is held against its grammar, which takes as long as all the rest."""
_CLEANING = ("wash", "rinse", "scrub", "wipe")
_WHICH = re.compile(r"([\w' -]+?) #(\d)")
"""`cup #2`: the second of the cups that are spoken of."""


class Unknown(Exception):
    """What the steps are about cannot be told from what the prompt shows."""


class Names:
    """The very things that a plan is about: of each kind the first that is in view, else the first there is."""

    def __init__(self, world: World) -> None:
        scene = world.observe()
        names = all_names(scene.vocabulary)
        self._first = one_of_each_kind(names, {*scene.objects})
        self._all, self._seen = names, scene.objects
        self._kind = _any_of(tuple(self._first))

    def resolve(self, lines: Sequence[str]) -> list[str]:
        """Lines that speak of kinds, with the names of things in their place."""
        return [self._kind.sub(lambda found: self._first[found[0]], _WHICH.sub(self._one, line)) for line in lines]

    def named(self, lines: Sequence[str]) -> list[str]:
        """The things that resolved lines name, in their order."""
        pattern = _any_of(tuple(self._all), numbered=True)
        return list(dict.fromkeys(name for line in lines for name in pattern.findall(line)))

    def _one(self, found: re.Match[str]) -> str:
        before, _, kind = self._split(found[1])
        which = [name for name in self._all if without_number(name) == kind]
        seen = [name for name in self._seen if name in which]
        if seen and len(seen) < len(which):
            raise Unknown(found[0])
        return f"{before}{(seen or which)[int(found[2]) - 1]}"

    def _split(self, words: str) -> tuple[str, str, str]:
        """What stands before the kind that words end in, and the kind."""
        kind = max((each for each in self._first if words.endswith(each)), key=len, default="")
        if not kind:
            raise Unknown(words)
        return words[: len(words) - len(kind)], " ", kind


@lru_cache(maxsize=8)
def _any_of(names: tuple[str, ...], *, numbered: bool = False) -> re.Pattern[str]:
    longest = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    return re.compile(rf"(?<![\w-])(?:{longest})(?![\w(-])" + ("" if numbered else r"(?! \d)"))


def step_of(world: World, words: str, *, stated: bool = True) -> Step:
    """The step that words stand for; its reason is the state that it leads to."""
    name, things = call_of(words) if world.name == "household" else _called(world, words)
    skill = world.skills[name]
    given = dict(zip((p.name for p in skill.signature.parameters), things, strict=False))
    return skill.step(given, state_after(world, name, given) if stated else "")


def _called(world: World, words: str) -> tuple[str, tuple[str, ...]]:
    vocabulary = world.observe().vocabulary
    for name, skill in world.skills.items():
        if match := skill.signature._match(words, vocabulary):
            return name, match.groups()
    raise ValueError(words)


def state_after(world: World, skill: str, given: dict[str, str]) -> str:
    """What is so after a step, in words; nothing where it leaves no trace."""
    if skill in _CLEANING and "clean" in world.relations:
        return world.relations["clean"].condition(given).words
    return " ".join(each.words for each in world.skills[skill].promises(given, world.relations))


class Answers:
    """Answers a planner: first the things, then a line at a time."""

    def __init__(self, lines: Sequence[str], things: Sequence[str], heading: str) -> None:
        self._lines, self._things, self._heading = list(lines), list(things), heading

    def __call__(self, asked: Asked) -> str:
        """The next answer."""
        if asked.prompt.endswith(self._heading):
            return f" {', '.join(self._things)}.\n"
        return f" {self._lines.pop(0)}\n"


def _begun(world: World, request: str) -> Monologue:
    monologue = Monologue(world.clock)
    monologue.append(Request(request))
    monologue.append(world.observe())
    return monologue


def planned(world: World, request: str, steps: Sequence[str], *, check: bool = True) -> list[Sample]:
    """How the real planner makes a plan of the expert's answers; nothing where it does not even ask."""
    answers = plan_answers(world, steps)
    teacher = Teacher(answers, "hicrisp.planner", check=check)
    asyncio.run(WholePlan(teacher, world).plan(_begun(world, request)))
    return teacher.samples


def plan_answers(world: World, steps: Sequence[str]) -> Answers:
    """The expert's plan, with the state after each step."""
    names = Names(world)
    resolved = names.resolve(steps)
    lines = [f"{words} -> {step_of(world, words).reason or NOTHING_NEW}" for words in resolved]
    return Answers([*lines, "Done."], names.named(resolved), "Things:")


def programmed(world: World, request: str, lines: Sequence[str], *, check: bool = True) -> list[Sample]:
    """The same as a program."""
    names = Names(world)
    resolved = names.resolve(lines)
    answers = Answers([*resolved, "# done"], names.named(resolved), "# takes:")
    teacher = Teacher(answers, "hicrisp.program", check=check)
    asyncio.run(ProgPrompt(teacher, world).plan(_begun(world, request)))
    return teacher.samples
