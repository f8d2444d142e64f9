"""What Statler's reader sees and writes: the state as it is now and a plain program, or programs that ask the state.

The paper's Prompts 10 and 11 have this shape. A model that was trained with such prompts needs neither rules nor
lesson: it gets the state, or just the names of what there is, and the query.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from thinkaloud.methods.statler.queries import render_query_functions
from thinkaloud.methods.statler.query_grammar import query_grammar
from thinkaloud.methods.statler.query_program import QueryProgram
from thinkaloud.methods.statler.references import find_reference
from thinkaloud.methods.statler.short_grammar import short_program_grammar
from thinkaloud.methods.statler.short_program import ShortProgram
from thinkaloud.models import grammar as gbnf
from thinkaloud.monologue import Monologue
from thinkaloud.names import things_told_apart
from thinkaloud.plan.programs.grammar import calls_expression, plain_bodies, program_grammar, text_call
from thinkaloud.plan.programs.program import PlannedProgram
from thinkaloud.plan.programs.prompt import render_lesson, render_objects, render_query, render_skills
from thinkaloud.records import Observation, Request, WorldState
from thinkaloud.state.json_text import render_state
from thinkaloud.state.memory import all_states, latest_state
from thinkaloud.worlds import World
from thinkaloud.worlds.contract import briefing_of
from thinkaloud.worlds.lessons import Lesson, lesson_of

_NOTES = ("mark(things, word)", "weighs(thing, times, other)", "placed(things, target)")


@dataclass
class StateForm:
    """Plain programs from the state. With `notes`, what changes the world is followed by a note for the writer;
    without, the same model writes the next state itself."""

    world: World
    trained: bool
    notes: bool = True

    def render_prompt(self, monologue: Monologue) -> str:
        """Everything up to where the program for the query at hand begins."""
        functions = (*render_skills(self.world), "say(text)", "update_wm(text)" if self.notes else "noop()")
        rules = briefing_of(self.world).rules
        shown = "" if self.trained else _shown(lesson_of(self.world), self.notes, rules, functions)
        return shown + render_query([render_state(latest_state(monologue))], monologue)

    def grammar(self, scene: Observation, monologue: Monologue) -> str:
        """Calls with names, or an answer."""
        if not self.notes:
            return program_grammar(plain_bodies(self.world, scene))
        noted = gbnf.sequence(calls_expression(self.world, scene), gbnf.literal("\n"), text_call("update_wm"))
        return program_grammar([noted, text_call("say"), text_call("update_wm")])

    def program(self, scene: Observation, monologue: Monologue) -> PlannedProgram:
        """What a plain program is run against."""
        return PlannedProgram(self.world, scene, latest_state(monologue))


@dataclass
class QueryForm:
    """Programs that ask the state, by a model that is shown how."""

    world: World

    def render_prompt(self, monologue: Monologue) -> str:
        """Everything up to where the program for the query at hand begins; the state is for the program to read."""
        lesson = lesson_of(self.world)
        functions = [*render_skills(self.world), "say(answer)", *_NOTES, "update_wm(text)", "noop()"]
        functions += render_query_functions(lesson.kinds)
        conversation = [render_objects(WorldState(lesson.objects))]
        conversation += [line for turn in lesson.turns for line in (f"# query: {turn.query}", turn.program)]
        shown = render_lesson(briefing_of(self.world).rules, functions, conversation)
        return shown + render_query([render_objects(latest_state(monologue))], monologue)

    def grammar(self, scene: Observation, monologue: Monologue) -> str:
        """Calls with questions in them; of names only what the query names, unless that was refused."""
        objects, query = latest_state(monologue).objects, monologue.last(Request)
        refused = monologue.refusals()
        mentioned = things_told_apart(query.text, objects) if query is not None and not refused else []
        return query_grammar(self.world.skills, scene.vocabulary, lesson_of(self.world), objects, mentioned)

    def program(self, scene: Observation, monologue: Monologue) -> PlannedProgram:
        """What such a program is run against."""
        return QueryProgram(self.world, scene, latest_state(monologue), all_states(monologue))


@dataclass
class ShortForm:
    """Short programs that ask the state, by a model that was trained to write them."""

    world: World

    def render_prompt(self, monologue: Monologue) -> str:
        """The names of what there is, and the query."""
        return render_query([render_names(latest_state(monologue))], monologue)

    def grammar(self, scene: Observation, monologue: Monologue) -> str:
        """The short language, about what is at hand."""
        objects, query = latest_state(monologue).objects, monologue.last(Request)
        text = query.text if query is not None else ""
        return short_program_grammar(self.world.skills, scene.vocabulary, lesson_of(self.world), objects, text)

    def program(self, scene: Observation, monologue: Monologue) -> PlannedProgram:
        """What such a program is run against."""
        reference = find_reference(monologue)
        return ShortProgram(self.world, scene, latest_state(monologue), all_states(monologue), reference)


def render_names(state: WorldState) -> str:
    """The names of what there is, and no more."""
    return f"# objects: {', '.join(state.objects)}"


@cache
def _shown(lesson: Lesson, notes: bool, rules: str, functions: tuple[str, ...]) -> str:
    """The part that is the same for every query of a world."""
    lines, turns = list[str](), list(lesson.with_states())
    for before, turn, _ in turns:
        lines += [render_state(before), f"# query: {turn.query}"]
        code = lesson.render_code(turn)
        update = f'update_wm("{turn.update}")' if turn.update else ""
        lines.append("\n".join(filter(None, [code, update])) if notes else code or "noop()")
    return render_lesson(rules, functions, [*lines, *([] if notes else [render_state(turns[-1][2])])])
