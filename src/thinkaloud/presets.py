"""Presets: each method, and each baseline, as a choice of parts for the one loop.

A preset is named with its options: `inner_monologue`, `inner_monologue:feedback=object+success`. What a preset consists
of stands beside its method, in `methods/NAME/preset.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from thinkaloud.errors import BadInput, UnknownName
from thinkaloud.guidelines import Guidelines
from thinkaloud.loop import Limits, Mind
from thinkaloud.models import Recorded, is_fluent, is_trained
from thinkaloud.plugins import Registry, check_named
from thinkaloud.records import Observation
from thinkaloud.worlds import World
from thinkaloud.worlds.contract import briefing_of

DEFAULT, GUIDED = "thinkaloud", "itp"
"""The preset where nothing else is chosen, and the one for worlds that bring guidelines and name no other."""
_PLAINER = "inner_monologue"
"""What stands in for the default where the model cannot write meanings, and the world is from no paper."""
Build = Callable[[World, Recorded, Mapping[str, str], Guidelines | None], Mind]


@dataclass(frozen=True)
class Preset:
    """How to put a mind together; `options` lists what may be set and to what, the default first.

    `limits` are what its way of working needs; whoever runs it may set others. `guided`: it reads task guidelines.
    `looks`: it looks again for what is not in view, so that this may be asked for, too. `understands`: its model has to
    write meanings. `warning`: what has to be known before it runs with a model, by its name, and with these options.
    """

    name: str
    about: str
    build: Build
    options: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    limits: Limits = field(default_factory=Limits)
    guided: bool = False
    looks: bool = False
    understands: bool = False
    warning: Callable[[str, Mapping[str, str]], str] = lambda model, options: ""

    def suits(self, model: object) -> bool:
        """Whether a model does what is asked of it here: one of ours, only if it was trained for just that."""
        return not self.understands or is_fluent(model) or not is_trained(model)

    def changed(self, change: Callable[[Mind], Mind], name: str = "") -> Preset:
        """The same with other parts: `open_preset("hicrisp").changed(lambda mind: replace(mind, plan=mine))`.

        It has another name, too: a session that it has run must not be taken up again by what it was made of.
        """

        def build(world: World, model: Recorded, options: Mapping[str, str], guidelines: Guidelines | None) -> Mind:
            return change(self.build(world, model, options, guidelines))

        return replace(self, name=name or f"{self.name}, changed", build=build)

    def with_options(self, options: Mapping[str, str]) -> Preset:
        """The same with these options, if nothing else is said."""
        first = {option: (options.get(option, values[0]), *values) for option, values in self.options.items()}
        return replace(self, options={option: tuple(dict.fromkeys(values)) for option, values in first.items()})

    def scene_to_name(self, scene: Observation, guidelines: Guidelines | None) -> Observation:
        """What a request may name: what is in the scene, or anything, where the planner is to see about that.

        By guidelines, much is asked for that is not there yet; and what is not in view may be looked for.
        """
        anything = self.looks or (self.guided and guidelines is not None)
        return Observation((), {}) if anything else scene

    def defaults(self) -> dict[str, str]:
        """All its options, as they are if nothing else is said."""
        return {option: values[0] for option, values in self.options.items()}


OWN_MIND = "a mind of its own"
"""What stands for a preset where a mind was put together by hand."""


def preset_of(mind: Mind) -> Preset:
    """A mind that is put together already, as a preset that builds nothing else."""
    return Preset(OWN_MIND, "a mind that was put together by hand", lambda *_: mind)


_METHODS = "thinkaloud.methods"
PRESETS: Registry[Preset] = Registry(
    "preset",
    {
        "thinkaloud": f"{_METHODS}.thinkaloud.preset:THINKALOUD",
        "open_loop": f"{_METHODS}.open_loop.preset:OPEN_LOOP",
        "inner_monologue": f"{_METHODS}.inner_monologue.preset:INNER_MONOLOGUE",
        "statler": f"{_METHODS}.statler.preset:STATLER",
        "statler_unified": f"{_METHODS}.statler.preset:STATLER_UNIFIED",
        "statler_auto": f"{_METHODS}.statler.preset:STATLER_AUTO",
        "code_as_policies": f"{_METHODS}.code_as_policies.preset:CODE_AS_POLICIES",
        "code_as_policies_cot": f"{_METHODS}.code_as_policies.preset:CODE_AS_POLICIES_COT",
        "itp": f"{_METHODS}.itp.preset:ITP",
        "multitalk": f"{_METHODS}.multitalk.preset:MULTITALK",
        "progprompt": f"{_METHODS}.progprompt.preset:PROGPROMPT",
        "hicrisp": f"{_METHODS}.hicrisp.preset:HICRISP",
        "saycan": f"{_METHODS}.saycan.preset:SAYCAN",
    },
    check_named(Preset),
)
"""Presets by name; other packages announce theirs under `thinkaloud.presets`."""


def read_preset(text: str) -> tuple[Preset, dict[str, str]]:
    """The preset that a text such as `inner_monologue:feedback=object` names, and all its options."""
    name, _, rest = text.partition(":")
    preset = PRESETS.find(name)
    options = preset.defaults()
    for part in filter(None, rest.split(";")):
        option, _, value = part.partition("=")
        if option not in preset.options:
            raise UnknownName(f"option of {name}", option, preset.options)
        if value not in preset.options[option]:
            raise BadInput(f"{name}: {option} can be {', '.join(preset.options[option])}, not {value!r}.")
        options[option] = value
    return preset, options


def preset_for(world: World, model: object = None) -> str:
    """The preset for a world where nobody chooses one; where a model does not suit it, that of the world's paper."""
    briefing = briefing_of(world)
    chosen = briefing.preset or (GUIDED if briefing.guidelines else DEFAULT)
    return chosen if read_preset(chosen)[0].suits(model) else briefing.paper or _PLAINER


def open_preset(text: str) -> Preset:
    """The preset that a text names, with those options: to be changed, or given to an Agent."""
    preset, options = read_preset(text)
    return preset.with_options(options)


def preset_name(text: str) -> str:
    """The name of the preset that a text names, without its options."""
    return text.partition(":")[0]


def is_known(text: str) -> bool:
    """Whether a text begins with the name of a preset that can be found; one's own cannot."""
    return preset_name(text) in PRESETS


def tell_preset(text: str) -> str:
    """A preset for people to read: its name, with the options that are not as they are if nothing is said."""
    name, _, rest = text.partition(":")
    usual = (
        {f"{option}={value}" for option, value in PRESETS.find(name).defaults().items()} if is_known(name) else set()
    )
    return ":".join(filter(None, (name, ";".join(part for part in rest.split(";") if part not in usual))))


def spell(name: str, options: Mapping[str, str]) -> str:
    """A preset with options as one text."""
    return name + (":" if options else "") + ";".join(f"{option}={value}" for option, value in options.items())
