"""The settings of a model; other code reads the values from flags, the environment and files."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

_SILENCES = 10
"""How many times longer than a server's silence a whole model call may take."""


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """How to reach or run a model.

    `model_url` is the address of `thinkaloud models serve`; models that run on this machine are then asked there.
    `base_url` is the part before `/chat/completions`, as in OpenAI's own clients. `context` is the number of tokens in
    one prompt with its answer. `slots` is how many different prompts stay in the prefix cache of a local model: one for
    each role in which a preset asks it. `timeout` is how long a server may be silent, `answer_timeout` how long a whole
    model call may take, both in seconds; 0 for the second means ten times the first. 0 for `threads` or `context`
    chooses a good value for this machine.

    Set `fluent` for a file or served model that was trained to write meanings, and `trained` for one that was trained
    on the prompts of the papers' presets. Such a model gets no introduction and no examples. The embedded models set
    these themselves. Set `judge` if the address serves a judge of readings beside the model. `home` is the folder with
    the downloaded weights; None uses the one in thinkaloud's own settings. `record` is a file to which every answer is
    appended; the model `replay:FILE` answers from it. `reading_cache` is how many megabytes of what local models have
    read stay on disk for later processes; 0 keeps nothing. `price_read`, `price_cached` and `price_written` are what a
    million tokens of a served model cost, in whatever currency.
    """

    model_url: str = ""
    base_url: str = "http://127.0.0.1:8080/v1"
    api_key: str = field(default="", repr=False)
    timeout: float = 60.0
    answer_timeout: float = 0.0
    retries: int = 3
    threads: int = 0
    context: int = 0
    slots: int = 6
    fluent: bool = False
    trained: bool = False
    judge: bool = False
    record: str = ""
    reading_cache: int = 1000
    price_read: float = 0.0
    price_cached: float = 0.0
    price_written: float = 0.0
    home: Path | None = None

    def answer_time(self) -> float:
        """Return the longest time for one model call, in seconds."""
        return self.answer_timeout or _SILENCES * self.timeout

    def threads_to_use(self) -> int:
        """Return the setting, or one thread per available processor, at most 8: more slow a small model down."""
        return self.threads or min(8, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 4)

    def context_to_use(self) -> int:
        """Return the setting, or enough for a long few-shot prompt; each slot takes that much memory."""
        return self.context or 4096
