"""Conversations as the stage `understand` sees them: prompts, programs, and what each of these comes to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, cast

import numpy as np

from thinkaloud.guidelines import Guidelines
from thinkaloud.guidelines.orders import Orders
from thinkaloud.guidelines.summary import tell_guidelines
from thinkaloud.models.gbnf import accepts
from thinkaloud.perceive.when_to_look import relations_in
from thinkaloud.program.lexicon import Lexicon, lexicon_of, notes_to_show
from thinkaloud.records import Noted, WorldState
from thinkaloud.understand.conversation import MOST_TURNS
from thinkaloud.understand.meaning.circumstances import Circumstances, Story
from thinkaloud.understand.meaning.running import run_program
from thinkaloud.understand.prompting.grammar import program_grammar
from thinkaloud.understand.prompting.prompt import ASKED, PastTurn, render_prompt
from thinkaloud.understand.relevant import find_relevant
from thinkaloud.worlds.by_hand import ByHand
from thinkaloud.worlds.contract import World
from training.demonstrators.meanings.goals import Goal, check
from training.heldout import violations
from training.robots.mistaking import with_opinion
from training.samples import LONGEST, Sample
from training.teacher import Misfit

Rng = np.random.Generator
END = "\n\n"
"""What ends a program."""
CHECKED = 0.03
"""The share of programs that are held against the grammar, which takes as long as all the rest;
the tests look at all of them."""
OPINION = 0.4
"""The share of conversations that end with the question whether a meaning, right or nearly so, is what was said."""
_TELLER = replace(ByHand().skills["carry_out"], effects=None)
_NOTHING_SAID = '\n# ""\n'
_NO_ROBOT = render_prompt(Lexicon(), (), "", explained=False).removesuffix(_NOTHING_SAID)
"""The robot's part of a prompt is the same for all that is said: it is rendered once, and put before the rest."""
_STORY = Story(("I did what you asked.",), ("Then I do the rest.",), ("You asked for it.",))


