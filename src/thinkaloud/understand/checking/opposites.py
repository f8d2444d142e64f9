"""Words that say the opposite: `fed` and hungry, `unlocked` and locked, `down` and up.

Where a word of the request is the opposite of one that a reading goes by, and that one was not said, the reading is
likely to be turned round: it is asked about. What would be the right way round is offered first: the relation denied,
the other skill, the other value of a choice. Where only a yes becomes a no, with the same statement behind it, nobody
has to be asked (`with_sense`).
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import resources

from thinkaloud.language.words import answer_words, words_of
from thinkaloud.skills import Skill
from thinkaloud.skills.signatures import Signature
from thinkaloud.understand.checking.fitting import WORDS, Misfit, edited, parsed, text_of
from thinkaloud.understand.checking.said import Said
from thinkaloud.understand.clauses import clauses_of
from thinkaloud.understand.language import SAY, spelled
from thinkaloud.understand.lexicon import Lexicon
from thinkaloud.understand.meaning.circumstances import Circumstances
from thinkaloud.understand.meaning.wishes import promises_of
from thinkaloud.understand.saying.phrasing import denial_of
from thinkaloud.understand.switches import switchable
from thinkaloud.worlds.full_world import base_name, is_opposite

_LISTS = tomllib.loads(resources.files(__package__).joinpath("opposites.toml").read_text(encoding="utf-8"))
_SIDES = [tuple(frozenset(side.split()) for side in pair.split("/")) for pair in _LISTS["pairs"]]
_PAST: dict[str, str] = dict(zip(_LISTS["irregular"].split()[::2], _LISTS["irregular"].split()[1::2], strict=True))
_PREFIXES = ("un", "dis", "non")
_NEAR, _FAR = 3, 8
"""So many words before a word one that denies it stands; or may stand, where it would be asked about otherwise."""


def opposites_of(word: str) -> frozenset[str]:
    """The words that say the opposite of one, by their prefix or by the list of pairs."""
    found = {f"{prefix}{word}" for prefix in _PREFIXES}
    found |= {word.removeprefix(prefix) for prefix in _PREFIXES if word.startswith(prefix) and len(word) > 5}
    for one, other in _SIDES:
        found |= other if word in one else one if word in other else frozenset()
    return frozenset(found)


@cache
def past_of(verb: str) -> str:
    """`washed` of wash, `fed` of feed: what a thing is once it was done."""
    if verb in _PAST:
        return _PAST[verb]
    if verb.endswith("e"):
        return f"{verb}d"
    if re.fullmatch(r"[^aeiou]*[aeiou][^aeiouwxy]", verb):
        return f"{verb}{verb[-1]}ed"
    return f"{verb[:-1]}ied" if re.search(r"[^aeiou]y$", verb) else f"{verb}ed"


# Relations ------------------------------------------------------------------------------------------------------------


def find_opposite(said: Said, at: Circumstances) -> Misfit | None:
    """A reading that goes by a relation, a skill or a choice of which the request says the opposite."""
    if said.meaning.sort not in ("deeds", "answer"):
        return None
    turned = [name for name in said.lexicon.relations if name in said.called and _is_turned(name, said, at)]
    if turned:
        return Misfit((denied(said.meaning.program, turned),))
    if said.meaning.sort != "deeds":
        return None
    return _other_choice(said) or _other_skill(said, at) or _wrong_way(said, at)


@switchable(lambda *_: "")
def with_sense(said: Said, at: Circumstances) -> str:
    """The program, with a question whether something is so turned round where its opposite was asked: `unlocked`."""
    match parsed(said.meaning.program):
        case ast.Module([ast.Expr(ast.Call(ast.Name(name), [ast.Call(ast.Name(relation))], []))]) if (
            name == spelled(SAY, said.lexicon) and relation in said.lexicon.relations
        ):
            if _is_turned(relation, said, at):
                return denied(said.meaning.program, [relation])
    return said.meaning.program


@switchable()
def with_opposites(program: str, lexicon: Lexicon) -> str:
    """A program with a relation denied in the place of its opposite that the robot does not have: `closed(w)`."""
    known = {*lexicon.skills, *lexicon.relations, *lexicon.measures, *lexicon.named}

    def change(node: ast.AST) -> ast.AST:
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.func.id in known:
            return node
        wanted = opposites_of(node.func.id)
        found = [name for name, each in lexicon.relations.items() if wanted & _own_words(name, each)]
        fits = len(found) == 1 and len(node.args) == len(lexicon.relations[found[0]].parameters) == 1
        return denial_of(ast.Call(ast.Name(found[0], ast.Load()), node.args, [])) if fits else node

    changed = edited(program, change)
    return program if parsed(program) is None or changed == edited(program, lambda node: node) else changed


def _own_words(name: str, signature: Signature) -> set[str]:
    """The words of a relation's name and sentence."""
    says = re.sub(r"{.*?}", " ", signature.says)
    return {*words_of(name.replace("_", " ")), *words_of(says)} - WORDS["filling"]


