"""The grammars of model-written programs, for the things and the skills at hand.

`plain`: calls with names, as the paper's listings have them. `asking`: the same calls, with questions to the state in
the place of names. What a model without a grammar writes may be any program of the sandbox's language.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from thinkaloud.models import grammar as gbnf
from thinkaloud.plan.program import PICK_AND_PLACE, PUT
from thinkaloud.signatures import Parameter
from thinkaloud.skills import Skill, Vocabulary

MOST_CALLS = 8
END = "\n#"
"""What follows a program in every prompt, and so tells that it is over."""
_TEXT = r'[^"\\\n]{1,120}'
_STATES = ("dirty", "clean", "unknown", "empty", "full", "covered", "clear", "stacked", "on the table", "hidden")


def plain(skills: Mapping[str, Skill], vocabulary: Vocabulary, *, notes: bool, thoughts: int = 0) -> str:
    """Calls or an answer; with `notes`, whatever changes the world is followed by a note.

    `thoughts` is how many numbered lines the model has to think aloud before.
    """
    calls = gbnf.separated(_calls(skills, vocabulary), "\n", most=MOST_CALLS)
    say, note = _quoted("say", _TEXT), _quoted("update_wm", _TEXT)
    bodies = (
        [gbnf.sequence(calls, gbnf.literal("\n"), note), say, note] if notes else [calls, say, gbnf.literal("noop()")]
    )
    numbered = (part for i in range(thoughts) for part in (gbnf.literal(f"# {i + 1}. "), _TEXT, gbnf.literal("\n")))
    return gbnf.grammar(gbnf.sequence(*numbered, gbnf.choice(bodies), gbnf.literal(END)))


def asking(skills: Mapping[str, Skill], vocabulary: Vocabulary, objects: Iterable[str]) -> str:
    """One to three calls; where plain code names a thing, a question to the state may stand."""
    names, (movable, targets) = list(objects), _put(skills, vocabulary)
    rules = {
        "name": gbnf.one_of(f'"{name}"' for name in names),
        "movable": gbnf.one_of(f'"{name}"' for name in movable or names),
        "place": gbnf.one_of(f'"{name}"' for name in dict.fromkeys((*names, *targets))),
        "word": gbnf.one_of(f'"{word}"' for word in _STATES),
        "names": '"[" movable (", " movable){1,7} "]"',
        "which": '"is_=" word',
        "set": (
            '"blocks(" which? ")" | "bowls(" which? ")" | "cups(" which? ")" | "objects()" | "inside(" one ")" | '
            '"above(" one ")" | "below(" one ")" | "moved()" | "never_moved()" | names | '
            '"balance(" one ", " one (", times=" number)? (", more=True")? ")"'
        ),
        "one": "name | found",
        "found": (
            '"on(" one ")" | "under(" one ")" | "container(" one ")" | "cover(" one ")" | "top(" one ")" | '
            '"bottom(" one ")" | "was(" one ")" | "last_moved()" | "first_moved()" | "heaviest(" set ")" | '
            '"lightest(" set ")"'
        ),
        "item": "set | one",
        "what": "movable | set | found",
        "goal": 'place | "bowls(" which ")" | "on(" one ")" | "under(" one ")" | "top(" one ")" | "container(" one ")"'
        ' | "was(" one ")" | "heaviest(" set ")" | "lightest(" set ")" | "last_moved()"',
        "number": '[1-9] ("/" [2-9])?',
        "value": (
            '"len(" item ")" | "higher(" one ", " one ")" | "is_(" one ", " word ")" | "empty(" one ")" | '
            '"heavier(" one ", " one ")" | "lighter(" one ", " one ")" | "same_weight(" one ", " one ")" | '
            '"ratio(" one ", " one ")" | "weight(" one ")" | "total(" one ")" | "level(" one ")" | "moves(" one ")" | '
            '"colour(" one ")" | "colours(" item ")" | "where(" one ")" | "attribute(" one ")" | '
            'name " in " set | one (" == " | " != ") place'
        ),
        "call": (
            f'"{PUT}(" what ", " goal ")" | "say(" (value | item | "\\"" {_TEXT} "\\"") ")" | '
            '"mark(" what ", " word ")" | "placed(" what ", " goal ")" | '
            f'"weighs(" movable ", " number ", " (movable | names) ")" | "noop()" | {_quoted("update_wm", _TEXT)}'
        ),
    }
    others = [skill for name, skill in skills.items() if name != PICK_AND_PLACE]
    if others:
        rules["call"] += f" | {_calls({skill.name: skill for skill in others}, vocabulary)}"
    return gbnf.grammar(f"{gbnf.separated('call', chr(10), most=3)} {gbnf.literal(END)}", rules)


def _put(skills: Mapping[str, Skill], vocabulary: Vocabulary) -> tuple[Sequence[str], Sequence[str]]:
    """What can be put somewhere, and where."""
    if PICK_AND_PLACE not in skills:
        return (), ()
    first, second = (p.options(vocabulary) or () for p in skills[PICK_AND_PLACE].signature.parameters[:2])
    return first, second


def _calls(skills: Mapping[str, Skill], vocabulary: Vocabulary) -> str:
    """A call of any skill, with things that are here, and never with the same thing twice where that makes no sense."""
    calls = []
    for skill in skills.values():
        signature = skill.signature
        if any(p.options(vocabulary) == () for p in signature.parameters):
            continue
        head, first = gbnf.literal(_name(skill) + "("), signature.parameters[:1]
        if len(signature.parameters) > 1 and first[0].name in signature.distinct and first[0].options(vocabulary):
            each = [
                gbnf.sequence(gbnf.literal(f'"{name}", '), *_arguments(signature.parameters[1:], vocabulary, name))
                for name in first[0].options(vocabulary) or ()
            ]
            calls.append(gbnf.sequence(head, gbnf.choice(each), '")"'))
        else:
            calls.append(gbnf.sequence(head, *_arguments(signature.parameters, vocabulary), '")"'))
    return gbnf.choice(calls)


def _name(skill: Skill) -> str:
    return PUT if skill.name == PICK_AND_PLACE else skill.name


def _arguments(parameters: Iterable[Parameter], vocabulary: Vocabulary, without: str = "") -> list[str]:
    parts: list[str] = []
    for p in parameters:
        quote = gbnf.literal('"') if p.type is str else ""
        free = p.type is str and p.options(vocabulary) is None
        parts += [gbnf.literal(", ")] if parts else []
        parts += [
            part for part in (quote, _TEXT if free else p.expression(vocabulary, without=(without,)), quote) if part
        ]
    return parts


def _quoted(function: str, text: str) -> str:
    return gbnf.sequence(gbnf.literal(f'{function}("'), text, gbnf.literal('")'))
