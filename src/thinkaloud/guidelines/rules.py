"""Rules of guidelines, and where things belong: read by a model one line at a time, each as one short call.

    # of: ["boba", "milk"]
    # rule: "Milk goes in at the very end."
    last("milk")

What a rule comes to for an order is worked out by code. A rule that cannot be made out is told, never dropped.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import fields

from thinkaloud.errors import ModelError, Unparseable
from thinkaloud.guidelines import Guidelines
from thinkaloud.guidelines.order_form import all_material, places
from thinkaloud.guidelines.orders import Orders
from thinkaloud.guidelines.remaining_steps import OTHERS, Composer, PlanRules
from thinkaloud.language.calls import read_call
from thinkaloud.language.name_matching import names_in, resolve_name
from thinkaloud.language.words import stems, words_of
from thinkaloud.models import Model, is_fluent
from thinkaloud.models import grammar as gbnf
from thinkaloud.records import Step
from thinkaloud.untrusted.text import quoted

CanDo = Callable[[str], bool]
"""Whether a step, in words, is one that the robot has skills for."""

_LONGEST = 400
_MOST_TOKENS = 120
_MOST_RULES = 30
NOTHING = "nothing"
_RULES: dict[str, Callable[[list[list[str]]], PlanRules]] = {
    "first": lambda given: PlanRules(orders=((_all(given), (OTHERS,)),)),
    "last": lambda given: PlanRules(orders=(((OTHERS,), _all(given)),)),
    "sequence": lambda given: PlanRules(orders=(tuple(map(tuple, given)),)),
    "every": lambda given: PlanRules(every=_all(given)),
    "default": lambda given: PlanRules(default=_all(given)),
    "pair": lambda given: PlanRules(pairs=((given[0][0], given[1][0]),)),
    "gone": lambda given: PlanRules(gone=_all(given)),
    "apart": lambda given: PlanRules(apart=((given[0][0], given[1][0]),)),
    "twice": lambda given: PlanRules(twice=_all(given)),
    "after": lambda given: PlanRules(after=((given[0][0], given[1][0]),)),
    "end": lambda given: PlanRules(end=_all(given)),
    "undo": lambda given: PlanRules(undo=given[0][0]),
    NOTHING: lambda given: PlanRules(),
}
"""What a rule may say: material first or last, one sort after another, in everything, if nothing else is said, with
another, not to be had, not together, two portions, a step after it, a step in the end, a step where something is wrong;
or nothing that matters for how something is made."""
_STEPS = {"end": 0, "undo": 0, "after": 1}
"""Which argument of these is a step, in words, and no name."""
_TO_NOTHING = frozenset({"nothing", "none", "nobody"})
_EXPLAINED = """\
# Rules of shops, each as one call of first, last, sequence, every, default, pair, gone, apart, twice, after, end, undo
# or nothing (a rule that does not matter for how a thing is made).
# of: ["rope", "wool", "beads", "felt"]
# rule: "We sew the felt on before anything else."
first("felt")

# of: ["rope", "wool", "beads", "felt"]
# rule: "Felt and rope, then wool, beads at the end."
sequence(["felt", "rope"], ["wool"], ["beads"])

# of: ["rope", "wool", "beads", "felt"]
# rule: "There is wool in all we make; nobody has to ask for it."
every("wool")

# of: ["rope", "wool", "beads", "felt"]
# rule: "If a puppet is wrong, put it into the scrap bag and begin again."
undo("put it into the scrap bag")

# of: ["rope", "wool", "beads", "felt"]
# rule: "Wash your hands."
nothing()

# places: ["box for small parts", "shelf for big parts"]
# where: "button"
place("box")

"""


def rules_known() -> tuple[str, ...]:
    """The words for what a rule may say."""
    return tuple(_RULES)


def _all(given: list[list[str]]) -> tuple[str, ...]:
    return tuple(name for names in given for name in names)


def render_rule(rule: str, guidelines: Guidelines) -> str:
    """The prompt for one rule, up to where its call begins."""
    return f"# of: {_listed(all_material(guidelines))}\n# rule: {quoted(rule, _LONGEST)}\n"


def render_home(kind: str, guidelines: Guidelines) -> str:
    """The prompt for where a thing belongs, up to where the call begins."""
    return f"# places: {_listed(guidelines.locations)}\n# where: {quoted(kind, _LONGEST)}\n"


def rule_grammar() -> str:
    """The grammar of a rule's call."""
    rules = {
        "call": f'{gbnf.one_of(list(_RULES))} "(" (item (", " item)*)? ")"',
        "item": 'string | "[" string (", " string)* "]"',
        "string": r'"\"" ([^"\\\n] | "\\" ["\\])* "\""',
    }
    return gbnf.grammar('call "\\n\\n"', rules)


