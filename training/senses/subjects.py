"""What a judge is about: steps at a table from above, or in a kitchen where the robot stands."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from thinkaloud.worlds.learned_files import SIDE
from training.hands import sentences
from training.senses import attempts, kitchen_attempts, kitchen_sentences


@dataclass(frozen=True)
class Subject:
    """The words of its sentences, how its attempts are drawn, and the height and width of its pictures."""

    words: tuple[str, ...]
    same: Mapping[str, str]
    draw: Callable[[int], dict[str, Any]]
    size: tuple[int, int]
    made_by: str


TABLE = Subject(sentences.WORDS, sentences.SAME, attempts.draw_attempt, (SIDE, SIDE), "training.senses.attempts")
KITCHEN = Subject(
    kitchen_sentences.WORDS,
    kitchen_sentences.SAME,
    kitchen_attempts.draw_attempt,
    (kitchen_attempts.TALL, kitchen_attempts.WIDE),
    "training.senses.kitchen_attempts",
)


def subject_option(parser: argparse.ArgumentParser) -> None:
    """Add the option that says what a judge is about."""
    parser.add_argument(
        "--kitchen",
        dest="subject",
        action="store_const",
        const=KITCHEN,
        default=TABLE,
        help="a judge of steps in the kitchen, not at the table",
    )
