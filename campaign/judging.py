"""What every command must do, whatever its input: end by itself, in time, with a documented status and a reason."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Collection, Iterable

from campaign.children import Ended
from campaign.contract import Finding

SECRET = "sk-7Qx2Lm9ZrT4vWc8BhN5y"
"""The key that is set in every attempt. No six consecutive letters of it may appear anywhere."""
_PART = 6
_LONGEST_MESSAGE = 3000
_MOST_SAID = 1_000_000
"""The most characters of a command's output; a run of many steps has a tenth of this."""
_MOST_MEMORY = 900 * 2**20
"""Bytes; the imports and a small world take less than a third of this."""
WITH_MODEL = 3 * 2**30
"""Bytes; the embedded model with both of its adapters takes half of this."""
_PROGRESS = re.compile(r"[A-Z][\w :./-]* … \d+ s")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\x80-\x9f\u202a-\u202e\u2066-\u2069]")


def judge_command(ended: Ended, statuses: Collection[int] = (0, 1, 2), memory: int = _MOST_MEMORY) -> Finding | None:
    """The worst problem with how a command ended; None if there is none."""
    if ended.timed_out:
        return Finding("hang", f"no end after {ended.seconds:.0f} s; {_last_line(ended.err)}")
    if ended.signal is not None:
        return Finding("crash", f"died of {signal.Signals(ended.signal).name}; {_last_line(ended.err)}")
    if "Traceback (most recent call last)" in ended.err + ended.out:
        return Finding("crash", _last_line(ended.err or ended.out))
    if ended.status not in statuses:
        return Finding("unclear", f"exit status {ended.status}; {_last_line(ended.err)}")
    if ended.peak > memory:
        return Finding("memory", f"{ended.peak // 2**20} MiB")
    return find_secret((ended.out, ended.err)) or _find_unclear(ended)


def _find_unclear(ended: Ended) -> Finding | None:
    if code := _CONTROL.search(ended.out + ended.err):
        text = ended.out + ended.err
        return Finding("terminal", f"{text[max(code.start() - 40, 0) : code.end() + 20]!a}")
    if len(ended.out) + len(ended.err) > _MOST_SAID:
        return Finding("unclear", f"{len(ended.out) + len(ended.err)} characters of output")
    lines = list_complaints(ended.err)
    if ended.status == 2 and (len(lines) != 1 or not lines[0].startswith("thinkaloud: ")):
        return Finding("unclear", f"{len(lines)} lines for bad input: {ended.err[:200]!a}")
    longest = max((ended.out + ended.err).split("\n"), key=len)
    if not longest.startswith("{") and len(longest) > _LONGEST_MESSAGE:
        return Finding("unclear", f"a line of {len(longest)} characters: {longest[:120]!a}")
    return None


def list_complaints(err: str) -> list[str]:
    """The lines on standard error, without those that tell the progress."""
    return [line for line in err.splitlines() if not _PROGRESS.fullmatch(line)]


def find_secret(texts: Iterable[str]) -> Finding | None:
    """A finding if part of the key appears in any of these texts."""
    parts = [SECRET[at : at + _PART] for at in range(len("sk-"), len(SECRET) - _PART + 1)]
    for text in texts:
        for part in parts:
            if part in text:
                at = text.index(part)
                return Finding("secret", ascii(text[max(at - 60, 0) : at + 40]))
    return None


def environment(home: os.PathLike[str]) -> dict[str, str]:
    """The environment of every command in a campaign: nothing from the person who runs it."""
    return {
        "THINKALOUD_HOME": str(home),
        "THINKALOUD_THREADS": "1",
        "THINKALOUD_API_KEY": SECRET,
        "XDG_CONFIG_HOME": str(home),
        "NO_COLOR": "1",
        "COLUMNS": "120",
    }


def _last_line(text: str) -> str:
    lines = [line for line in text.strip().splitlines() if line.strip()]
    return ascii(lines[-1][:300]) if lines else "no output"
