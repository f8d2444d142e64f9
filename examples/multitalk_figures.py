"""Four dialogues of MultiTalk: a robot that asks, is criticised, tries its plan in a simulation, and only then moves.

    python examples/multitalk_figures.py 2 --told
    python examples/multitalk_figures.py 1 --model openai:NAME
    python examples/multitalk_figures.py 3 --told --film line.gif

These are figures 1 to 4 of the paper's supplement: its scenes, requests and answers. Table, arm, critic and simulation
are real. With `--told`, the planner and the analyzer give the paper's answers, with its coordinates: each makes its
mistake and hears about it. Without it, a model of your choice has to work it out. In figure 4 there is no analyzer, so
nobody notices that the plan, although feasible, is not what was asked for.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from thinkaloud import Agent, End, Inbox, Model, Scripted, open_model
from thinkaloud.cli.terminal import Terminal, console
from thinkaloud.episode.film import Film
from thinkaloud_bench.multitalk.episodes import At, AtRest, Lined, Swapped, TalkEpisode, TalkGoal, Topic
from thinkaloud_bench.multitalk.goals import unmet
from thinkaloud_bench.multitalk.person import AnsweringPerson
from thinkaloud_worlds.franka import Franka, read_franka_scene

SCENES = Path(__file__).parent / "scenes"
MUSTARD_1, MUSTARD_2 = "(0.32, -0.33, 0.04)", "(0.35, 0.35, 0.04)"
SOUP_1, SOUP_2 = "(0.38, -0.51, 0.04)", "(0.40, 0.51, 0.04)"
FOUR = ("mustard bottle 1", "mustard bottle 2", "soup can 1", "soup can 2")
FEASIBLE = "Feasible Plan!"


def plan(*carried: tuple[str, str, str, str]) -> str:
    """A planner's answer that moves things: what, from where, to where, and why there."""
    lines = [line for what, start, end, why in carried for line in _carry(what, start, end, why)]
    numbered = [f"{number}: {line}" for number, line in enumerate([*lines, "All is done: home()"], 1)]
    return "\n".join(["Step-by-step Instructions:", *numbered])


def _carry(what: str, start: str, end: str, why: str) -> tuple[str, str]:
    return f"Take {what}: grasp({start})", f"{why}: move({end})"


def questions(*asked: str) -> str:
    """A planner's answer that asks questions."""
    return "\n".join(["Questions:", *(f"{number}: {each}" for number, each in enumerate(asked, 1))])


def exchange(aside: str) -> str:
    """Swap two pairs; the first of each goes by way of a point."""
    pairs = (("mustard bottle", MUSTARD_1, MUSTARD_2), ("soup can", SOUP_1, SOUP_2))
    carried = []
    for kind, one, other in pairs:
        carried += [
            (f"{kind} 1", one, aside, "Leave it here for the time being"),
            (f"{kind} 2", other, one, f"Where {kind} 1 was"),
            (f"{kind} 1", aside, other, f"Where {kind} 2 was"),
        ]
    return plan(*carried)


def row(*points: str) -> str:
    """Move each of the four things to a point."""
    starts, whys = (MUSTARD_1, MUSTARD_2, SOUP_1, SOUP_2), ("It begins the line", *["The next one in the line"] * 3)
    return plan(*zip(FOUR, starts, points, whys, strict=True))


def wrong(steps: Sequence[int], why: str) -> str:
    """An analyzer's answer: each of these steps has the same error."""
    return "\n".join(f"{step}: {why}" for step in steps)


class Figure(NamedTuple):
    """A dialogue: the scene, the request, what the person has in mind, the right result, and the paper's answers."""

    about: str
    scene: str
    request: str
    wishes: dict[Topic, str]
    goal: tuple[TalkGoal, ...]
    told: tuple[str, ...]
    analyzer: bool = True

    @property
    def preset(self) -> str:
        """The preset, as in the paper; figure 4 has no analyzer."""
        return f"multitalk:analyzer={'model' if self.analyzer else 'off'}"


