"""What there is to choose from, and what somebody chose as the command line would have it."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import msgspec

from thinkaloud.errors import BadInput, MissingExtra, UnknownName
from thinkaloud.guidelines import load_guidelines, shipped
from thinkaloud.models import describe_models
from thinkaloud.models.missing_weights import missing_models
from thinkaloud.presets import GUIDED, PRESETS, names_a_file, preset_for, preset_name
from thinkaloud.robots import is_own_robot, is_robot_file, open_world
from thinkaloud.robots.python_class import find_robot
from thinkaloud.settings import Settings
from thinkaloud.staging.guidelines import choose_by_guidelines
from thinkaloud.staging.options import RunOptions
from thinkaloud.untrusted.files import Malformed, expand, read_file
from thinkaloud.web.messages import BenchResults, Choices, ModelChoice, PresetChoice, SessionRequest, WorldChoice
from thinkaloud.web.suggestions import suggest_requests
from thinkaloud.web.world_names import find_world, name_worlds
from thinkaloud.worlds import WORLDS, World
from thinkaloud.worlds.contract import Disturbable, Viewed, briefing_of, find_ability
from thinkaloud.worlds.drawing import draw_kind
from thinkaloud.worlds.learned_files import shipped_file
from thinkaloud.worlds.vision import EYES

LONGEST_SCENE = 200_000
"""Characters of a scene that comes over the wire."""
_NOISE = ("none", "paper")
_CAMERA = "camera"
_SCENES = (".toml", ".json")
_MOST_STEPS, _MOST_RESULTS = 10_000, 200


class AvailableChoices:
    """What is on offer in one hub: the worlds that there are and those it was given, scenes and results in folders."""

    def __init__(
        self,
        settings: Settings,
        robots: Sequence[str] = (),
        scenes: Path | None = None,
        results: Path | None = None,
        models: Iterable[str] = (),
    ) -> None:
        self._settings, self._robots = settings, tuple(robots)
        self._scenes, self._results, self._models = scenes, results, tuple(models)
        self.also_models: Callable[[], tuple[str, ...]] = tuple
        self.also_robots: Callable[[], tuple[str, ...]] = tuple
        """What was added since the server began."""
        self.changes: Callable[[], object] = int
        """What is different once one of them was changed."""

    @property
    def usual(self) -> SessionRequest:
        """What is taken where nobody chooses: the first robot that was given, or what the settings say."""
        return SessionRequest(
            world=self._robots[0] if self._robots else self._settings.world, model=self._settings.model
        )

    def choices(self) -> Choices:
        """All of it; opens every world that comes from a file, and each other one once."""
        named = {world: told for told, world in name_worlds(self.world_names()).items()}
        worlds = [self._world(name) for name in self.world_names()]
        presets = [PresetChoice(each.name, each.about, each.options) for each in PRESETS.available().values()]
        missing = missing_models(self._settings.home) | self._unusable()
        models = [
            ModelChoice(name, about, name not in missing, missing.get(name, ""))
            for name, about in self._known().items()
        ]
        return Choices(
            worlds=tuple(replace(world, name=named[world.name]) for world in worlds if world is not None),
            presets=tuple(presets),
            models=tuple(models),
            scenes=tuple(self._scene_files()),
            guidelines=tuple(shipped()),
            noise=_NOISE,
            eyes=self._eyes(),
            wanted=replace(self.usual, world=named.get(self.usual.world or "", self.usual.world)),
        )

    def _known(self) -> dict[str, str]:
        """Models by name, with what they are. Those that need a path, a key or an address: only the server's own."""
        complete = {name: about for name, about in describe_models().items() if ":" not in name}
        return {
            **complete,
            **dict.fromkeys((self._settings.model, *self._models), ""),
            **dict.fromkeys(self.also_models(), "hosted"),
        }

    def _unusable(self) -> dict[str, str]:
        """Models that cannot be opened here, and why."""
        kind, _, path = self._settings.model.partition(":")
        found = {}
        if kind == "gguf" and not expand(path).is_file():
            found[self._settings.model] = f"There is no file {path}."
        if find_spec("xllamacpp") is None:
            local = [name for name in self._known() if name.startswith(("embedded", "gguf:"))]
            found |= dict.fromkeys(local, str(MissingExtra("A local model", "local")))
        return found

    def check_model(self, model: str | None) -> None:
        """UnknownName for a model that is not on offer: it might read a file, or be paid for by somebody else."""
        if model is not None and model not in self._known():
            raise UnknownName("model", model, self._known())

    def check_preset(self, preset: str | None) -> None:
        """BadInput for a preset that names a file, unless the owner has chosen it in the settings."""
        if preset is not None and names_a_file(preset) and preset != self._settings.preset:
            raise BadInput("A file with prompts can be named on the command line and in the settings only.")

    def world_names(self) -> list[str]:
        """All worlds that can be chosen."""
        return list(dict.fromkeys((*self._robots, *self.also_robots(), self._settings.world, *WORLDS.available())))

    def find_world(self, told: str) -> str:
        """A world that can be chosen, by what it is called here; UnknownName if there is none."""
        return find_world(told, self.world_names())

    def key(self) -> object:
        """What the choices depend on that may be different the next time."""
        fetched = missing_models(self._settings.home)
        return (self.also_models(), self.also_robots(), self.changes(), tuple(fetched))

    def _world(self, name: str) -> WorldChoice | None:
        try:
            if is_own_robot(name):  # it is not made for this: who makes one may begin to move
                about = (inspect.getdoc(find_robot(name)) or "").partition("\n")[0]
                return WorldChoice(name, about, "", False, "board")
            return _installed(name, WORLDS[name]) if name in WORLDS else _told_of(name, open_world(name))
        except BadInput:  # a plugin's, or one that needs more than is here
            return None

    def _eyes(self) -> tuple[str, ...]:
        """Eyes that need no weights of their own, or whose package brings them, as ours does once some are shipped."""
        ready = {_CAMERA, *EYES.from_plugins(), *(("learned",) if shipped_file("eyes") else ())}
        return tuple(name for name in EYES.available() if name in ready)

    def _scene_files(self) -> dict[str, Path]:
        if self._scenes is None or not self._scenes.is_dir():
            return {}
        return {path.stem: path for path in sorted(self._scenes.iterdir()) if path.suffix in _SCENES}

    def scenes_for(self, world: str) -> tuple[str, ...]:
        """The scenes that a world can be opened with; none for a robot of one's own, which is not opened for this."""
        world = self.find_world(world)
        if is_own_robot(world) or is_robot_file(world):
            return ()
        return tuple(name for name, path in self._scene_files().items() if _fits(world, path))

    def examples_for(self, world: str) -> tuple[str, ...]:
        """Requests to try first: those that a world declares, or sentences of its skills that can be done.

        None for a robot of one's own, which is not opened for this.
        """
        world = self.find_world(world)
        if is_own_robot(world):
            return ()
        opened = open_world(world)
        return briefing_of(opened).examples or suggest_requests(opened)

    def options(self, wanted: SessionRequest) -> tuple[RunOptions, Settings]:
        """What was chosen, as the command line has it; BadInput for what is not on offer.

        Files of this machine are read only where they are on offer: whoever is elsewhere does not name paths.
        """
        world = self.find_world(wanted.world or self.usual.world or "")
        self.check_model(wanted.model)
        self.check_preset(wanted.preset)
        if wanted.guidelines is not None and wanted.guidelines not in shipped():
            raise UnknownName("guidelines", wanted.guidelines, shipped())
        if wanted.eyes and wanted.eyes not in self._eyes():
            raise UnknownName("eye", wanted.eyes, self._eyes())
        if wanted.steps is not None and not 1 <= wanted.steps <= _MOST_STEPS:
            raise BadInput(f"steps has to be a whole number, 1 to {_MOST_STEPS}, not {wanted.steps}.")
        check_speed(wanted.speed)
        if not 0 <= wanted.seed < 2**63:
            raise BadInput(f"seed has to be a whole number, 0 or more, not {wanted.seed}.")
        guidelines = wanted.guidelines or self._needed_guidelines(world, wanted.preset)
        options = RunOptions(
            world=world,
            preset=wanted.preset,
            model=wanted.model,
            seed=wanted.seed,
            scene_text=self._scene(wanted.scene),
            guidelines=guidelines,
            confirm=wanted.confirm,
            approve_plans=wanted.approve_plans,
            disturb=wanted.disturb,
            eyes=wanted.eyes or "",
            steps=wanted.steps,
            speed=wanted.speed,
            no_film=True,
        )
        given = None if guidelines is not None and wanted.world is None else world
        flags = {"world": given, "preset": wanted.preset, "model": wanted.model}
        chosen = choose_by_guidelines(flags, guidelines)
        named: dict[str, Any] = {name: value for name, value in chosen.items() if value}
        return options, replace(self._settings, **named)

    def _needed_guidelines(self, world: str, preset: str | None) -> str | None:
        """The first that suit a world whose preset cannot do without and that has none of its own."""
        if preset is not None and preset_name(preset) != GUIDED:
            return None
        found = self._world(world)
        return next(iter(found.guidelines), None) if found is not None and found.needs_guidelines else None

    def _scene(self, scene: str | None) -> str:
        if not scene:
            return ""
        if len(scene) > LONGEST_SCENE:
            raise BadInput(f"The scene has {len(scene)} characters; at most {LONGEST_SCENE} can be sent.")
        files = self._scene_files()
        if scene in files:
            return files[scene].read_text(encoding="utf-8")
        if "\n" not in scene and not scene.lstrip().startswith(("{", "[")):
            raise UnknownName("scene", scene, files)
        return scene

    def benches(self) -> list[BenchResults]:
        """The benchmark results in the folder; a file that is none is passed over."""
        if self._results is None or not self._results.is_dir():
            return []
        found = []
        for path in sorted(self._results.glob("**/results.json"))[:_MOST_RESULTS]:
            try:
                data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
                name = str(path.parent.relative_to(self._results))
                found.append(msgspec.convert({"name": name, **data}, BenchResults))
            except (OSError, ValueError, TypeError):  # of msgspec, too
                continue
        return found


