"""Lines of a plan that are said in words which the world knows: the grammar of the next line, and what it means.

Where a world knows sentences of its own for its calls (`Put the mug next to the plate`), these are what can be said;
elsewhere it is the sentences of the skills. Either way a line is grounded as soon as it is said: what is not there
cannot be named, and the next line is about the world as this one will leave it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from thinkaloud.errors import SkillError, Unparseable
from thinkaloud.methods.multitalk.instructions import COORDINATE, read_line
from thinkaloud.models import grammar as gbnf
from thinkaloud.names import names_in, things_meant
from thinkaloud.records import Observation, Step, WorldState
from thinkaloud.sentences import action_grammar, read_action
from thinkaloud.state.foresight import foresee
from thinkaloud.state.scene import held_things
from thinkaloud.worlds import World
from thinkaloud.worlds.contract import Command, Commandable, find_ability

_TWICE = 2
"""So often a plan says the same at most: a thing that was put aside is taken again once."""
PLAN_OVER = "Done"
"""What ends a plan where no action does."""
_POINT = "({x}, {y})"
_HOLE = re.compile(r"\{\w+\}")
_DIGITS = r"-?\d+(?:\.\d+)?"
_AND_ACTION = re.compile(r":\s*`?\w+\s*\(.*")


@dataclass
class KnownLines:
    """The lines of one plan, one after another."""

    world: World
    scene: Observation
    spoken: str = ""
    """What a person has said about the task so far: things that nobody has spoken of are left alone."""
    named: str = ""
    """What critics and the simulator have said to it: they may name further things that are in the way."""
    points: Sequence[str] | None = None
    """The points that may be named, such as `(0.10, 0.20)`; None for any."""
    each: bool = False
    """Whether each thing has a place to get to: then nothing that was put aside is left there."""
    steps: list[Step] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._first = self.scene.state or WorldState()
        self._aside: set[str] = set()

    def grammar(self) -> str:
        """What can be said next; Unparseable where nothing can."""
        commands = self._commands()
        if commands is None:
            options = [action_grammar(self.world.skills, self.scene.vocabulary)]
        else:
            options = [_expression(command) for command in _filled(self._sensible(commands), self.points)]
        if self.steps and not any(skill.last for skill in self.world.skills.values()):
            options.append(gbnf.literal(PLAN_OVER))
        if not options:
            raise Unparseable("There is nothing that could be done now.")
        return gbnf.grammar(gbnf.sequence(gbnf.choice(options), gbnf.literal(":")))

    def say(self, line: str) -> Step:
        """The step that a line stands for; what comes after it is about the world as it will be then."""
        step, passing = self._read(line.strip(" \n`"))
        skill = self.world.skills[step.skill]
        try:
            arguments = skill.signature.check(step.arguments, self.scene.vocabulary)
        except SkillError as error:
            raise Unparseable(str(error), line) from None
        if self.scene.state is not None:
            state = foresee(skill, arguments, self.scene.state, self.world.relations)
            put = {*held_things(self.scene.state)} - {*held_things(state)}
            self._aside = self._aside | put if passing else self._aside - put
            self.scene = replace(self.scene, state=state)
        self.steps.append(step)
        return step

    def places(self) -> list[str]:
        """Where things could be put that have been spoken of, in the world's own words: `next to the plate`, …"""
        found: dict[str, None] = {}
        now = self._sensible(self._commands() or ())
        for puts in [now] if any(_POINT in command.words for command in now) else map(self._after, now):
            whole = [command.words.split(" ") for command in puts]
            same = next((i for i, words in enumerate(zip(*whole, strict=False)) if len({*words}) > 1), 0)
            found |= dict.fromkeys(" ".join(words[same:]) for words in whole if not _HOLE.search(" ".join(words)))
        return list(found)

    def _after(self, taking: Command) -> Sequence[Command]:
        """Where what is taken could be put."""
        taken = KnownLines(self.world, self.scene, self.spoken, self.named)
        taken.say(taking.words)
        puts = [] if taken.over else taken._sensible(taken._commands() or ())
        return [command for command in puts if command.skill != taking.skill]

    @property
    def over(self) -> bool:
        """Whether nothing can follow."""
        return bool(self.steps) and self.world.skills[self.steps[-1].skill].last

    def _sensible(self, commands: Sequence[Command]) -> Sequence[Command]:
        """Without what would go round in circles, and about what has been spoken of, where anything has."""
        said = Counter(step.reason for step in self.steps)
        again = self.steps[-2].reason if len(self.steps) > 1 else ""  # what was just put down is left alone
        fresh = [command for command in commands if command.words != again and said[command.words] < _TWICE]
        some = [s for s in fresh if not self.world.skills[s.skill].last] if not self.steps else fresh
        known = self.scene.state.objects if self.scene.state is not None else ()
        meant = {*things_meant(self.spoken, known), *names_in(self.named, known)}
        found = [s for s in some if {*names_in(s.words, known)} <= meant] or some or fresh
        if self.each and self._aside:
            return [s for s in found if not self.world.skills[s.skill].last] or found
        return found

    def _commands(self) -> Sequence[Command] | None:
        world = find_ability(self.world, Commandable)
        return None if world is None else world.commands(self.scene.state or WorldState(), self._first)

    def _read(self, line: str) -> tuple[Step, bool]:
        """The step that a line stands for, and whether it is good for the time being only."""
        if re.match(r"\w+\(", line):  # said as an action all the same
            return read_line(line, self.world.skills, self.scene.vocabulary), False
        words, commands = _AND_ACTION.sub("", line).rstrip(":. "), self._commands()
        if commands is None:
            return read_action(words, self.world.skills, self.scene.vocabulary, words), False
        for command in commands:
            if match := _pattern(command).fullmatch(words):
                given = {name: float(value) for name, value in match.groupdict().items()}
                return self.world.skills[command.skill].step({**command.arguments, **given}, words), command.passing
        example = commands[0].words if commands else "nothing"
        raise Unparseable(f"{words!r} cannot be said now; for example: {example}.", line)


def _filled(commands: Iterable[Command], points: Sequence[str] | None) -> Iterator[Command]:
    """Commands with these points where they leave coordinates open."""
    for command in commands:
        if points is None or _POINT not in command.words:
            yield command
        else:
            yield from (replace(command, words=command.words.replace(_POINT, point)) for point in points)


def _expression(command: Command) -> str:
    pieces = re.split(r"(\{\w+\})", command.words)
    return gbnf.sequence(*(COORDINATE if piece.startswith("{") else gbnf.literal(piece) for piece in pieces if piece))


def _pattern(command: Command) -> re.Pattern[str]:
    pieces = re.split(r"\{(\w+)\}", command.words)
    parts = [f"(?P<{p}>{_DIGITS})" if i % 2 else re.escape(p) for i, p in enumerate(pieces)]
    return re.compile("".join(parts), re.IGNORECASE)
