"""The grammar of programs about one robot: what a model is held to while it writes.

Lists are those that there are. Strings are free, and so are the names of deeds: a thing or a deed that is not there can
be named, and is then said to be missing. A grammar of the deeds that there are would turn every one that this robot
cannot do into one that it can. What only tells something is held to what there is: that a robot cannot tell something
is said with `cannot`, and a made-up name in the middle of a program was always a slip. `say`, `ask`, `note`, `cannot`,
`unclear` and the others can always be written. A program ends with an empty line.

It is light: it keeps the form, not which function takes what; what a program comes to is for the one
who runs it to say. Not covered: functions of one's own, dictionaries, more than two levels of indentation.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from thinkaloud.language.calls import BUILTINS
from thinkaloud.language.words import singular
from thinkaloud.models import grammar as gbnf
from thinkaloud.understand.language import (
    ABILITIES,
    ABOVE,
    ALLOW,
    ALWAYS,
    AMOUNT,
    AT_START,
    BEFORE,
    CLOCK,
    DONE,
    FORGET,
    FORMS,
    NEVER,
    ONCE,
    RULES,
    TODO,
    UNTIL,
    WHEN,
    WHENEVER,
    WHY,
    spelled,
)
from thinkaloud.understand.lexicon import Lexicon, one_of

_OPERATORS = (
    *(" and ", " or ", " == ", " != ", " <= ", " >= ", " < ", " > ", " in ", " not in "),
    *(" + ", " - ", " * ", " / ", " // ", " % "),
)
_TELLING = (BEFORE, AT_START, DONE, TODO, WHY, ABILITIES, WHEN, RULES, CLOCK, *FORMS)
_SPELLABLE = re.compile(r"[A-Za-z_]\w*", re.ASCII)


def program_grammar(lexicon: Lexicon) -> str:
    """The grammar of the programs that can be written about this robot, in GBNF."""
    names = [*lexicon.named, *_variables(lexicon), "True", "False", "None"]
    keywords = [
        "key",
        "reverse",
        "default",
        "n",
        *_parameters(lexicon),
        *(["no", "exactly"] if lexicon.guidelines else []),
    ]
    rules = {
        "line": 'simple "\\n" | "if " expr ":\\n" body other | loop ":\\n" body',
        "other": '("elif " expr ":\\n" body)* ("else:\\n" body)?',
        "body": "inner+",
        "inner": '"    " (simple "\\n" | "if " expr ":\\n" deep ("    else:\\n" deep)? | loop ":\\n" deep)',
        "deep": '("        " simple "\\n")+',
        "loop": '"for " variable " in " expr',
        "simple": '(variable " = " expr) | rule | standing | call',
        "rule": f'{_ours(lexicon, NEVER, ALLOW, FORGET)} "(" call more* ")"',
        "standing": f'{_ours(lexicon, WHENEVER, ONCE)} "(" expr (", " call)+ ")"',
        "more": f'", " {gbnf.one_of([f"{ABOVE}=", f"{UNTIL}="])} expr',
        "call": "called given",
        "called": "[a-z] [a-zA-Z0-9_]*",
        "given": '"(" (argument (", " argument)*)? ")"',
        "telling": gbnf.one_of(_spelled(_telling(lexicon))),
        "argument": '(expr each?) | "key=" (function | "lambda " variable ": " expr) | keyword "=" expr',
        "expr": "term (operator term)*",
        "operator": gbnf.one_of(_OPERATORS),
        "term": '"not "* (string | number | value part* | "(" expr ("," " " expr)* ")")',
        "value": f'telling given | {_ours(lexicon, AMOUNT)} "(" expr ", " string ")" | recalled | name | list',
        "recalled": f'{_ours(lexicon, WHY, WHEN, DONE)} "(" call ")"',
        "part": '"[" (expr? ":" expr? | expr) "]"',
        "list": '"[" (expr (each | (", " expr)*))? "]"',
        "each": '(" for " variable " in " expr)+ (" if " expr)*',
        "function": gbnf.one_of(_spelled([*lexicon.measures, *lexicon.relations, "len"])),
        "keyword": gbnf.one_of(_spelled(keywords)),
        "name": gbnf.choice([gbnf.one_of(_spelled(names)), "[a-z] [0-9]?"]),
        "variable": gbnf.choice([*map(gbnf.literal, _spelled(_variables(lexicon))), "[a-z] [0-9]?"]),
        "string": r'"\"" ([^"\\\n] | "\\" ["\\])* "\""',
        "number": gbnf.NUMBER,
    }
    return gbnf.grammar('line+ "\\n"', rules)


def _ours(lexicon: Lexicon, *words: str) -> str:
    return gbnf.one_of([spelled(word, lexicon) for word in words])


def _telling(lexicon: Lexicon) -> list[str]:
    """What can be called for what it tells: relations and values, whether something is of a kind, and what is ours."""
    kinds = (one_of(name).replace(" ", "_") for name in lexicon.named)
    ours = (spelled(name, lexicon) for name in _TELLING)
    return [*lexicon.relations, *lexicon.measures, *kinds, *ours, *sorted(BUILTINS)]


def _variables(lexicon: Lexicon) -> list[str]:
    """What loops may call what they go through: `cup` for one of the `cups`, and what the parameters are called."""
    taken = {*lexicon.named, *lexicon.relations, *lexicon.measures, *lexicon.skills, *ALWAYS, *BUILTINS}
    wanted = [*map(singular, lexicon.kinds), *_parameters(lexicon), "thing"]
    return [name for name in dict.fromkeys(wanted) if name not in taken]


def _parameters(lexicon: Lexicon) -> list[str]:
    known = (*lexicon.skills.values(), *lexicon.relations.values(), *lexicon.measures.values())
    return list(dict.fromkeys(p.name for signature in known for p in signature.parameters))


def _spelled(names: Iterable[str]) -> list[str]:
    """The names that a program can spell."""
    return [name for name in dict.fromkeys(names) if _SPELLABLE.fullmatch(name)]
