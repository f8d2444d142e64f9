"""Episodes of a file: expected are steps in words, so the plan is judged by its words, whoever carries it out."""

from __future__ import annotations

import re
from collections.abc import Sequence

from thinkaloud.guidelines import Guidelines, read_guidelines
from thinkaloud.records import Condition, Step
from thinkaloud.robots import open_world
from thinkaloud.worlds import World
from thinkaloud_bench.itp.episodes import OrderEpisode
from thinkaloud_bench.itp.expected_steps import ExpectedSteps, expected_as_listed
from thinkaloud_bench.itp.matching import Matcher, tokens
from thinkaloud_bench.itp.scoring import StepScore


class StepList:
    """Steps as they are written; nothing is known of what they do."""

    def __init__(self, episode: OrderEpisode, seed: int, *, by_hand: bool = False) -> None:
        name = "by_hand" if by_hand else episode.world
        self.world: World = open_world(name, scene=episode.scene or None if name == episode.world else None)
        self.world.reset(seed)
        self._guidelines = read_guidelines(episode.guidelines, episode.id)
        self._request, self._steps = episode.request, episode.steps
        self._materials = _materials_of(self._guidelines)
        known = (*episode.steps, *(step for recipe in self._guidelines.recipes for step in recipe.steps))
        self._matcher = Matcher({step: step for step in _distinct(known)}, self._materials)
        self._spelling = {" ".join(tokens(step)): step for step in _distinct(known)}

    def expected(self, order: object) -> ExpectedSteps:
        """The steps that are expected; as the file says, whatever has been done."""
        steps = tuple(self._spelling[" ".join(tokens(step))] for step in self._steps)
        return expected_as_listed(steps, self._without_material)

    def beginning(self) -> tuple[str, ...]:
        """Steps to begin a request with whose steps nobody wrote down: those of the option that is most like it."""
        asked = {*tokens(self._request)}
        return max(self._guidelines.recipes, key=lambda recipe: len(asked & {*tokens(recipe.name)})).steps

    def lines(self, lines: Sequence[str]) -> list[str | None]:
        """The steps that lines of a plan mean: the very sentence, or the closest one about the same things."""
        found = list[str | None]()
        for line in lines:
            same = self._spelling.get(" ".join(tokens(line)))
            found += [same] if same is not None else self._matcher.keys(line)
        return found

    def calls(self, calls: Sequence[Step]) -> list[str | None]:
        """The steps that calls of skills amount to: what they carry out in words, else how they are said."""
        return self.lines([str(call.arguments.get("step", call.words)) for call in calls])

    def how(self, key: str) -> list[Step]:
        """A person is told to do it."""
        return [self.world.skills["carry_out"].step({"step": key})]

    def sentence(self, key: str) -> str:
        """The step itself."""
        return key

    def missing(self, order: object) -> str:
        """Nothing is known of what is there in the end."""
        return ""

    def spoiled(self, order: object) -> str:
        """Nothing is known of what was harmed."""
        return ""

    def goal(self, order: object) -> tuple[Condition, ...]:
        """Nothing that could be checked."""
        return ()

    def wrong(self, lines: Sequence[str], score: StepScore) -> str:
        """Why a plan is not what was expected; steps too many may do no harm: they repeat nothing and add nothing."""
        if score.right < score.total:
            return f"{score.total - score.right} of {score.total} steps are missing or at the wrong place"
        expected, said = self.expected(None).keys, self.lines(lines)
        if again := [key for key in expected if said.count(key) > expected.count(key)]:
            return f"said too often: {again[0]}"
        named = {noun for step in expected for noun in self._matcher.nouns(step)}
        for line in lines:
            others = [noun for noun in self._matcher.nouns(line) if noun not in named]
            if others and not {*self.lines([line])} & {*expected}:
                return f"nobody ordered {others[0]}: {line}"
        return ""

    def _without_material(self, step: str) -> str:
        """The sentence that a step is, whatever the material."""
        text = " ".join(tokens(step))
        for material in self._materials:
            text = re.sub(rf"\b{re.escape(' '.join(tokens(material)))}\b", "*", text)
        return text


def _materials_of(guidelines: Guidelines) -> list[str]:
    """All the materials that guidelines name, longer names first."""
    found = {*guidelines.available, *(material for recipe in guidelines.recipes for material in recipe.material)}
    return sorted(found, key=lambda name: (-len(name.split()), name))


def _distinct(steps: Sequence[str]) -> list[str]:
    """Steps without those that differ only in their spelling from one before."""
    return list({" ".join(tokens(step)): step for step in reversed(steps)}.values())
