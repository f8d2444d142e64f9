"""A skill that is called with too little: what is missing has the name of its parameter, so that it is asked for.

`feed("left hive")`, of a skill `feed(hive, food)`, is `feed("left hive", "food")`: "Which food do you mean?" Numbers
and free texts, of which there is nothing to choose from, stay missing, and a model is told so.
"""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Mapping, Sequence

from thinkaloud.language.name_matching import things_in
from thinkaloud.language.words import plural, singular, stem, words_of
from thinkaloud.skills.signatures import Parameter, Signature
from thinkaloud.understand.language import find_rules
from thinkaloud.understand.lexicon import Lexicon
from thinkaloud.understand.meaning.naming import WHICH, ask_by_sentence, asked_as
from thinkaloud.understand.saying.phrasing import one_of

_ASKED_FOR = re.compile(r"\b(?:which|what)\s+([^\W\d_]+)", re.IGNORECASE)
_ONE_ASKED_FOR = re.compile(r"(?:\w+\s+)?(?:which|what)\s+([^\W\d_]+)\s*\?", re.IGNORECASE)
_EVERYTHING = ("everything", "everyone", "everybody", "all")
"""What is no name, but all that a skill can be done with."""


def with_missing(program: str, lexicon: Lexicon) -> str:
    """A program in which every call of a skill has all that it needs, if only by the name of what is missing."""
    tree = _read(program)
    if tree is None:
        return program
    ruled = [deed for _, deed in find_rules(tree, lexicon)]
    calls = [n for n in ast.walk(tree) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n not in ruled]
    filled = [
        _fill(each, lexicon) for each in calls if isinstance(each.func, ast.Name) and each.func.id in lexicon.skills
    ]
    return ast.unparse(tree) if any(filled) else program


def with_lists(program: str, said: str, lexicon: Lexicon) -> str:
    """A program with a list in the place of its name as a text, where several were spoken of: `feed("cats")`.

    Of one noun (`feed("cat")`) only where all of them were: `both cats`, if there are two. What is not the noun of
    several (`a != "cat"`, of "all but the cats") is none of them.
    """
    spoken = words_of(said)
    tree = _read(program)
    for call in ast.walk(tree) if tree is not None else ():
        if isinstance(call, ast.Compare):
            _compare_with_list(call, spoken, lexicon)
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in lexicon.skills:
            taken = lexicon.skills[call.func.id].parameters
            for at, (given, parameter) in enumerate(zip(call.args, taken, strict=False)):
                whole = lexicon.list_of(parameter)
                everything = (_text(given) or "").lower() in _EVERYTHING and whole in lexicon.named
                call.args[at] = ast.Name(str(whole)) if everything else _listed(given, spoken, lexicon)
    return program if tree is None or ast.dump(tree) == ast.dump(ast.parse(program)) else ast.unparse(tree)


def _compare_with_list(node: ast.Compare, spoken: Sequence[str], lexicon: Lexicon) -> None:
    match node:
        case ast.Compare(ast.Name(), [ast.NotEq() | ast.Eq() as same], [ast.Constant(str(text))]):
            name = next((name for name in lexicon.named if text.lower() in (one_of(name), plural(one_of(name)))), None)
            known = text.lower() in map(str.lower, lexicon.things)
            if name is not None and not known and plural(one_of(name)) in spoken:
                node.ops = [ast.NotIn() if isinstance(same, ast.NotEq) else ast.In()]
                node.comparators = [ast.Name(name, ast.Load())]


def _listed(given: ast.expr, spoken: Sequence[str], lexicon: Lexicon) -> ast.expr:
    text = (_text(given) or "").lower()
    for name, members in lexicon.named.items():
        one = one_of(name)
        several, all_of = plural(one), {"both"} if len(members) == 2 else {"all", "every", "each"}
        if several == one or several not in spoken or not members or text in map(str.lower, lexicon.things):
            continue
        if text == several or (text == one and all_of & {*spoken}):
            return ast.Name(name, ast.Load())
    return given


def _read(program: str) -> ast.Module | None:
    try:
        return ast.parse(program)
    except (SyntaxError, ValueError, RecursionError, MemoryError, SystemError):
        return None


