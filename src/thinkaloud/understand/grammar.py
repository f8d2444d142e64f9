"""The grammar of programs about one robot: what a model is held to while it writes.

Functions and lists are those that there are; strings are free, so that what is not there can be named (and is then said
to be missing). No skill has to be called: `say`, `ask`, `note`, `cannot`, `unclear` and the others can always be
written instead. A program ends with an empty line.

It is light: it keeps the form and the names of functions, not what they take; what a program comes to is for the one
who runs it to say. Not covered: functions of one's own, dictionaries, more than two levels of indentation.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from thinkaloud.models import grammar as gbnf
from thinkaloud.understand import language as words
from thinkaloud.understand.language import spelled
from thinkaloud.understand.lexicon import Lexicon
from thinkaloud.words import singular

_ASKED = (words.BEFORE, words.AT_START, words.DONE, words.TODO, words.WHY)
"""Those of our functions that give a value; all others are statements."""
_BUILTINS = ("len", "any", "all", "sum", "min", "max", "sorted", "abs", "round", "range", "list", "set", "reversed")
_OPERATORS = (
    *(" and ", " or ", " == ", " != ", " <= ", " >= ", " < ", " > ", " in ", " not in "),
    *(" + ", " - ", " * ", " / ", " // ", " % "),
)
_SPELLABLE = re.compile(r"[A-Za-z_]\w*", re.ASCII)


def program_grammar(lexicon: Lexicon) -> str:
    """The grammar of the programs that can be written about this robot, in GBNF."""
    asked = [spelled(name, lexicon) for name in _ASKED]
    stated = [spelled(name, lexicon) for name in words.ALWAYS if name not in _ASKED]
    told = [*lexicon.relations, *lexicon.measures, *asked, *_BUILTINS]
    names = [*lexicon.kinds, *_variables(lexicon), "True", "False", "None"]
    keywords = ["key", "reverse", "default", *_parameters(lexicon)]
    rules = {
        "line": 'simple "\\n" | "if " expr ":\\n" body other | loop ":\\n" body',
        "other": '("elif " expr ":\\n" body)* ("else:\\n" body)?',
        "body": "inner+",
        "inner": '"    " (simple "\\n" | "if " expr ":\\n" deep ("    else:\\n" deep)? | loop ":\\n" deep)',
        "deep": '("        " simple "\\n")+',
        "loop": '"for " variable " in " expr',
        "simple": '(variable " = " expr) | deed',
        "deed": _call_of([*stated, *lexicon.skills]),
        "call": _call_of(told),
        "argument": '(expr each?) | "key=" (function | "lambda " variable ": " expr) | keyword "=" expr',
        "expr": "term (operator term)*",
        "operator": gbnf.one_of(_OPERATORS),
        "term": '"not "* (string | number | call part* | name part* | list part* | "(" expr ("," " " expr)* ")")',
        "part": '"[" (expr? ":" expr? | expr) "]"',
        "list": '"[" (expr (each | (", " expr)*))? "]"',
        "each": '(" for " variable " in " expr)+ (" if " expr)*',
        "function": gbnf.one_of(_spelled(told)),
        "keyword": gbnf.one_of(_spelled(keywords)),
        "name": gbnf.choice([gbnf.one_of(_spelled(names)), "[a-z] [0-9]?"]),
        "variable": gbnf.choice([*map(gbnf.literal, _spelled(_variables(lexicon))), "[a-z] [0-9]?"]),
        "string": r'"\"" ([^"\\\n] | "\\" ["\\])* "\""',
        "number": gbnf.NUMBER,
    }
    return gbnf.grammar('line+ "\\n"', rules)


def _call_of(names: Iterable[str]) -> str:
    """A call of one of these functions."""
    return f'{gbnf.one_of(_spelled(names))} "(" (argument (", " argument)*)? ")"'


def _variables(lexicon: Lexicon) -> list[str]:
    """What loops may call what they go through: `cup` for one of the `cups`, and what the parameters are called."""
    taken = {*lexicon.kinds, *lexicon.relations, *lexicon.measures, *lexicon.skills, *words.ALWAYS, *_BUILTINS}
    wanted = [*map(singular, lexicon.kinds), *_parameters(lexicon), "thing"]
    return [name for name in dict.fromkeys(wanted) if name not in taken]


def _parameters(lexicon: Lexicon) -> list[str]:
    known = (*lexicon.skills.values(), *lexicon.relations.values(), *lexicon.measures.values())
    return list(dict.fromkeys(p.name for signature in known for p in signature.parameters))


def _spelled(names: Iterable[str]) -> list[str]:
    """The names that a program can spell."""
    return [name for name in dict.fromkeys(names) if _SPELLABLE.fullmatch(name)]
