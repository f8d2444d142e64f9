"""What a session's page tells, in a person's English, as the terminal tells it; the records keep the robot's words."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from thinkaloud.episode.person_english import PersonEnglish
from thinkaloud.saying.differences import mark_differences
from thinkaloud.web.messages import Piece, Question, SessionSummary
from thinkaloud.worlds.drawing import BoardGroup, BoardThing, Drawing

_Told = TypeVar("_Told", BoardGroup, BoardThing)


def speak_summary(told: SessionSummary, speak: PersonEnglish | None) -> SessionSummary:
    """A summary as a person would say it. Answers are sent back, so options stay as they are."""
    if speak is None:
        return told
    return replace(
        told,
        understood=speak(told.understood),
        said=tuple(map(speak, told.said)),
        plan=tuple(replace(s, words=speak(s.words), why=speak(s.why), reason=speak(s.reason)) for s in told.plan),
        goal=tuple(replace(each, words=speak(each.words)) for each in told.goal),
        corrections=tuple(
            replace(each, problem=speak(each.problem), remedy=speak(each.remedy)) for each in told.corrections
        ),
        exchanges=tuple(replace(each, question=speak(each.question)) for each in told.exchanges),
        question=None if told.question is None else _speak_question(told.question, speak),
        values=tuple(map(speak, told.values)),
        doing=speak(told.doing),
        because=speak(told.because),
    )


def speak_board(drawn: Drawing, speak: PersonEnglish | None) -> Drawing:
    """A drawing whose board tells its facts as a person would."""
    if speak is None:
        return drawn
    return replace(
        drawn,
        board=tuple(
            replace(_speak_facts(group, speak), things=tuple(_speak_facts(each, speak) for each in group.things))
            for group in drawn.board
        ),
    )


def _speak_facts(told: _Told, speak: PersonEnglish) -> _Told:
    facts, fresh, gone = (tuple(map(speak, each)) for each in (told.facts, told.fresh, told.gone))
    return replace(told, facts=facts, fresh=fresh, gone=gone)


def _speak_question(asked: Question, speak: PersonEnglish) -> Question:
    texts = tuple(map(speak, asked.options))
    several = len(asked.foreseen)
    pieces = (*mark_differences(texts[:several]), *((Piece(each),) for each in texts[several:]))
    return replace(
        asked,
        questions=tuple(map(speak, asked.questions)),
        because=speak(asked.because),
        lead=speak(asked.lead),
        pieces=pieces,
    )