def _fill(call: ast.Call, lexicon: Lexicon) -> bool:
    """Give a call what it lacks; whether it did."""
    assert isinstance(call.func, ast.Name)
    signature: Signature = lexicon.skills[call.func.id]
    order = {p.name: p for p in signature.parameters}
    starred = any(isinstance(each, ast.Starred) for each in call.args) or any(
        each.arg is None for each in call.keywords
    )
    given = dict(zip(order, call.args, strict=False)) | {str(each.arg): each.value for each in call.keywords}
    given = _without_number(given, order, lexicon)
    given = {name: value for name, value in given.items() if not _is_empty(name, given, order)}
    missing = [p for p in signature.parameters if p.name not in given and p.default is None]
    chosen = all(p.kind is not None or p.choices is not None or p.type in (int, float) for p in missing)
    if starred or not missing or not chosen or len(call.args) > len(order) or not given.keys() <= order.keys():
        return False
    given = _where_it_fits(given, order, missing, lexicon)
    needed = {name for name, p in order.items() if name in given or p.default is None}
    whole = {name: given.get(name, ast.Constant(asked_as(p))) for name, p in order.items() if name in needed}
    placed = [*itertools.takewhile(needed.__contains__, order)]
    call.args = [whole[name] for name in placed]
    call.keywords = [ast.keyword(name, value) for name, value in whole.items() if name not in placed]
    return True


def _without_number(
    given: Mapping[str, ast.expr], order: Mapping[str, Parameter], lexicon: Lexicon
) -> dict[str, ast.expr]:
    """The arguments one place further, where the number was left out before them: `add("sugar", "pot")`."""
    numbers = [name for name, p in order.items() if p.type in (int, float) and p.choices is None and p.default is None]
    left_out = [name for name in numbers if name in given and _is_thing(given[name], lexicon)]
    others = [name for name in order if name not in left_out]
    if not left_out or len(given) != len(order) - len(left_out) or [*given] != [*order][: len(given)]:
        return dict(given)
    return dict(zip(others, given.values(), strict=True))


def _is_thing(value: ast.expr, lexicon: Lexicon) -> bool:
    return _text(value) in lexicon.things or (isinstance(value, ast.Name) and value.id in lexicon.named)


def _is_empty(name: str, given: Mapping[str, ast.expr], order: Mapping[str, Parameter]) -> bool:
    """Whether an argument tells nothing: an empty text, or again the noun of another one (`feed("hive", "hive")`)."""
    text, own = _text(given[name]), order.get(name)
    if text is None or own is None or own.kind is None:
        return False
    same = [p for other, p in order.items() if other != name and other in given and _text(given[other]) == text]
    return not text.strip() or any(text in (asked_as(p), p.kind) and p.kind != own.kind != text for p in same)


def _text(value: ast.expr) -> str | None:
    return value.value if isinstance(value, ast.Constant) and isinstance(value.value, str) else None


def _where_it_fits(
    given: Mapping[str, ast.expr], order: Mapping[str, Parameter], missing: list[Parameter], lexicon: Lexicon
) -> dict[str, ast.expr]:
    """The arguments; a thing that does not fit its own place in the place of the only missing one that it fits."""
    found = dict(given)
    for name, value in given.items():
        text = _text(value)
        if text is None or text in _known(order[name], lexicon):
            continue
        places = [p.name for p in missing if p.name not in found and text in _known(p, lexicon)]
        if len(places) == 1:
            found[places[0]] = found.pop(name)
    return found


def _known(parameter: Parameter, lexicon: Lexicon) -> tuple[str, ...]:
    return parameter.choices or lexicon.named.get(lexicon.list_of(parameter) or "", ())


def ask_once(question: str, lexicon: Lexicon) -> tuple[str, tuple[str, ...]] | None:
    """A question of the model's that asks for the same twice ("Which hive, and in which hive?"), asked once, with what
    there is to choose from; None for any other."""
    nouns = [singular(noun.lower()) for noun in _ASKED_FOR.findall(question)]
    if len(nouns) < 2 or len({*nouns}) > 1:
        return None
    return WHICH.format(nouns[0]), tuple(lexicon.named.get(plural(nouns[0]), ()))


def _verbs(signature: Signature) -> set[str]:
    texts = (signature.says, signature.name.replace("_", " "))
    return {stem(word) for text in texts for word in words_of(text)[:1]}


def ask_as_skill(question: str, request: str, lexicon: Lexicon) -> str | None:
    """A question of the model's for one thing ("To which boat?") in the words of the skill that lacks it.

    That is the only one whose verb was said and that takes such a thing; None where all else is not known.
    """
    asked = _ONE_ASKED_FOR.fullmatch(question.strip())
    noun = singular(asked[1].lower()) if asked is not None else ""
    spoken = {stem(word) for word in words_of(request)}
    found = [
        (signature, parameter)
        for signature in lexicon.skills.values()
        for parameter in signature.parameters
        if noun in (asked_as(parameter), parameter.kind) and _verbs(signature) & spoken
    ]
    if len(found) != 1:
        return None
    (signature, missing), others = found[0], {}
    for parameter in signature.parameters:
        named = things_in(request, _known(parameter, lexicon))
        if parameter.name != missing.name and len(named) == 1:
            others[parameter.name] = named[0]
    return ask_by_sentence(signature, others, missing.name, noun)
