"""How often the robot would ask for a number although the program is right: `python -m training.robots.needless`.

    python -m training.robots.needless [--every N] [--show]

Plays what was said in the corpus, as the stage hears it: with the words, and with what was said before. A right program
that becomes a question for a number, or for which of two, was asked about in vain. Prints the share of all right
programs, and of those in which a deed takes a number. `--every 4` takes each fourth robot.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from thinkaloud.errors import ThinkaloudError, Unparseable
from thinkaloud.program.lexicon import Lexicon
from thinkaloud.program.parsing import read_program
from thinkaloud.skills.signatures import Parameter
from thinkaloud.understand.meaning.circumstances import Circumstances
from thinkaloud.understand.meaning.running import run_program
from thinkaloud.understand.prompting.prompt import ASKED
from training.robots.playing import Speaking, Understood, play
from training.robots.reading import CORPUS, Robot, read_corpus_file


def needless_questions(robot: Robot, counts: Counter[str]) -> Iterator[tuple[Understood, str]]:
    """The right programs of a robot that are asked about, or refused, once the words count; `counts` gets how many
    there are."""
    world = robot.open()
    speaking = Speaking(world, world.observe())
    counting = [name for name, skill in world.skills.items() if any(map(_is_number, skill.signature.parameters))]
    for conversation in robot.conversations:
        counts["programs"] += len(conversation.turns)
        texts = [each.program for each in conversation.turns]
        if any(_has_digit(text) or any(name in text for name in counting) for text in texts):
            with suppress(Unparseable):  # it hangs together no longer
                for each in play(robot, conversation, speaking):
                    if (question := _asked_about(each, counts)) is not None:
                        yield each, question


def _asked_about(each: Understood, counts: Counter[str]) -> str | None:
    """What a right program is asked about; None for a program that is taken."""
    takes = _takes_number(each.said.program, each.lexicon)
    if each.said.offered or each.meaning.sort == "question" or not (takes or _has_digit(each.said.program)):
        return None
    counts["numbers"] += takes
    try:
        found = run_program(each.said.program, _as_heard(each))
    except Unparseable as error:
        return str(error)
    return found.words if found.sort == "question" else None


def _as_heard(each: Understood) -> Circumstances:
    """The circumstances with the words: those of the request, and of what it answers."""
    answered = [turn.request for turn in each.earlier[-1:] if turn.came == ASKED]
    earlier = tuple(text for turn in each.earlier for text in (turn.request, turn.program))
    words = " ".join([*answered, each.said.words])
    return replace(each.at, request=each.said.words, words=words, earlier=earlier)


def _has_digit(program: str) -> bool:
    return any(letter.isdigit() for letter in program)


def _is_number(parameter: Parameter) -> bool:
    return parameter.type in (int, float)


def _takes_number(program: str, lexicon: Lexicon) -> bool:
    """Whether a skill is given a number."""
    read = read_program(program, lexicon)
    skills = lexicon.skills
    calls = [] if read is None else [each for each in read.calls() if each.name in skills]
    return any(
        _is_number(parameter) and parameter.name in call.arguments(skills[call.name])
        for call in calls
        for parameter in skills[call.name].parameters
    )


def main(arguments: list[str]) -> int:
    """Print the counts, and with `--show` each question."""
    parser = argparse.ArgumentParser(prog="python -m training.robots.needless")
    parser.add_argument("--every", type=int, default=1, help="take each N-th robot only")
    parser.add_argument("--show", action="store_true", help="print each needless question")
    wanted = parser.parse_args(arguments)
    counts, asked = Counter[str](), 0
    for path in sorted(Path(CORPUS).glob("*.txt"))[:: wanted.every]:
        try:
            for each, question in needless_questions(read_corpus_file(path), counts):
                asked += 1
                if wanted.show:
                    print(
                        f"{path.stem}:{each.said.line} {each.said.words!r} {each.said.program!r}: {question}",
                        flush=True,
                    )
        except ThinkaloudError as error:
            print(f"{path.stem}: {error}", file=sys.stderr)
    whole, numbers = counts["programs"], counts["numbers"]
    print(f"{asked} of {whole} programs ({asked / whole:.2%})")
    print(f"{numbers} of them give a deed a number ({asked / numbers:.2%})")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
