"""The grammar of short programs, the language of a model that was trained in it.

    put(blocks("dirty"), "disinfector")
    say(heavier("red block", on("white bowl")))
    if is_("red block", "clean"): put("red block", bowls("empty"))

Commands, and expressions of five types: one thing, several things, a number, a truth, a text. What can be named is what
the query names; everything else has to be found by a question to the state.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from thinkaloud.calls import call_grammar
from thinkaloud.models import grammar as gbnf
from thinkaloud.names import things_told_apart
from thinkaloud.plan.programs.grammar import PROGRAM_END
from thinkaloud.skills import Skill, Vocabulary
from thinkaloud.state.edit import noun
from thinkaloud.worlds.lessons import Lesson

_MOST_LINES = 4
_PLACES = ("table",)
_WORDS = (
    "dirty", "clean", "unknown", "empty", "full", "covered", "clear", "stacked", "on the table", "hidden", "outside",
    "not hidden", "not outside", "not unknown",
)  # fmt: skip
"""What can be true of a thing. `outside` is what is in no container, `clear` what has nothing on it."""
_UNKNOWN = '"I do not know."'
"""What is said to questions that are not about the state; every other answer is worked out."""

_RULES = {  # KINDS: the functions for kinds that have one of their own
    "word": gbnf.one_of(f'"{word}"' for word in _WORDS),
    "nth": "[2-9]",
    "amount": '[1-9] [0-9]? ("." [0-9] | "/" [1-9])?',
    "such": 'word (", " item)? | item',
    "one": "name | found | set",  # a description that fits one thing alone may be a question for several
    "found": (
        '("on" | "under" | "top" | "bottom" | "container" | "cover" | "was" | "started" | "other") "(" one ")" | '
        '("last_moved" | "first_moved") "(" nth? ")" | ("heaviest" | "lightest") "(" item (", " nth)? ")" | '
        '"it()" | "there()"'
    ),
    "set": (
        '(KINDS "loose") "(" such? ")" | "things(" kind (", " such)? ")" | "objects()" | '
        '("inside" | "above" | "below" | "pile" | "touching" | "was_in" | "as_heavy" | "heavier_than" | '
        '"lighter_than") "(" one ")" | "but(" item (", " item)? ")" | ("highest" | "lowest") "(" item? ")" | '
        '("most" | "fewest") "(" item ")" | "ranked(" item (", \\"heaviest\\"")? ")" | "ever(" word ")" | '
        '("others" | "them" | "tallest" | "moved" | "never_moved") "()"'
    ),
    "item": "one | names",
    "number": (
        '"len(" item ")" | ("level" | "weight" | "moves") "(" one ")" | "total(" item ")" | "ratio(" item ", " item ")"'
        ' | "all_moves()"'
    ),
    "sum": 'number (" - " number)?',
    "compared": '" == " | " != " | " > " | " < " | " >= " | " <= "',
    "truth": (
        '("higher" | "heavier" | "lighter" | "same_weight") "(" item ", " item ")" | '
        '("is_" | "was_ever") "(" one ", " word ")" | "every(" item ", " word ")" | "any(" item ")" | '
        '"empty(" one ")" | one (" in " | " not in ") item | one (" == " | " != ") (one | place) | '
        "number compared (number | amount)"
    ),
    "truths": 'truth ((" and " | " or ") truth)? | "not " truth',
    "text": '"colour(" one ")" | "colours(" item ")" | "where(" one ")" | "attribute(" one ")" | "why(" one ")"',
    "answer": f"truths | sum | text | item | {gbnf.literal(_UNKNOWN)}",
    "target": "place | found | set",
    "weighed": 'amount (", " item)? | "\\"" [<>] "\\", " item',
}


def short_program_grammar(
    skills: Mapping[str, Skill], vocabulary: Vocabulary, lesson: Lesson, objects: Sequence[str], query: str
) -> str:
    """The grammar of the short programs for a query about these objects."""
    named = things_told_apart(query, objects, misspelt=True) or objects
    known = tuple((kind, tuple(options)) for kind, options in vocabulary.items())
    nouns = tuple(dict.fromkeys([noun(name) for name in objects] or [""]))
    return _short_grammar(tuple(skills.values()), known, lesson.skill, lesson.kinds, tuple(named), nouns)


@lru_cache(maxsize=16)
def _short_grammar(
    skills: tuple[Skill, ...],
    vocabulary: tuple[tuple[str, tuple[str, ...]], ...],
    mover: str,
    kinds: tuple[str, ...],
    names: tuple[str, ...],
    nouns: tuple[str, ...],
) -> str:
    """The grammar for what is at hand; `names` are those that may be written, `kinds` have a function of their own."""
    moving = any(skill.name == mover for skill in skills)
    puts = ['"put(" item ", " target ")"', '"swap(" one ", " one ")"', '"stack(" item (", " one)? ")"', '"undo()"']
    puts.append('"match(" one ", " one (", " (amount | "\\"" [<>] "\\""))? ")"')
    calls = [*(puts if moving else []), '"say(" answer ")"', '"mark(" item ", " word ")"', '"noop()"']
    calls += ['"placed(" item ", " target (", " word)? ")"', '"weighs(" one ", " weighed ")"']
    others = {skill.name: skill for skill in skills if skill.name != mover}
    if others:
        calls.append(call_grammar(others, dict(vocabulary)))
    rules = {
        "line": 'call | "if " truths ": " call ("\\nelse: " call)?',
        "call": " | ".join(calls),
        "name": gbnf.one_of(f'"{name}"' for name in names),
        "names": f'"[" name (", " name){{1,{max(len(names) - 1, 1)}}} "]"',
        "place": gbnf.one_of(f'"{place}"' for place in dict.fromkeys([*names, *_PLACES])),
        "kind": gbnf.one_of(f'"{each}"' for each in nouns),
        **_RULES,
        "set": _RULES["set"].replace("KINDS ", "".join(f'"{kind}s" | ' for kind in kinds)),
    }
    return gbnf.grammar(f"{gbnf.separated('line', chr(10), most=_MOST_LINES)} {gbnf.literal(PROGRAM_END)}", rules)
