"""What Code as Policies has written: thoughts and programs from the conversation alone."""

from __future__ import annotations

import pytest

from program_conversation import table
from thinkaloud.clock import ManualClock
from thinkaloud.methods.code_as_policies.conversation import ConversationForm
from thinkaloud.models import Scripted
from thinkaloud.models.gbnf import accepts
from thinkaloud.monologue import Monologue
from thinkaloud.plan.programs.example_choice import lesson_of
from thinkaloud.plan.programs.grammar import PROGRAM_END
from thinkaloud.records import Plan, Request


@pytest.mark.parametrize("states", [True, False])
def test_before_a_program_comes_a_line_for_each_query_so_far(states: bool) -> None:
    lesson = lesson_of(table("pick_and_place"))
    world = table("pick_and_place", *lesson.objects)
    said = Monologue(ManualClock())
    for number in range(2):
        said.append(Request(f"query {number}"))
        said.append(Plan(f"query {number}", (), (), verbatim="noop()"))
    said.append(Request("Well?"))
    grammar = ConversationForm(world, Scripted(), states).grammar(world.observe(), said)
    for turn in lesson.turns:
        code = (lesson.render_code(turn, think=True) or "noop()") + PROGRAM_END
        assert accepts(grammar, "# 1. something\n# 2. nothing changes\n" + code) == states, turn.query
        assert accepts(grammar, code) != states
