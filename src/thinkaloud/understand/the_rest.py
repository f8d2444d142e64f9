"""Where something of a request cannot be done, a person is asked whether the rest of it is to be done all the same.

"Put a plate, a fork and a glass on the table", and there is no glass: to do nothing would be of no use, and to leave
out the glass without a word would not be what was said. A robot that is never to ask, and has nobody whom it could,
does the rest and ends as failed.

What comes after the part that cannot be done may depend on it: "come in and lock the door" is not half done by locking
the door. Then the whole is declined. It depends if both are about the same thing, or about the same facts; a deed that
this robot does not have, and that is about no thing, may be about anything. What a deed ends counts where it is so now:
a block that is moved is no longer on any of the others, and on most of them it never was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from thinkaloud.program.lexicon import Lexicon
from thinkaloud.program.parsing import program_of, read_program
from thinkaloud.program.switches import switchable
from thinkaloud.program.tree import Cannot, Do, Expression, Number, Row, Statement, Text, walk
from thinkaloud.records import Meaning, Question, Reading, Refused, Value
from thinkaloud.worlds.contract import World
from thinkaloud.worlds.full_world import base_name

_MOST_PARTS = 20


@dataclass(frozen=True)
class Rest:
    """What of a request can be done, and why the other parts of it cannot."""

    deeds: Meaning
    lacking: str
    depends: bool = False
    """Whether some of it comes after what cannot be done, and may depend on that."""

    def refusal(self, refused: Meaning) -> Meaning:
        """That nothing is done, since the rest may depend on what cannot be done."""
        why = f"{self.lacking} The rest may depend on that, so I do nothing."
        kind = refused.content.kind if isinstance(refused.content, Refused) else "not possible"
        return replace(refused, words=why, content=Refused(kind, why))

    def meaning(self, refused: Meaning) -> Meaning:
        """The rest, to be done without asking; it ends with what is lacking, unless that comes to light meanwhile."""
        words, act = f"{self.lacking} {self.deeds.words}", replace(self.deeds.act, lacking=self.lacking)
        return replace(self.deeds, words=words, content=act, written=refused.written or refused.program)

    def question(self, refused: Meaning) -> Meaning:
        """Whether the rest is to be done all the same."""
        words, program = self.deeds.words, self.deeds.program
        question = f"{self.lacking} I could do the rest: {words} Shall I?"
        return replace(
            refused,
            program=program,
            words=question,
            content=Question(question, ("yes", "no")),
            readings=(Reading(program, words, 0.0),),
        )


@switchable(None)
def find_rest(refused: Meaning, lexicon: Lexicon, world: World, run: Callable[[str], Meaning | None]) -> Rest | None:
    """What can be done of what was refused; None where nothing was refused, or nothing else can be done."""
    program = read_program(refused.program, lexicon) if isinstance(refused.content, Refused) else None
    parts = [] if program is None else [(each, part) for each in program.statements for part in _parts_of(each)]
    if not 1 < len(parts) <= _MOST_PARTS:
        return None
    rest: list[Statement] = []
    missed: list[tuple[Statement, Statement]] = []
    lacking: list[str] = []
    depends = False
    for whole, part in parts:
        meaning = run(program_of([part], lexicon).text)
        if meaning is not None and meaning.sort == "deeds" and not meaning.notes:
            rest.append(part)
            depends |= any(other is not whole and _depends(part, on, lexicon, world) for other, on in missed)
        elif meaning is None or not isinstance(meaning.content, Refused) or isinstance(part, Cannot):
            return None
        else:
            lacking.append(meaning.content.why)
            missed.append((whole, part))
    meaning = run(program_of(rest, lexicon).text)
    if not lacking or meaning is None or not meaning.deeds:
        return None
    return Rest(meaning, " ".join(dict.fromkeys(lacking)), depends)


def _depends(later: Statement, missed: Statement, lexicon: Lexicon, world: World) -> bool:
    """Whether what comes later may depend on what cannot be done."""
    things, known = _things_in(missed), lexicon.skills
    calls = [node.call for each in (later, missed) for node in walk(each) if isinstance(node, Do)]
    if things & _things_in(later) or any(call.name not in known and not things for call in calls):
        return True
    before, after = _facts_of(missed, lexicon, world), _facts_of(later, lexicon, world)
    return any(
        name == other and (about & about_too or not about) for name, about in before for other, about_too in after
    )


def _things_in(statement: Statement) -> set[str]:
    return {node.value for node in walk(statement) if isinstance(node, Text)}


def _facts_of(statement: Statement, lexicon: Lexicon, world: World) -> list[tuple[str, set[object]]]:
    """The relations that a deed needs, brings about and ends, each with what it is about, as far as that is written."""
    found: list[tuple[str, set[object]]] = []
    for node in walk(statement):
        skill = (
            world.skills.get(lexicon.own_names.get(node.call.name, node.call.name)) if isinstance(node, Do) else None
        )
        if skill is None or not isinstance(node, Do):
            continue
        names = [p.name for p in skill.signature.parameters]
        given = {**dict(zip(names, node.call.given, strict=False)), **dict(node.call.named)}
        values = {name: each.value for name, each in given.items() if isinstance(each, Text | Number)}
        values = {p.name: p.default for p in skill.signature.parameters if p.default is not None} | values
        for part in (skill.needs, skill.effects, skill.ends):
            try:
                facts = () if part is None else [*part(**values)]
                if part is skill.ends:
                    facts = [fact for fact in facts if _changes(world, *fact)]
            except (
                Exception
            ):  # the robot's own code, about a thing that is not there: what it cannot tell is not declared
                continue
            found += [(base_name(name), {*about.values()}) for name, about in facts]
    return found


def _changes(world: World, name: str, about: Mapping[str, Value]) -> bool:
    """Whether to end this changes something: it is so now, or it is about nothing and may come to be so."""
    return not about or world.holds(world.relations[base_name(name)].condition(about))


def _parts_of(statement: Statement) -> Iterator[Statement]:
    """What one statement does, thing by thing where these are written out."""
    given = statement.call.given if isinstance(statement, Do) else ()
    place = next((n for n, each in enumerate(given) if _is_listed(each)), None)
    listed = None if place is None else given[place]
    if place is None or not isinstance(statement, Do) or not isinstance(listed, Row):
        yield statement
        return
    for each in listed.items:
        yield Do(replace(statement.call, given=(*given[:place], each, *given[place + 1 :])))


def _is_listed(given: Expression) -> bool:
    """Whether these are several things by their names."""
    return isinstance(given, Row) and len(given.items) > 1 and all(isinstance(each, Text) for each in given.items)
