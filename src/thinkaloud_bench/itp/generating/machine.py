"""Guidelines for a machine, drawn at random, and requests for it with what they mean."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from thinkaloud_bench.itp.episodes import MachineOrder, OrderEpisode
from thinkaloud_bench.itp.generating.speech import NUMBER_WORDS, capitalise, fill_as_said, fill_carefully, pluralise
from thinkaloud_bench.itp.generating.themes import MachineTheme
from thinkaloud_bench.phrases import load_phrases

_WORDS = load_phrases("thinkaloud_bench.itp.generating", "machine_guidelines")
_REQUESTS = load_phrases("thinkaloud_bench.itp.generating", "machine_requests")
_LATEST = 3
_COUNT = 4
"""How many there are of each kind; nobody asks for more."""


@dataclass(frozen=True, slots=True)
class DrawnMachine:
    """One machine: where things belong in it, what may be added, and how its guidelines put it."""

    theme: MachineTheme
    belongs: dict[str, str]
    additives: tuple[str, ...]
    lacking: tuple[str, ...]
    options: tuple[tuple[str, MachineOrder], ...]
    says: dict[str, str]
    text: str
    scene: str

    @property
    def usual(self) -> str:
        """The additive that is used when none is named."""
        return self.additives[0]


def machine_episode(rng: random.Random, theme: MachineTheme, kind: str, name: str) -> OrderEpisode:
    """An episode at a machine: `new`, `option`, `unavailable` or `changed`."""
    machine = _draw_machine(rng, theme)
    asking = _Asking(rng, machine)
    request, new_request, before = "", None, None
    first, wanted = None, None
    if kind == "option":
        title, wanted = rng.choice(machine.options)
        named = "" if wanted.additive == machine.usual else wanted.additive
        by_name = rng.random() < 0.5
        request = (
            fill_as_said(rng, rng.choice(_REQUESTS["title"]), x=title) if by_name else asking.request(wanted, named)
        )
    elif kind == "unavailable":
        request = asking.request(asking.new(), rng.choice(machine.lacking))
    else:
        order = asking.new()
        request = asking.request(order, "" if order.additive == machine.usual else order.additive)
        wanted = order
        if kind == "changed":
            first, before = order, rng.randint(1, _LATEST)
            new_request, wanted = asking.change(order)
    return OrderEpisode(
        name,
        machine.text,
        request,
        new_request,
        before,
        "dishwasher",
        machine.scene,
        first,
        wanted,
        wanted is None,
        machine.says,
    )


def _draw_machine(rng: random.Random, theme: MachineTheme) -> DrawnMachine:
    """A machine of a theme."""
    kinds = rng.sample(theme.kinds, rng.randint(4, 6))
    belongs = {kind: theme.compartments[at % 3] for at, kind in enumerate(kinds)}
    additives = rng.sample(theme.additives, rng.choice((2, 2, 3)))
    lacking = tuple(name for name in theme.additives if name not in additives)
    words = {
        "m": theme.machine,
        "cs": pluralise(theme.compartment),
        "compartment": theme.compartment,
        "item": theme.item,
        "items": pluralise(theme.item),
        "additive": theme.additive,
        "place": rng.choice(theme.start_place),
        "dirty": rng.choice(theme.dirty),
        "ready": rng.choice(theme.ready),
        "prepare": rng.choice(theme.prepare),
        "finished": rng.choice(_WORDS["finished"]),
    }
    says = _says(rng, words, belongs, additives)
    options = _menu(rng, theme, kinds, additives)
    text = _text(rng, words, belongs, additives, options, says)
    scene = {
        **{name: words[name] for name in ("compartment", "additive", "item", "prepare", "finished", "ready", "dirty")},
        "machine": theme.machine,
        "start_place": words["place"],
        "compartments": theme.compartments,
        "items": [{"kind": kind, "count": _COUNT, "belongs": place} for kind, place in belongs.items()],
        "additives": additives,
        "cycle_minutes": theme.minutes,
    }
    encoded = msgspec.json.encode(scene).decode()
    return DrawnMachine(theme, belongs, tuple(additives), lacking, options, says, text, encoded)


def _says(
    rng: random.Random, words: dict[str, str], belongs: dict[str, str], additives: Sequence[str]
) -> dict[str, str]:
    """The sentence for each kind of step, all by one author."""
    once = (
        ("open", _WORDS["open"]), ("pull", _WORDS["pull"]), ("close", _WORDS["close"]), ("start", _WORDS["start"]),
        ("wait", _WORDS["wait"]), ("check", _WORDS["check"]), ("return", _WORDS["return"]),
    )  # fmt: skip
    says = {key: rng.choice(choices).format(**words) for key, choices in once}
    grasp, prepare, put = (rng.choice(each) for each in (_WORDS["grasp"], _WORDS["prepare"], _WORDS["put"]))
    for kind, place in belongs.items():
        says[f"grasp {kind}"] = grasp.format(k=kind, **words)
        says[f"prepare {kind}"] = prepare.format(k=kind, **words)
        says[f"put {kind}"] = put.format(k=kind, c=place, **words)
    adding = rng.choice(_WORDS["additive"])
    return says | {f"additive {name}": adding.format(a=name, **words) for name in additives}


def _menu(
    rng: random.Random, theme: MachineTheme, kinds: Sequence[str], additives: Sequence[str]
) -> tuple[tuple[str, MachineOrder], ...]:
    """Three options as in the paper: one with another additive, two of a kind, and two kinds."""
    one, two, three, four = rng.sample(kinds, 4)
    verb = capitalise(theme.verb)
    number = rng.choice((2, 2, 3))
    return (
        (f"{verb} one {one} with {additives[1]}", MachineOrder(((one, 1),), additives[1])),
        (
            rng.choice(
                (
                    f"{verb} {NUMBER_WORDS[number]} {pluralise(two)}",
                    f"{verb} all the {pluralise(two)} and there are {NUMBER_WORDS[number]} {pluralise(two)}",
                )
            ),
            MachineOrder(((two, number),), additives[0]),
        ),
        (f"{verb} one {three} and one {four}", MachineOrder(((three, 1), (four, 1)), additives[0])),
    )


def _text(
    rng: random.Random,
    words: dict[str, str],
    belongs: dict[str, str],
    additives: Sequence[str],
    options: Sequence[tuple[str, MachineOrder]],
    says: dict[str, str],
) -> str:
    lines = [f"Options: {', '.join(title for title, _ in options)}", "Instructions:"]
    for title, order in options:
        lines += [title, f"Material: {order.additive}", "Steps:"]
        lines += [*(f"{number}) {step}" for number, step in enumerate(_steps(order, says, words["dirty"]))), ""]
    rules = [rng.choice(_WORDS["default"]), rng.choice(_WORDS["one_hand"]), rng.choice(_WORDS["several"])]
    rules += [rng.choice(_WORDS["only"])] if rng.random() < 0.5 else []
    rules += rng.sample(_WORDS["chatter"], rng.choice((0, 1, 2)))
    lines += [
        "Rules:",
        *(f"* {fill_carefully(rule, a=additives[0], **words)}" for rule in rng.sample(rules, len(rules))),
    ]
    lines += ["Available location we have now:"]
    line = rng.choice(_WORDS["location"])
    for place in dict.fromkeys(belongs.values()):
        here = " and ".join(pluralise(kind) for kind, where in belongs.items() if where == place)
        lines.append(f"* {line.format(c=place, ks=here)}")
    lines += [f"* {words['place']}", f"* {words['finished']}"] if rng.random() < 0.4 else []
    return "\n".join(
        [*lines, f"Available material we have now: {', '.join(rng.sample(additives, len(additives)))}", ""]
    )


def _steps(order: MachineOrder, says: dict[str, str], dirty: str) -> list[str]:
    """The steps of a recipe, as the paper's author orders them."""
    steps: list[str] = []
    for kind, count in order.items:
        for number in range(count):
            grasp = says[f"grasp {kind}"]
            which = f"{_WORDS['further'][number]} " if count > 1 else ""
            steps += [grasp.replace(f"the {dirty}", f"the {which}{dirty}", 1), says[f"prepare {kind}"]]
            steps += [says["open"], says["pull"]] if "open" in says and says["open"] not in steps else []
            steps.append(says[f"put {kind}"])
    last = ("close", "start", "wait", "check", "return")
    return [*steps, says[f"additive {order.additive}"], *(says[key] for key in last)]


