"""The preset `gardening`: Inner Monologue, which retries by itself before it plans again."""

from __future__ import annotations

from dataclasses import replace

from thinkaloud.correct.retry import TryAgain
from thinkaloud.presets import read_preset

GARDENING = replace(
    read_preset("inner_monologue")[0].changed(lambda mind: replace(mind, correct=TryAgain(times=2))),
    name="gardening",
    about="the next step from everything said so far; what did not work is tried twice more",
)
