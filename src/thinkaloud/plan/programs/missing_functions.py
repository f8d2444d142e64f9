"""Functions that a program calls but that do not exist: the model is asked to write them (Code as Policies).

# functions: put_first_on_second(first, second), say(text), noop()
# define function: put_all(["red block", "tan block"], "white bowl")
def put_all(things, place):
    for thing in things:
        put_first_on_second(thing, place)
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable

from thinkaloud.language.calls import BUILTINS
from thinkaloud.models import Model, introduce
from thinkaloud.plan.programs.grammar import PROGRAM_END, definition_grammar
from thinkaloud.untrusted.python_text import parse_statements

_MOST = 4
"""How many functions may be asked for in one program, including those that they call."""
_LONGEST = 200  # tokens of a function
_SHOWN = """\
Write the function that is asked for, in a few lines of Python that only call functions which there are.
===
# functions: put_first_on_second(first, second), say(text), noop()
# define function: move_away(["pink block", "navy block"])
def move_away(things):
    for thing in things:
        put_first_on_second(thing, "table")
# functions: put_first_on_second(first, second), say(text), noop()
# define function: build_tower(["lime block", "navy block", "amber block"])
def build_tower(things):
    for below, thing in zip(things, things[1:]):
        put_first_on_second(thing, below)
# ===
"""


async def define_missing(model: Model, functions: str, code: str, known: Iterable[str]) -> str:
    """Return the program preceded by the functions it lacks, as far as the model wrote them.

    `functions` is the line that lists what can be called.
    """
    there = {*known, *BUILTINS}
    for _ in range(_MOST):
        call = _missing_call(code, there)
        if call is None:
            break
        name = ast.unparse(call.func)
        asked = f"{introduce(model, _SHOWN)}{functions}\n# define function: {_unparsed(call)}\n"
        said = await model.complete(asked, grammar=definition_grammar(name), most=_LONGEST, stop=("\n#", "\n\n\n"))
        written = code_in(said.text)
        if name not in _defined(written):
            break  # the function is still missing, and the model will be told so
        code = f"{written}\n{code}"
    return code


def code_in(text: str) -> str:
    """Extract the code from a model's answer: without the end marker, and out of a chat model's fence."""
    fenced = re.search(r"```(?:python)?\n(.*?)(?:```|$)", text, re.DOTALL)
    return (fenced[1] if fenced else text.removesuffix(PROGRAM_END)).strip()


def _missing_call(code: str, there: set[str]) -> ast.Call | None:
    """Return the first call of a function that neither exists nor is defined in the program."""
    try:
        tree = parse_statements(code)
    except SyntaxError:
        return None  # the sandbox will report it
    there = there | _defined(code)
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name))
    return next((call for call in calls if ast.unparse(call.func) not in there), None)


def _defined(code: str) -> set[str]:
    try:
        return {node.name for node in ast.walk(parse_statements(code)) if isinstance(node, ast.FunctionDef)}
    except SyntaxError:
        return set()


def _unparsed(call: ast.Call) -> str:
    """Return the call as programs are written here, with double quotes."""
    return ast.unparse(call).replace("'", '"')
