"""Command-line runs that several families share: the request, the world, and what the journal records."""

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
"""For runs in which a model has to be loaded first."""


@dataclass(frozen=True)
class Case:
    """A request to a robot, and the preset that carries it out."""

    world: str
    preset: str
    request: str
    seed: int = 0
    scene: str = ""
    """The file name of one of the example scenes; the folder differs between machines."""
    more: tuple[str, ...] = ()
    model: str = "embedded"

    def arguments(self, *more: str) -> tuple[str, ...]:
        """The arguments of the command `run`."""
        chosen = ("--world", self.world, "--preset", self.preset, "--seed", str(self.seed), "--model", NAME)
        return ("run", "--json", "--no-film", *chosen, *self.told_scene(), *self.more, *more, self.request)

    def told_scene(self) -> tuple[str, ...]:
        """The scene option of any command."""
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
"""Two steps, for attempts that are not about the model."""
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
"""Every world that moves by itself and every preset, in suitable pairs."""


def memory_folder() -> Path:
    """Where the embedded model's answers are kept between campaigns; they are always the same."""
    return cache_folder() / "campaign"


def run_case(case: Case, folder: Path, home: Path, environ: Mapping[str, str] | None = None, *more: str) -> Ended:
    """Carry out a case to its end."""
    around = environment(home) | speaking_as(case.model, memory_folder()) | dict(environ or {})
    return in_child(command(*case.arguments(*more)), folder, PATIENT, around)


def read_events(text: str) -> Events:
    """Read events in the format of `--json` and `export`."""
    return [json.loads(line) for line in text.split("\n") if line.startswith("{")]


def find_end(events: Events) -> dict[str, Any] | None:
    """The end of the run; None if there is none."""
    ends = [event for event in events if event["kind"] in ("end", "request")]
    return ends[-1] if ends and ends[-1]["kind"] == "end" else None


def list_started(events: Events) -> list[str]:
    """The words of every step that was started."""
    return [event["step"]["words"] for event in events if event["kind"] == "started"]


def is_judged(events: Events) -> bool:
    """Whether this run has verdicts on its steps."""
    return any(event["kind"] == "verdict" for event in events)


def list_worked(events: Events, *, judged: bool) -> list[str]:
    """The words of every step judged to have worked; without verdicts, of every step that was completed."""
    found = [event for event in events if event["kind"] == ("verdict" if judged else "outcome")]
    return [event["step"]["words"] for event in found if (event["ok"] if judged else event["ending"] == "completed")]
