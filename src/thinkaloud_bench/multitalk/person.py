"""The person of an episode: has wishes that were not said, and tells them when asked, and only what is asked."""

from __future__ import annotations

from dataclasses import dataclass, field

from thinkaloud.converse.inbox import Inbox
from thinkaloud.episode.approval_answers import MAY_I
from thinkaloud.monologue import Event
from thinkaloud.records import Answer, Ask, Message, Stop
from thinkaloud_bench.multitalk.episodes import TalkEpisode, Topic
from thinkaloud_bench.multitalk.questions import asks_leave, points_in, tells_trouble, topics_of

NO_WISH = "I don't mind."
_NEVER_MIND = "never mind"
_NEXT_BEST: dict[Topic, tuple[Topic, ...]] = {"object": ("pairs",), "pairs": ("object",)}
"""Where there is no wish about the one, a question about it is one about the other: two things may be a pair."""

_WHERE: tuple[Topic, ...] = ("place", "instead")


@dataclass(frozen=True, slots=True)
class HeardQuestion:
    """A question, what was said to it, and whether it had to be asked. `topics` are what it was answered about."""

    question: str
    answer: str
    topics: tuple[Topic, ...]
    needed: bool
    trouble: bool


@dataclass
class AnsweringPerson:
    """Listens to the robot. One who is away hears nothing, but the questions are counted as well."""

    episode: TalkEpisode
    inbox: Inbox
    heard: list[HeardQuestion] = field(default_factory=list)
    answered: set[Topic] = field(default_factory=set)

    def __call__(self, event: Event) -> None:
        """Hear an event of the monologue; a question is answered at once."""
        if isinstance(event.record, Ask):
            message = self.reply(event.record)
            if self.inbox.present:
                self.inbox.say(message)

    def reply(self, ask: Ask) -> Message:
        """What is said to some questions: one answer to all of them, or that it is not wanted any more."""
        told = tells_trouble(" ".join(ask.questions))
        answers = [self._answer(question, told) for question in ask.questions]
        self.heard += answers
        for each in answers:
            self.answered.update(each.topics)
        if any(each.answer == _NEVER_MIND for each in answers):
            return Stop(_NEVER_MIND)
        if len(answers) == 1:
            return Answer(answers[0].answer)
        return Answer(" ".join(f"{number}: {each.answer}" for number, each in enumerate(answers, 1)))

    @property
    def was_told(self) -> bool:
        """Whether the robot said that it cannot be done, or asked for something else to do."""
        return any(each.trouble for each in self.heard)

    def _answer(self, question: str, told: bool) -> HeardQuestion:
        if question.startswith(MAY_I):
            return HeardQuestion(question, "Yes.", (), needed=False, trouble=False)
        if asks_leave(question) and not told:
            return HeardQuestion(question, self._leave(question), (), needed=False, trouble=False)
        asked = topics_of(question, self.episode.names)
        trouble = told or "instead" in asked
        wishes, topics = self.episode.preferences, self._wishes(asked, told)
        if trouble and not self.episode.feasible:
            return HeardQuestion(question, _NEVER_MIND, (), needed=True, trouble=True)
        needed = any(topic in self.episode.needed and topic not in self.answered for topic in topics)
        if topics:
            return HeardQuestion(question, " ".join(wishes[topic] for topic in topics), topics, needed, trouble)
        return HeardQuestion(question, _NEVER_MIND if trouble else NO_WISH, (), needed, trouble)

    def _leave(self, question: str) -> str:
        """Yes or no, by what is wished; who is asked for leave does not say what they would rather have."""
        wished = [point for topic in _WHERE for point in points_in(self.episode.preferences.get(topic, ""))]
        meant = points_in(question)
        return "Not there." if wished and any(point not in wished for point in meant) else "Yes."

    def _wishes(self, asked: tuple[Topic, ...], told: bool) -> tuple[Topic, ...]:
        """The topics of a question that there is a wish about; who is told of trouble says what to do instead."""
        wishes = self.episode.preferences
        if "instead" in wishes and (told or "instead" in asked):
            return ("instead",)
        found = list[Topic]()
        for topic in asked:
            best = next((each for each in (topic, *_NEXT_BEST.get(topic, ())) if each in wishes), None)
            if best is not None and best not in found:
                found.append(best)
        return tuple(found)
