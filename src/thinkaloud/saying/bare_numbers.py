"""Numbers that a robot's own sentences tell without their unit: `Water the fern with 100.` for 100 ml.

with_units = BareNumbers(signatures)
with_units("I will water the fern and the rose with 100.")  # … with 100 ml.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from thinkaloud.skills.signatures import Signature


class BareNumbers:
    """Adds the unit that a skill declares for a number, where neither its sentence nor what was said names it."""

    def __init__(self, signatures: Iterable[Signature]) -> None:
        self._found = [found for each in signatures if (found := _find(each)) is not None]

    def __call__(self, text: str) -> str:
        """The text with units."""
        for pattern, units in self._found:
            text = pattern.sub(lambda found, units=units: _with_units(found, units), text)  # type: ignore[misc]
        return text


def _find(signature: Signature) -> tuple[re.Pattern[str], dict[str, str]] | None:
    units: dict[str, str] = {}
    parts = re.split(r"\{(\w+)\}", signature.says.rstrip(" ."))
    pattern = [re.escape(parts[0])]
    for name, behind in zip(parts[1::2], parts[2::2], strict=True):
        amount = next((p.amount for p in signature.parameters if p.name == name), None)
        if amount is not None and amount.unit and not behind.lstrip().startswith(amount.unit):
            units[name] = amount.unit
            pattern.append(rf"(?P<{name}>\d+(?:\.\d+)?)(?![\w%°]|\.\d| ?{re.escape(amount.unit)})")
        else:
            pattern.append(r"[^.:;!?]+?")
        pattern.append(re.escape(behind))
    return (re.compile("".join(pattern), re.IGNORECASE), units) if units else None


def _with_units(found: re.Match[str], units: Mapping[str, str]) -> str:
    told = found[0]
    for name in sorted(units, key=found.end, reverse=True):
        end = found.end(name) - found.start()
        told = f"{told[:end]} {units[name]}{told[end:]}"
    return told
