"""Older texts of the corpus name what a pronoun means; here the pronoun is kept, where code finds the same thing again.

with_pronouns('open("left vent")', "open it", ("left vent",), lexicon)     # 'open(it())'
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from thinkaloud.language.words import stems
from thinkaloud.understand.language import IT, spelled
from thinkaloud.understand.lexicon import Lexicon

_PRONOUN = re.compile(r"\b(?:it|him|her|this|that|he|she|one)\b", re.IGNORECASE)


def with_pronouns(program: str, words: str, spoken: Sequence[str], lexicon: Lexicon) -> str:
    """The program with `it()` for what a pronoun means and nothing else says; only where it can mean nothing else."""
    if not spoken or not _PRONOUN.search(words):
        return program
    try:
        tree = ast.parse(program)
    except SyntaxError:
        return program
    functions, changed = {**lexicon.skills, **lexicon.relations, **lexicon.measures}, False
    for call in ast.walk(tree):
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.func.id not in functions:
            continue
        for place, (given, parameter) in enumerate(zip(call.args, functions[call.func.id].parameters, strict=False)):
            options = lexicon.named.get(lexicon.list_of(parameter) or "", ())
            if not isinstance(given, ast.Constant) or [each for each in spoken if each in options] != [given.value]:
                continue
            if not stems(str(given.value)) & stems(words):
                call.args[place] = ast.Call(ast.Name(spelled(IT, lexicon), ast.Load()), [], [])
                changed = True
    return ast.unparse(ast.fix_missing_locations(tree)) if changed else program