def _fits(world: str, path: Path) -> bool:
    try:
        open_world(world, scene=read_file(path))
    except (BadInput, Malformed):
        return False
    return True


def check_speed(speed: float | None) -> None:
    """BadInput for a speed that makes no sense."""
    if speed is not None and not 0.01 <= speed <= 1000:
        raise BadInput(f"speed has to be a number from 0.01 to 1000, not {speed}.")


@lru_cache(maxsize=128)
def _installed(name: str, opener: object) -> WorldChoice:
    """What a world of a package is; to open all of them takes seconds, and they stay the same as long as we run."""
    return _told_of(name, open_world(name))


def _told_of(name: str, world: World) -> WorldChoice:
    of_file = briefing_of(world).about if is_robot_file(name) else ""  # it says of itself what it is for
    told = (of_file or inspect.getdoc(type(world)) or briefing_of(world).about).partition("\n")[0]
    noise = find_ability(world, Disturbable) is not None
    camera = find_ability(world, Viewed) is not None
    briefing, preset = briefing_of(world), preset_for(world)
    fitting = tuple(each for each in shipped() if not load_guidelines(each).undocumented(world.skills))
    needed = preset_name(preset) == GUIDED and not briefing.guidelines
    return WorldChoice(name, told, preset, noise, draw_kind(world), camera, briefing.examples, fitting, needed)
