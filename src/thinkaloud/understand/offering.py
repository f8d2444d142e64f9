"""What a person is asked where a reading is in doubt: which readings are offered, in which words, and what was chosen.

Offered is what would be done, answered or noted. That something is not here, or is so already, is no choice: nobody
asks for that. What a person has said no to is not offered again, until something was understood.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from thinkaloud.language.picking import find_fitting, pick
from thinkaloud.language.words import (
    answer_words,
    begins_with_no,
    denies,
    denies_all,
    says_yes,
    stems,
    without_no,
)
from thinkaloud.monologue import Monologue
from thinkaloud.program.lexicon import Lexicon
from thinkaloud.program.narrowing import narrow_reading
from thinkaloud.program.parsing import Program, read_program, with_name
from thinkaloud.records import (
    Act,
    Answer,
    Answered,
    Meaning,
    NotClear,
    Noted,
    Question,
    Reading,
    Refused,
    Request,
    Step,
    StopWhen,
    UndoWork,
)
from thinkaloud.saying.phrasing import within
from thinkaloud.saying.retelling import Retelling
from thinkaloud.saying.telling import tell_choice
from thinkaloud.skills.signatures import capitalised
from thinkaloud.understand.conversation import undo_count
from thinkaloud.understand.meaning.circumstances import Circumstances
from thinkaloud.understand.meaning.summing_up import NOTHING
from thinkaloud.worlds.contract import World
from thinkaloud.worlds.effects import promises_of

Confirm = Literal["unsure", "always", "never"]
OTHER_WORDS = "I did not understand that. Please say it in other words."
STILL_UNSURE = "I am still not sure what you mean, so I do nothing. Please say it in other words."


@dataclass(frozen=True)
class Asking:
    """When a person is asked whether they were understood: never, always, or where that is too unsure.

    `accepts` is the share of requests that may be misunderstood in silence, None for what was chosen for the model;
    which threshold that is was measured.
    """

    confirm: Confirm = "unsure"
    accepts: float | None = None
    budget: int = 4
    """Questions about one request."""
    repeats: int = 2
    """So often the same one is asked; who then says something else is heard all the same."""


@dataclass(frozen=True)
class Option:
    """A reading, what it comes to, and of an answer what was asked, if there are words for that.

    `hinges`: what would be done depends on how things are, and the words of the reading say so.
    """

    reading: Reading
    meaning: Meaning
    asked: str | None = None
    hinges: bool = False


def option_of(reading: Reading, meaning: Meaning, at: Circumstances) -> Option:
    """A reading as it is offered: an answer with what it is the answer to, deeds with what they depend on."""
    noted = meaning.content if isinstance(meaning.content, Noted) else Noted()
    reading = replace(reading, deeds=meaning.deeds, kept=noted.kept, rules=noted.rules)
    retelling, program = Retelling(at.phrases), read_program(reading.program, at.lexicon)
    if program is not None and _hinges(program, meaning, retelling):
        return Option(replace(reading, words=_tell_hinging(program, meaning, retelling)), meaning, hinges=True)
    asked = at.phrases.tell_question(program) if meaning.sort == "answer" else None
    words = meaning.spoken if asked is None else f"You ask {asked}: {meaning.spoken}"
    return Option(replace(reading, words=words), meaning, asked)


def _hinges(program: Program, meaning: Meaning, retelling: Retelling) -> bool:
    """Whether something would be done, on a condition, or where it is not: as things are, only something is said."""
    if meaning.sort == "answer":
        return retelling.acts(program)
    return meaning.sort == "deeds" and retelling.has_condition(program)


def _tell_hinging(program: Program, meaning: Meaning, retelling: Retelling) -> str:
    """What would be done and when, as far as there are words for it, and what that comes to now."""
    told = retelling.tell(program)
    whole = f"{capitalised(told)}. " if told else ""
    if meaning.sort != "answer":
        return f"{whole}As things are, {within(meaning.words)}" if whole else meaning.words
    if not _is_idle(meaning):
        return f"{whole}As things are, I do nothing and only say: {meaning.words}"
    unmet = retelling.tell_unmet(program)
    return whole + (f"{capitalised(unmet)}, so there is nothing to do." if unmet else NOTHING)


def choose_offered(
    best: Option, others: Sequence[Option], rejected: Collection[Hashable], at: Circumstances
) -> list[Option]:
    """The readings to ask a person about, the best first.

    The best alone may come to nothing, where nothing else is left: who is told that it is so already can say what else
    they meant. Beside readings that come to something it is no choice.
    """
    found = [] if outcome_of(best.meaning, at.world) in rejected else [best]
    known = {option.reading.words for option in found}
    for each in others:
        new = each.reading.words not in known and outcome_of(each.meaning, at.world) not in rejected
        if new and _comes_to_something(each.meaning, at) and not _is_same_choice(each, found):
            found.append(each)
            known.add(each.reading.words)
    if found[:1] == [best] and len(found) > 1 and not _comes_to_something(best.meaning, at):
        return found[1:]
    return found


def _comes_to_something(meaning: Meaning, at: Circumstances) -> bool:
    """Whether something would be done, answered or noted."""
    match meaning.sort:
        case "deeds":
            return not _changes_nothing(meaning)
        case "undo":
            return undo_count(meaning) <= len(at.undone)
        case "answer":
            return not _is_idle(meaning)
    return meaning.sort in ("note", "previous", "stop")


def _is_idle(meaning: Meaning) -> bool:
    return isinstance(meaning.content, Answered) and meaning.content.idle


def _changes_nothing(meaning: Meaning) -> bool:
    """Whether deeds come to nothing, since what they would bring about is so already."""
    return not (meaning.deeds or meaning.said or meaning.notes or meaning.act.goes_on)


def _is_same_choice(option: Option, found: Sequence[Option]) -> bool:
    """Nobody can choose between a yes and a no, unless they are told to what, nor between answers to one question."""
    if option.asked is not None and option.asked in [each.asked for each in found if not each.hinges]:
        return True
    if not _is_yes_or_no(option.meaning):
        return False
    others = [each for each in found if _is_yes_or_no(each.meaning)]
    return any(None in (each.asked, option.asked) or _told(each) == _told(option) for each in others)


def _is_yes_or_no(meaning: Meaning) -> bool:
    return meaning.sort == "answer" and answer_words(meaning.words)[:1] in (["yes"], ["no"])


def _told(option: Option) -> list[str]:
    return answer_words(option.meaning.words)[1:]


def ask_about(meaning: Meaning, offered: Sequence[Option]) -> Meaning:
    """The question which of the readings was meant; whether it was, of one; what it says where there is none."""
    if not offered:
        return unclear(meaning, OTHER_WORDS)
    first, readings = offered[0].meaning, tuple(each.reading for each in offered)
    options: tuple[str, ...] = ("yes", "no")
    if len(offered) > 1:
        question, options = tell_choice([each.words for each in readings])
    elif first.sort == "answer" and not offered[0].hinges:
        question = _ask_about_answer(offered[0])
    elif first.sort == "note" and not (first.standing or first.forgotten):
        question = f"{first.words} There is nothing that I should do. Is that right?"
    elif first.sort == "deeds" and not offered[0].hinges and _changes_nothing(first):
        question = f"I understood: {first.words} So there is nothing to do. Is that right?"
    else:
        question = f"I understood: {readings[0].words} Is that right?"
    content = Question(question, options)
    program = readings[0].program
    bare = _without_effects(meaning)
    return replace(bare, program=program, words=question, content=content, readings=readings)


def _ask_about_answer(option: Option) -> str:
    """An answer that may be one to another question is not given as if it were none: whoever hears it would go by it.

    It is there, though, and with it what it answers, so that a person can tell at once.
    """
    answer = option.meaning.spoken
    if option.asked is None:
        return f"I am not sure that I understood the question. My answer would be: {answer} Is that it?"
    return f"I understood that you ask {option.asked}. My answer to that: {answer} Is that what you wanted to know?"


def unclear(meaning: Meaning, why: str) -> Meaning:
    """That nothing is done, and why, in place of a meaning."""
    return replace(_without_effects(meaning), words=why, content=NotClear(why, undecided=True))


def _without_effects(meaning: Meaning) -> Meaning:
    """A meaning of which nothing is remembered yet: it is only asked about."""
    return replace(meaning, notes=(), freed=(), standing=(), forgotten=())


# What a person made of it ---------------------------------------------------------------------------------------------


def rejected_programs(monologue: Monologue, at: int) -> list[str]:
    """The readings that a person has said no to, up to an event, since something was last understood.

    Until then, what is said is taken for the same request in other words.
    """
    found: list[str] = []
    asked: Meaning | None = None
    for event in monologue.events_of((Meaning, Request, Answer), before=at + 1):
        match event.record:
            case Meaning(content=Question()):
                asked = event.record
            case Meaning(content=Refused() | NotClear()) | Request():
                asked = None
            case Meaning():
                found, asked = [], None
            case Answer(text=text) if asked is not None:
                found += [each.program for each in refused_by(text, asked.readings)]
            case _:
                pass
    return found


def refused_by(text: str, readings: tuple[Reading, ...]) -> Sequence[Reading]:
    """What a no is said to: of several, those that "not …" names, all but those that "no, …" does, or else all."""
    if not (begins_with_no(text) or denies_all(text)):
        return ()
    said = stems(without_no(text))
    named = [each for each in readings if said and said <= stems(each.words)]
    if not named or len(readings) < 2 or denies_all(text):
        return readings
    return named if denies(text) else [each for each in readings if each not in named]


def readings_asked(asked: Meaning, lexicon: Lexicon) -> tuple[Reading, ...]:
    """The readings between which a question is; where it is which thing is meant, the program with each of them."""
    question, program = asked.content, read_program(asked.program, lexicon)
    if asked.readings or program is None or not isinstance(question, Question) or not question.noun:
        return asked.readings
    programs = {thing: with_name(program, question.noun, thing) for thing in question.options}
    return tuple(Reading(each.text, thing, 0.0) for thing, each in programs.items() if each != program)


def find_picked(
    text: str, readings: tuple[Reading, ...], lexicon: Lexicon, *, to_the_last: bool = False
) -> Reading | None:
    """The reading that an answer names: the only one by yes, one of several by its number or its own words."""
    if len(readings) < 2:
        return readings[0] if readings and says_yes(text) else None
    words = [each.words for each in readings]
    place, fits = pick(text, words, to_the_last=to_the_last), find_fitting(text, words)
    if place is None or fits != [place]:
        return None if place is None else readings[place]
    return narrow_reading(text, readings[place], lexicon)


# What is the same -----------------------------------------------------------------------------------------------------


def outcome_of(meaning: Meaning, world: World) -> Hashable:
    """What a meaning comes to in the world at hand: two programs with the same outcome mean the same."""
    unchecked = tuple(step.words for step in meaning.deeds if not _promises(step, world))
    already = {condition.words for condition in meaning.act.already}
    wishes = frozenset(condition.words for condition in meaning.act.wishes if condition.words not in already)
    noted = isinstance(meaning.content, Noted)
    rules = frozenset((rule.words, rule.allowed) for rule in meaning.rules if noted or rule.allowed)
    waits = tuple(frozenset(rule.program for rule in each) for each in (meaning.standing, meaning.forgotten))
    deeds: Hashable = (wishes, unchecked, rules, meaning.act.goes_on, waits)
    match meaning.content:
        case Act():
            return ("deeds", deeds)
        case UndoWork(count):
            return ("undo", count, deeds)
        case Answered(said):
            return ("answer", said, waits)
        case Noted(kept):
            return ("note", kept, meaning.freed, rules, waits)
        case StopWhen(when):
            return ("stop", when)
        case Question(text, options, noun):
            return ("question", frozenset(options) or noun or text)
        case Refused(kind):
            return ("refusal", kind)
    return (meaning.sort,)


def _promises(step: Step, world: World) -> bool:
    return bool(promises_of(world.skills[step.skill], step.arguments, world))
