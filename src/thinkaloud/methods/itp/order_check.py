"""Checks a list of steps against what was ordered: the order is read a second time, and the guidelines say the rest.

The planner decides what to do, as in the paper. This check only decides whether the robot may say that the order was
met. A model reads the requests as a short program (`order("taro", no=["milk"])`), and code works out what the
guidelines require for that. Two readings that agree are no proof, but where they differ nothing is confirmed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from thinkaloud.errors import ThinkaloudError
from thinkaloud.guidelines import Guidelines
from thinkaloud.guidelines.fulfilment import find_objections
from thinkaloud.guidelines.order_form import Want, all_material, find_material, shared_material
from thinkaloud.guidelines.orders import CHANGE, Ordering, Wanted, can_do, find_homeless
from thinkaloud.guidelines.remaining_steps import Composer
from thinkaloud.guidelines.rules import RuleReader
from thinkaloud.guidelines.summary import tell_guidelines
from thinkaloud.language.name_matching import resolve_name
from thinkaloud.language.words import stems
from thinkaloud.models import Model, is_fluent
from thinkaloud.program.lexicon import Lexicon, lexicon_of
from thinkaloud.records import Observation
from thinkaloud.understand.meaning.ordering import wanted_of
from thinkaloud.understand.prompting.grammar import program_grammar
from thinkaloud.understand.prompting.prompt import STOPS, PastTurn, render_prompt
from thinkaloud.worlds import World

_LONGEST = 250  # tokens of a program


@dataclass(frozen=True)
class ReadOrder:
    """What was ordered by the second reading, and who writes its steps; `why` says why it could not be read."""

    wants: tuple[Want, ...] = ()
    composer: Composer | None = None
    unread: tuple[str, ...] = ()
    """What stayed unread: rules that could not be made out."""
    why: str = ""


class NoOrderCheck:
    """No second reading, as in the paper: what the planner lists is taken to be what was ordered."""

    async def doubts(self, requests: Sequence[str], lines: Sequence[str], scene: Observation) -> list[str]:
        """Return no doubts."""
        return []

    async def faults(
        self, requests: Sequence[str], lines: Sequence[str], material: Sequence[str], scene: Observation
    ) -> list[str]:
        """Return no faults."""
        return []

    async def can_be_made(self, requests: Sequence[str], scene: Observation) -> bool:
        """Say that what is available can be had."""
        return True


@dataclass
class OrderCheck:
    """Reads orders, each of them once, and compares steps with them."""

    model: Model
    world: World
    guidelines: Guidelines
    _programs: dict[tuple[str, ...], str] = field(default_factory=dict, repr=False)
    _rules: RuleReader = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._rules = RuleReader(self.model, self.guidelines)

    async def doubts(self, requests: Sequence[str], lines: Sequence[str], scene: Observation) -> list[str]:
        """Return why these lines, when they are done, may not be what was ordered."""
        order = await self._read(tuple(requests), scene)
        if order.composer is None:
            return [f"the order could not be checked ({order.why})"]
        return [*find_objections(order.wants, lines, order.composer), *order.unread]

    async def faults(
        self, requests: Sequence[str], lines: Sequence[str], material: Sequence[str], scene: Observation
    ) -> list[str]:
        """Return what is wrong with these lines by either reading: the planner's own `material`, or the program."""
        order = await self._read(tuple(requests), scene)
        if order.composer is None or len(order.wants) != 1:
            return []
        own = find_objections([self._as_planned(order.wants[0], material)], lines, order.composer, worded=False)
        read = find_objections(order.wants, lines, order.composer, worded=False)
        return [each for each in read if each in own]

    async def can_be_made(self, requests: Sequence[str], scene: Observation) -> bool:
        """Whether what was ordered can be had, by the program."""
        return (await self._read(tuple(requests), scene)).composer is not None

    def _as_planned(self, want: Want, material: Sequence[str]) -> Want:
        """Return the order with the planner's material, and what all options have, unless a person left it out."""
        known = all_material(self.guidelines)
        basis = [name for name in shared_material(self.guidelines) if name in want.material]
        return replace(want, material=tuple(dict.fromkeys([*(resolve_name(each, known) for each in material), *basis])))

    async def _read(self, requests: tuple[str, ...], scene: Observation) -> ReadOrder:
        try:
            await self._rules.read(lambda step: can_do(step, self.guidelines, self.world, scene))
            wanted, left_out = list[Wanted](), list[str]()
            for number, request in enumerate(requests, 1):
                shown = lexicon_of(self.world, scene, guidelines=tell_guidelines(self.guidelines, request))
                said = wanted_of(await self._program(requests[:number], shown), shown)
                if not said:
                    return ReadOrder(why="it is nothing that the guidelines are about")
                wanted = [*(wanted if said[0][0] == CHANGE else ()), *said]
                left_out += self._left_out(request, said)
            orders = self._rules.orders((), ())
            names = [name for _, *given in wanted for each in given for name in each]
            await self._rules.find_homes(find_homeless(names, orders, self.world, scene))
            ordering = Ordering(self._rules.orders((), ()), self.world, scene, (), ())
            *others, last = ordering.wants(wanted)
            last = replace(last, material=tuple(dict.fromkeys([*last.material, *left_out])))
            unread = [f"I could not make out this rule: {rule}" for rule in orders.unread]
            return ReadOrder((*others, last), ordering.composer(), tuple(unread))
        except ThinkaloudError as error:
            return ReadOrder(why=str(error))

    def _left_out(self, request: str, said: Sequence[Wanted]) -> list[str]:
        """Return the material that a request names and its program does not: it is taken to be wanted."""
        told = {word for _, *given in said for names in given for name in names for word in stems(name)}
        return [name for name in find_material(request, self.guidelines) if not stems(name) & told]

    async def _program(self, requests: tuple[str, ...], shown: Lexicon) -> str:
        """Return the program for the last of these requests, in view of those before it."""
        if requests not in self._programs:
            before = [PastTurn(requests[at], self._programs[requests[: at + 1]]) for at in range(len(requests) - 1)]
            prompt = render_prompt(shown, before, requests[-1], explained=not is_fluent(self.model))
            said = await self.model.complete(prompt, grammar=program_grammar(shown), stop=STOPS, most=_LONGEST)
            self._programs[requests] = said.text.strip()
        return self._programs[requests]
