"""`Everything except the hats`: what was left out by its noun is all that is called so, the straw hat and the top hat.

A reading that has one of them all the same does not fit. What does is worked out: what was read, and these left alone;
or all that could stand there, without them.
"""

from __future__ import annotations

import ast
import re

from thinkaloud.language.name_matching import names_in, things_in
from thinkaloud.language.words import answer_words, singular, words_of
from thinkaloud.understand.checking.fitting import WORDS, Misfit, call_of, list_called, parsed
from thinkaloud.understand.checking.said import Said
from thinkaloud.understand.clauses import clauses_of
from thinkaloud.understand.language import KEEP, spelled

_EXCEPT = re.compile(
    r"\b(?:except(?: for)?|excluding|apart from|aside from|other than|save for|but not|but for)\s+"
    r"|(?<=[a-z])\s+but\s+",
    re.IGNORECASE,
)
_ALL = re.compile(r"\b(?:all|everything|everyone|everybody|every|each|any|anything|whatever|the rest)\b", re.IGNORECASE)
_BEHIND = re.compile(
    r"\b(?:in|on|onto|into|at|to|from|with|off|by|for|under|over|near|of|that|which|who|whose|is|are|please|now|there|here"
    r"|away|up|down|out|back|together|again|first)\b",
    re.IGNORECASE,
)
_ARTICLES = frozenset({"the", "my", "your", "our", "those", "these", "any", "all"})


def find_excepted(said: Said) -> Misfit | None:
    """A reading that does something with what was left out."""
    if said.acts and _leaves_out_nothing(said):
        return Misfit()
    excepted = excepted_in(said)
    handled = [each for each in excepted if each in said.handled]
    if not said.acts or not handled:
        return None
    keep = f"{spelled(KEEP, said.lexicon)}({excepted!r})\n"
    return Misfit((keep + said.meaning.program, *_worked_out(excepted, said)))


def _leaves_out_nothing(said: Said) -> bool:
    """Whether things of a list are told from what is the name of none of them: then all of them are meant."""
    lists: dict[str, tuple[str, ...]] = {}
    for node in said.nodes:
        match node:
            case ast.comprehension(ast.Name(name), ast.Name(several)) | ast.For(ast.Name(name), ast.Name(several)):
                lists[name] = said.lexicon.named.get(several, ())
    for node in said.nodes:
        match node:
            case ast.Compare(ast.Name(name), [ast.NotEq()], [ast.Constant(str(text))]) if lists.get(name):
                if text.lower() not in map(str.lower, lists[name]):
                    return True
    return False


def excepted_in(said: Said) -> list[str]:
    """All that a request leaves out by name or by noun; nothing where it is not plain that it does."""
    found = _EXCEPT.search(said.request)
    if found is None:
        return []
    before, behind = said.request[: found.start()], said.request[found.end() :]
    if not before.strip(" ,"):  # `apart from the chair, all of it`: the exception comes first
        behind, _, before = behind.partition(",")
    if not _ALL.search(before) or WORDS["denying"] & {*answer_words(before)}:
        return []
    excepted: list[str] = []
    for part in clauses_of(behind, fine=True):
        end = _BEHIND.search(part)
        noun, rest = (part, "") if end is None else (part[: end.start()], part[end.start() :])
        named = _all_called(noun, said)
        if not named:
            break  # the next clause wants something else
        if rest and named != names_in(noun, named) and not _is_place(rest, said):
            return []  # `the hats on the shelf`: not all of them
        excepted += named
    return excepted


def _all_called(noun: str, said: Said) -> list[str]:
    """What a noun names, where it begins a part of a sentence: a thing by name, several by what they are."""
    words = words_of(noun)
    rest = [word for word in words if word not in _ARTICLES]
    named = things_in(noun, said.lexicon.things)
    kind = list_called(rest[0], said.lexicon) if len(rest) == 1 and not named else None
    if kind is not None and singular(rest[0]) != rest[0]:
        return [*said.lexicon.named[kind]]
    if not rest or not named or (words[0] not in _ARTICLES and not _begins_with_name(words, named)):
        return []
    by_name = len(named) == 1 or len(named) == len(names_in(noun, named))
    return named if by_name or singular(rest[-1]) != rest[-1] else []


def _begins_with_name(words: list[str], named: list[str]) -> bool:
    own = {word for name in named for word in words_of(name)}
    return words[0] in own or singular(words[0]) in own


def _is_place(rest: str, said: Said) -> bool:
    """Whether what stands behind a noun is where something is done, and does not tell which of them are meant."""
    places = things_in(rest, said.lexicon.things)
    given = {text for text in said.literals if text in places}
    return not places or bool(given & {*said.handled})


def _worked_out(excepted: list[str], said: Said) -> list[str]:
    """All that could stand where the only deed has one of these, without them."""
    tree = parsed(said.meaning.program)
    call = call_of(tree.body[0]) if tree is not None and len(tree.body) == 1 else None
    if call is None or call[0] not in said.lexicon.skills:
        return []
    for at, parameter in enumerate(said.lexicon.skills[call[0]].parameters[: len(call[1].args)]):
        whole = said.lexicon.list_of(parameter)
        members = said.lexicon.named.get(whole or "", ())
        if whole is not None and {*excepted} < {*members}:
            left = ast.parse(f"[x for x in {whole} if x not in {excepted!r}]", mode="eval").body
            given = [left if place == at else each for place, each in enumerate(call[1].args)]
            return [ast.unparse(ast.Call(call[1].func, given, call[1].keywords))]
    return []
