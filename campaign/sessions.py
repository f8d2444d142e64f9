"""Runs of the command line that several families build on: what was asked, where, and what the journal says of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from campaign.children import Bounds, Ended, command, in_child
from campaign.judging import environment
from campaign.remembered import NAME, OBEDIENT, speaking_as
from thinkaloud.models.load_check import cache_folder

Events = list[dict[str, Any]]
PATIENT = Bounds(seconds=300.0)
"""For runs in which a model is asked that has to be loaded first."""


@dataclass(frozen=True)
class Case:
    """A request to a robot, and by which preset it is carried out."""

    world: str
    preset: str
    request: str
    seed: int = 0
    scene: str = ""
    """One of the examples, by the name of its file: where they lie is another thing on another machine."""
    more: tuple[str, ...] = ()
    model: str = "embedded"

    def arguments(self, *more: str) -> tuple[str, ...]:
        """What the command `run` gets."""
        chosen = ("--world", self.world, "--preset", self.preset, "--seed", str(self.seed), "--model", NAME)
        return ("run", "--json", "--no-film", *chosen, *self.told_scene(), *self.more, *more, self.request)

    def told_scene(self) -> tuple[str, ...]:
        """The scene, as any command gets it."""
        return ("--scene", str(_SCENES / self.scene)) if self.scene else ()


_SCENES = Path(__file__).parents[1] / "examples" / "scenes"
_TWO = "two_colours.toml"
OBEYED = Case(
    "tabletop",
    "inner_monologue",
    "Put the red block in the red bowl and the blue block in the blue bowl.",
    scene=_TWO,
    model=OBEDIENT,
)
"""Two steps, for attempts in which the model is not the point."""
CASES = (
    OBEYED,
    Case("tabletop", "inner_monologue", "Put all the blocks on the left side."),
    Case("tabletop", "thinkaloud", "Put the red block in the red bowl.", 0, _TWO, ("--confirm", "never")),
    Case("pick_and_place", "statler", "Put a block on another block."),
    Case("drinks", "itp", "May I have a cup of milk with taro?"),
    Case("franka", "multitalk:analyzer=rules", "Put the soup can at (0.40, 0.45).", 0, "franka_figure1.toml"),
    Case("household", "hicrisp", "Turn on the television."),
    Case("warehouse", "hicrisp", "Visit the press, then the gate.", 0, "hall.toml"),
    Case("tabletop", "open_loop", "Put the red block in the red bowl.", 0, _TWO),
    Case("tabletop", "progprompt", "Put the red block in the red bowl.", 0, _TWO),
    Case("pick_and_place", "code_as_policies", "Put the red block in the red bowl.", 0, _TWO),
    Case("pick_and_place", "code_as_policies_cot", "Put the red block in the red bowl.", 0, _TWO),
    Case("disinfection", "statler_unified", "Put the tan block on the mint block."),
    Case("weight", "statler_auto", "Put the pink block on the blue block."),
    Case("cups", "statler", "Put the orange block on the salmon block."),
    Case("around", "hicrisp", "Put the gray box around the yellow cylinder."),
    Case("dishwasher", "itp", "Wash the plates."),
    Case("kitchen", "saycan:feedback=object+success", "Bring me something to drink."),
    Case("real_table", "inner_monologue", "Stack all the blocks."),
)
"""Every world that moves by itself and every preset, in pairs that suit each other."""


def memory_folder() -> Path:
    """Where the answers of the embedded model are kept over campaigns: they are always the same."""
    return cache_folder() / "campaign"


def run_case(case: Case, folder: Path, home: Path, environ: Mapping[str, str] | None = None, *more: str) -> Ended:
    """Carry it out, to its end."""
    around = environment(home) | speaking_as(case.model, memory_folder()) | dict(environ or {})
    return in_child(command(*case.arguments(*more)), folder, PATIENT, around)


def read_events(text: str) -> Events:
    """Events as `--json` and `export` write them."""
    return [json.loads(line) for line in text.split("\n") if line.startswith("{")]


def find_end(events: Events) -> dict[str, Any] | None:
    """How the run came to its end, if it did."""
    ends = [event for event in events if event["kind"] in ("end", "request")]
    return ends[-1] if ends and ends[-1]["kind"] == "end" else None


def list_started(events: Events) -> list[str]:
    """The words of every step that was begun."""
    return [event["step"]["words"] for event in events if event["kind"] == "started"]


def is_judged(events: Events) -> bool:
    """Whether anybody judges steps in this run."""
    return any(event["kind"] == "verdict" for event in events)


def list_worked(events: Events, *, judged: bool) -> list[str]:
    """The words of every step that was found to have worked; where nobody judges, of those that were completed."""
    found = [event for event in events if event["kind"] == ("verdict" if judged else "outcome")]
    return [event["step"]["words"] for event in found if (event["ok"] if judged else event["ending"] == "completed")]
