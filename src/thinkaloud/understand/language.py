"""The language in which a meaning is written: a small Python over one robot's lists, skills, relations and measures.

    fill([c for c in cups if not full(c)])            a list is spread over a skill's parameter
    say(len([c for c in cups if full(c)]))            an answer
    cannot("There is no tea here.")                   what this robot does not have, or cannot do
    put(before([b for b in books if open_(b)]), "shelf")   an expression as it was before the latest request

Besides what the robot has, these are always there: see `ALWAYS`. Where the robot itself has something of that name,
ours has an underscore behind it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass

from thinkaloud.understand.lexicon import Lexicon
from thinkaloud.understand.switches import switchable


@dataclass(frozen=True, slots=True)
class Word:
    """A function that is always there: how it is called, and what it is for."""

    head: str
    about: str

    @property
    def name(self) -> str:
        """Its name."""
        return self.head.partition("(")[0]


SAY, ASK, NOTE, CANNOT, KEEP, ALLOW, NEVER = "say", "ask", "note", "cannot", "keep", "allow", "never"
UNDO, PREVIOUS, STOP, UNCLEAR = "undo", "previous", "stop", "unclear"
BEFORE, AT_START = "before", "at_start"
ORDER, CHANGE = "order", "change"
"""By guidelines: what is wanted, or is to be otherwise."""
DONE, TODO, WHY, ABILITIES = "done", "todo", "why", "abilities"
AMOUNT = "amount"
THE, ANY_OF, ALL_OF, THE_OTHER, IT, THEM = "the", "any_of", "all_of", "the_other", "it", "them"
FORMS = (THE, ANY_OF, ALL_OF, THE_OTHER, IT, THEM)
"""The words of descriptions."""

ALWAYS: Mapping[str, Word] = {
    word.name: word
    for word in (
        Word("say(value)", "answer a question"),
        Word("ask(question, options=[])", "ask back, if it is not clear which of several is meant"),
        Word("note(text)", "remember what was told; nothing is to be done"),
        Word("cannot(reason)", "there is no such thing or skill here, or it must not be"),
        Word("keep(things)", "leave these things alone; alone in a program: from now on"),
        Word("allow(things)", "these may be touched again; allow(call): this may be done again"),
        Word("never(call, above=None, until=False)", "this must not be done; alone in a program: from now on"),
        Word("undo(count=1)", "take back what was done last"),
        Word("previous()", "go on with what was under way before"),
        Word("stop(when='now')", "leave off; stop('after this') when the step at hand is over"),
        Word("unclear(why='')", "it cannot be understood"),
        Word("before(expression)", "the value that an expression had before the latest request"),
        Word("at_start(expression)", "the value that it had at the very beginning"),
        Word("done()", "what was done, as sentences"),
        Word("todo()", "what will be done next, as sentences"),
        Word("why()", "the reasons for what was done, or was not"),
        Word("abilities()", "what the robot can do, as sentences"),
        Word("amount(number, unit)", "an amount in the unit that was said; code converts it"),
        Word("the(words)", "the one that these words mean; it is asked which, if several could be meant"),
        Word("any_of(words, n=1)", "one of those that these words mean, whichever"),
        Word("all_of(words)", "all that these words mean"),
        Word("the_other(words)", "the one of them that was not spoken of last"),
        Word("it()", "what was spoken of last"),
        Word("them()", "all that was spoken of last"),
    )
}
"""The functions that every robot's language has, in the order in which they are explained."""
ABOVE, UNTIL = "above", "until"
"""What a rule about a deed may say besides: more than so much, and until when."""
_TAKEN = re.compile(r"(?m)^(\s*)(assert|break|continue|del|from|global|import|pass|raise|return|try|with|yield)\(")
"""Statements of Python that are verbs, too."""


def spelled(word: str, lexicon: Lexicon) -> str:
    """What one of our functions is called beside those of a robot: a robot's own names go first."""
    names = (lexicon.skills, lexicon.relations, lexicon.measures, lexicon.named)
    return f"{word}_" if any(word in each for each in names) else word


def find_rules(tree: ast.Module, lexicon: Lexicon) -> list[tuple[ast.Call, ast.Call]]:
    """The rules about deeds in a program, each with the deed: `never(wake("Tom"))`, `allow(vacuum())`."""
    words = {spelled(NEVER, lexicon): False, spelled(ALLOW, lexicon): True}
    found = list[tuple[ast.Call, ast.Call]]()
    for node in ast.walk(tree):
        match node:
            case ast.Call(ast.Name(word), [ast.Call(ast.Name(deed)) as call, *_]) if word in words:
                found += [(node, call)] if deed in lexicon.skills or not words[word] else []
    return found


def parsed_as_python(program: str) -> ast.Module | None:
    """A program as Python reads it; None for what it cannot read."""
    try:
        return ast.parse(program)
    except (SyntaxError, ValueError, RecursionError, MemoryError, SystemError):
        return None


@switchable()
def with_own_verbs(program: str, lexicon: Lexicon) -> str:
    """A program that calls skills by their names, where a verb stands for one: that with which its sentence begins.

    `raise("curtain")`, of a skill `hoist` that says "Raise the {curtain}.", is `hoist("curtain")`. What Python has
    taken (`raise`, `import`) is a verb all the same, and no statement: the robot can say that it has no such skill.
    """
    program = _TAKEN.sub(r"\1\2_(", program)
    verbs: dict[str, list[str]] = {}
    for name, signature in lexicon.skills.items():
        verbs.setdefault(signature.says.split(" ")[0].lower(), []).append(name)
    ours = [*ALWAYS, *([ORDER, CHANGE] if lexicon.guidelines else [])]
    known = {*lexicon.skills, *lexicon.relations, *lexicon.measures, *(spelled(each, lexicon) for each in ours)}
    tree = parsed_as_python(program)
    calls = [n.value for n in ast.walk(tree) if isinstance(n, ast.Expr)] if tree is not None else []
    for call in calls:
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.func.id in known:
            continue
        named = verbs.get(call.func.id.strip("_"), [])
        if len(named) == 1 and len(lexicon.skills[named[0]].parameters) == len(call.args) + len(call.keywords):
            program = re.sub(rf"(?m)^(\s*){call.func.id}(?=\()", rf"\1{named[0]}", program)
    return program


def with_name(program: str, noun: str, thing: str) -> str:
    """A program in which a noun that several things share is one of them."""
    tree = parsed_as_python(program)
    if tree is None:
        return program
    found = [n for n in ast.walk(tree) if isinstance(n, ast.Constant) and n.value == noun]
    for node in found:
        node.value = thing
    return ast.unparse(tree) if found else program
