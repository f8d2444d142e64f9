"""The grammar of programs that ask the state: plain calls, with questions to the state in the place of names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from thinkaloud.calls import FREE_TEXT, call_grammar
from thinkaloud.models import grammar as gbnf
from thinkaloud.plan.programs.grammar import PROGRAM_END, text_call
from thinkaloud.skills import Skill, Vocabulary
from thinkaloud.state.edit import is_container
from thinkaloud.worlds.lessons import Lesson

_RELATED = (
    '"on(" ONE ")" | "under(" ONE ")" | "container(" ONE ")" | "cover(" ONE ")" | "top(" ONE ")" | "bottom(" ONE ")" | '
    '"was(" ONE ")"'
)
_SINGLED = '"last_moved()" | "first_moved()" | "heaviest(" several ")" | "lightest(" several ")"'
_STATES = ("dirty", "clean", "unknown", "empty", "full", "covered", "clear", "stacked", "on the table", "hidden")


def query_grammar(
    skills: Mapping[str, Skill],
    vocabulary: Vocabulary,
    lesson: Lesson,
    objects: Sequence[str],
    mentioned: Sequence[str] = (),
) -> str:
    """One to three calls; where plain code names a thing, a question to the state may stand.

    Only what is `mentioned` in the query may be named in the program (anything, if that is nothing): whatever else a
    query means has to be found by a question.
    """
    names = list(mentioned) or list(objects)
    can_move, targets = _put(skills, vocabulary, lesson)
    movable = [name for name in names if name in (can_move or objects)]
    places = [*dict.fromkeys([*names, *(target for target in targets if target not in objects)])]
    kinds = "".join(f'"{kind}s(" which? ")" | ' for kind in lesson.kinds)
    containers = "".join(f'"{kind}s(" which ")" | ' for kind in lesson.kinds if is_container(kind))
    rules = {
        "name": _literals(names),
        "movable": _literals(movable),
        "place": _literals(places),
        "word": _literals(_STATES),
        "which": '"is_=" word',
        "set": (
            f'{kinds}"objects()" | "inside(" near ")" | '
            '"above(" near ")" | "below(" near ")" | "moved()" | "never_moved()" | '
            '"balance(" name ", " name (", times=" number)? (", more=True")? ")"'
        ),
        "one": "name | found",
        "found": f"{_RELATED.replace('ONE', 'near')} | {_SINGLED}",
        "near": f"name | {_RELATED.replace('ONE', 'name')} | {_SINGLED}",  # a question of a question, and no deeper
        "several": "set | names",
        "item": "several | one",
        "what": "movable | several | found" if movable else "set | found",
        "sought": f'{containers}"on(" one ")" | "under(" one ")" | "top(" one ")" | "container(" one ")" | '
        '"was(" one ")" | "heaviest(" several ")" | "lightest(" several ")" | "last_moved()"',
        "number": '[1-9] ("/" [2-9])?',
        "value": (
            '"len(" item ")" | "higher(" one ", " one ")" | "is_(" one ", " word ")" | "empty(" one ")" | '
            '"heavier(" one ", " one ")" | "lighter(" one ", " one ")" | "same_weight(" one ", " one ")" | '
            '"ratio(" one ", " one ")" | "weight(" one ")" | "total(" one ")" | "level(" one ")" | "moves(" one ")" | '
            '"colour(" one ")" | "colours(" item ")" | "where(" one ")" | "attribute(" one ")" | '
            'name " in " set | one (" == " | " != ") place'
        ),
        "put": _different(movable, places),
        "call": (
            (f'"{lesson.function_of(lesson.skill)}(" put ")" | ' if lesson.skill in skills else "")
            + f'"say(" (value | item | "\\"" {FREE_TEXT} "\\"") ")" | "mark(" what ", " word ")" | '
            f'"placed(" put ")" | "noop()" | {text_call("update_wm")}'
        ),
    }
    _in_order(rules, "names", movable if len(movable) > 1 else names)
    if len(movable) > 1:
        weighings = (
            gbnf.sequence(gbnf.literal(f'"{thing}", '), 'number ", "', f"({_literals(others)} | names)")
            for thing in movable
            if (others := [other for other in movable if other != thing])
        )
        rules["call"] += f' | "weighs(" {gbnf.choice(weighings)} ")"'
    if more := {name: skill for name, skill in skills.items() if name != lesson.skill}:
        rules["call"] += f" | {call_grammar(more, vocabulary)}"
    return gbnf.grammar(f"{gbnf.separated('call', chr(10), most=3)} {gbnf.literal(PROGRAM_END)}", rules)


def _literals(names: Iterable[str]) -> str:
    return gbnf.one_of([f'"{name}"' for name in names] or ['""'])


def _different(movable: Sequence[str], places: Sequence[str]) -> str:
    """Something, and where it is put; not on itself."""
    each = []
    for thing in movable:
        others = [place for place in places if place != thing]
        each.append(
            gbnf.sequence(gbnf.literal(f'"{thing}", '), f"({_literals(others)} | sought)" if others else "sought")
        )
    return gbnf.choice([*each, f'({"several" if movable else "set"} | found) ", " (place | sought)'])


def _in_order(rules: dict[str, str], name: str, items: Sequence[str]) -> None:
    """A list of some of the items, in their order, each at most once."""
    for at, item in enumerate(items):
        literal = gbnf.literal(f'"{item}"')
        rules[f"{name}-{at}"] = f"{literal} {name}-more-{at + 1} | {name}-{at + 1}"
        rules[f"{name}-more-{at}"] = f'", " {literal} {name}-more-{at + 1} | {name}-more-{at + 1}'
    rules[f"{name}-{len(items)}"] = rules[f"{name}-more-{len(items)}"] = '""'
    rules[name] = f'"[" {name}-0 "]"'


def _put(skills: Mapping[str, Skill], vocabulary: Vocabulary, lesson: Lesson) -> tuple[Sequence[str], Sequence[str]]:
    """What can be put somewhere, and where."""
    if lesson.skill not in skills:
        return (), ()
    first, second = (p.options(vocabulary) or () for p in skills[lesson.skill].signature.parameters[:2])
    return first, second
