"""Broken answers of models: junk texts for every preset, broken responses on the wire, and echoes of the key.

The command line asks a real address on this machine. Whatever the address sends, the run ends within its time and
memory, nothing moves unless an answer asked for it, and junk does not pass for success.
"""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterable, Iterator
from itertools import count
from pathlib import Path

from campaign.broken_answers import JUNK, WIRES, echo, echoes
from campaign.children import Bounds, Ended, command, in_child
from campaign.contract import Attempt, Finding, Stage
from campaign.endpoint import Respond, answer, answering
from campaign.judging import environment, find_secret, judge_command
from campaign.sessions import list_started, read_events

_ROOT = Path(__file__).parents[2]
_TABLE = ("--scene", str(_ROOT / "examples" / "scenes" / "two_colours.toml"))
_RED = "Put the red block in the red bowl."
_PRESETS = {
    "inner_monologue": ("tabletop", _TABLE, _RED),
    "inner_monologue:feedback=object+success": ("tabletop", _TABLE, _RED),
    "inner_monologue:feedback=object": ("tabletop", _TABLE, _RED),
    "thinkaloud": ("tabletop", _TABLE, _RED),
    "open_loop": ("tabletop", _TABLE, _RED),
    "progprompt": ("tabletop", _TABLE, _RED),
    "hicrisp": ("tabletop", _TABLE, _RED),
    "statler": ("pick_and_place", _TABLE, _RED),
    "statler:writer=delta": ("pick_and_place", _TABLE, _RED),
    "statler_unified": ("pick_and_place", _TABLE, _RED),
    "statler_auto": ("pick_and_place", _TABLE, _RED),
    "code_as_policies": ("pick_and_place", _TABLE, _RED),
    "code_as_policies_cot": ("pick_and_place", _TABLE, _RED),
    "itp": ("drinks", (), "May I have a cup of milk with taro?"),
    "multitalk": ("franka", (), "Move the nearest thing to the left."),
}
_ADDRESSES = ("http://127.0.0.1:99999999/v1", "http://[::1", "http://127.0.0.1:0/v1", "http://\x00/", "http://a b/v1",
              "http://" + "a" * 70_000, "http://127.0.0.1:-1/v1", "https://xn--/v1", "http://user:pw@127.0.0.1:9/v1",
              "http://127.0.0.1:9/\x1b[2J")  # fmt: skip
_BOUNDS = Bounds(seconds=60.0)
_TIMES = {"THINKALOUD_TIMEOUT": "3", "THINKALOUD_RETRIES": "1"}


class Answers:
    """Broken answers of models."""

    def __init__(self, stage: Stage) -> None:
        self._folder = stage.folder

    def attempts(self, seed: int) -> Iterator[Attempt]:
        """Junk for every preset, broken responses, echoes and odd addresses, in turn, without end."""
        rng = random.Random(f"answers {seed}")
        pairs = [(preset, junk) for preset in _PRESETS for junk in JUNK]
        wires = [(preset, wire) for wire in WIRES for preset in ("inner_monologue", "thinkaloud", "multitalk")]
        rng.shuffle(pairs)
        rng.shuffle(wires)
        for number in count():
            preset, junk = pairs[number % len(pairs)]
            yield Attempt("answers", f"{preset}: {junk}", {"preset": preset, "junk": junk})
            if number % 3 == 0:
                preset, wire = wires[number // 3 % len(wires)]
                yield Attempt("answers", f"{preset}: wire, {wire}", {"preset": preset, "wire": wire})
            if number % 4 == 0:
                form, status, before = echoes(rng)
                said = {"preset": "inner_monologue", "echo": [form, status, before]}
                yield Attempt("answers", f"{form} {status}: the key after {len(before)} letters", said)
            if number % 12 == 0:
                address = _ADDRESSES[number // 12 % len(_ADDRESSES)]
                data = {"preset": "inner_monologue", "address": address}
                yield Attempt("answers", f"address {address[:40]!a}", data)

    def try_one(self, attempt: Attempt) -> Finding | None:
        """Ask that address, and judge the run."""
        shutil.rmtree(self._folder, ignore_errors=True)
        data = attempt.data
        if "address" in data:
            ended = self._run(data["preset"], data["address"].replace("\x00", "%00"))
        else:
            with answering(_responding(attempt)) as url:
                ended = self._run(data["preset"], url)
        written = [path.read_bytes().decode(errors="replace") for path in self._folder.glob("home/journal.db*")]
        if finding := judge_command(ended) or find_secret(written):
            return finding
        if "echo" in data or "address" in data:
            return None
        if started := list_started(read_events(ended.out)):
            return Finding("moved", f"after no usable answer: {started[0]}")
        return Finding("silent", "exit status 0 for no usable answer") if ended.status == 0 else None

    def _run(self, preset: str, url: str) -> Ended:
        world, more, request = _PRESETS[preset]
        arguments = ("--world", world, "--preset", preset, "--model", "openai:nobody", "--no-film", "--json", *more)
        around = environment(self._folder / "home") | _TIMES | {"THINKALOUD_BASE_URL": url}
        return in_child(command("run", *arguments, request), self._folder / "here", _BOUNDS, around)


def _responding(attempt: Attempt) -> Respond:
    data = attempt.data

    def respond(path: str, asked: dict[str, object]) -> Iterable[bytes]:
        if "junk" in data:
            return (answer(JUNK[data["junk"]]),)
        if "wire" in data:
            return WIRES[data["wire"]]()
        form, status, before = data["echo"]
        return (echo(form, status, before),)

    return respond
