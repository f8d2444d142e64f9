"""What one check of `thinkaloud doctor` found."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Diagnosis:
    """One check and its result; `todo` is what to do about it, empty if all is well."""

    name: str
    found: str
    todo: str = ""
