"""Small robots that declare what their skills need, bring about and end; each can really be acted in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Annotated

from thinkaloud.clock import Clock, WallClock
from thinkaloud.errors import SkillError
from thinkaloud.records import Arguments, Condition, Observation, Step, WorldState
from thinkaloud.skills import Kind, Relation, Skill, condition_holds, relation, relations_of, skill, skills_of

Facts = tuple[tuple[str, Arguments], ...]
Block = Annotated[str, Kind("block")]
Spot = Annotated[str, Kind("spot")]
TABLE = "table"


class Robot:
    """What they have in common."""

    name = "robot"

    def __init__(self) -> None:
        self.clock: Clock = WallClock()
        self.skills: Mapping[str, Skill] = skills_of(self)
        self.relations: Mapping[str, Relation] = relations_of(self)

    def reset(self, seed: int) -> None: ...

    def observe(self) -> Observation:
        raise NotImplementedError

    def holds(self, condition: Condition) -> bool:
        return condition_holds(condition, self.relations)

    def snapshot(self) -> bytes:
        return b""

    def restore(self, snapshot: bytes) -> None: ...

    def do(self, steps: Iterable[Step]) -> None:
        """Carry steps out, as the loop would: what is refused is refused."""
        for step in steps:
            found: Skill = self.skills[step.skill]
            arguments = found.refuse(step.arguments, self.observe())
            for need in found.requires(arguments, {**self.relations, **opposites(self)}):
                assert self.holds_literally(need), f"{step.words} {need.words}"
            found.function(**arguments)

    def holds_literally(self, condition: Condition) -> bool:
        if condition.relation.startswith("not ") and condition.relation not in self.relations:
            name = condition.relation.removeprefix("not ")
            return not self.relations[name].holds(**condition.arguments)
        return self.holds(condition)

    def step(self, name: str, *values: str) -> Step:
        names = [p.name for p in self.skills[name].signature.parameters]
        return self.skills[name].step(dict(zip(names, values, strict=True)))

    def wish(self, name: str, *values: str) -> Condition:
        found = {**self.relations, **opposites(self)}[name]
        return found.condition(dict(zip((p.name for p in found.signature.parameters), values, strict=True)))


def opposites(robot: Robot) -> dict[str, Relation]:
    """What is not so, for each relation."""
    return {
        f"not {name}": replace(
            each,
            signature=replace(each.signature, name=f"not {name}", says=each.signature.says.replace(" is ", " is not ")),
        )
        for name, each in robot.relations.items()
    }


class Blocks(Robot):
    """Blocks on a table, one on another at most; what is under something cannot be moved."""

    def __init__(self, stacks: Sequence[Sequence[str]]) -> None:
        self.under = {block: stack[i - 1] if i else TABLE for stack in stacks for i, block in enumerate(stack)}
        self.blocks = tuple(sorted(self.under))
        super().__init__()

    def observe(self) -> Observation:
        return Observation(self.blocks, {"block": self.blocks, "spot": (*self.blocks, TABLE)})

    def move(self, block: str, spot: str) -> str:
        for each in (block, spot):
            above = next((b for b, under in self.under.items() if under == each != TABLE), None)
            if above is not None and above != block:
                raise SkillError(f"The {above} is on the {each}.")
        self.under[block] = spot
        return "done"

    @relation("The {block} is on the {spot}.", distinct=("block", "spot"), otherwise="{block} stays.")
    def on(self, block: Block, spot: Spot) -> bool:
        """Whether a block is on something."""
        return self.under[block] == spot


class DeclaredBlocks(Blocks):
    """Declares all of it."""

    def _clear(self, block: str, spot: str) -> Facts:
        bare: list[tuple[str, Arguments]] = [("not on", {"spot": each}) for each in (block, spot)]
        return tuple(bare if spot != TABLE else bare[:1])

    @skill(
        "Put the {block} on the {spot}.",
        distinct=("block", "spot"),
        effects=lambda block, spot: (("on", {"block": block, "spot": spot}),),
        needs=_clear,
    )
    def put(self, block: Block, spot: Spot) -> str:
        """Put a block somewhere."""
        return self.move(block, spot)

    def do(self, steps: Iterable[Step]) -> None:
        for step in steps:
            self.move(*map(str, step.arguments.values()))


def _bare(observation: Observation, block: str, spot: str) -> str | None:
    assert observation.state is not None
    for each in observation.state.relations:
        if each.arguments["spot"] in {block, spot} - {TABLE} and each.arguments["block"] != block:
            return f"The {each.arguments['block']} is on the {each.arguments['spot']}."
    return None


class SpokenBlocks(Blocks):
    """Only says why it refuses."""

    def observe(self) -> Observation:
        so = tuple(self.relations["on"].condition({"block": b, "spot": s}) for b, s in self.under.items() if s != TABLE)
        return Observation(
            self.blocks, {"block": self.blocks, "spot": (*self.blocks, TABLE)}, state=WorldState(self.blocks, so)
        )

    @skill(
        "Put the {block} on the {spot}.",
        distinct=("block", "spot"),
        effects=lambda block, spot: (("on", {"block": block, "spot": spot}),),
        preconditions=(_bare,),
    )
    def put(self, block: Block, spot: Spot) -> str:
        """Put a block somewhere."""
        return self.move(block, spot)