_CROOKED = row("(0.10, -0.33)", "(0.20, 0.35)", "(0.30, -0.51)", "(0.40, 0.51)")
_DIRECTIONS = questions(
    "In which direction should the line go: along the x-axis, the y-axis, or another one?",
    "In which order should the objects stand in it?",
)
_LINE = "Arrange the objects on the table such that they form a straight line."
_LINE_WISHES: dict[Topic, str] = {"direction": "Along the x-axis.", "order": "Any order works."}
_IN_LINE: tuple[TalkGoal, ...] = (Lined(FOUR, "x"), AtRest())
FIGURES = {
    1: Figure(
        "The planner takes a place for granted; the analyzer has it ask.",
        "franka_figure1.toml",
        "Give me something to eat.",
        {"object": "The soup can.", "place": "(0.40, 0.45, 0.04)."},
        (At(("soup can",), 0.40, 0.45), AtRest()),
        (
            questions("What would you like to eat? There are a mustard bottle and a soup can."),
            plan(("the soup can", "(0.30, 0.40, 0.04)", "(0.00, 0.00, 0.00)", "Where the person can take it")),
            wrong([2], "(0.00, 0.00, 0.00) is the base of the arm; the place was not said, and nobody was asked."),
            questions("Where should I put the soup can? Please say a point on the table."),
            plan(("the soup can", "(0.30, 0.40, 0.04)", "(0.40, 0.45, 0.04)", "The place that was asked for")),
            FEASIBLE,
        ),
    ),
    2: Figure(
        "The analyzer finds a mistake in thought, the simulation finds one by collision.",
        "franka_figure2.toml",
        "Interchange the locations of two pairs of objects on the table.",
        {"pairs": "The mustard bottles with each other and the soup cans with each other."},
        (Swapped(*FOUR[:2]), Swapped(*FOUR[2:]), AtRest()),
        (
            questions("Which two pairs of objects would you like to interchange?"),
            plan(
                ("mustard bottle 1", MUSTARD_1, MUSTARD_2, "Where mustard bottle 2 is"),
                ("mustard bottle 2", MUSTARD_2, MUSTARD_1, "Where mustard bottle 1 was"),
                ("soup can 1", SOUP_1, SOUP_2, "Where soup can 2 is"),
                ("soup can 2", SOUP_2, SOUP_1, "Where soup can 1 was"),
            ),
            "3: mustard bottle 1 has been put there by now, so this does not take mustard bottle 2.\n"
            "7: soup can 1 has been put there by now, so this does not take soup can 2.",
            exchange("(0.30, -0.30, 0.04)"),
            FEASIBLE,
            exchange("(0.30, -0.60, 0.04)"),
            FEASIBLE,
        ),
    ),
    3: Figure(
        "The analyzer straightens a line; its second objection is imagined, and does no harm.",
        "franka_figure2.toml",
        _LINE,
        _LINE_WISHES,
        _IN_LINE,
        (
            _DIRECTIONS,
            _CROOKED,
            wrong([2, 4, 6, 8], "the y-coordinate is not that of the others: this is no line along the x-axis."),
            row("(0.10, -0.33, 0.04)", "(0.20, -0.33, 0.04)", "(0.30, -0.33, 0.04)", "(0.40, -0.33, 0.04)"),
            wrong([2, 4, 6, 8], "move should be given no z-coordinate."),
            row("(0.10, -0.33)", "(0.20, -0.33)", "(0.30, -0.33)", "(0.40, -0.33)"),
            FEASIBLE,
        ),
    ),
    4: Figure(
        "The same without an analyzer: the simulation lets a plan pass that is feasible and wrong.",
        "franka_figure2.toml",
        _LINE,
        _LINE_WISHES,
        _IN_LINE,
        (_DIRECTIONS, _CROOKED),
        analyzer=False,
    ),
}


def main(number: int, model: Model | None = None, film: Path | None = None) -> tuple[End, str]:
    """Play a figure aloud, as in the paper or with a model; return how it ended, and what is wrong ("" if nothing)."""
    figure = FIGURES[number]
    scene = read_franka_scene((SCENES / figure.scene).read_text(encoding="utf-8"), figure.scene)
    world, view, person = Franka(scene), Terminal(console()), Inbox(present=True)
    data = json.loads(scene.to_json())
    episode = TalkEpisode(str(number), "figure", figure.request, data, 0, figure.wishes, (*figure.wishes,), figure.goal)
    says = Scripted(figure.told, name="as the supplement tells it")
    print(f"Figure {number}. {figure.about}\n")
    answers = AnsweringPerson(episode, person)
    agent = Agent(world, model or says, figure.preset, person=person, listeners=[view, answers])
    shot = None if film is None else Film(world)
    if shot is not None:
        agent.loop.ticking.append(shot.tick)
        agent.monologue.listeners.append(shot.hear)
    end = asyncio.run(agent.run(figure.request))
    view.conclude()
    if shot is not None and film is not None:
        print(f"Film: {shot.save(film).film}")
    places = {name: world.position(name) for name in episode.names}
    print(f"In truth: {'; '.join(f'{name} at ({x:.2f}, {y:.2f})' for name, (x, y, _) in places.items())}.")
    problem = unmet(episode, world)
    print(f"Request: {problem or 'met'}. Collisions of the real arm: {len(world.collisions)}.\n")
    return end, problem


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="A figure of MultiTalk's supplement.")
    parser.add_argument("figure", type=int, choices=sorted(FIGURES), nargs="?", default=2)
    parser.add_argument("--told", action="store_true", help="use the answers of the supplement's planner and analyzer")
    parser.add_argument("--model", default="embedded", help="see `thinkaloud models`")
    parser.add_argument("--film", type=Path, help="where to write a film of the arm (.gif)")
    given = parser.parse_args()
    main(given.figure, None if given.told else open_model(given.model), given.film)
