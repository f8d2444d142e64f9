"""What a question is about, however it is worded; and the person who answers only what is asked."""

from __future__ import annotations

from typing import Any

import pytest

from thinkaloud.converse.inbox import Inbox
from thinkaloud.monologue import Event
from thinkaloud.records import Answer, Ask, Look, Stop
from thinkaloud_bench.multitalk.episodes import TalkEpisode
from thinkaloud_bench.multitalk.person import NO_WISH, AnsweringPerson
from thinkaloud_bench.multitalk.questions import tells_trouble, topics_of

NAMES = ("mustard bottle 1", "mustard bottle 2", "soup can 1", "soup can 2", "tray", "basket", "red mug")

WORDINGS = {
    "object": (
        "Which object do you mean, soup can 1 or soup can 2?",
        "What object would you like to eat? The environment contains a mustard bottle and a soup can.",
        "Which soup can should I give you?",
        "Which mug?",
        "Which one?",
        "Which?",
        "Which of the bottles?",
        "What would you like to drink?",
        "What exactly should I fetch?",
        "Do you want soup can 1 or soup can 2?",
        "Should it be the mustard bottle 1 or the mustard bottle 2?",
        "What do you have in mind: red mug or soup can 1?",
        "Can you clarify which bottle you are referring to?",
        "Which item from the table would you like me to bring to you?",
        "Could you please specify the object you would like to eat?",
        "I cannot tell which soup can you mean. Which one is it?",
        "Do you mean the soup can on the left?",
        "Which of these do you prefer?",
        "Which of the two mustard bottles shall I take?",
        "Several things would do. Which thing is it to be?",
    ),
    "place": (
        "Where should I put it?",
        "Where?",
        "Location?",
        "Where would you like the soup can to be moved? Please provide the desired coordinates within the bounds of "
        "the table.",
        "Please specify the target coordinates for the mug.",
        "Into which container should the apple go?",
        "Which receptacle should I put the apple in?",
        "Which tray should I put it on?",
        "To which location should I move soup can 1?",
        "What location do you want it at?",
        "At what coordinates should I place the soup can?",
        "Could you tell me where the mug belongs?",
        "What is the desired final position of soup can 2?",
        "On which side of the table should the mug stand?",
        "Where exactly should I hand it over?",
        "What's the goal location?",
        "What is the destination for the red mug?",
        "Should I put soup can 1 at (0.30, 0.20)?",
        "In order to give you the can I need its destination; where to?",
        "Should the line start at a particular location?",
        "What coordinates?",
    ),
    "direction": (
        "In which direction should the objects be aligned?",
        "In which direction should the objects be aligned to form a straight line (e.g., along the x-axis, y-axis, or "
        "any other specific direction)?",
        "Which direction?",
        "Which axis should the line follow?",
        "Should the line be horizontal or vertical?",
        "Do you want them lined up along x or along y?",
        "Which way should the row run?",
    ),
    "order": (
        "What should be the order of the objects in the straight line?",
        "Order?",
        "Which one should come first in the line?",
        "Is there a particular order you would like?",
        "How should the objects be ordered?",
        "From left to right, what is the sequence?",
        "In what order should soup can 1, soup can 2 and red mug stand?",
    ),
    "pairs": (
        "Which two pairs of objects would you like to interchange the locations of?",
        "Which two objects should I swap?",
        "Which objects should exchange their places?",
        "Please name the pairs to be interchanged.",
        "Which pairs?",
        "Which things should trade places with each other?",
    ),
    "instead": (
        "The vase cannot be reached. What should I do instead?",
        "The tray is too wide to be grasped. How should I proceed?",
        "There is no banana on the table. What should I do?",
        "Would you like to change your request?",
        "Is there something else I can do?",
        "I could not find the soup can even after looking again. Is there an alternative?",
    ),
    "object place": (
        "Which object should I move, and where should I move it?",
        "Where do you want the soup can, and which one?",
        "What do you want to eat, and where should I place it?",
    ),
    "direction order": ("Along which axis, and in what order?",),
    "order place": ("What should the order be and where does the line begin?",),
    "instead place": ("The place is not free: mustard bottle 2 stands there. Where should soup can 1 go instead?",),
    "instead object": ("I do not see a banana. Which object would you like instead?",),
    "": ("How are you today?", "Is the weather nice?", "May I begin now?"),
}


@pytest.mark.parametrize(("topics", "question"), [(t, q) for t, several in WORDINGS.items() for q in several])
def test_a_question_is_understood_in_many_wordings(topics: str, question: str) -> None:
    assert topics_of(question, NAMES) == tuple(topics.split())


