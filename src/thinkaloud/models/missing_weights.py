"""Find out which of the shipped models lack their weights on this machine."""

from __future__ import annotations

from pathlib import Path

from thinkaloud.errors import ModelMissing
from thinkaloud.models.large_weights import large_weights
from thinkaloud.models.weight_files import embedded_weights


def missing_models(home: Path) -> dict[str, str]:
    """Return the shipped models whose weights are missing or damaged, each with what to do about it."""
    found = {}
    looks = {"embedded": embedded_weights, "embedded-base": embedded_weights, "embedded-large": large_weights}
    for name, look in looks.items():
        try:
            look(home)
        except ModelMissing as error:
            found[name] = str(error)
    return found
