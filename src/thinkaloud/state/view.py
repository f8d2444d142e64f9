"""One world state, looked at: what is on what, what is inside, what is true of a thing."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any

from thinkaloud.errors import SkillError
from thinkaloud.language.name_matching import bare_name
from thinkaloud.records import WorldState
from thinkaloud.state.edits import GROUND, TABLE, is_colour, is_container, is_cover, noun, supports
from thinkaloud.state.names import NameFinder
from thinkaloud.state.weights import KnownWeights


class StateView:
    """Answers questions about one state. Names may be written as people do; what is not there is a SkillError."""

    def __init__(self, state: WorldState) -> None:
        self.state = state
        self.names = NameFinder(state.objects)
        self.supports = {thing: on for thing, on in supports(state).items() if on not in GROUND}

    @cached_property
    def weights(self) -> KnownWeights:
        """What is known about weights."""
        return KnownWeights.of(self.state)

    # names ------------------------------------------------------------------------------------------------------------

    def one(self, x: Any, *, ground: bool = False) -> str:
        """The one thing that is meant, by its name or by a list of one name."""
        if not isinstance(x, str):
            names = _listed(x)
            if len(names) != 1:
                raise SkillError(f"One thing is needed here, but there are {len(names) or 'none'}: {_words(names)}.")
            x = names[0]
        found = self.names.find_place(x) if ground else self.names.find(x)
        if found is None:
            hint = self.names.hint(x)
            known = f"; there are {_words(self.names.all)}." if hint == "." else hint
            raise SkillError(f"There is no {x!r} here{known}")
        return found

    def many(self, xs: Any) -> list[str]:
        """The things that are meant, each once."""
        return list(dict.fromkeys(map(self.one, [xs] if isinstance(xs, str) else _listed(xs))))

    def of_kind(self, kind: Any) -> list[str]:
        """All things of a kind, such as block, bowls or cup."""
        wanted = _word(kind)
        forms = {wanted, wanted.removesuffix("s"), wanted.removesuffix("es")}
        return [thing for thing in self.state.objects if forms & {noun(thing), bare_name(thing)}]

    # places -----------------------------------------------------------------------------------------------------------

    def on(self, thing: str) -> list[str]:
        """What is directly on it."""
        below = None if thing == TABLE else thing
        return [each for each in self.state.objects if self.supports.get(each) == below]

    def above(self, thing: str) -> list[str]:
        """Everything on it and on that, nearest first."""
        found = self.on(thing)
        for each in found:
            found += [more for more in self.on(each) if more not in found]
        return found

    def below(self, thing: str) -> list[str]:
        """Everything that it is on, nearest first, without the table."""
        found: list[str] = []
        while (thing := self.supports.get(thing, "")) and thing not in found:
            found.append(thing)
        return found

    def inside(self, thing: str) -> list[str]:
        """Everything in it; what a cup covers is in the cup."""
        if thing == TABLE:
            return [each for each in self.state.objects if not self.container(each) and not is_container(each)]
        if is_cover(thing):
            return [each for each in self.below(thing) if not is_container(each)]
        if not is_container(thing):
            raise SkillError(f"The {thing} is nothing that things can be in; ask on({thing!r}) or above({thing!r}).")
        return self.above(thing)

    def container(self, thing: str) -> str | None:
        """What it is in, also as a part of a stack."""
        return next(filter(is_container, self.below(thing)), None)

    def cover(self, thing: str) -> str | None:
        """The cup over it."""
        return next(filter(is_cover, self.above(thing)), None)

    def top(self, thing: str) -> str:
        """The topmost thing of the stack that it is in."""
        seen = {thing}
        while up := [each for each in self.on(thing) if each not in seen]:
            if len(up) > 1:
                raise SkillError(f"There are several things on the {thing}: {_words(up)}; ask of one of them.")
            thing = up[0]
            seen.add(thing)
        return thing

    def bottom(self, thing: str) -> str:
        """The lowest thing of the stack that it is in; a container is no part of a stack."""
        return [thing, *(each for each in self.below(thing) if not is_container(each))][-1]

    def level(self, thing: str) -> int:
        """How many things of a stack are below it."""
        return len([each for each in self.below(thing) if not is_container(each)])

    def where(self, thing: str) -> str:
        """Where it is, in words."""
        cover, target = self.cover(thing), self.supports.get(thing)
        if cover:
            return f"under the {cover}"
        if target is None:
            return f"on the {TABLE}"
        return f"{'over' if is_cover(thing) else 'in' if is_container(target) else 'on'} the {target}"

    # qualities --------------------------------------------------------------------------------------------------------

    def words(self, thing: str) -> list[str]:
        """What is said of it."""
        return [word for word, value in self.state.attributes.get(thing, {}).items() if value is True]

    def empty(self, thing: str) -> bool:
        """Whether nothing is in (or on) it."""
        return not (self.inside(thing) if is_cover(thing) else self.on(thing))

    def holds(self, thing: str, word: Any) -> bool:
        """Whether a word is true of it: what was said of it, its colour, or how it stands."""
        wanted = _word(word)
        if wanted.startswith("not "):
            return not self.holds(thing, wanted.removeprefix("not "))
        standing = {
            "empty": lambda: self.empty(thing),
            "full": lambda: not self.empty(thing),
            "covered": lambda: bool(self.on(thing)),
            "clear": lambda: not self.on(thing),
            "stacked": lambda: self.level(thing) > 0 or (bool(self.on(thing)) and not is_container(thing)),
            "on the table": lambda: thing not in self.supports,
            "hidden": lambda: self.cover(thing) is not None,
            "outside": lambda: self.container(thing) is None,
            "unknown": lambda: not self.words(thing),
        }
        if wanted in standing:
            return standing[wanted]()
        return wanted in map(bare_name, self.words(thing)) or wanted == self.colour(thing)

    def colour(self, thing: str) -> str:
        """What is said before the noun, if that tells things of this kind apart; else nothing."""
        words = thing.lower().split()[:-1]
        others = [other for other in self.state.objects if other != thing and noun(other) == noun(thing)]
        return " ".join(words) if words and (others or is_colour(words[-1])) else ""


def _listed(x: Any) -> list[str]:
    names = list(x) if isinstance(x, Iterable) and not isinstance(x, (str, bytes, dict)) else [x]
    if not all(isinstance(each, str) for each in names):
        raise SkillError(f"A name is needed here, or a list of names, and not {x!r:.80}.")
    return names


def _word(x: Any) -> str:
    if not isinstance(x, str):
        raise SkillError(f"A word is needed here, and not {x!r:.80}.")
    return bare_name(x)


def _words(names: Iterable[str]) -> str:
    return ", ".join(names) or "the list is empty"
