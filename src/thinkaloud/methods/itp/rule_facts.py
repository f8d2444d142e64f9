"""What the rules of guidelines mean for a plan, each in a short form that a model reads off it.

Milk comes last.                                  order others > milk
Use mild soap unless told otherwise.              default mild soap
Every kit has a whistle.                          every whistle
When something wrong is in: empty the tray, …     undo empty the tray
Wear gloves.                                      none
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from thinkaloud.guidelines import Guidelines
from thinkaloud.methods.itp.line_templates import clauses
from thinkaloud.methods.itp.orders import MOST_NAMES, NONE, all_material
from thinkaloud.models import Model
from thinkaloud.models import grammar as gbnf
from thinkaloud.names import names_in, resolve_name
from thinkaloud.skills import Skill

ORDER, EVERY, DEFAULT, UNDO, OTHERS = "order", "every", "default", "undo", "others"
_THEN = " > "


@dataclass(frozen=True, slots=True)
class Facts:
    """What was read off the rules."""

    orders: tuple[tuple[tuple[str, ...], ...], ...] = ()
    """Each of them: groups of material, one after the other; `others` is whatever is in none of them."""
    every: tuple[str, ...] = ()
    default: tuple[str, ...] = ()
    undo: str = ""
    """What is done with something that is not wanted any more, as a step."""

    def before(self, one: str, other: str) -> bool:
        """Whether the rules want one material to be used before the other."""
        return any(_rank(one, groups) < _rank(other, groups) for groups in self.orders if _both(one, other, groups))


def _both(one: str, other: str, groups: Sequence[Sequence[str]]) -> bool:
    named = {name for group in groups for name in group}
    return OTHERS in named or {one, other} <= named


def _rank(name: str, groups: Sequence[Sequence[str]]) -> int:
    found = next((at for at, group in enumerate(groups) if name in group), None)
    return found if found is not None else next(at for at, group in enumerate(groups) if OTHERS in group)


def rule_prompt(rule: str) -> str:
    """The question what a rule means."""
    return f"Rule: {rule}\nMeans:"


def rule_grammar(rule: str, guidelines: Guidelines) -> str:
    """What a rule can mean: with the names that are known, and what it says itself."""
    names = [*all_material(guidelines), OTHERS]
    group = gbnf.separated("name", ", ", most=3 * MOST_NAMES)
    steps = clauses([rule])
    facts = [f"{gbnf.literal(f' {ORDER} ')} group ({gbnf.literal(_THEN)} group){{1,5}}"]
    facts += [f"{gbnf.literal(f' {word} ')} group" for word in (EVERY, DEFAULT)]
    facts += [f"{gbnf.literal(f' {UNDO} ')} step"] if steps else []
    rules = {"name": gbnf.branching(names), "group": group, "fact": gbnf.choice(facts)}
    rules |= {"step": gbnf.branching(steps)} if steps else {}
    some = gbnf.choice([gbnf.separated("fact", ";", most=3), gbnf.literal(f" {NONE}")])
    return gbnf.grammar(f"{some} {gbnf.literal(chr(10))}", rules)


def read_rule(text: str, guidelines: Guidelines) -> Facts:
    """The facts that a short form stands for; what is none is nothing."""
    known = all_material(guidelines)
    orders, listed, undo = [], {EVERY: list[str](), DEFAULT: list[str]()}, ""
    for part in text.strip().split("; "):
        word, _, rest = part.partition(" ")
        if word == ORDER:
            orders.append(tuple(tuple(_names(group, known)) for group in rest.split(_THEN.strip())))
        elif word in listed:
            listed[word] += _names(rest, known)
        elif word == UNDO:
            undo = rest.strip()
    return Facts(tuple(orders), tuple(listed[EVERY]), tuple(listed[DEFAULT]), undo)


def _names(text: str, known: Sequence[str]) -> list[str]:
    return [resolve_name(name.strip(), [*known, OTHERS]) for name in text.split(",") if name.strip()]


def combine_facts(facts: Sequence[Facts], guidelines: Guidelines, skills: Mapping[str, Skill]) -> Facts:
    """All of it, less what the options themselves contradict or nobody could do: that was misread."""
    every = (name for each in facts for name in each.every if all(name in r.material for r in guidelines.recipes))
    undo = (each.undo for each in facts if each.undo and guidelines.doable(each.undo, skills))
    return Facts(
        tuple(order for each in facts for order in each.orders if _kept(order, guidelines)),
        tuple(dict.fromkeys(every)),
        next((each.default for each in facts if each.default), ()),
        next(undo, ""),
    )


def _kept(order: Sequence[Sequence[str]], guidelines: Guidelines) -> bool:
    """Whether all the options keep to an order."""
    rule = Facts((tuple(map(tuple, order)),))
    used = (
        [name for step in recipe.steps for name in names_in(step, recipe.material)] for recipe in guidelines.recipes
    )
    return not any(rule.before(later, name) for names in used for at, name in enumerate(names) for later in names[at:])


async def read_rules(guidelines: Guidelines, model: Model) -> list[Facts]:
    """What all the rules say, one question for each."""
    found: list[Facts] = []
    for rule in guidelines.rules:
        said = await model.complete(rule_prompt(rule), grammar=rule_grammar(rule, guidelines), stop=["\n"], most=120)
        found.append(read_rule(said.text, guidelines))
    return found


def place_prompt(thing: str, guidelines: Guidelines) -> str:
    """The question where a thing belongs that the guidelines do not name."""
    return "\n".join(["Places:", *guidelines.locations, f"Thing: {thing}", "Place:"])


def place_grammar(places: Sequence[str]) -> str:
    """One of the places."""
    return gbnf.grammar(f"{gbnf.literal(' ')} {gbnf.one_of(places)} {gbnf.literal(chr(10))}")
