"""What reader and writer are shown: one conversation per domain, the same for every preset.

A turn is told once; each preset renders what its method would have seen of it: code with moves, code that asks the
state, the state before and after, or only what changed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from thinkaloud.records import WorldState
from thinkaloud.state.changes import parse_changes


@dataclass(frozen=True, slots=True)
class Turn:
    """A query and the right reaction to it.

    `moves` and `say` are what is done and answered, `program` says the same by asking the state; `changes` is what
    becomes different, `note` how that is put for the writer (the query itself, where it says everything).
    """

    query: str
    program: str
    moves: tuple[tuple[str, str], ...] = ()
    say: str = ""
    changes: str = ""
    note: str = ""

    @property
    def code(self) -> str:
        """The reaction as moves and words, without looking anything up."""
        moves = [f'put_first_on_second("{first}", "{second}")' for first, second in self.moves]
        return "\n".join([*moves, f'say("{self.say}")'] if self.say else moves)

    @property
    def update(self) -> str:
        """What the writer is asked to take note of; nothing where nothing changes."""
        return (self.note or self.query.rstrip(".")) if self.changes else ""


@dataclass(frozen=True, slots=True)
class Lesson:
    """A conversation about a few things on a table."""

    objects: tuple[str, ...]
    turns: tuple[Turn, ...]

    @property
    def weighed(self) -> bool:
        """Whether it is about weights."""
        return any(after.facts for _, _, after in self.told())

    def told(self) -> Iterator[tuple[WorldState, Turn, WorldState]]:
        """Each turn with the state before and after it."""
        state = WorldState(self.objects)
        for turn in self.turns:
            after = parse_changes(turn.changes, state) if turn.changes else state
            yield state, turn, after
            state = after


_BLOCKS = ("pink block", "lime block", "navy block", "amber block")
_BOWLS = ("white bowl", "brown bowl")

PICK_AND_PLACE = Lesson(
    (*_BLOCKS, *_BOWLS),
    (
        Turn(
            "Pick up the pink block and put it in the white bowl.",
            'put_first_on_second("pink block", "white bowl")',
            moves=(("pink block", "white bowl"),),
            changes="pink block is in white bowl",
        ),
        Turn(
            "I want the lime block on top of the navy block",
            'put_first_on_second("lime block", "navy block")',
            moves=(("lime block", "navy block"),),
            changes="lime block is on navy block",
        ),
        Turn(
            "What is the color of the block under the lime block?",
            'say(colour(under("lime block")))',
            say="navy",
        ),
        Turn(
            "move the amber block into the empty bowl",
            'put_first_on_second("amber block", bowls(is_="empty"))',
            moves=(("amber block", "brown bowl"),),
            changes="amber block is in brown bowl",
            note="Put the amber block in the brown bowl",
        ),
        Turn(
            "Put the block in the white bowl on the block in the brown bowl.",
            'put_first_on_second(on("white bowl"), on("brown bowl"))',
            moves=(("pink block", "amber block"),),
            changes="pink block is on amber block",
            note="Put the pink block on the amber block",
        ),
        Turn("how many blocks are in the white bowl", 'say(len(inside("white bowl")))', say="0"),
        Turn(
            "Is the pink block higher than the navy block?",
            'say(higher("pink block", "navy block"))',
            say="yes",
        ),
        Turn(
            "Take everything out of the brown bowl and put it on the table.",
            'put_first_on_second(inside("brown bowl"), "table")',
            moves=(("pink block", "table"), ("amber block", "table")),
            changes="pink block is on the table\namber block is on the table",
            note="Put the pink block and the amber block on the table",
        ),
        Turn(
            "Bring the navy block to the white bowl, please",
            'put_first_on_second("navy block", "white bowl")',
            moves=(("navy block", "white bowl"),),
            changes="navy block is in white bowl\nlime block is on the table",
        ),
    ),
)

DISINFECTION = Lesson(
    (*_BLOCKS, *_BOWLS, "disinfector"),
    (
        Turn(
            "The pink block and the navy block are dirty.",
            'mark(["pink block", "navy block"], "dirty")',
            changes="pink block is dirty\nnavy block is dirty",
        ),
        Turn(
            "The other blocks are clean",
            'mark(blocks(is_="unknown"), "clean")',
            changes="lime block is clean\namber block is clean",
            note="The lime block and the amber block are clean",
        ),
        Turn(
            "I want the lime block on top of the navy block.",
            'put_first_on_second("lime block", "navy block")',
            moves=(("lime block", "navy block"),),
            changes="lime block is on navy block\nlime block is dirty",
        ),
        Turn("Is the lime block clean?", 'say(is_("lime block", "clean"))', say="no"),
        Turn(
            "Oh no, someone spilled mud on the amber block",
            'mark("amber block", "dirty")',
            changes="amber block is dirty",
            note="The amber block is dirty",
        ),
        Turn(
            "take the lime block and drop it into the disinfector",
            'put_first_on_second("lime block", "disinfector")',
            moves=(("lime block", "disinfector"),),
            changes="lime block is in disinfector\nlime block is clean",
        ),
        Turn(
            "Move all the clean blocks to the brown bowl.",
            'put_first_on_second(blocks(is_="clean"), "brown bowl")',
            moves=(("lime block", "brown bowl"),),
            changes="lime block is in brown bowl",
            note="Put the lime block in the brown bowl",
        ),
        Turn("How many blocks are dirty?", 'say(len(blocks(is_="dirty")))', say="3"),
        Turn(
            "Put the dirty blocks in the white bowl",
            'put_first_on_second(blocks(is_="dirty"), "white bowl")',
            moves=(("pink block", "white bowl"), ("navy block", "white bowl"), ("amber block", "white bowl")),
            changes="pink block is in white bowl\nnavy block is in white bowl\namber block is in white bowl",
            note="Put the pink block, the navy block and the amber block in the white bowl",
        ),
        Turn(
            "Somebody took the navy block out of the bowl and put it on the table",
            'placed("navy block", "table")',
            changes="navy block is on the table",
            note="The navy block is on the table",
        ),
        Turn(
            "Please bring the amber block back to the table.",
            'put_first_on_second("amber block", "table")',
            moves=(("amber block", "table"),),
            changes="amber block is on the table",
        ),
    ),
)

WEIGHT = Lesson(
    (*_BLOCKS, *_BOWLS),
    (
        Turn(
            "The lime block is twice the weight of the pink block.",
            'weighs("lime block", 2, "pink block")',
            changes="lime block weighs 2 * pink block",
        ),
        Turn(
            "Bring the navy block to the white bowl",
            'put_first_on_second("navy block", "white bowl")',
            moves=(("navy block", "white bowl"),),
            changes="navy block is in white bowl",
        ),
        Turn(
            "The navy block has the same weight as the lime block",
            'weighs("navy block", 1, "lime block")',
            changes="navy block weighs 1 * lime block",
        ),
        Turn(
            "The pink block is half the weight of the amber block.",
            'weighs("pink block", 1/2, "amber block")',
            changes="pink block weighs 1/2 * amber block",
        ),
        Turn(
            "Which is heavier, the lime block or the pink block?",
            'say(heaviest(["lime block", "pink block"]))',
            say="lime block",
        ),
        Turn(
            "Put blocks in the brown bowl so that their total weight becomes the same as in the white bowl.",
            'put_first_on_second(balance("brown bowl", "white bowl"), "brown bowl")',
            moves=(("lime block", "brown bowl"),),
            changes="lime block is in brown bowl",
            note="Put the lime block in the brown bowl",
        ),
        Turn(
            "please take the pink block and lay it in the brown bowl",
            'put_first_on_second("pink block", "brown bowl")',
            moves=(("pink block", "brown bowl"),),
            changes="pink block is in brown bowl",
        ),
        Turn(
            "Is the white bowl lighter than the brown bowl?",
            'say(lighter("white bowl", "brown bowl"))',
            say="yes",
        ),
        Turn(
            "The amber block should go on the navy block.",
            'put_first_on_second("amber block", "navy block")',
            moves=(("amber block", "navy block"),),
            changes="amber block is on navy block",
        ),
    ),
)

CUPS = Lesson(
    ("golf ball", "toy car", "lime block", "pink block", "white cup", "pink cup", "brown cup"),
    (
        Turn(
            "Cover the golf ball with the white cup.",
            'put_first_on_second("white cup", "golf ball")',
            moves=(("white cup", "golf ball"),),
            changes="white cup is on golf ball",
        ),
        Turn(
            "Set the toy car on the lime block, please",
            'put_first_on_second("toy car", "lime block")',
            moves=(("toy car", "lime block"),),
            changes="toy car is on lime block",
        ),
        Turn("What is under the white cup?", 'say(under("white cup"))', say="golf ball"),
        Turn(
            "hide the lime block under the pink cup",
            'put_first_on_second("pink cup", "lime block")',
            moves=(("toy car", "empty space"), ("pink cup", "lime block")),
            changes="toy car is on the table\npink cup is on lime block",
            note="Put the toy car on the empty space and the pink cup on the lime block",
        ),
        Turn("Which cup covers the lime block?", 'say(cover("lime block"))', say="pink cup"),
        Turn(
            "Put the toy car on the golf ball.",
            'put_first_on_second("toy car", "golf ball")',
            moves=(("white cup", "empty space"), ("toy car", "golf ball")),
            changes="white cup is on the table\ntoy car is on golf ball",
            note="Put the white cup on the empty space and the toy car on the golf ball",
        ),
        Turn("Is anything under the brown cup?", 'say(under("brown cup") != "table")', say="no"),
        Turn(
            "Uncover the lime block.",
            'put_first_on_second(cover("lime block"), "empty space")',
            moves=(("pink cup", "empty space"),),
            changes="pink cup is on the table",
            note="Put the pink cup on the empty space",
        ),
        Turn(
            "I want the pink block covered by the brown cup",
            'put_first_on_second("brown cup", "pink block")',
            moves=(("brown cup", "pink block"),),
            changes="brown cup is on pink block",
        ),
    ),
)

LESSONS = {
    "pick_and_place": PICK_AND_PLACE,
    "disinfection": DISINFECTION,
    "weight": WEIGHT,
    "cups": CUPS,
}


def lesson_for(world: str) -> Lesson:
    """What is shown to a robot in a world: the domain's own lesson, or how to pick and place."""
    return LESSONS.get(world, PICK_AND_PLACE)
