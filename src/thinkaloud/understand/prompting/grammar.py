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

from collections.abc import Iterable

from thinkaloud.language.calls import BUILTINS
from thinkaloud.language.words import singular
from thinkaloud.models import grammar as gbnf
from thinkaloud.program import words
from thinkaloud.program.lexicon import Lexicon

_OPERATORS = (
    *(" and ", " or ", " == ", " != ", " <= ", " >= ", " < ", " > ", " in ", " not in "),
    *(" + ", " - ", " * ", " / ", " // ", " % "),
)
_TELLING = (
    *(words.BEFORE, words.AT_START, words.DONE, words.TODO, words.WHY, words.ABILITIES, words.WHEN, words.RULES),
    *(words.CLOCK, *words.FORMS),
)


def program_grammar(lexicon: Lexicon) -> str:
    """The grammar of the programs that can be written about this robot, in GBNF."""
    names = [*lexicon.named, *_variables(lexicon), "True", "False", "None"]
    ordering = ["no", "exactly"] if lexicon.guidelines else []
    keywords = ["key", "reverse", "default", "n", *_parameters(lexicon), *ordering]
    rules = {
        "line": 'simple "\\n" | "if " expr ":\\n" body other | loop ":\\n" body',
        "other": '("elif " expr ":\\n" body)* ("else:\\n" body)?',
        "body": "inner+",
        "inner": '"    " (simple "\\n" | "if " expr ":\\n" deep ("    else:\\n" deep)? | loop ":\\n" deep)',
        "deep": '("        " simple "\\n")+',
        "loop": '"for " variable " in " expr',
        "simple": '(variable " = " expr) | rule | standing | call',
        "rule": f'{_ours(lexicon, words.NEVER, words.ALLOW, words.FORGET)} "(" call more* ")"',
        "standing": f'{_ours(lexicon, words.WHENEVER, words.ONCE)} "(" expr (", " call)+ ")"',
        "more": f'", " {gbnf.one_of([f"{words.ABOVE}=", f"{words.UNTIL}="])} expr',
        "call": "called given",
        "called": gbnf.choice(["[a-z] [a-zA-Z0-9_]*", *map(gbnf.literal, _beyond_ascii(lexicon))]),
        "given": '"(" (argument (", " argument)*)? ")"',
        "telling": gbnf.one_of(_spelled(_telling(lexicon))),
        "argument": '(expr each?) | "key=" (function | "lambda " variable ": " expr) | keyword "=" expr',
        "expr": "term (operator term)*",
        "operator": gbnf.one_of(_OPERATORS),
        "term": '"not "* (string | number | value part* | "(" expr ("," " " expr)* ")")',
        "value": f'telling given | {_ours(lexicon, words.AMOUNT)} "(" expr ", " string ")" | recalled | name | list',
        "recalled": f'{_ours(lexicon, words.WHY, words.WHEN, words.DONE)} "(" call ")"',
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


def _ours(lexicon: Lexicon, *ours: str) -> str:
    return gbnf.one_of([words.spelled(word, lexicon) for word in ours])


def _telling(lexicon: Lexicon) -> list[str]:
    """What can be called for what it tells: relations and values, whether something is of a kind, and what is ours."""
    ours = (words.spelled(name, lexicon) for name in _TELLING)
    return [*lexicon.relations, *lexicon.measures, *lexicon.kind_tests, *ours, *sorted(BUILTINS)]


def _variables(lexicon: Lexicon) -> list[str]:
    """What loops may call what they go through: `cup` for one of the `cups`, and what the parameters are called."""
    taken = {*lexicon.named, *lexicon.relations, *lexicon.measures, *lexicon.skills, *words.ALWAYS, *BUILTINS}
    wanted = [*map(singular, lexicon.kinds), *_parameters(lexicon), "thing"]
    return [name for name in dict.fromkeys(wanted) if name not in taken]


def _parameters(lexicon: Lexicon) -> list[str]:
    return list(dict.fromkeys(p.name for each in lexicon.functions.values() for p in each.parameters))


def _spelled(names: Iterable[str]) -> list[str]:
    """The names that a program can spell."""
    return [name for name in dict.fromkeys(names) if name.isidentifier()]


def _beyond_ascii(lexicon: Lexicon) -> list[str]:
    """The skills that are called by other letters than those of English."""
    return [name for name in _spelled(lexicon.skills) if not name.isascii()]
