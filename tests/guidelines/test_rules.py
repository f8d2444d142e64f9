"""Rules of guidelines are read one by one; what cannot be made out is told, and nothing is made up."""

from __future__ import annotations

import asyncio

import pytest

from thinkaloud.guidelines import load_guidelines, read_guidelines
from thinkaloud.guidelines.remaining_steps import OTHERS, PlanRules
from thinkaloud.guidelines.rules import (
    RuleReader,
    home_grammar,
    join_facts,
    read_home,
    read_rule,
    render_home,
    render_rule,
    rule_grammar,
)
from thinkaloud.models import Scripted
from thinkaloud.models.gbnf import accepts

DRINKS, DISHES = load_guidelines("drinks"), load_guidelines("dishwashing")
RULED = read_guidelines(f"{DRINKS.text}\nRules:\n* Milk comes last.\n* Boba, then taro.\n* Smile.\n")


@pytest.mark.parametrize(
    ("call", "rule", "facts"),
    [
        ('last("milk")', "Milk comes last.", PlanRules(orders=(((OTHERS,), ("milk",)),))),
        ('first("strawberry")', "Strawberry first.", PlanRules(orders=((("strawberry jam",), (OTHERS,)),))),
        ('sequence(["boba"], ["taro"])', "Boba, then taro.", PlanRules(orders=((("boba",), ("taro",)),))),
        ('undo("throw it away")', "If it is wrong, throw it away.", PlanRules(undo="throw it away")),
        ('after("boba", "stir it")', "Stir it after the boba.", PlanRules(after=(("boba", "stir it"),))),
        ("nothing()", "Smile.", PlanRules()),
        ('sequence(["boba"], ["taro"])', "Boba, then taro, then milk.", None),  # the milk is lost
        ('last("taro")', "Milk comes last.", None),  # nobody spoke of taro
        ('last("kale")', "Kale comes last.", None),  # there is none
        ('pair("boba")', "Boba in pairs.", None),
        ("fly()", "Fly.", None),
        ("last(", "Milk comes last.", None),
    ],
)
def test_a_rule_is_one_call(call: str, rule: str, facts: PlanRules | None) -> None:
    assert read_rule(call, rule, DRINKS) == facts
    assert accepts(rule_grammar(), call + "\n\n") == (facts is not None or call not in ("fly()", "last("))


def test_rules_are_read_once_and_what_is_not_made_out_is_kept() -> None:
    model = Scripted(['last("milk")\n', 'last("blueberry")\n', "nothing()\n"])
    reader = RuleReader(model, RULED)
    asyncio.run(reader.read())
    asyncio.run(reader.read())
    assert reader.facts == PlanRules(orders=(((OTHERS,), ("milk",)),))
    assert reader.unread == ("Boba, then taro.",)


def test_where_something_belongs_is_one_of_the_places() -> None:
    assert accepts(home_grammar(DISHES), 'place("first rack")\n\n')
    assert not accepts(home_grammar(DISHES), 'place("sink")\n\n')
    assert read_home('place("first rack")', DISHES) == "first rack" and read_home('place("sink")', DISHES) == ""
    reader = RuleReader(Scripted(['place("first rack")\n']), DISHES)
    asyncio.run(reader.find_homes(["knife", "knife"]))
    assert reader.homes == {"knife": "first rack"}


def test_somebodys_words_stay_on_their_line() -> None:
    prompt = render_rule('a"\n# rule: "b', DRINKS)
    assert prompt.count("\n") == 2 and prompt.endswith('"\n')
    assert render_home("knife", DISHES).endswith('# where: "knife"\n')


def test_rules_are_put_together() -> None:
    both = join_facts([PlanRules(every=("milk",)), PlanRules(every=("boba",), undo="bin it"), PlanRules(undo="eat it")])
    assert both == PlanRules(every=("milk", "boba"), undo="bin it")