class _Told:
    """A world with somebody besides who carries out any step, so that orders need no robot that can."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.skills = {**world.skills, _TELLER.name: _TELLER}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._world, name)


@dataclass(frozen=True)
class Said:
    """Something that a person says, the program that it means, and what that has to come to.

    `amid`: it is said while what was asked for before is still under way.
    """

    request: str
    program: str
    goal: Goal
    amid: bool = False


@dataclass
class Talk:
    """One person and one robot. `said` gives a sample's text for each thing that is said, as the stage shows it."""

    family: str
    world: World
    guidelines: Guidelines | None = None
    notes: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    turns: list[PastTurn] = field(default_factory=list)
    parts: list[tuple[str, str]] = field(default_factory=list)
    homes: Mapping[str, str] = field(default_factory=dict)
    """Where things belong that the guidelines do not name."""
    shown: Lexicon = field(default_factory=Lexicon)
    """The lexicon that the latest prompt was made of."""
    _acts: bool = False
    _ordered: list[str] = field(default_factory=list)
    _plain: Lexicon | None = None
    _robots: dict[object, str] = field(default_factory=dict)

    def take(self, said: Said, *, checked: bool = False) -> Iterator[Sample]:
        """The sample before, where this one does not go on from it; then it is kept for the next one."""
        if said.amid and self.turns and self._acts:
            self.turns[-1] = replace(self.turns[-1], came="under way")
        prompt, shown = self._prompt(said.request)
        self.shown = shown
        lexicon = self._lexicon(said.request, None)
        scene = self.world.observe()
        past = scene.state or WorldState()
        if any(f"{when}(" in said.program for when in ("before", "at_start")):  # as the preset keeps it
            past = relations_in(self.world, scene)
        orders = self._orders()
        world = self.world if orders is None else cast(World, _Told(self.world))
        at = Circumstances(world, scene, lexicon, {"before": past, "at_start": past}, _STORY, orders=orders)
        meaning = run_program(said.program, at)
        free = meaning if not self.kept else run_program(said.program, replace(at, lexicon=self._free()))
        check(free, said.goal, said.request)  # what is kept is refused or left out; the words mean the same
        if checked and not accepts(program_grammar(shown), said.program + END):
            raise Misfit(f"{said.program!r} is nothing that the grammar allows")
        so_far = "".join(a + b for a, b in self.parts)
        if self.parts and prompt.startswith(so_far) and len(prompt) < LONGEST - 300:
            self.parts.append((prompt[len(so_far) :], said.program + END))
        else:
            yield from self.over()
            self.parts = [(prompt, said.program + END)]
        self.turns.append(PastTurn(said.request, said.program, ASKED if meaning.sort == "question" else ""))
        self._acts = meaning.sort in ("deeds", "undo", "previous")
        self._ordered += [said.program] if meaning.sort == "deeds" else []
        told = notes_to_show(self.world, scene, meaning.notes)
        self.notes += [each for each in told if each not in self.notes]
        self.kept = [each for each in self.kept if each not in meaning.freed]
        if isinstance(meaning.content, Noted):
            self.kept += [each for each in meaning.kept if each not in self.kept]

    def _orders(self) -> Orders | None:
        """What orders are read with: their steps are told in words, whatever the robot can do."""
        if self.guidelines is None:
            return None
        return Orders(self.guidelines, homes=self.homes, earlier=tuple(self._ordered), teller=_TELLER)

    def over(self) -> Iterator[Sample]:
        """The sample at hand."""
        if self.parts:
            yield Sample(self.family, tuple(self.parts))
        self.parts = []

    def _prompt(self, request: str) -> tuple[str, Lexicon]:
        about = find_relevant(self.world, self.world.observe(), [*(t.request for t in self.turns[-2:]), request])
        lexicon = self._lexicon(request, about)
        key = (lexicon.notes, lexicon.kept, lexicon.guidelines, tuple(about or ()))
        if key not in self._robots:
            self._robots[key] = render_prompt(lexicon, (), "", explained=False).removesuffix(_NOTHING_SAID)
        said = render_prompt(Lexicon(), self.turns[-MOST_TURNS:], request, explained=False)
        return self._robots[key] + said.removeprefix(_NO_ROBOT), lexicon

    def _lexicon(self, request: str, about: list[str] | None) -> Lexicon:
        guidelines = tell_guidelines(self.guidelines, request)
        if about is not None:
            return lexicon_of(
                self.world,
                self.world.observe(),
                notes=self.notes,
                kept=self.kept,
                about=about,
                guidelines=guidelines,
            )
        if self._plain is None:  # the scene stays the same
            self._plain = lexicon_of(self.world, self.world.observe())
        return replace(self._plain, notes=tuple(self.notes), kept=tuple(self.kept), guidelines=guidelines)

    def _free(self) -> Lexicon:
        assert self._plain is not None
        return self._plain


def is_held_out(said: Said) -> bool:
    """Whether this is not said here: it looks like what a benchmark holds out."""
    return bool(violations(f'# "{said.request}"\n{said.program}'))


Drawn = Callable[[], "Said | tuple[Said, ...] | None"]
"""Draws something to say, perhaps with what is said after it; None where the scene has nothing for it."""


def converse(rng: Rng, talk: Talk, ways: Iterable[tuple[Drawn, float]], longest: int = 6) -> Iterator[Sample]:
    """A conversation of things that are drawn one after another."""
    drawing, weights = zip(*ways, strict=True)
    shares = np.array(weights) / sum(weights)
    count, tries = int(rng.integers(min(3, longest), longest + 1)), 0  # a robot takes many words: it is worth a talk
    while len(talk.turns) < count and tries < 4 * longest:
        tries += 1
        found = drawing[int(rng.choice(len(drawing), p=shares))]()
        several = (found,) if isinstance(found, Said) else found or ()
        if any(map(is_held_out, several)):
            continue
        for each in several:
            yield from talk.take(each, checked=bool(rng.random() < CHECKED))
    for sample in talk.over():
        yield with_opinion(sample, talk.shown, rng) if rng.random() < OPINION else sample
