"""Presets: each method, and each baseline, as a choice of parts for the one loop.

A preset is named with its options: `inner_monologue`, `inner_monologue:feedback=object+success`. Each preset is defined
beside its method, in `methods/NAME/preset.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from thinkaloud.errors import BadInput, UnknownName
from thinkaloud.guidelines import Guidelines
from thinkaloud.loop import Limits, Mind
from thinkaloud.models import PROMPTS_OPTION, PromptForm, Recorded, is_fluent, is_trained
from thinkaloud.monologue import Monologue
from thinkaloud.plugins import Registry, check_named
from thinkaloud.records import Observation
from thinkaloud.worlds import World
from thinkaloud.worlds.contract import briefing_of

DEFAULT, GUIDED = "thinkaloud", "itp"
"""The default preset, and the one for worlds that come with guidelines and name no other."""
_PLAINER = "inner_monologue"
"""Replaces the default if the model cannot write meanings and the world comes from no paper."""
Worded = Callable[[Monologue, Mapping[str, str]], list[tuple[int, str]]]
"""How a method words events for its model: the index of each event that it tells, and the text, with these options."""
Build = Callable[[World, Recorded, Mapping[str, str], Guidelines | None], Mind]


@dataclass(frozen=True)
class Preset:
    """How to build a mind. `options` lists the allowed values of each option, the default first.

    `limits` are the limits its method needs; the caller may set others. `guided`: it reads task guidelines. `looks`: it
    looks again for what is not in view, so requests may name that, too. `understands`: its model has to write meanings.
    `several`: options that take more than one value, joined by `+`.
    `worded`: what each event becomes in its prompts, if it can say.
    `prompts`: the form of a file with other prompts (`prompts=FILE`), if it takes one. `warning`: given a model's name
    and these options, what the user should know before a run.
    """

    name: str
    about: str
    build: Build
    options: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    limits: Limits = field(default_factory=Limits)
    guided: bool = False
    looks: bool = False
    understands: bool = False
    several: frozenset[str] = frozenset()
    prompts: PromptForm | None = None
    worded: Worded | None = None
    warning: Callable[[str, Mapping[str, str]], str] = lambda model, options: ""

    def suits(self, model: object) -> bool:
        """Whether a model suits this preset. Our own models do only if they were trained for it."""
        return not self.understands or is_fluent(model) or not is_trained(model)

    def changed(self, change: Callable[[Mind], Mind], name: str = "") -> Preset:
        """The same with other parts: `open_preset("hicrisp").changed(lambda mind: replace(mind, plan=mine))`.

        It also gets another name, so that the original preset never resumes a session that the changed one ran.
        """

        def build(world: World, model: Recorded, options: Mapping[str, str], guidelines: Guidelines | None) -> Mind:
            return change(self.build(world, model, options, guidelines))

        return replace(self, name=name or f"{self.name}, changed", build=build)

    def with_options(self, options: Mapping[str, str]) -> Preset:
        """The same preset with these options as defaults."""
        first = {option: (options.get(option, values[0]), *values) for option, values in self.options.items()}
        first |= {option: (value,) for option, value in options.items() if option not in first}
        return replace(self, options={option: tuple(dict.fromkeys(values)) for option, values in first.items()})

    def scene_to_name(self, scene: Observation, guidelines: Guidelines | None) -> Observation:
        """What a request may name: what is in the scene, or anything, if the planner deals with absent things.

        With guidelines, people ask for things that are yet to be made; and the robot may look for what is out of view.
        """
        anything = self.looks or (self.guided and guidelines is not None)
        return Observation((), {}) if anything else scene

    def all_options(self) -> dict[str, tuple[str, ...]]:
        """All options with their values, for people to read."""
        return {**self.options, **({PROMPTS_OPTION: ("FILE",)} if self.prompts is not None else {})}

    def defaults(self) -> dict[str, str]:
        """All options with their default values."""
        return {option: values[0] for option, values in self.options.items()}


OWN_MIND = "a mind of its own"
"""The preset name of a mind that was built by hand."""


def preset_of(mind: Mind) -> Preset:
    """Wrap a ready-made mind as a preset."""
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
    """Read a text such as `inner_monologue:feedback=object`: the preset, and all its options."""
    name, _, rest = text.partition(":")
    preset = PRESETS.find(name)
    options = preset.defaults()
    for part in filter(None, rest.split(";")):
        option, _, value = part.partition("=")
        if option == PROMPTS_OPTION and preset.prompts is not None:
            if not value:
                raise BadInput(f"{name}: {PROMPTS_OPTION}= needs the name of a file.")
            preset.prompts.open(value)
            options[option] = value
            continue
        if option not in preset.options:
            raise UnknownName(f"option of {name}", option, preset.all_options())
        values = value.split("+") if option in preset.several else [value]
        if not {*values} <= {*preset.options[option]}:
            raise BadInput(f"{name}: {option} can be {', '.join(preset.options[option])}, not {value!r}.")
        options[option] = value
    return preset, options


def names_a_file(text: str) -> bool:
    """Whether a text such as `inner_monologue:prompts=mine.txt` has a file of this machine read."""
    return any(part.partition("=")[0] == PROMPTS_OPTION for part in text.partition(":")[2].split(";"))


def preset_for(world: World, model: object = None) -> str:
    """The default preset for a world; if the model does not suit it, that of the world's paper."""
    briefing = briefing_of(world)
    chosen = briefing.preset or (GUIDED if briefing.guidelines else DEFAULT)
    return chosen if read_preset(chosen)[0].suits(model) else briefing.paper or _PLAINER


def open_preset(text: str) -> Preset:
    """The preset that a text names, with its options, ready to be changed or given to an Agent."""
    preset, options = read_preset(text)
    return preset.with_options(options)


def preset_name(text: str) -> str:
    """The name of the preset that a text names, without its options."""
    return text.partition(":")[0]


def is_known(text: str) -> bool:
    """Whether a text begins with the name of a registered preset. A preset of your own is not registered."""
    return preset_name(text) in PRESETS


def tell_preset(text: str) -> str:
    """A preset for people to read: its name, and the options that differ from the defaults."""
    name, _, rest = text.partition(":")
    usual = (
        {f"{option}={value}" for option, value in PRESETS.find(name).defaults().items()} if is_known(name) else set()
    )
    return ":".join(filter(None, (name, ";".join(part for part in rest.split(";") if part not in usual))))


def spell(name: str, options: Mapping[str, str]) -> str:
    """A preset with options as one text."""
    return name + (":" if options else "") + ";".join(f"{option}={value}" for option, value in options.items())
