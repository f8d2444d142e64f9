"""Signs of doubt of a request as a whole: what of it the program has nothing of, and what the program has besides.

`doubts` looks for words of some lists. Here each word that names something of this robot's is looked for in the
program, and each number, comparison, exception and call of the program in the request.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable

from thinkaloud.language.words import read_number, stem, words_of
from thinkaloud.records import WEIGHED
from thinkaloud.skills.signatures import Signature
from thinkaloud.understand.checking.doubts import is_highest
from thinkaloud.understand.checking.excepting import find_excepted
from thinkaloud.understand.checking.fitting import WORDS
from thinkaloud.understand.checking.said import WORD_SORTS, Said

_PARTS = re.compile(r"[,;.!?]|\b(?:and|then|but|otherwise|else)\b", re.IGNORECASE)
_SMALL = frozenset(map(stem, WORD_SORTS["small"] - WORD_SORTS["doing"]))


# What was said and is not there ---------------------------------------------------------------------------------------


def _word_lost(said: Said) -> float:
    """Words of which each names something that the robot has or does, and that the program has nothing of."""
    return min(1.0, len(find_lost_words(said)) / 2)


def find_lost_words(said: Said) -> list[str]:
    """The words that name something of this robot's, where nothing that they may name is in the program."""
    if said.meaning.sort not in WEIGHED or said.ordered:
        return []
    lexicon, used = said.lexicon, _used_roots(said)
    functions = (*lexicon.skills.values(), *lexicon.relations.values(), *lexicon.measures.values())
    known = _roots(" ".join(lexicon.things)).union(*map(_told_by, functions))
    small = WORD_SORTS["small"] | WORDS["courtesy"]
    spoken = [word for word in dict.fromkeys(said.spoken) if word not in small and stem(word) in known]
    return [word for word in spoken if not _is_among(stem(word), used)]


def _used_roots(said: Said) -> set[str]:
    """All words that what is in the program goes by."""
    lexicon = said.lexicon
    functions = {**lexicon.skills, **lexicon.relations, **lexicon.measures}
    listed = {node.id for node in said.nodes if isinstance(node, ast.Name)} & {*lexicon.named}
    texts = [*said.literals, *listed, *(name for each in listed for name in lexicon.named[each])]
    texts += [str(value) for step in said.meaning.deeds for value in step.arguments.values()]
    for name in said.called & {*functions}:
        signature = functions[name]
        texts += [name, re.sub(r"{.*?}", " ", signature.says), signature.about]
        texts += [parameter.name for parameter in signature.parameters]
    return _roots(" ".join(texts))


def _told_by(signature: Signature) -> set[str]:
    """The words of a function's name, sentence and choices."""
    choices = [choice for parameter in signature.parameters for choice in parameter.choices or ()]
    return _roots(" ".join([signature.name, re.sub(r"{.*?}", " ", signature.says), *choices])) - _SMALL


def _number_lost(said: Said) -> float:
    """`Two of them`, `twice`, `3`: and no number, no amount in the program, nor as many as that."""
    numbers = said.has("number") or any(word.isdigit() for word in said.spoken)
    counted = any(isinstance(n, ast.Constant) and isinstance(n.value, int | float) for n in said.nodes)
    repeated = len(said.meaning.deeds) > 1 and not said.uses(ast.ListComp)
    named = any(re.search(r"\d", text) for text in said.literals) or bool(_amounts(said) & _many(said))
    lost = numbers and not (counted or repeated or named or _is_in_names(said))
    return float(said.meaning.sort in ("deeds", "answer") and lost)


def _comparison_lost(said: Said) -> float:
    """`The heaviest`, `more than`: and nothing is compared."""
    compared = {"min", "max", "sorted"} & said.called or said.uses(ast.Lt, ast.LtE, ast.Gt, ast.GtE)
    wanted = any(is_highest(word) for word in said.spoken) or "than" in said.spoken
    return float(said.meaning.sort in ("deeds", "answer") and wanted and not compared)


def _condition_lost(said: Said) -> float:
    """`If`, `unless`: and no condition in the program."""
    return float(said.acts and said.has("condition") and not said.uses(ast.If, ast.IfExp, ast.comprehension))


# How many -------------------------------------------------------------------------------------------------------------


