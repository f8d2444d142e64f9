"""The options a user starts a run with."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from thinkaloud.records import Speaker


@dataclass(frozen=True)
class RunOptions:
    """The options of a run; None leaves the choice to the settings."""

    world: str | None = None
    preset: str | None = None
    model: str | None = None
    seed: int = 0
    scene: Path | None = None
    scene_text: str = ""
    """The text of a scene, if there is no scene file."""
    guidelines: str | None = None
    confirm: str | None = None
    approve_plans: bool = False
    """Whether a person has to agree to every plan before it is carried out."""
    disturb: str = "none"
    eyes: str = ""
    hands: str = ""
    senses: str = ""
    steps: int | None = None
    speed: float | None = None
    film: Path | None = None
    no_film: bool = False
    no_journal: bool = False
    as_json: bool = False
    timings: bool = False
    speakers: tuple[Speaker, ...] = ()
    """The people who talk to the robot; the first one speaks until another does."""
