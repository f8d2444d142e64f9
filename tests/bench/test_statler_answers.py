"""Answers: which wordings mean the same, and which do not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thinkaloud_bench.statler.answers import agrees

THINGS = (
    "red block", "blue block", "white block", "orange block", "golden block", "light blue block", "rubik's cube",
    "toy wheel", "golden bowl", "red bowl", "green bowl", "red cup", "blue cup", "disinfector",
)  # fmt: skip
DIRTY = "Is the red block dirty?"
COUNT = "How many blocks are in the red bowl"
UNDER = "What is the color of the block under the white block?"
WHERE = "where is the red block"
HEAVY = "Which of the red block and the blue block is the heaviest?"
EMPTY = "which bowl is empty"
CUP = "what is under the red cup"
ANY = "is anything under the blue cup"

FREE = "is the red bowl empty"
CLEAN = "is the red block clean"
SAME = [
    ("yes", "There is nothing in the red bowl", FREE), ("yes", "It is empty.", FREE), ("no", "It is not empty", FREE),
    ("no", "It is empty.", ANY), ("yes", "it is", DIRTY), ("yes", "It is dirty now", DIRTY),
    ("no", "It is clean.", DIRTY),
    ("yes", "It is not dirty.", CLEAN), ("no", "the red block is dirty", CLEAN), ("yes", "I think yes", DIRTY),
    ("The red block is dirty.", "yes", DIRTY), ("It is not dirty", "no", DIRTY),
    ("no", "There are no blocks in it", ANY),
    ("yes", "yes", DIRTY), ("yes", "Yes.", DIRTY), ("yes", "Yes, it is dirty.", DIRTY), ("yes", "yeah", DIRTY),
    ("yes", "True", DIRTY), ("yes", "The red block is dirty.", DIRTY), ("yes", "It is dirty", DIRTY),
    ("no", "no", DIRTY), ("no", "Nope", DIRTY), ("no", "No, the red block is clean.", DIRTY), ("no", "False", DIRTY),
    ("no", "The red block is not dirty", DIRTY), ("no", "It isn't dirty.", DIRTY),
    ("no", "The red block is clean", DIRTY),
    ("no (white block is on the orange block in the red bowl, green block is on the table)", "no", ""),
    ("no (it is on the table)", "No, it is not", DIRTY), ("No.", "it is not", DIRTY),
    ("no", "Nothing is under the blue cup", ANY), ("no", "nothing", ANY), ("yes", "Yes, the red block", ANY),
    ("2", "2", COUNT), ("2", "two", COUNT), ("two", "2", COUNT), ("2", "There are two blocks in the red bowl.", COUNT),
    ("There are 2 blocks in the red bowl", "2", COUNT), ("2", "2 blocks", COUNT), ("1", "one block", COUNT),
    ("1", "There is one block in the red bowl: the blue one.", COUNT), ("0", "none", COUNT), ("0", "zero", COUNT),
    ("0", "There is no block in the red bowl", COUNT), ("There is no block in the red bowl", "0", COUNT),
    ("0", "The red bowl is empty.", COUNT), ("none", "No blocks", COUNT), ("3", "3 (red, blue and white)", COUNT),
    ("20", "twenty", COUNT), ("2", "twice as heavy", ""), ("3", "three times", ""), ("1/2", "half", ""),
    ("0.5", "1/2", ""),
    ("orange", "orange", UNDER), ("orange", "The orange block", UNDER), ("orange block", "Orange", UNDER),
    ("orange", "The block under the white block is orange.", UNDER), ("gray", "grey", UNDER),
    ("orange", "The white block is on the orange block", UNDER), ("light blue", "the light blue block", UNDER),
    ("red and blue", "blue, red", ""), ("red block and blue block", "The blue block and the red block.", ""),
    ("red, blue and white", "The red block, the blue block, the white block", ""), ("red block", "red", ""),
    ("the red and the blue block", "red block, blue block", ""),
    ("['red block', 'blue block']", "red and blue blocks", ""),
    ("in the golden bowl", "golden bowl", WHERE), ("in the golden bowl", "The red block is in the golden bowl.", WHERE),
    ("on the table", "table", WHERE), ("on the table", "The red block is on the table", WHERE),
    ("on the blue block", "It is on the blue block on the table", WHERE),
    ("in the disinfector", "the disinfector", WHERE),
    ("under the red cup", "The red block is under the red cup", WHERE), ("under the red cup", "red cup", WHERE),
    ("red block", "The red block is heavier than the blue block", HEAVY), ("red block", "the red one", HEAVY),
    ("red bowl", "The red bowl is empty", EMPTY), ("red bowl", "red", EMPTY),
    ("rubik's cube", "The Rubik's cube is under the red cup", CUP),
    ("nothing", "There is nothing under the red cup", CUP),
    ("nothing", "none", CUP), ("nothing", "The red cup is empty", CUP), ("toy wheel", "a toy wheel", CUP),
    ("none", "nothing", "which blocks are dirty"), ("none", "no block is dirty", "which blocks are dirty"),
]  # fmt: skip
OTHER = [
    ("no", "There is nothing in the red bowl", FREE), ("yes", "It is empty.", ANY), ("yes", "It is not empty", FREE),
    ("no", "It is not dirty.", CLEAN), ("yes", "the red block", DIRTY), ("no", "it is", DIRTY), ("yes", "maybe", DIRTY),
    ("The red block is dirty.", "no", DIRTY), ("blue", "yes, blue and red", UNDER),
    ("yes", "no", DIRTY), ("no", "yes", DIRTY), ("yes", "The red block is clean", DIRTY), ("yes", "", DIRTY),
    ("no", "The red block is dirty", DIRTY), ("yes", "It is not dirty", DIRTY), ("yes", "I don't know", DIRTY),
    ("no", "Yes, it is not clean", DIRTY), ("yes", "nothing", ANY), ("no", "red block", DIRTY), ("yes", "2", DIRTY),
    ("2", "3", COUNT), ("2", "There are three blocks in the red bowl", COUNT), ("2", "none", COUNT), ("0", "1", COUNT),
    ("0", "There is one block in the red bowl", COUNT), ("2", "red", COUNT), ("0", "yes", COUNT), ("1", "no", COUNT),
    ("2", "12", COUNT), ("12", "2", COUNT), ("1/2", "2", ""), ("2", "half", ""),
    ("orange", "white", UNDER), ("orange", "The block under the white block is red", UNDER), ("orange", "none", UNDER),
    ("blue", "light blue", UNDER), ("light blue", "blue", UNDER), ("orange", "red and orange", UNDER),
    ("red and blue", "red", ""), ("red", "red and blue", ""), ("red and blue", "red and white", ""), ("red", "no", ""),
    ("orange", "the orange block and the white block", UNDER), ("red block", "red bowl", ""),
    ("in the golden bowl", "in the red bowl", WHERE), ("in the golden bowl", "on the table", WHERE),
    ("on the table", "in the golden bowl", WHERE), ("under the red cup", "on the red cup", WHERE),
    ("red block", "The blue block is heavier than the red block", HEAVY), ("red block", "the blue block", HEAVY),
    ("red block", "both", HEAVY), ("red bowl", "green bowl", EMPTY), ("red bowl", "none", EMPTY),
    ("rubik's cube", "toy wheel", CUP), ("nothing", "The toy wheel", CUP), ("rubik's cube", "nothing", CUP),
    ("nothing", "the toy wheel, nothing else", CUP), ("none", "red block", "which blocks are dirty"),
]  # fmt: skip


@pytest.mark.parametrize(("gold", "said", "question"), SAME)
def test_these_agree(gold: str, said: str, question: str) -> None:
    assert agrees(gold, said, question, THINGS)


@pytest.mark.parametrize(("gold", "said", "question"), OTHER)
def test_these_do_not(gold: str, said: str, question: str) -> None:
    assert not agrees(gold, said, question, THINGS)


@given(st.text(max_size=40), st.text(max_size=40), st.text(max_size=40))
def test_no_words_make_it_fail(gold: str, said: str, question: str) -> None:
    assert agrees(gold, said, question, THINGS) in (True, False)


@pytest.mark.parametrize(("gold", "said"), [("red", "The red block"), ("navy and tan", "tan, navy"), ("2", "two")])
def test_common_words_are_known_without_the_names_of_things(gold: str, said: str) -> None:
    assert agrees(gold, said)
