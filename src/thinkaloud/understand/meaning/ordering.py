"""Orders by guidelines in programs: `order("taro", no=["milk"])`, `change("boba")`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from thinkaloud.errors import Missing
from thinkaloud.guidelines.order_form import all_material
from thinkaloud.guidelines.orders import CHANGE, Ordering, Orders, Wanted
from thinkaloud.guidelines.orders import find_homeless as find_homeless_things
from thinkaloud.language.name_matching import resolve_name
from thinkaloud.language.words import in_a_row
from thinkaloud.program.evaluate import flat
from thinkaloud.program.lexicon import Lexicon
from thinkaloud.program.parsing import read_program
from thinkaloud.program.tree import Order, Text, walk
from thinkaloud.records import Value
from thinkaloud.skills import Skill
from thinkaloud.understand.meaning.circumstances import Circumstances
from thinkaloud.understand.meaning.naming import Names


def wanted_of(program: str, lexicon: Lexicon) -> list[Wanted]:
    """The orders in a program: which function, what is wanted, what is not, and of what exactly so many."""
    read = read_program(program, lexicon)
    orders = [] if read is None else [node for node in read.nodes if isinstance(node, Order)]
    return [(each.word, _texts(each.wanted), _texts(each.no), _texts(each.exactly)) for each in orders]


def _texts(node: object) -> list[str]:
    return [each.value for each in walk(node) if isinstance(each, Text)]


def find_homeless(program: str, at: Circumstances) -> list[str]:
    """The things that a program orders and of which the guidelines do not say where they belong."""
    if at.orders is None:
        return []
    said = [text for _, *given in wanted_of(program, at.lexicon) for texts in given for text in texts]
    return find_homeless_things(said, at.orders, at.world, at.scene)


def find_kept(name: Any, names: Names, orders: Orders | None) -> str:
    """Something that is to be left alone: a thing, or material of the guidelines."""
    material = [] if orders is None else all_material(orders.guidelines)
    found = resolve_name(str(name), material)
    return found if found in material else names.find(name)


def taking_orders(
    at: Circumstances, do: Callable[[Skill, dict[str, Value]], None], say: Callable[[str], None]
) -> Callable[..., None]:
    """What is done for the orders of a program, one after another; `say` is told what cannot be kept to."""
    ordering: list[Ordering] = []

    def take(function: str, *names: Any) -> None:
        if at.orders is None:
            raise Missing(f"I have no skill for that: {function}.", "no such skill")
        earlier = (order for program in at.orders.earlier for order in wanted_of(program, at.lexicon))
        ordering[:] = ordering or [Ordering(at.orders, at.world, at.scene, at.lexicon.kept, earlier)]
        given = [[str(each) for each in flat(listed)] for listed in names]
        for skill, arguments in ordering[0].call(function, *given):
            do(skill, arguments)
        if function == CHANGE and (there := ordering[0].already_in(given[0])):
            say(f"There is {in_a_row(there)} in it already, and I put in no more.")
        for rule in ordering[0].unread():
            say(f"I could not make out this rule, and go without it: {rule}")

    return take