def home_grammar(guidelines: Guidelines) -> str:
    """The grammar of where a thing belongs: one of the places."""
    names = [json.dumps(each, ensure_ascii=False) for each in Composer(guidelines).sorting or places(guidelines)]
    return gbnf.grammar(f'"place(" {gbnf.one_of(names)} ")\\n\\n"', {})


def read_rule(text: str, rule: str, guidelines: Guidelines, can_do: CanDo = lambda _: True) -> PlanRules | None:
    """What a rule's call means; None where that is nothing that can be kept to, or not all that the rule names.

    A step is none that the robot cannot do (`can_do`), that is done with nothing, or that the rule has no word of.
    """
    call = _call(text)
    if call is None or call[0] not in _RULES:
        return None
    word, given = call
    known = all_material(guidelines)
    steps = [each for at, names in enumerate(given) for each in names if _STEPS.get(word) == at]
    names = [[resolve_name(name, known) if name not in steps else name for name in each] for each in given]
    if any(not _is_step(step, rule) or not can_do(step) for step in steps):
        return None
    if any(name not in known for each in names for name in each if name not in steps):
        return None
    said = {name for each in names for name in each if name not in steps}
    if word == "sequence" and {*names_in(rule, known)} - said:
        return None
    if any(not stems(name) & stems(rule) for name in said):
        return None
    if len(_all(names)) < (0 if word == NOTHING else 2 if word in ("pair", "apart", "after", "sequence") else 1):
        return None
    try:
        return _RULES[word](names)
    except IndexError:
        return None


def _is_step(step: str, rule: str) -> bool:
    """Whether words say something to do, and the rule has some of them."""
    return bool(stems(step) & stems(rule)) and _TO_NOTHING.isdisjoint(words_of(step))


def read_home(text: str, guidelines: Guidelines) -> str:
    """Where a thing belongs by what a model says; nothing where that is no place."""
    call = _call(text)
    found = [*_all(call[1]), ""][0] if call is not None and call[0] == "place" else ""
    return found if found in places(guidelines) else ""


def _call(text: str) -> tuple[str, list[list[str]]] | None:
    """A call of names and lists of names; None for anything else."""
    try:
        call = read_call(text.strip())
    except Unparseable:
        return None
    lists = [each if isinstance(each, list) else [each] for each in call.values]
    named = not call.named and all(isinstance(name, str) for each in lists for name in each)
    return (call.name, [[str(name) for name in each] for each in lists]) if named else None


def join_facts(found: Sequence[PlanRules]) -> PlanRules:
    """All rules together."""
    names = [each.name for each in fields(PlanRules) if each.name != "undo"]
    joined = {name: tuple(value for facts in found for value in getattr(facts, name)) for name in names}
    return PlanRules(**joined, undo=next((facts.undo for facts in found if facts.undo), ""))


class RuleReader:
    """Has a model read rules and places, each of them once."""

    def __init__(self, model: Model, guidelines: Guidelines) -> None:
        self._model, self._guidelines = model, guidelines
        self._rules: dict[str, PlanRules | None] = {}
        self.homes: dict[str, str] = {}

    async def read(self, can_do: CanDo = lambda _: True) -> None:
        """Read all rules that were not read yet; steps in them are those that the robot can do."""
        for rule in self._guidelines.rules[:_MOST_RULES]:
            if rule not in self._rules:
                answer = await self._ask(render_rule(rule, self._guidelines), rule_grammar())
                self._rules[rule] = read_rule(answer, rule, self._guidelines, can_do)

    async def find_homes(self, kinds: Sequence[str]) -> None:
        """Find out where these belong."""
        for kind in kinds:
            if kind not in self.homes:
                answer = await self._ask(render_home(kind, self._guidelines), home_grammar(self._guidelines))
                if home := read_home(answer, self._guidelines):
                    self.homes[kind] = home

    def orders(self, earlier: tuple[str, ...], done: tuple[Step, ...]) -> Orders:
        """What orders are read with after what was ordered and done before."""
        return Orders(self._guidelines, self.facts, self.unread, self.homes, earlier, done)

    @property
    def facts(self) -> PlanRules:
        """What the rules mean that could be made out."""
        return join_facts([facts for facts in self._rules.values() if facts is not None])

    @property
    def unread(self) -> tuple[str, ...]:
        """The rules that could not be made out."""
        unread = [rule for rule, facts in self._rules.items() if facts is None]
        return (*unread, *self._guidelines.rules[_MOST_RULES:])

    async def _ask(self, prompt: str, grammar: str) -> str:
        explained = "" if is_fluent(self._model) else _EXPLAINED
        try:
            answer = await self._model.complete(explained + prompt, stop=("\n\n",), grammar=grammar, most=_MOST_TOKENS)
        except ModelError:
            return ""
        return answer.text


def _listed(names: Sequence[str]) -> str:
    return f"[{', '.join(quoted(each, _LONGEST) for each in names)}]"
