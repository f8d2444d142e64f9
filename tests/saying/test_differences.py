"""People who choose between readings see what differs."""

from __future__ import annotations

from thinkaloud.saying.differences import mark_differences


def told(*sentences: str) -> list[str]:
    """Each sentence, with what differs in brackets."""
    found = mark_differences(sentences)
    return ["".join(f"[{piece.text}]" if piece.differs else piece.text for piece in pieces) for pieces in found]


def test_only_what_differs_is_shown_with_a_little_around_it() -> None:
    start, end = "I will pick the mug and the spoon up and carry", "to the kitchen table and leave them there."
    assert told(f"{start} both {end}", f"{start} only the mug {end}") == [
        "… and carry [both ]to the …",
        "… and carry [only the mug ]to the …",
    ]


def test_several_differences_are_all_shown() -> None:
    first = "I will pick the red block and place it on the red bowl, then open the lid of the box."
    assert told(first, first.replace("red", "blue")) == [
        "… pick the [red ]block and … on the [red ]bowl, …",
        "… pick the [blue ]block and … on the [blue ]bowl, …",
    ]


def test_what_has_nothing_of_its_own_shows_the_same_place() -> None:
    start, end = "I will carefully pick up the basil tray", "on the north bench."
    assert told(f"{start}, the mint tray and the chilli tray {end}", f"{start} {end}") == [
        "… basil tray[, the mint tray and the chilli tray ]on the …",
        "[Only: ]… basil tray on the …",
    ]
    assert told("Put the mug away and then wait here.", "Put the mug away and then wait here. Then sing.") == [
        "[Only: ]… here.",
        "… here. [Then sing.]",
    ]
    assert told("Wait.", "Wait.") == ["Wait.", "Wait."]
    assert told("Water the rose.", "Water the rose, then the fern.") == [
        "[Only: ]Water the rose.",
        "Water the rose[, then the fern].",
    ]


def test_one_sentence_and_sentences_that_share_nothing_stay_whole() -> None:
    assert told("yes") == ["yes"]
    assert told("yes", "no") == ["[yes]", "[no]"]
    assert told("把红色方块放到红碗里", "None of these.") == ["[把红色方块放到红碗里]", "[None of these.]"]
    assert told() == []
