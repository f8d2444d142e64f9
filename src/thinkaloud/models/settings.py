"""What can be set about a model; where the values come from (flags, environment, file) is not decided here."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """How to reach or run a model.

    `base_url` is the part before `/chat/completions`, as OpenAI's own clients have it. `context` counts the tokens of
    one prompt with its answer; `slots` is how many different prompts stay in the prefix cache of a local model: one for
    each role that a preset asks it in.
    `timeout` is how long a server may be silent, `answer_timeout` how long all of an answer may take, both in seconds.
    0 threads or a context of 0 mean: as is best here. `fluent`: a file or a served model that was trained to write
    meanings; `trained`: one that was trained in the forms of the papers' presets. It is therefore shown no introduction
    and no examples; the embedded ones say so themselves. `home` is the folder with the weights that were fetched; None
    is the one of thinkaloud's own settings.
    """

    base_url: str = "http://127.0.0.1:8080/v1"
    api_key: str = field(default="", repr=False)
    timeout: float = 60.0
    answer_timeout: float = 600.0
    retries: int = 3
    threads: int = 0
    context: int = 0
    slots: int = 6
    fluent: bool = False
    trained: bool = False
    home: Path | None = None

    def threads_to_use(self) -> int:
        """What was asked for, or one per processor that this process may use; more than 8 slow a small model down."""
        return self.threads or min(8, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 4)

    def context_to_use(self) -> int:
        """What was asked for, or enough for a long few-shot prompt; each slot takes that much memory."""
        return self.context or 4096
