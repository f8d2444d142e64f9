"""Fuzzed files: scenes, settings, guidelines, robots in text files, and the headers of weights.

Each file goes to the command line. Whatever a file contains, the command ends with a documented status, and says in
one short line what is wrong with it.
"""

from __future__ import annotations

import base64
import random
import shutil
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import thinkaloud
from campaign.children import Bounds, Work, command, in_child
from campaign.contract import Attempt, Finding, Stage
from campaign.judging import environment, judge_command
from campaign.mutating import mutate_text
from campaign.remembered import NAME, always_saying
from thinkaloud.models.gguf_header import read_header
from thinkaloud.models.weight_files import embedded_weights

_ROOT = Path(__file__).parents[2]
_PACKAGE = Path(thinkaloud.__file__).parent
_SCENES = {
    "tabletop": "matching_bowls.toml",
    "pick_and_place": "tower.toml",
    "franka": "franka_figure1.toml",
    "warehouse": "hall.toml",
    "household": "flat.json",
    "dishwasher": "kitchen.toml",
}
_SETTINGS = """\
model = "campaign"
preset = "inner_monologue"
world = "tabletop"
base_url = "http://127.0.0.1:9/v1"
api_key = "sk-nobody"
timeout = 30.0
retries = 0
threads = 1
context = 2048
fluent = false
home = "home"
"""
_NUMBERS = (0, 1, 2, 255, 2**31 - 1, 2**31, 2**32 - 1)
"""Values to put where a header has a number."""
_REQUEST = "Do something."
_BOUNDS = Bounds(seconds=40.0)


class Files:
    """Fuzzed files."""

    def __init__(self, stage: Stage) -> None:
        self._folder = stage.folder

    def attempts(self, seed: int) -> Iterator[Attempt]:
        """One of each sort in turn, without end."""
        rng = random.Random(f"files {seed}")
        sources = [*_text_sources()]
        for number in count():
            if number % 8 == 7:
                yield _spoil_weights(rng, number)
                continue
            sort, name, text = sources[number % len(sources)]
            spoilt = mutate_text(text, rng).encode(errors="surrogateescape")
            data = {"sort": sort, "name": name, "content": base64.b64encode(spoilt).decode()}
            yield Attempt("files", f"{sort} {name} {number}", data)

    def try_one(self, attempt: Attempt) -> Finding | None:
        """Give the file to the commands that read such files."""
        folder = self._folder / "here"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        path = folder / attempt.data["name"]
        if attempt.data["sort"] == "weights":
            _write_weights(path, attempt.data["edits"], attempt.data["size"])
        else:
            path.write_bytes(base64.b64decode(attempt.data["content"]))
        environ = environment(folder / "home") | always_saying(" Kumquat.")
        if attempt.data["sort"] == "settings":
            del environ["THINKALOUD_HOME"], environ["THINKALOUD_API_KEY"]
        if attempt.data["sort"] == "weights":
            environ["THINKALOUD_CONTEXT"] = "256"  # no prompt fits, so a model that loads does not have to think
        for work in _commands(attempt.data["sort"], path):
            if finding := judge_command(in_child(work, folder, _BOUNDS, environ)):
                return finding
        return None


def _commands(sort: str, path: Path) -> list[Work]:
    modest = ("--no-journal", "--no-film", "--steps", "2")
    if sort in _SCENES:
        return [command("run", "--world", sort, "--scene", path.name, "--model", NAME, *modest, _REQUEST)]
    if sort == "settings":
        return [command("sessions"), command("plan", _REQUEST)]
    if sort == "guidelines":
        return [command("plan", "--guidelines", path.name, "--model", NAME, _REQUEST)]
    if sort == "robot":
        return [
            command("skills", path.name),
            command("run", "--world", path.name, "--model", NAME, *modest, "--preset", "thinkaloud", _REQUEST),
        ]
    return [command("plan", "--model", f"gguf:{path.name}", "--steps", "1", "Stack all the blocks.")]


def _text_sources() -> Iterator[tuple[str, str, str]]:
    """The sort, name and text of each file to corrupt."""
    for world, name in _SCENES.items():
        yield world, name, (_ROOT / "examples" / "scenes" / name).read_text()
        yield "settings", "thinkaloud.toml", _SETTINGS
        yield "robot", "tea.toml", (_ROOT / "examples" / "robots" / "tea_kitchen.toml").read_text()
        yield "guidelines", "work.txt", (_PACKAGE / "guidelines" / "drinks.txt").read_text()


def _spoil_weights(rng: random.Random, number: int) -> Attempt:
    """Weights that are cut short, or whose header is corrupted in its values or in its list of tensors."""
    path = embedded_weights()
    whole, end = path.stat().st_size, read_header(path).end
    edits = []
    for _ in range(rng.choice((1, 1, 1, 3))):
        start, stop = rng.choice(((4, 24), (24, 2000), (24, 2000), (end - 20_000, end)))
        at = rng.randrange(start, stop)
        with path.open("rb") as file:
            file.seek(at)
            was = file.read(1)[0]
        size, value = rng.choice(((1, was ^ (1 << rng.randrange(8))), *((4, each) for each in _NUMBERS)))
        edits.append([at, base64.b64encode(value.to_bytes(size, "little")).decode()])
    size = rng.choice((whole, whole, rng.randrange(end, whole)))
    data = {"sort": "weights", "name": "w.gguf", "edits": edits, "size": size}
    return Attempt("files", f"weights {number}", data)


def _write_weights(path: Path, edits: list[tuple[int, str]], size: int) -> None:
    """Write the header of the shipped weights with some bytes changed, followed by zeros, which take no space."""
    with embedded_weights().open("rb") as whole, path.open("wb") as file:
        file.write(whole.read(read_header(embedded_weights()).end))
        for at, content in edits:
            file.seek(at)
            file.write(base64.b64decode(content))
        file.truncate(size)
