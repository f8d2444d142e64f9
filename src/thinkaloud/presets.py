"""Presets: each paper's method, and each baseline, as a choice of parts for the one loop.

A preset is named with its options: `inner_monologue`, `inner_monologue:feedback=object+success`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import cast

from thinkaloud.correct.again import TryAgain
from thinkaloud.correct.stack import CorrectionStack
from thinkaloud.critique import Critic
from thinkaloud.critique.analyzer import Analyzer
from thinkaloud.critique.both import InTurn
from thinkaloud.critique.rules import Rules
from thinkaloud.errors import BadInput, UnknownName
from thinkaloud.execute.inner import SpeakAndNote
from thinkaloud.execute.sandbox import Sandbox
from thinkaloud.execute.skill import CallSkill
from thinkaloud.guidelines import Guidelines
from thinkaloud.loop import Limits, Mind
from thinkaloud.models import Recorded, is_trained
from thinkaloud.perceive.looking import LookAfterEachStep, LookOnce, ScanOnOrder, WatchProgress, WatchRelations
from thinkaloud.plan.code_prompts import Mode, Style
from thinkaloud.plan.executor import Executor, Form
from thinkaloud.plan.inner_monologue import InnerMonologue
from thinkaloud.plan.itp import InteractiveTaskPlanning, Lines
from thinkaloud.plan.multitalk import MultiTalk
from thinkaloud.plan.multitalk_prompt import Lines as Known
from thinkaloud.plan.open_loop import OpenLoop
from thinkaloud.plan.progprompt import ProgPrompt
from thinkaloud.plan.reader import Reader
from thinkaloud.plan.transcript import Feedback
from thinkaloud.plan.whole import WholePlan
from thinkaloud.rehearse.twin import Twin
from thinkaloud.remember import Remember
from thinkaloud.remember.writer import Extent, Writer
from thinkaloud.verify.effects import DetectSuccess
from thinkaloud.verify.levels import TwoLevels
from thinkaloud.worlds import World

LOW_LEVEL_FIXES = 3
"""So many problems of one step are put right where they are met."""
Build = Callable[[World, Recorded, Mapping[str, str], Guidelines | None], Mind]


@dataclass(frozen=True)
class Preset:
    """How to put a mind together; `options` lists what may be set and to what, the default first.

    `limits` are what its way of working needs; whoever runs it may set others. `guided`: it reads task guidelines.
    `looks`: it looks again for what is not in view, so that this may be asked for, too.
    """

    name: str
    about: str
    build: Build
    options: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    limits: Limits = field(default_factory=Limits)
    guided: bool = False
    looks: bool = False


def _open_loop(world: World, model: Recorded, options: Mapping[str, str], guidelines: Guidelines | None) -> Mind:
    return Mind(LookOnce(world), OpenLoop(model.as_role("planner"), world), CallSkill(world))


def _inner_monologue(world: World, model: Recorded, options: Mapping[str, str], guidelines: Guidelines | None) -> Mind:
    feedback = cast(Feedback, options["feedback"])
    watch = WatchRelations if is_trained(model) else WatchProgress
    return Mind(
        perceive=watch(world) if feedback == "object+scene" else LookAfterEachStep(world),
        plan=InnerMonologue(model.as_role("planner"), world, feedback),
        execute=CallSkill(world),
        verify=None if feedback == "object" else DetectSuccess(world),
    )


def _programs(
    world: World,
    model: Recorded,
    style: Style,
    mode: Mode = "plain",
    memory: Remember | None = None,
    guidelines: Guidelines | None = None,
) -> Mind:
    """A mind that answers each query with a program; without a memory, only the conversation itself is known."""
    return Mind(
        perceive=WatchProgress(world),
        plan=Reader(model.as_role("reader"), world, Sandbox(), style, mode, guidelines),
        execute=SpeakAndNote(CallSkill(world)),
        verify=DetectSuccess(world),
        correct=TryAgain(),
        remember=memory,
    )


def _statler(style: Style, *, examples: bool = True) -> Build:
    def build(world: World, model: Recorded, options: Mapping[str, str], guidelines: Guidelines | None) -> Mind:
        mode, extent = cast(Mode, options.get("reader", "plain")), cast(Extent, options.get("writer", "full"))
        memory = Writer(model.as_role("writer"), world, extent, examples, declared=mode == "query")
        return _programs(world, model, style, mode, memory)

    return build


def _code_as_policies(style: Style) -> Build:
    return lambda world, model, options, guidelines: _programs(world, model, style, guidelines=guidelines)


def _multitalk(world: World, model: Recorded, options: Mapping[str, str], guidelines: Guidelines | None) -> Mind:
    critics = list[Critic]()
    if options["analyzer"] in ("both", "rules"):
        critics.append(Rules(world))
    if options["analyzer"] in ("both", "model"):
        critics.append(Analyzer(model.as_role("analyzer"), world, asks=options["human"] == "on"))
    return Mind(
        perceive=ScanOnOrder(world),
        plan=MultiTalk(
            model.as_role("planner"), world, asks=options["human"] == "on", lines=cast(Known, options["lines"])
        ),
        execute=CallSkill(world),
        critique=InTurn(*critics) if critics else None,
        rehearse=Twin(world) if options["simulator"] == "on" else None,
        verify=DetectSuccess(world),
    )


def _itp(world: World, model: Recorded, options: Mapping[str, str], guidelines: Guidelines | None) -> Mind:
    if guidelines is None:
        raise BadInput(
            f"itp works by task guidelines, and the world {world.name!r} has none of its own: give --guidelines FILE."
        )
    executor = Executor(model.as_role("executor"), world, guidelines, cast(Form, options["executor"]))
    return Mind(
        perceive=WatchProgress(world),
        plan=InteractiveTaskPlanning(
            model.as_role("planner"), executor, world, guidelines, cast(Lines, options["lines"])
        ),
        execute=SpeakAndNote(CallSkill(world)),
        verify=DetectSuccess(world),
    )


def _progprompt(world: World, model: Recorded, options: Mapping[str, str], guidelines: Guidelines | None) -> Mind:
    return Mind(
        perceive=WatchProgress(world),
        plan=ProgPrompt(model.as_role("planner"), world),
        execute=CallSkill(world),
        verify=TwoLevels(world),  # for the record: the program itself asks only for what it asserts
    )


def _hicrisp(world: World, model: Recorded, options: Mapping[str, str], guidelines: Guidelines | None) -> Mind:
    return Mind(
        perceive=WatchProgress(world),
        plan=WholePlan(model.as_role("planner"), world),
        execute=CallSkill(world, fixes=LOW_LEVEL_FIXES if options["low"] == "on" else 0),
        verify=TwoLevels(world),
        correct=CorrectionStack(model.as_role("corrector"), world) if options["high"] == "on" else None,
    )


_READER = {"reader": ("plain", "query")}
_WRITER = {"writer": ("full", "delta")}

PRESETS = {
    preset.name: preset
    for preset in (
        Preset("open_loop", "plans once from the objects seen at the start; nothing is checked", _open_loop),
        Preset(
            "inner_monologue",
            "the next step from everything said so far, with the feedback of your choice (Huang et al., 2022)",
            _inner_monologue,
            {"feedback": ("object+scene", "object+success", "object")},
        ),
        Preset(
            "statler",
            "a program for each query, from a world state that is written down and kept (Yoneda et al., 2023)",
            _statler("state"),
            _READER | _WRITER,
        ),
        Preset("statler_unified", "Statler with one model that writes program and next state", _statler("unified")),
        Preset(
            "statler_auto",
            "Statler whose writer gets instructions and no examples",
            _statler("state", examples=False),
            _WRITER,
        ),
        Preset(
            "code_as_policies",
            "a program for each query, from the queries and programs before it; Statler without state",
            _code_as_policies("history"),
            guided=True,
        ),
        Preset(
            "code_as_policies_cot",
            "the same, working out all the states so far before each program",
            _code_as_policies("thoughts"),
            guided=True,
        ),
        Preset(
            "itp",
            "a list of steps from task guidelines, each step made into calls; plans anew when asked (Li et al., 2023)",
            _itp,
            {"executor": ("text", "tools"), "lines": ("known", "free")},
            Limits(steps=150, plans=300),
            guided=True,
        ),
        Preset(
            "multitalk",
            "a whole plan, or questions first; criticised and rehearsed before any motion (Devarakonda et al., 2024)",
            _multitalk,
            {"analyzer": ("both", "model", "rules", "off"), "simulator": ("on", "off"), "human": ("on", "off")}
            | {"lines": ("known", "free")},
            Limits(steps=60, revisions=6, looks=2, questions=4),
            looks=True,
        ),
        Preset(
            "progprompt",
            "a program with assertions and what to do where they fail, written once (Singh et al., 2023)",
            _progprompt,
            limits=Limits(steps=60, plans=60),
        ),
        Preset(
            "hicrisp",
            "a whole plan; errors put right within the step, by predefined fixes, then by a stack (Ming et al., 2023)",
            _hicrisp,
            {"low": ("on", "off"), "high": ("on", "off")},
            Limits(steps=120),
        ),
    )
}


def read_preset(text: str) -> tuple[Preset, dict[str, str]]:
    """The preset that a text such as `inner_monologue:feedback=object` names, and all its options."""
    name, _, rest = text.partition(":")
    if name not in PRESETS:
        raise UnknownName("preset", name, PRESETS)
    preset = PRESETS[name]
    options = {option: values[0] for option, values in preset.options.items()}
    for part in filter(None, rest.split(";")):
        option, _, value = part.partition("=")
        if option not in preset.options:
            raise UnknownName(f"option of {name}", option, preset.options)
        if value not in preset.options[option]:
            raise BadInput(f"{name}: {option} can be {', '.join(preset.options[option])}, not {value!r}.")
        options[option] = value
    return preset, options


def spell(name: str, options: Mapping[str, str]) -> str:
    """A preset with options as one text."""
    return name + (":" if options else "") + ";".join(f"{option}={value}" for option, value in options.items())