def _is_turned(name: str, said: Said, at: Circumstances) -> bool:
    """Whether the request says the opposite of how the program has it."""
    signature = said.lexicon.relations[name]
    if sum(p.kind is not None for p in signature.parameters) > 1 or _counts(said):
        return False  # `on` of two things is a place, and `off` is not its opposite
    if any(name in {*_called_in(node.test)} for node in said.nodes if isinstance(node, ast.If)):
        return False  # what has to be so is held against its own clause: see `conditions`
    own, contrary = words_for(name, signature, at)
    uses = {*senses_of(parsed(said.meaning.program), name)}
    if own & {*said.spoken}:
        return uses == {True} and all(_tells_which_not(word, said.request) for word in own & {*said.spoken})
    contrary -= {word for each in said.called & {*said.lexicon.skills} for word in _told(said.lexicon.skills[each])}
    contrary -= {word for text in said.literals for word in words_of(text)}  # it is said of what is done
    meant = {is_denied(place, said.spoken) for place, word in enumerate(said.spoken) if word in contrary}
    if len(meant) != 1 or len(uses) != 1:
        return False
    return uses != meant  # `unlocked` is `not locked`; `not unlocked` is `locked`


def _tells_which_not(word: str, request: str) -> bool:
    """Whether a word tells which things are meant by what is not so of them, where it is said: `that are not lit`."""
    those = r"\b(?:that|which|who|whoever|whatever) ?(?:is|are|was|were|has|have|'s)?(?:n['’]t| not)"
    told = rf"{those}\s+(?:been |yet |already )*{re.escape(word)}\b"
    return len(re.findall(told, request, re.IGNORECASE)) == answer_words(request).count(word)


def _called_in(part: ast.AST) -> Iterator[str]:
    yield from (n.func.id for n in ast.walk(part) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name))


def _counts(said: Said) -> bool:
    """Whether it is how many there are that is asked, or gone by: then none of them is a no."""
    return "len" in said.called and said.uses(ast.Compare)


def words_for(name: str, signature: Signature, at: Circumstances) -> tuple[set[str], set[str]]:
    """The words that say that a relation holds, and those that say that it does not."""
    own = _own_words(name, signature)
    relation = at.lexicon.own_names.get(name, name)
    contrary: set[str] = set()
    told: dict[bool, set[str]] = {True: set(), False: set()}
    for skill in at.world.skills.values():
        verb = next(iter(words_of(skill.signature.says)), "")
        sense = _brings(skill, at).get(relation)
        if sense is not None:
            (own if sense else contrary).update({past_of(verb)} - {verb})
            told[sense] |= _told(skill.signature)
    for word in told[False] - told[True]:  # `switch it off`, beside `switch it on`
        against = opposites_of(word) & told[True] - told[False]
        contrary |= {word} if against else set()
        own |= against
    contrary |= {each for word in own for each in opposites_of(word)}
    return own, contrary - own


def _brings(skill: Skill, at: Circumstances) -> dict[str, bool]:
    """The relations that a skill makes so, or ends, whatever it is done with."""
    calls = skill.signature.calls(at.scene.vocabulary, most=1000) if skill.signature.parameters else [{}]
    brought: dict[str, set[bool]] = {}
    for call in calls[:1] if all(p.choices is None for p in skill.signature.parameters) else calls[:40]:
        for each in promises_of(skill, call, at.world):
            brought.setdefault(base_name(each.relation), set()).add(not is_opposite(each.relation))
    return {name: next(iter(senses)) for name, senses in brought.items() if len(senses) == 1}


def is_denied(place: int, spoken: Sequence[str], near: int = _NEAR) -> bool:
    """Whether a word that denies it stands right before a word."""
    return not WORDS["denying"].isdisjoint(spoken[max(0, place - near) : place])


def senses_of(part: ast.AST | None, relation: str) -> Iterator[bool]:
    """Of each use of a relation in a program, or in a part of one, whether it has to be so there."""

    def walk(node: ast.AST, sense: bool) -> Iterator[bool]:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == relation:
            yield sense
        inside = not sense if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not) else sense
        for child in ast.iter_child_nodes(node):
            yield from walk(child, inside)

    yield from walk(part, True) if part is not None else ()


def denied(program: str, names: list[str]) -> str:
    """The program with these relations the other way round."""

    def change(node: ast.AST) -> ast.AST:
        if isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.UnaryOp):  # what was denied, denied again
            return node.operand.operand
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names:
            return denial_of(node)
        return node

    return edited(program, change)


# Skills and choices ---------------------------------------------------------------------------------------------------


