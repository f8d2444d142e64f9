"""What somebody asks for when they start a run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class RunOptions:
    """What a run should be; None leaves the choice to the settings."""

    world: str | None = None
    preset: str | None = None
    model: str | None = None
    seed: int = 0
    scene: Path | None = None
    scene_text: str = ""
    """What would stand in a scene file, where there is none."""
    guidelines: str | None = None
    confirm: str | None = None
    disturb: str = "none"
    eyes: str = ""
    steps: int | None = None
    speed: float | None = None
    film: Path | None = None
    no_film: bool = False
    no_journal: bool = False
    as_json: bool = False
    timings: bool = False