class _Asking:
    """One customer at one machine."""

    def __init__(self, rng: random.Random, machine: DrawnMachine) -> None:
        self.rng, self.machine = rng, machine
        self._words = {"verb": machine.theme.verb, "m": machine.theme.machine}

    def new(self) -> MachineOrder:
        """An order that is none of the options."""
        rng, machine = self.rng, self.machine
        kinds = rng.sample([*machine.belongs], rng.choice((1, 1, 2, 2, 3)))
        counts = [rng.randint(1, 3 if len(kinds) < 3 else 2) for _ in kinds]
        additive = rng.choice(machine.additives[1:]) if rng.random() < 0.4 else machine.usual
        order = MachineOrder(tuple(zip(kinds, counts, strict=True)), additive)
        known = [({*known.items}, known.additive) for _, known in machine.options]
        return self.new() if ({*order.items}, additive) in known else order

    def request(self, order: MachineOrder, additive: str) -> str:
        """An order in words; with an additive if one is to be named."""
        rng = self.rng
        (kind, count), *more = order.items
        if not more and count > 1 and rng.random() < 0.4:
            number = self._number(count)
            said = self._fill(_REQUESTS["all"], ks=pluralise(kind), n=number)
        else:
            said = self._fill(_REQUESTS["frames"], x=self._things(order.items))
        if not additive:
            return said
        mark = said[-1] if said[-1] in ".?" else ""
        if (mark and not said.endswith("?") and rng.random() < 0.3) or ". " in said:
            return rng.choice(_REQUESTS["after"]).format(request=said if mark else f"{said}.", a=additive)
        return said.removesuffix(mark) + rng.choice(_REQUESTS["with"]).format(a=additive) + mark

    def change(self, first: MachineOrder) -> tuple[str, MachineOrder | None]:
        """A new request, and what is wanted then; None for what cannot be had."""
        rng, machine = self.rng, self.machine
        others = [kind for kind in machine.belongs if kind not in dict(first.items)]
        kind = rng.choice(("add", "add", "more", "more", "less", "additive", "impossible"))
        if kind == "impossible":
            return self._fill(_REQUESTS["new_additive"], a=rng.choice(machine.lacking)), None
        if kind == "additive":
            additive = rng.choice([name for name in machine.additives if name != first.additive])
            return self._fill(_REQUESTS["new_additive"], a=additive), MachineOrder(first.items, additive)
        if kind == "less" and (many := [(thing, count) for thing, count in first.items if count > 1]):
            thing, count = rng.choice(many)
            fewer = rng.randint(1, count - 1)
            words = {
                "ks": thing if fewer == 1 else pluralise(thing),
                "n": self._number(fewer),
                "before": self._number(count),
            }
            return self._fill(_REQUESTS["new_less"], **words), _changed(first, thing, fewer)
        if kind == "add" and others:
            thing, count = rng.choice(others), rng.choice((1, 1, 2))
            said = self._fill(_REQUESTS["new_add"], x=self._things([(thing, count)]))
            return said, MachineOrder((*first.items, (thing, count)), first.additive)
        thing, count = rng.choice(first.items)
        return self._fill(_REQUESTS["new_more"], k=thing), _changed(first, thing, count + 1)

    def _things(self, items: Sequence[tuple[str, int]]) -> str:
        parts = [f"{self._number(count)} {kind if count == 1 else pluralise(kind)}" for kind, count in items]
        return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"

    def _number(self, count: int) -> str:
        return str(count) if self.rng.random() < 0.5 else NUMBER_WORDS[count]

    def _fill(self, templates: Sequence[str], **words: str) -> str:
        return fill_as_said(self.rng, self.rng.choice(templates), **self._words, **words)


def _changed(order: MachineOrder, kind: str, count: int) -> MachineOrder:
    """The same order with another number of one kind."""
    return MachineOrder(tuple((k, count if k == kind else n) for k, n in order.items), order.additive)