def _other_choice(said: Said) -> Misfit | None:
    """A choice of a skill's is given, and the opposite one was said."""
    for node in said.nodes:
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
            continue
        signature = said.lexicon.skills.get(node.func.id)
        for parameter, given in zip(signature.parameters if signature else (), node.args, strict=False):
            text = text_of(given)
            if parameter.choices is None or text is None or text in said.spoken:
                continue
            meant = [each for each in parameter.choices if each in opposites_of(text) and _is_plain(each, said)]
            if len(meant) == 1:
                old, new = ast.dump(given), ast.Constant(meant[0])
                program = said.meaning.program
                return Misfit((edited(program, lambda n, o=old, w=new: w if ast.dump(n) == o else n),))  # type: ignore[misc]
    return None


def _other_skill(said: Said, at: Circumstances) -> Misfit | None:
    """A skill is called, and another one of the same parameters has the opposite word, which was said.

    What they are for is looked at as well where both have to do with the same relation.
    """
    for name in said.called & {*said.lexicon.skills}:
        own = _told(said.lexicon.skills[name])
        verbs = {*words_of(said.lexicon.skills[name].says)[:1], *words_of(name.replace("_", " "))}
        for other, signature in said.lexicon.skills.items():
            fits = [p.kind for p in signature.parameters] == [p.kind for p in said.lexicon.skills[name].parameters]
            if other == name or other in said.called or not fits:
                continue
            if (verbs - _told(signature)) & {*said.spoken}:
                continue
            called, named = said.lexicon.skills[name], _called(signature)
            alike = _says_other(own, _told(signature), said) and _is_about_same(name, other, said, at)
            if alike or _says_other(_called(called), named, said):
                program = re.sub(rf"(?m)^(\s*){name}(?=\()", rf"\g<1>{other}", said.meaning.program)
                return Misfit((program,))
    return None


def _is_about_same(one: str, other: str, said: Said, at: Circumstances) -> bool:
    """Whether two skills change the same of what is so."""
    skills = [at.world.skills.get(said.lexicon.own_names.get(name, name)) for name in (one, other)]
    changed = [{*_brings(skill, at)} for skill in skills if skill is not None]
    return len(changed) == 2 and bool(changed[0] & changed[1])


def _wrong_way(said: Said, at: Circumstances) -> Misfit | None:
    """A clause that begins with the opposite of what a skill does, or of its name, and that skill, or any, is called.

    `Cool the iron` where it can only be heated; `unmoor the boat` where it can be moored, and not let go.
    """
    called = [said.lexicon.skills[name] for name in said.called & {*said.lexicon.skills}]
    known = {word for each in said.lexicon.skills.values() for word in _called(each)}
    for verb in filter(None, map(_verb_of, clauses_of(said.request))):
        if not called or verb in known:
            continue
        against = opposites_of(verb)
        for each in called:
            skill = at.world.skills.get(said.lexicon.own_names.get(each.name, each.name))
            made = [name for name, so in _brings(skill, at).items() if so] if skill is not None else []
            own = _called(each).union(*(_own_words(name, at.world.relations[name].signature) for name in made))
            if against & own and not own & {*said.spoken} - WORDS["filling"]:
                return Misfit()
        undone = [name for name, each in said.lexicon.skills.items() if against & {*words_of(each.says)[:1], name}]
        if verb.startswith(_PREFIXES) and undone and not any(_called(each) & {*said.spoken} for each in called):
            return Misfit()
    return None


def _verb_of(clause: str) -> str:
    """The word with which a clause says what is to be done: the first that is not only courtesy."""
    return next((word for word in words_of(clause) if word not in WORDS["courtesy"]), "")


def _says_other(own: set[str], other: set[str], said: Said) -> bool:
    """Whether a word of the other skill was said that is the opposite of one of the own, of which none was said."""
    for word in other - own:
        against = opposites_of(word) & own - other
        if against and _is_plain(word, said) and not against & {*said.spoken}:
            return True
    return False


def _is_plain(word: str, said: Said) -> bool:
    """Whether a word was said, and not denied, and not as a noun (`the door's lock`)."""
    for place, each in enumerate(said.spoken):
        before = said.spoken[place - 1] if place else ""
        noun = before in ("the", "a", "an", "its") or before.endswith("'s")
        if each == word and not noun and not is_denied(place, said.spoken, _FAR):
            return True
    return False


def _called(signature: Signature) -> set[str]:
    """The words of a skill's name and sentence."""
    says = re.sub(r"{.*?}", " ", signature.says)
    return {*words_of(f"{signature.name.replace('_', ' ')} {says}")}


def _told(signature: Signature) -> set[str]:
    """The same, and what it is for."""
    return _called(signature) | {*words_of(signature.about.split("\n")[0])}
