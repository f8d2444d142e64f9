"""Fuzzed files: scenes, settings, guidelines, robots in text files, and the headers of weights.

Each is given to the command line. Whatever is in a file, the command ends with a documented status, and says in one
short line what is wrong with it.
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
from campaign.mutating import flip_bit, mutate_text
from campaign.remembered import NAME, always_saying
from thinkaloud.models.weights import embedded_weights

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
_HEADER = 2 * 2**20
"""Bytes of a GGUF file in which its header lies; the numbers behind it are left out."""
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
        """Give it to the commands that read such a file."""
        folder = self._folder / "here"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        path = folder / attempt.data["name"]
        content = base64.b64decode(attempt.data["content"])
        path.write_bytes(content)
        if attempt.data["sort"] == "weights":
            with embedded_weights().open("rb") as whole, path.open("r+b") as file:
                whole.seek(len(content))
                file.seek(len(content))
                file.write(whole.read(_HEADER - len(content)))
                file.truncate(attempt.data["size"])
        environ = environment(folder / "home") | always_saying(" Kumquat.")
        if attempt.data["sort"] == "settings":
            del environ["THINKALOUD_HOME"], environ["THINKALOUD_API_KEY"]
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
    return [command("plan", "--model", f"gguf:{path.name}", "Put the red block in the red bowl.")]


def _text_sources() -> Iterator[tuple[str, str, str]]:
    """Sort, name and text of what is spoilt."""
    for world, name in _SCENES.items():
        yield world, name, (_ROOT / "examples" / "scenes" / name).read_text()
        yield "settings", "thinkaloud.toml", _SETTINGS
        yield "robot", "tea.toml", (_ROOT / "examples" / "robots" / "tea_kitchen.toml").read_text()
        yield "guidelines", "work.txt", (_PACKAGE / "guidelines" / "drinks.txt").read_text()


def _spoil_weights(rng: random.Random, number: int) -> Attempt:
    """Weights whose first bytes are spoilt, or that are cut short: a damaged download."""
    whole = embedded_weights().stat().st_size
    with embedded_weights().open("rb") as file:
        head = file.read(4096)
    for _ in range(rng.choice((1, 1, 1, 4))):
        head = flip_bit(head, rng, rng.choice((24, 400, 4096)))
    size = rng.choice((whole, whole, rng.randrange(_HEADER, whole)))
    data = {"sort": "weights", "name": "w.gguf", "content": base64.b64encode(head).decode(), "size": size}
    return Attempt("files", f"weights {number}", data)
