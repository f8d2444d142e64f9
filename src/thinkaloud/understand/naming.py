"""Which thing a name in a program stands for. What is not here is said to be missing, by its name; never the nearest.

A noun that several things share (`window`) is the question which of them is meant.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

from thinkaloud.errors import SkillError, Unparseable
from thinkaloud.names import find_named, find_nearest, head_noun
from thinkaloud.records import Observation, Value
from thinkaloud.signatures import Parameter, Signature
from thinkaloud.understand.telling import joined
from thinkaloud.words import is_slip, stems

_MOST_EXCHANGED = 4


class Missing(SkillError):
    """Something is spoken of that is not here, or not for this; says so in words for people."""


class Unfit(Missing):
    """Something is here, but it cannot be done with that, or told of it. `given`: as it was named, if it was."""

    def __init__(self, why: str, given: object = None) -> None:
        super().__init__(why)
        self.given = given


class WhichOne(SkillError):
    """A name that may be several things."""

    def __init__(self, name: str, things: Sequence[str]) -> None:
        super().__init__(f"Which {name} do you mean?")
        self.things = tuple(things)


class Names:
    """The names of a scene."""

    def __init__(self, scene: Observation) -> None:
        self._vocabulary = scene.vocabulary
        everything = (*scene.objects, *scene.hidden, *itertools.chain(*scene.vocabulary.values()))
        self._all = tuple(dict.fromkeys(everything))

    def find(self, name: Any, first: Sequence[str] = ()) -> str:
        """The thing that is called so, among some `first` and then among all; Missing or WhichOne where none is."""
        text = str(name).strip()
        named = find_named(text, first) or find_named(text, self._all)
        if named is not None:
            return named
        meant = _by_noun(text, first) or _by_noun(text, self._all)
        if len(meant) == 1:
            return meant[0]
        if meant:
            raise WhichOne(text, meant)
        near = find_nearest(text, self._all)
        hint = f" There is: {near}." if near and is_slip(text.lower(), near.lower()) else ""
        raise Missing(f"There is no {text} here.{hint}")

    def check(self, signature: Signature, given: Mapping[str, Any], verb: str = "do") -> dict[str, Value]:
        """The arguments of a call, all of them things of their kinds; Unparseable for what else is wrong with them.

        `verb` is what is done with them, where they cannot be: `do` or `tell`.
        """
        found = self._in_order(signature, given)
        for p in signature.parameters:
            if p.kind is not None and p.name in found:
                found[p.name] = self._of_kind(p, found[p.name], signature, verb)
        same = [found[name] for name in signature.distinct if name in found]
        if len(same) != len({*map(str, same)}):
            raise Unfit(f"I cannot do that with the {same[0]} itself: {signature.render(found)}")
        try:
            return signature.check(found, self._vocabulary)
        except SkillError as error:
            raise Unparseable(str(error)) from error

    def find_sensible(self, signature: Signature, given: Mapping[str, Any]) -> dict[str, Value] | None:
        """The arguments of a relation; None where it makes no sense of such things: then it does not hold."""
        found = self._in_order(signature, given)
        for p in signature.parameters:
            if p.kind is not None and p.name in found:
                found[p.name] = self.find(found[p.name])
                if found[p.name] not in self._vocabulary.get(p.kind, ()):
                    return None
        try:
            return signature.check(found, self._vocabulary)
        except SkillError:
            return None

    def _in_order(self, signature: Signature, given: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments, exchanged where they fit what is taken in one other order only: nothing else can be meant."""
        taken = [p for p in signature.parameters if p.name in given and (p.kind is not None or p.choices is not None)]
        values = [given[p.name] for p in taken]

        def fits(order: Sequence[Any]) -> bool:
            options = [p.options(self._vocabulary) or () for p in taken]
            return all(find_named(str(each), known) is not None for each, known in zip(order, options, strict=True))

        if not 2 <= len(taken) <= _MOST_EXCHANGED or fits(values):
            return dict(given)
        orders = [order for order in itertools.permutations(values) if fits(order)]
        names = [p.name for p in taken]
        return {**given, **dict(zip(names, orders[0], strict=True))} if len(orders) == 1 else dict(given)

    def _of_kind(self, parameter: Parameter, name: Any, signature: Signature, verb: str) -> str:
        if name is None:
            raise Unparseable(f"nothing was given as the {parameter.name} of {signature.name}.")
        options = tuple(self._vocabulary.get(parameter.kind or "", ()))
        thing = self.find(name, options)
        if thing not in options:
            wanted = {p.name: f"({p.name})" for p in signature.parameters} | {parameter.name: thing}
            here = joined(options) or "nothing that is here"
            how = "tell that of" if verb == "tell" else "do that with"
            said = signature.render(wanted).rstrip(".")
            raise Unfit(f"I cannot {how} the {thing}: {said}. It goes with: {here}.", name)
        return thing


def _by_noun(text: str, things: Sequence[str]) -> list[str]:
    """The things that a noun, or a name of which something was left out, may stand for: `window` for `left window`."""
    wanted = stems(text)
    if not wanted:
        return []
    return [each for each in things if wanted <= stems(each) and stems(head_noun(each)) <= wanted]
