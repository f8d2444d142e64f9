"""The grammar of programs about one robot: what a model is held to while it writes.

Lists are those that there are. Strings are free, and so are the names of functions: a thing, a deed or a property that
is not there can be named, and is then said to be missing. A grammar of the functions that there are would turn every
deed that this robot cannot do into one that it can. `say`, `ask`, `note`, `cannot`, `unclear` and the others can always
be written. A program ends with an empty line.

It is light: it keeps the form, not which function takes what; what a program comes to is for the one
who runs it to say. Not covered: functions of one's own, dictionaries, more than two levels of indentation.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from thinkaloud.calls import BUILTINS
from thinkaloud.models import grammar as gbnf
from thinkaloud.understand.language import ALWAYS
from thinkaloud.understand.lexicon import Lexicon
from thinkaloud.words import singular

_OPERATORS = (
    *(" and ", " or ", " == ", " != ", " <= ", " >= ", " < ", " > ", " in ", " not in "),
    *(" + ", " - ", " * ", " / ", " // ", " % "),
)
_SPELLABLE = re.compile(r"[A-Za-z_]\w*", re.ASCII)


def program_grammar(lexicon: Lexicon) -> str:
    """The grammar of the programs that can be written about this robot, in GBNF."""
    names = [*lexicon.named, *_variables(lexicon), "True", "False", "None"]
    keywords = ["key", "reverse", "default", *_parameters(lexicon), *(["no", "exactly"] if lexicon.guidelines else [])]
    rules = {
        "line": 'simple "\\n" | "if " expr ":\\n" body other | loop ":\\n" body',
        "other": '("elif " expr ":\\n" body)* ("else:\\n" body)?',
        "body": "inner+",
        "inner": '"    " (simple "\\n" | "if " expr ":\\n" deep ("    else:\\n" deep)? | loop ":\\n" deep)',
        "deep": '("        " simple "\\n")+',
        "loop": '"for " variable " in " expr',
        "simple": '(variable " = " expr) | call',
        "call": 'called "(" (argument (", " argument)*)? ")"',
        "called": "[a-z] [a-zA-Z0-9_]*",
        "argument": '(expr each?) | "key=" (function | "lambda " variable ": " expr) | keyword "=" expr',
        "expr": "term (operator term)*",
        "operator": gbnf.one_of(_OPERATORS),
        "term": '"not "* (string | number | call part* | name part* | list part* | "(" expr ("," " " expr)* ")")',
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
