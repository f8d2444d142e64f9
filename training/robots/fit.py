"""How sure is sure: coefficients for a model, fitted on what it made of robots that it never learnt from.

    python -m training.robots.measure --model embedded --out results/training/embedded.jsonl
    python -m training.robots.fit embedded results/training/embedded.jsonl

A logistic regression of whether a reading was right on what was measured of it. Likelihood never speaks against a
reading and a sign of doubt never for it; all are drawn a little towards the coefficients of any model, so that a sign
that was seen twice does not rule. The result goes to `understand/checking/certainty.toml`. Told is how well right and
wrong readings of robots are told apart that the coefficients were not fitted on, and of each sign how many right and
how many wrong readings it is seen with: one that is seen with as many right ones as there are anyway tells nothing.
"""

from __future__ import annotations

import argparse
import json
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

from thinkaloud.records import WEIGHED

LIKELIHOODS = ("least", "begun", "average", "least_odds", "average_odds", "whole", "agreement", "judge")
"""What speaks for a reading; all else that is measured speaks against it."""
_SPREAD = 1.0
_HEADING = """\
# The coefficients of how sure a reading is, for each model: a logistic function of likelihoods, of how far the readings
# agree, and of the signs of doubt. A sign never makes surer. `default`, for any model, was set by hand and then fitted
# (79 readings of the development requests by a model of 1.5B that was not trained for it, pulled towards what was set
# with a spread of 0.6); the others by training.robots.fit, on robots of the corpus that were not learnt from. What
# threshold to hold it against is calibrated elsewhere, on other requests.
"""


def fit(readings: Sequence[Mapping[str, Any]], start: Mapping[str, float], *, rounds: int = 20_000) -> dict[str, float]:
    """The coefficients that make these readings likeliest, near where they start."""
    names = [name for name in start if name != "constant"]
    known = np.array([[1.0, *(float(each["measured"].get(name, 0.0)) for name in names)] for each in readings])
    right = np.array([float(each["right"]) for each in readings])
    first = np.array([start["constant"], *(start[name] for name in names)])
    spread = np.array([4.0, *(3.0 if name in LIKELIHOODS else _SPREAD for name in names)])
    low = np.array([-np.inf, *(0.0 if name in LIKELIHOODS else -np.inf for name in names)])
    high = np.array([np.inf, *(np.inf if name in LIKELIHOODS else 0.0 for name in names)])
    found = first.copy()
    step = 4.0 / (np.square(known).sum(1).max() * len(right) / 4 + 1 / np.square(spread).min())
    for _ in range(rounds):
        odds = 1 / (1 + np.exp(-known @ found))
        slope = known.T @ (right - odds) - (found - first) / np.square(spread)
        found = np.clip(found + step * slope, low, high)
    return {"constant": float(found[0]), **dict(zip(names, map(float, found[1:]), strict=True))}


def told_apart(readings: Sequence[Mapping[str, Any]], counts: Mapping[str, float]) -> float:
    """How often a right reading is surer than a wrong one."""
    return surer([bool(each["right"]) for each in readings], [_value(each, counts) for each in readings])


def told_apart_unseen(readings: Sequence[Mapping[str, Any]], start: Mapping[str, float], parts: int = 5) -> float:
    """The same, each robot by coefficients that were fitted on the others."""
    return surer([bool(each["right"]) for each in readings], values_unseen(readings, start, parts))


def values_unseen(
    readings: Sequence[Mapping[str, Any]], start: Mapping[str, float], parts: int = 5, rounds: int = 4_000
) -> list[float]:
    """How sure each reading is, by coefficients that were fitted on other robots."""
    robots = sorted({each["robot"] for each in readings})
    values = [0.0] * len(readings)
    for part in range(parts):
        own = {*robots[part::parts]}
        counts = fit([each for each in readings if each["robot"] not in own], start, rounds=rounds)
        for at, each in enumerate(readings):
            if each["robot"] in own:
                values[at] = _value(each, counts)
    return values


def _value(reading: Mapping[str, Any], counts: Mapping[str, float]) -> float:
    measured: Mapping[str, float] = reading["measured"]
    return counts["constant"] + sum(counts.get(name, 0.0) * amount for name, amount in measured.items())


def surer(is_right: Sequence[bool], values: Sequence[float]) -> float:
    """How often a right reading has a higher value than a wrong one; ties count half."""
    right = np.array([value for value, so in zip(values, is_right, strict=True) if so])[:, None]
    wrong = np.array([value for value, so in zip(values, is_right, strict=True) if not so])[None]
    if not right.size or not wrong.size:
        return float("nan")
    return float(((right > wrong) + (right == wrong) / 2).mean())


def tell_signs(readings: Sequence[Mapping[str, Any]], names: Iterable[str]) -> str:
    """Of each sign of doubt, with how many right and with how many wrong readings it is seen."""
    lines = [f"{'sign':16} right wrong"]
    for name in names:
        seen = [bool(each["right"]) for each in readings if each["measured"].get(name)]
        lines.append(f"{name:16} {sum(seen):5} {len(seen) - sum(seen):5}")
    return "\n".join(lines)


def main() -> None:
    """The command."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("model", help="what the model is called in the table")
    options.add_argument("readings", type=Path, nargs="+")
    given = options.parse_args()
    lines = [json.loads(line) for path in given.readings for line in path.read_text(encoding="utf-8").splitlines()]
    readings = [each for each in lines if each["got"] in WEIGHED]
    path = Path(str(resources.files("thinkaloud.understand.checking").joinpath("certainty.toml")))
    models = tomllib.loads(path.read_text(encoding="utf-8"))["models"]
    found = fit(readings, models["default"])
    print(f"{len(readings)} readings, {sum(each['right'] for each in readings)} right")
    print(
        f"a right one is surer than a wrong one: {told_apart(readings, models['default']):.3f} before, "
        f"{told_apart(readings, found):.3f} now, {told_apart_unseen(readings, models['default']):.3f} of unseen robots"
    )
    print(tell_signs(readings, [name for name in found if name not in (*LIKELIHOODS, "constant")]))
    models[given.model] = found
    tables = [
        f'\n[models."{name}"]\n' + "".join(f"{key} = {round(value, 2)}\n" for key, value in each.items())
        for name, each in models.items()
    ]
    path.write_text(_HEADING + "".join(tables), encoding="utf-8")


if __name__ == "__main__":
    main()