TROUBLE = (
    "(0.60, 0.10) lies outside the table. Where should I put it?",
    "The arm does not reach (0.44, 0.60). Where to?",
    "The tray is too wide to be grasped.",
    "I do not see a banana. Which object do you mean?",
    "There is no banana here.",
    "The two wishes contradict each other. Which one counts?",
    "The banana was not found, what now?",
    "The mug can't be in both places at once.",
    "That point is out of reach.",
    "It is not possible to put it there.",
    "No banana is visible. Which fruit do you want?",
    "There isn't a banana here; where could it be?",
    "The banana is not in the environment. What would you like?",
    "(0.90, 0.10) exceeds the limits of the table. Where should the mug go?",
    "The arm's base is at (0.02, 0.01). Where should I put the mug?",
    "The tray is wider than the gripper. Which object should I move?",
    "Please give me a place that is not off the table.",
    "I only see a mug and a plate. Which one do you mean?",
    "A mug cannot stand in two places. Which of them?",
    "The place is already occupied. Where to?",
)
NO_TROUBLE = (
    "I cannot tell which soup can you mean. Which one is it?",
    "Where should I put the soup can?",
    "Which of the soup cans do you want, the one on the tray or the other?",
    "Is there no order that you would like better?",
    "Where would you like it? Please provide coordinates within the bounds of the table.",
    "Do you not mind which one?",
    "Which two objects should change places?",
    "I am not sure which of the cans you mean. Which one?",
)


def test_whether_it_tells_of_trouble() -> None:
    assert [text for text in TROUBLE if not tells_trouble(text)] == []
    assert [text for text in NO_TROUBLE if tells_trouble(text)] == []


# The person -----------------------------------------------------------------------------------------------------------


def person(**changes: Any) -> AnsweringPerson:
    wishes = {"object": "Soup can 2.", "place": "At (0.30, -0.30)."}
    given: dict[str, Any] = {"preferences": wishes, "needed": ("object", "place"), **changes}
    scene = {"object": [{"name": name, "x": 0.0, "y": 0.0} for name in NAMES]}
    return AnsweringPerson(TalkEpisode("1", "file", "Give me the soup can.", scene, **given), Inbox(present=True))


def test_only_what_is_asked_is_answered() -> None:
    assert person().reply(Ask(("Which soup can do you mean?",))) == Answer("Soup can 2.")
    assert person().reply(Ask(("Where to?",))) == Answer("At (0.30, -0.30).")
    assert person().reply(Ask(("In which direction should the line run?",))) == Answer(NO_WISH)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("May I?", "Yes."),
        ("May I put soup can 2 somewhere on the table?", "Yes."),
        ("Can I place it at (0.30, -0.30)?", "Yes."),
        ("Is it all right if I move it to (0.10, 0.20)?", "Not there."),
        ("May I put it on the left or on the right?", "At (0.30, -0.30)."),
        ("May I ask where it should go?", "At (0.30, -0.30)."),
    ],
)
def test_who_is_asked_for_leave_says_yes_or_no_and_gives_nothing_away(question: str, answer: str) -> None:
    asked = person()
    assert asked.reply(Ask((question,))) == Answer(answer)
    assert ("place" in asked.answered) == answer.startswith("At")


def test_several_questions_get_numbered_answers() -> None:
    said = person().reply(Ask(("Where should it go?", "Which can?", "How are you?")))
    assert said == Answer(f"1: At (0.30, -0.30). 2: Soup can 2. 3: {NO_WISH}")


def test_a_question_with_two_topics_gets_both_answers() -> None:
    someone = person()
    assert someone.reply(Ask(("Which can, and where should I put it?",))) == Answer("Soup can 2. At (0.30, -0.30).")
    assert someone.answered == {"object", "place"}


def test_a_question_is_needed_once() -> None:
    someone = person(needed=("object",))
    someone.reply(Ask(("Which can?", "Where should I put it?")))
    someone.reply(Ask(("Which can again?",)))
    assert [each.needed for each in someone.heard] == [True, False, False]


def test_who_was_asked_for_things_names_the_pair() -> None:
    someone = person(preferences={"pairs": "The soup cans."}, needed=("pairs",))
    assert someone.reply(Ask(("Which objects do you mean?",))) == Answer("The soup cans.")
    assert someone.heard[0].needed


def test_what_to_do_instead_is_said_if_there_is_anything() -> None:
    someone = person(preferences={"instead": "Move the mug first.", "place": "At (0.1, 0.3)."}, needed=())
    question = "(0.10, 0.30) is not free: the mug stands there. Where should I put it?"
    assert someone.reply(Ask((question,))) == Answer("Move the mug first.")


def test_what_cannot_be_done_is_given_up() -> None:
    someone = person(feasible=False, needed=())
    assert someone.reply(Ask(("That is outside the table. Where should I put it?",))) == Stop("never mind")
    assert someone.was_told
    assert [each.needed for each in someone.heard] == [True]


def test_who_insists_on_the_impossible_repeats_it_until_told() -> None:
    someone = person(feasible=False, needed=())
    assert someone.reply(Ask(("Where should I put it?",))) == Answer("At (0.30, -0.30).")
    assert not someone.was_told


def test_what_could_be_done_but_is_said_not_to_be_is_given_up_too() -> None:
    someone = person(preferences={}, needed=())
    assert someone.reply(Ask(("I cannot do that. What should I do instead?",))) == Stop("never mind")


def test_one_who_is_away_says_nothing_and_counts_all_the_same() -> None:
    someone = person()
    someone.inbox.present = False
    someone(Event(0, 0.0, Ask(("Which can?",))))
    assert someone.inbox.heard() == []
    assert len(someone.heard) == 1


def test_only_questions_are_answered() -> None:
    someone = person()
    someone(Event(0, 0.0, Look("there may be more")))
    assert someone.inbox.heard() == []
    someone(Event(1, 0.0, Ask(("Which can?",))))
    assert someone.inbox.heard() == [Answer("Soup can 2.")]
