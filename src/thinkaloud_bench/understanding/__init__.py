"""Understanding: small robots and the worlds that there are, and what people say to them in their own words.

Every file is a robot (or a world) and its requests: deeds, sets, negations, orders, conditions, counts, questions,
missing things, impossible and ambiguous wishes, notes, several turns. It is judged by the state in the end and by the
kind of ending, never by what the robot wrote (`judging.py`). Robots in `robots` and the `worlds` are spoken to
mostly in English, those in `languages` in German, Spanish, French and Chinese; a folder is a group of tasks.

- `right`, `asked`, `declined`, `silent`, `failed`: the share of each outcome; they add up to 1.
- `help_rate`: the share of requests with any question. `seconds`: thinking time up to the first decision.
- `tag_right`, `tag_silent`, …: the same by kind of request. `sure_silent`, `sure_help_rate`, `sure_right`: by how sure
  the reading has to be (`curve.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from thinkaloud.errors import BadInput, ThinkaloudError
from thinkaloud.presets import PRESETS
from thinkaloud_bench.contract import Bench, Shown, Task
from thinkaloud_bench.understanding.checking import check_material
from thinkaloud_bench.understanding.drawing import draw_understanding
from thinkaloud_bench.understanding.judging import OUTCOMES
from thinkaloud_bench.understanding.material import CERTIFY, FOLDERS, PROMISE, Episode, Material, read_material, shipped
from thinkaloud_bench.understanding.scoring import understanding_notes, understanding_rows
from thinkaloud_bench.understanding.setups import play_request

OWN = "own"
"""The task of a file that somebody brings along."""
_COMPARED = ("thinkaloud", "inner_monologue", "statler", "hicrisp", "code_as_policies")


def _task(material: Material, folder: str) -> Task:
    count = len(material.requests)
    known = folder in (*FOLDERS, *PROMISE, *CERTIFY)
    group = folder.rpartition("/")[2] if known else "worlds" if material.world else "robots"
    return Task(material.name, material.name.replace("_", " "), group, episodes=count, most=count)


def _read(content: bytes, source: str) -> Mapping[str, list[Episode]]:
    """The requests of a file of one's own."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadInput(f"{source}: is not a text file; a robot and its requests are TOML.") from None
    material = read_material(text, source, Path(source).resolve().parent)
    try:
        check_material(material)
    except ThinkaloudError as error:
        raise BadInput(f"{source}: {error}") from None
    return {OWN: [Episode(material, number) for number in range(len(material.requests))]}


def bench_of(name: str, about: str, *folders: str) -> Bench:
    """The benchmark of some folders of requests, or of a file of one's own."""
    tasks = {material.name: _task(material, folder) for folder in folders for material in shipped(folder).values()}
    return Bench(
        name,
        about,
        tasks={**tasks, OWN: Task(OWN, "a robot of one's own", most=0)},
        presets=tuple(preset for preset in _COMPARED if preset.partition(":")[0] in PRESETS),
        play=play_request,
        rows=understanding_rows,
        draw=draw_understanding,
        shown=(*map(Shown, OUTCOMES), Shown("help_rate"), Shown("seconds", percent=False)),
        read=_read,
        notes=understanding_notes,
    )


BENCH = bench_of(
    "understanding",
    "What people say to small robots and in the worlds, in their own words: right, or silent?",
    *FOLDERS,
)
