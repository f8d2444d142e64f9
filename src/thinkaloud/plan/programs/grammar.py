"""The grammars of model-written programs, for the things and the skills at hand.

`plain`: calls with names, as the paper's listings have them. `asking`: the same calls, with questions to the state in
the place of names. What a model without a grammar writes may be any program of the sandbox's language.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from thinkaloud.calls import FREE_TEXT, call_grammar
from thinkaloud.models import grammar as gbnf
from thinkaloud.names import things_told_apart
from thinkaloud.plan.programs.program import PICK_AND_PLACE, PUT
from thinkaloud.skills import Skill, Vocabulary

MOST_CALLS = 8
END = "\n#"
"""What follows a program in every prompt, and so tells that it is over."""
_TEXT = FREE_TEXT
_RELATED = (
    '"on(" ONE ")" | "under(" ONE ")" | "container(" ONE ")" | "cover(" ONE ")" | "top(" ONE ")" | "bottom(" ONE ")" | '
    '"was(" ONE ")"'
)
_SINGLED = '"last_moved()" | "first_moved()" | "heaviest(" several ")" | "lightest(" several ")"'
_STATES = ("dirty", "clean", "unknown", "empty", "full", "covered", "clear", "stacked", "on the table", "hidden")


def plain(
    skills: Mapping[str, Skill], vocabulary: Vocabulary, *, notes: bool, thoughts: int = 0, most: int = MOST_CALLS
) -> str:
    """At most so many calls, or an answer; with `notes`, whatever changes the world is followed by a note.

    `thoughts` is how many numbered lines the model has to think aloud before.
    """
    calls = gbnf.separated(a_call(skills, vocabulary), "\n", most=most)
    say, note = _quoted("say", _TEXT), _quoted("update_wm", _TEXT)
    bodies = (
        [gbnf.sequence(calls, gbnf.literal("\n"), note), say, note] if notes else [calls, say, gbnf.literal("noop()")]
    )
    numbered = (part for i in range(thoughts) for part in (gbnf.literal(f"# {i + 1}. "), _TEXT, gbnf.literal("\n")))
    return gbnf.grammar(gbnf.sequence(*numbered, gbnf.choice(bodies), gbnf.literal(END)))


def asking(
    skills: Mapping[str, Skill], vocabulary: Vocabulary, objects: Sequence[str], named: Sequence[str] = ()
) -> str:
    """One to three calls; where plain code names a thing, a question to the state may stand.

    Only what is `named` in the query may be named in the program (anything, if that is nothing): whatever else a query
    means has to be found by a question.
    """
    names = list(named) or list(objects)
    can_move, targets = _put(skills, vocabulary)
    movable = [name for name in names if name in (can_move or objects)]
    places = [*dict.fromkeys([*names, *(target for target in targets if target not in objects)])]
    rules = {
        "name": _literals(names),
        "movable": _literals(movable),
        "place": _literals(places),
        "word": _literals(_STATES),
        "which": '"is_=" word',
        "set": (
            '"blocks(" which? ")" | "bowls(" which? ")" | "cups(" which? ")" | "objects()" | "inside(" near ")" | '
            '"above(" near ")" | "below(" near ")" | "moved()" | "never_moved()" | '
            '"balance(" name ", " name (", times=" number)? (", more=True")? ")"'
        ),
        "one": "name | found",
        "found": f"{_RELATED.replace('ONE', 'near')} | {_SINGLED}",
        "near": f"name | {_RELATED.replace('ONE', 'name')} | {_SINGLED}",  # a question of a question, and no deeper
        "several": "set | names",
        "item": "several | one",
        "what": "movable | several | found" if movable else "set | found",
        "sought": '"bowls(" which ")" | "on(" one ")" | "under(" one ")" | "top(" one ")" | "container(" one ")" | '
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
            (f'"{PUT}(" put ")" | ' if PICK_AND_PLACE in skills else "")
            + f'"say(" (value | item | "\\"" {_TEXT} "\\"") ")" | "mark(" what ", " word ")" | '
            f'"placed(" put ")" | "noop()" | {_quoted("update_wm", _TEXT)}'
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
    if more := {name: skill for name, skill in skills.items() if name != PICK_AND_PLACE}:
        rules["call"] += f" | {a_call(more, vocabulary)}"
    return gbnf.grammar(f"{gbnf.separated('call', chr(10), most=3)} {gbnf.literal(END)}", rules)


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


def mentioned(query: str, objects: Sequence[str]) -> list[str]:
    """The things that a query names, in its order: by their names, by what sets them apart from others of their kind
    ("the red and the blue block"), or by a kind of which there is only one."""
    return things_told_apart(query, objects)


def _put(skills: Mapping[str, Skill], vocabulary: Vocabulary) -> tuple[Sequence[str], Sequence[str]]:
    """What can be put somewhere, and where."""
    if PICK_AND_PLACE not in skills:
        return (), ()
    first, second = (p.options(vocabulary) or () for p in skills[PICK_AND_PLACE].signature.parameters[:2])
    return first, second


def a_call(skills: Mapping[str, Skill], vocabulary: Vocabulary) -> str:
    """A call of any skill, as programs name them."""
    return call_grammar(skills, vocabulary, name=_name)


def _name(skill: Skill) -> str:
    return PUT if skill.name == PICK_AND_PLACE else skill.name


def _quoted(function: str, text: str) -> str:
    return gbnf.sequence(gbnf.literal(f'{function}("'), text, gbnf.literal('")'))