def _amounts(said: Said) -> set[int]:
    """The numbers from two to twelve that were said."""
    both = {2 for word in said.spoken if word in ("both", "pair", "couple")}
    return {number for word in said.spoken if 2 <= (number := read_number(word)) <= 12} | both


def _many(said: Said) -> set[int]:
    """How many things, and how often, something is done with; and of lists that are named, how many are in them."""
    given = [*(each.arguments for each in said.meaning.deeds), *(each.arguments for each in said.meaning.act.already)]
    steps = [list(arguments.values()) for arguments in given]
    listed = {n.id for n in said.nodes if isinstance(n, ast.Name)} & {*said.lexicon.named}
    things = {len({values[at] for values in steps if len(values) > at}) for at in range(3)}
    return {len(steps), *things, *(len(said.lexicon.named[each]) for each in listed if not said.acts)}


def _is_in_names(said: Said) -> bool:
    """Whether a number that was said belongs to the name of a thing in the program: `platform three`."""
    names = {word for text in said.literals for word in text.lower().split()}
    return any(word in names for word in said.spoken if word in WORD_SORTS["number"] or word.isdigit())


def _amount_differs(said: Said) -> float:
    """So many were spoken of, and it is done with more or less."""
    amounts = _amounts(said)
    written = {n.value for n in said.nodes if isinstance(n, ast.Constant) and isinstance(n.value, int | float)}
    told = amounts & written or _is_in_names(said) or any(re.search(r"\d", text) for text in said.literals)
    if not said.meaning.deeds or said.ordered or len(amounts) != 1 or told:
        return 0.0
    return float(not amounts & {*_many(said), len(said.handled)})


# What is done and was not said ----------------------------------------------------------------------------------------


def _repeated(said: Said) -> float:
    """The same call twice, and no word that says how often."""
    calls = [ast.dump(node) for node in said.nodes if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)]
    often = said.has("number") or {"again", "time", "times", "more"} & {*said.spoken}
    return float(said.acts and not often and len({*calls}) < len(calls))


def _more_deeds(said: Said) -> float:
    """More calls of skills than the request has parts."""
    calls = [n.func.id for n in said.nodes if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)]
    deeds = sum(name in said.lexicon.skills for name in calls)
    return float(said.acts and not said.ordered and deeds > max(1, len(_PARTS.split(said.request.strip(" .!?")))))


def _vacuous(said: Said) -> float:
    """A thing of a list is told from something that is not in that list (`b != "cellar"`): that leaves all of it."""
    of = {
        node.target.id: node.iter.id
        for node in said.nodes
        if isinstance(node, ast.comprehension) and isinstance(node.target, ast.Name) and isinstance(node.iter, ast.Name)
    }
    for node in said.nodes:
        match node:
            case ast.Compare(ast.Name(variable), [ast.NotEq() | ast.Eq()], [ast.Constant(value=str(name))]):
                names = said.lexicon.named.get(of.get(variable, ""), ())
                if names and name not in names:
                    return 1.0
    return 0.0


def _exception_done(said: Said) -> float:
    """Something is done with what was to be left out: `apart from the chair`."""
    return float(said.acts and bool({*find_excepted(said.request, said.lexicon)} & {*said.handled}))


def _order_lost(said: Said) -> float:
    """Something is only left alone from now on, and words of what was to be done instead are lost."""
    only = said.meaning.sort == "note" and bool(said.meaning.kept)
    return float(only and bool(find_lost_words(said)))


COVERING: dict[str, Callable[[Said], float]] = {
    "word_lost": _word_lost,
    "number_lost": _number_lost,
    "comparison_lost": _comparison_lost,
    "condition_lost": _condition_lost,
    "amount_differs": _amount_differs,
    "repeated": _repeated,
    "more_deeds": _more_deeds,
    "vacuous": _vacuous,
    "exception_done": _exception_done,
    "order_lost": _order_lost,
}
"""The signs, by what they are called in the tables of coefficients."""


# Words ----------------------------------------------------------------------------------------------------------------


def _roots(text: str) -> set[str]:
    return {stem(word) for word in words_of(text.replace("_", " "))}


def _is_among(root: str, known: Iterable[str]) -> bool:
    """Whether a root is known, perhaps with another ending."""
    return any(
        root == each or (min(len(root), len(each)) >= 4 and (root.startswith(each) or each.startswith(root)))
        for each in known
    )
