"""What a person says to one of our own questions, where no model is needed to read it.

A yes, a no, the number of a reading or its words. A no is a no; thanks answer nothing, and the question is put again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from thinkaloud.episode.told_rules import tell_unanswered, unanswered_ban
from thinkaloud.language.numbers import is_amount, numbers_in
from thinkaloud.language.picking import find_fitting, pick, pick_named
from thinkaloud.language.words import picked_number, says_any, says_no, says_thanks, says_yes
from thinkaloud.monologue import Monologue
from thinkaloud.program import tree
from thinkaloud.program.lexicon import Lexicon
from thinkaloud.program.parsing import read_program
from thinkaloud.program.switches import switchable
from thinkaloud.records import (
    Answer,
    Ask,
    End,
    Meaning,
    NotClear,
    Noted,
    Question,
    Reading,
    Refused,
    Request,
    RuleNotice,
    Stop,
)
from thinkaloud.saying.telling import tell_choice
from thinkaloud.understand.conversation import Heard, all_heard
from thinkaloud.understand.meaning.circumstances import Circumstances
from thinkaloud.understand.offering import (
    OTHER_WORDS,
    STILL_UNSURE,
    Asking,
    find_picked,
    readings_asked,
    unclear,
)

NOTHING_ASKED = "I did not ask anything. Please say what I should do."
_OVER = ("goal met", "answered", "unconfirmed")
"""How something ends of which nothing is left to be agreed to."""
NO_MEANS_NO = "You said no, so I leave that."


def find_asked(heard: Heard, monologue: Monologue) -> Meaning | None:
    """The question that this is the answer to, if it is one."""
    asked = monologue.last((Meaning, Request), before=heard.at)
    is_answer = isinstance(monologue[heard.at].record, Answer)
    return asked if is_answer and isinstance(asked, Meaning) and asked.sort == "question" else None


@switchable(None)
def settle_bare_yes(heard: Heard, monologue: Monologue) -> Meaning | None:
    """That nothing was asked, where somebody says only yes and there is nothing that it could be said to.

    A yes may take up what the robot offered, or what it did not finish; a deed out of nowhere it never is.
    """
    if not isinstance(monologue[heard.at].record, Request) or not says_yes(heard.text):
        return None
    told = monologue.last((Ask, Answer, RuleNotice, End), before=heard.at)
    open_ = isinstance(told, Ask | RuleNotice) or (isinstance(told, End) and told.result not in _OVER)
    return None if open_ else Meaning("", NOTHING_ASKED, NotClear(NOTHING_ASKED))


def with_option_named(heard: Heard, monologue: Monologue) -> Heard:
    """What was heard, with the name of a choice in place of the words that pick it: "blue", "the second".

    So a model that reads the answer to its own question knows what it is.
    """
    asked = find_asked(heard, monologue)
    return heard if asked is None else replace(heard, text=option_named(heard.text, asked))


def option_named(text: str, asked: Meaning) -> str:
    """The choice of an open question that an answer picks, by name or otherwise; the answer itself if it picks none."""
    options = asked.content.options if isinstance(asked.content, Question) and not asked.readings else ()
    if len(options) < 2:
        return text
    place = pick_named(text, options)
    place = pick(text, options, to_the_last=True) if place is None else place
    return text if place is None else options[place]


def _narrowed(asked: Meaning, text: str, readings: tuple[Reading, ...], *, again: bool) -> Meaning | None:
    """The question with only the choices that an answer fits, if it fits several of them and not all."""
    fits = find_fitting(text, [each.words for each in readings])
    if not (isinstance(asked.content, Question) and again and 1 < len(fits) < len(readings)):
        return None
    left = tuple(readings[place] for place in fits)
    options = tuple(each.words for each in left)
    question = asked.content.text
    if asked.readings:
        question, options = tell_choice(options)
    content = replace(asked.content, text=question, options=options)
    words = question if asked.readings else f"{question} ({' / '.join(options)})"
    return replace(asked, words=words, content=content, readings=left if asked.readings else ())


def settle_reply(
    heard: Heard, monologue: Monologue, lexicon: Lexicon, run: Callable[[str], Meaning], asking: Asking
) -> Meaning | None:
    """What an answer settles without a model, if it does."""
    asked = find_asked(heard, monologue)
    if asked is None:
        return None
    readings = readings_asked(asked, lexicon)
    named = pick_named(heard.text, [each.words for each in readings])
    if named is not None:
        return replace(run(readings[named].program), sure=1.0)
    if says_thanks(heard.text):
        return asked if _may_repeat(asked, monologue, asking) else unclear(asked, STILL_UNSURE)
    if len(readings) > 1 and picked_number(heard.text) == len(readings) + 1:
        return unclear(asked, OTHER_WORDS)
    if says_no(heard.text) and not (len(readings) > 1 and says_any(heard.text)):
        return Meaning("", NO_MEANS_NO, Refused("you said no", NO_MEANS_NO))
    reading = find_picked(heard.text, readings, lexicon, to_the_last=not asked.readings)
    if reading is not None:
        return replace(run(reading.program), sure=1.0)
    if (narrower := _narrowed(asked, heard.text, readings, again=_may_repeat(asked, monologue, asking))) is not None:
        return narrower
    counted = take_bare_number(asked, heard.text, lexicon)
    meaning = None if counted is None else run(counted)
    return None if meaning is None or meaning.sort == "question" else replace(meaning, sure=1.0)


@switchable(None)
def take_bare_number(asked: Meaning, text: str, lexicon: Lexicon) -> str | None:
    """The program about whose only number the robot asked, with a number that is all of the answer: "45", "20 ml"."""
    program = read_program(asked.program, lexicon)
    if program is None or not isinstance(asked.content, Question) or asked.content.options or not is_amount(text):
        return None
    said = numbers_in(text).amounts
    places = [
        (call, parameter.name)
        for call in program.calls()
        if call.name in lexicon.skills
        for parameter in lexicon.skills[call.name].parameters
        if parameter.type in (int, float) and parameter.name in call.arguments(lexicon.skills[call.name])
    ]
    if len(said) != 1 or len(places) != 1:
        return None
    ((number, unit),), ((asked_for, name),) = said, places
    plain = tree.Number(int(number) if number.is_integer() else number)
    given = asked_for.arguments(lexicon.skills[asked_for.name])
    given[name] = tree.Amount(plain, unit) if unit else plain
    told = replace(asked_for, given=(), named=tuple(given.items()))
    return program.changed(lambda node: told if node == asked_for else node).text


def ask_again(meaning: Meaning, heard: Heard, monologue: Monologue, asking: Asking) -> Meaning | None:
    """The open question once more, where what was said instead of an answer asks for nothing; None in any other case.

    Who is cross and says so has not taken back what they wanted. Who picks the second of one has not said yes.
    """
    asked = find_asked(heard, monologue)
    named = picked_number(heard.text) or 0
    if asked is not None and meaning.program == asked.program and named > len(asked.readings) == 1:
        return asked if _may_repeat(asked, monologue, asking) else unclear(asked, STILL_UNSURE)
    match meaning.content:
        case NotClear(undecided=False) | Refused(kind="declined") | Noted(kept=(), rules=()):
            if asked is None or not _may_repeat(asked, monologue, asking) or meaning.standing or meaning.forgotten:
                return None
            before = f"{meaning.words} " if isinstance(meaning.content, Refused) else ""
            return replace(asked, words=f"{before}{_same_question(asked, monologue)[0].words}", notes=meaning.notes)
    return None


def explain_question(
    meaning: Meaning, heard: Heard, monologue: Monologue, at: Circumstances, asking: Asking
) -> Meaning | None:
    """Why the robot asked, and the question once more, where a person wants to know that; None in any other case."""
    asked, program = find_asked(heard, monologue), read_program(meaning.program, at.lexicon)
    wanted = tree.About("why")
    if asked is None or program is None or wanted not in program.nodes or not _may_repeat(asked, monologue, asking):
        return None
    return replace(asked, words=f"{' '.join(at.story.why)} {_same_question(asked, monologue)[0].words}")


def tell_open_ban(meaning: Meaning, monologue: Monologue) -> Meaning:
    """A meaning with the ban that holds all the same: the robot asked about it, and somebody said something else."""
    asked = monologue.last((Meaning, Stop), before=all_heard(monologue)[-1].at)
    ban = unanswered_ban(asked, meaning) if isinstance(asked, Meaning) and meaning.sort != "look" else None
    return meaning if ban is None else replace(meaning, told=f"{meaning.spoken} {tell_unanswered(ban)}")


def ask_in_vain(meaning: Meaning, monologue: Monologue, asking: Asking) -> Meaning | None:
    """That nothing is done, where the same question has been put too often for this request; None in any other case.

    Somebody may have answered it each time, and the model did not write what they said.
    """
    worn = isinstance(meaning.content, Question) and not _may_repeat(meaning, monologue, asking)
    return unclear(meaning, STILL_UNSURE) if worn else None


def _may_repeat(asked: Meaning, monologue: Monologue, asking: Asking) -> bool:
    """Whether a question has not been asked too often."""
    return len(_same_question(asked, monologue)) <= asking.repeats


def _same_question(asked: Meaning, monologue: Monologue) -> list[Meaning]:
    """Each time that a question was put, for the task at hand, the first time first."""
    return [each for each in monologue.in_task(Meaning) if each.content == asked.content]
