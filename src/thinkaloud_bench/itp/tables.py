"""The paper's Tables I to III: its requests word for word, its figures, and the episodes that they are here.

How Table II is read: steps are numbered from 0, so "before step n" means that n steps are finished; and where the cup
cannot be used any more, a new one is begun. Most of the paper's totals are then what the guidelines imply. Some are
not, and stay as the paper's figures while ours follow the guidelines: milk with taro is 3/3 there and four steps here;
six utensils are 27/27 there and 26 here; in Table II adding boba when the milk is in is 5/5 there and six steps here
(the cup that cannot be used is in the way of another, so it is thrown away first, which is a step; nothing in the
guidelines says so); and where two flavours go in, what is left before
step 2 depends on which of them was first: the fourth row is five steps after boba, two after strawberry; the last is
three or six, and the paper's 5/4 and 7/6 have a stirring step that nobody asked for. "Can you wash another?"
comes before anything was done, since the paper counts all 17 steps.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from thinkaloud.guidelines import shipped_text
from thinkaloud_bench.itp.episodes import CounterOrder, MachineOrder, OrderEpisode

MATERIALS = ("boba", "strawberry jam", "mango jam", "matcha powder", "taro", "milk", "blueberry")
RACKS = {
    "plate": "third rack",
    "bowl": "second rack",
    "cup": "second rack",
    "fork": "first rack",
    "knife": "first rack",
    "spoon": "first rack",
}
DETERGENTS = ("original detergent", "rose detergent")
_MINE = {"strawberry": "strawberry jam", "matcha": "matcha powder"}

_Rate = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Published:
    """A row of a table (or a cell of Table II): the episode, and what the paper printed; None where it has nothing.

    A rate is right steps and all steps; more right ones than there are means steps that were too many.
    """

    name: str
    table: str
    level: str
    episode: OrderEpisode
    itp: _Rate | None = None
    code: _Rate | None = None
    itp_success: bool | None = None
    code_success: bool | None = None

    @property
    def title(self) -> str:
        """The request, and when the new one comes."""
        new = self.episode.new_request
        return self.episode.request if new is None else f"{new} (before step {self.episode.before_step})"


def drink(*flavours: str) -> CounterOrder:
    """Flavours in any order, then milk."""
    return CounterOrder(((tuple(_MINE.get(each, each) for each in flavours)), ("milk",)) if flavours else (("milk",),))


def drinks_sentences() -> dict[str, str]:
    """How the shipped guidelines say each step of a drink."""
    adding = {f"add {material}": f"add {material} to the working cup" for material in MATERIALS}
    return {
        "get": "take an empty cup to the working area",
        "discard": "throw away the working cup",
        "finish": "move the working cup to the finished location",
        **adding,
        "add milk": "pour milk into the working cup",
    }


def dishwashing_sentences() -> dict[str, str]:
    """How the shipped guidelines say each step of dishwashing."""
    says = {
        "open": "open the dishwasher",
        "pull": "pull out the racks",
        "close": "close the dishwasher",
        "start": "select the cycle and start the dishwasher",
        "wait": "when the cycle is over, wait a few minutes until the dishes have cooled down",
        "check": "make sure that the utensils are clean and dry, otherwise wait again",
        "return": "return all the clean utensils to the finished location",
    }
    for kind, rack in RACKS.items():
        says |= {
            f"grasp {kind}": f"grasp the dirty {kind}",
            f"prepare {kind}": f"remove large particles from the {kind}",
            f"put {kind}": f"put the {kind} on the {rack}",
        }
    return says | {f"additive {each}": f"add {each} to the dispenser" for each in DETERGENTS}


def _table_1() -> list[Published]:
    rows: list[tuple[str, str, str, tuple[str, ...], _Rate, bool, _Rate]] = [
        ("milk", "I would like to order a cup of milk.", "existed", (), (3, 3), True, (3, 3)),
        ("boba_milk", "I want to order a boba milk.", "existed", ("boba",), (2, 4), False, (4, 4)),
        ("strawberry_milk", "Can I have a cup of strawberry milk?", "existed", ("strawberry",), (4, 4), True, (4, 4)),
        ("matcha_latte", "I want a matcha latte.", "zero-shot easy", ("matcha",), (4, 4), True, (4, 4)),
        ("taro_milk", "May I have a cup of milk with taro?", "zero-shot easy", ("taro",), (3, 3), True, (3, 3)),
        ("taro_boba", "I want taro milk with boba.", "zero-shot moderate", ("taro", "boba"), (3, 5), False, (5, 5)),
        (
            "strawberry_boba",
            "Can I get a strawberry boba milk?",
            "zero-shot moderate",
            ("strawberry", "boba"),
            (3, 5),
            False,
            (5, 5),
        ),
        (
            "strawberry_matcha",
            "I want to order a strawberry matcha milk.",
            "zero-shot moderate",
            ("strawberry", "matcha"),
            (5, 5),
            True,
            (5, 5),
        ),
        (
            "strawberry_matcha_boba",
            "I'd order a strawberry matcha milk with boba.",
            "zero-shot hard",
            ("strawberry", "matcha", "boba"),
            (3, 6),
            False,
            (6, 6),
        ),
    ]
    found = [
        Published(name, "Table I", level, _ordering(name, request, drink(*flavours)), itp, code, True, done)
        for name, request, level, flavours, code, done, itp in rows
    ]
    refused = _ordering("passion_fruit", "I would like a cup of passion fruit milk.", None)
    level = "unavailable material"
    return [*found, Published("passion_fruit", "Table I", level, refused, itp_success=True, code_success=False)]


def _table_2() -> list[Published]:
    rows: list[tuple[str, str, str, CounterOrder, CounterOrder, tuple[_Rate, _Rate, _Rate]]] = [
        (
            "add_boba",
            "Can I have a cup of strawberry milk?",
            "I want to add boba into the drink.",
            drink("strawberry"),
            drink("strawberry", "boba"),
            ((4, 4), (3, 3), (5, 5)),
        ),
        (
            "boba_instead",
            "I want a matcha latte.",
            "Sorry, I want boba bilk without matcha instead.",
            drink("matcha"),
            drink("boba"),
            ((3, 3), (5, 5), (5, 5)),
        ),
        (
            "replace_taro",
            "May I have a cup of milk with taro?",
            "Can I replace the taro with strawberry?",
            drink("taro"),
            drink("strawberry"),
            ((3, 3), (5, 5), (5, 5)),
        ),
        (
            "reorder_strawberry",
            "Can I get a strawberry boba milk.",
            "Sorry, can I reorder a strawberry milk?",
            drink("strawberry", "boba"),
            drink("strawberry"),
            ((3, 3), (5, 5), (5, 5)),
        ),
        (
            "no_strawberry",
            "A strawberry matcha milk with boba.",
            "Can I just get matcha boba milk and no strawberry?",
            drink("strawberry", "matcha", "boba"),
            drink("matcha", "boba"),
            ((4, 4), (5, 4), (7, 6)),
        ),
    ]
    return [
        Published(
            f"{name}_{step}",
            "Table II",
            f"before step {step}",
            _ordering(f"{name}_{step}", request, wanted, first=first, new_request=new, before_step=step),
            itp,
        )
        for name, request, new, first, wanted, rates in rows
        for step, itp in enumerate(rates, 1)
    ]


def _table_3() -> list[Published]:
    rose = "rose detergent"
    rows = [
        ("plate_rose", "Wash one dirty plate with rose flavor.", "existed", {"plate": 1}, rose, 11),
        ("bowl_rose", "Please wash 1 dirty bowl with rose flavor.", "zero-shot easy", {"bowl": 1}, rose, 11),
        ("two_cups", "Please clean the 2 dirty cups.", "zero-shot easy", {"cup": 2}, "", 14),
        ("all_forks", "Wash all forks, there are 3.", "zero-shot easy", {"fork": 3}, "", 17),
        ("another_plate", "Can you wash 2 plates?", "zero-shot easy", {"plate": 2}, "", 17),
        ("forks_bowl", "Please wash 2 forks and one bowl.", "zero-shot moderate", {"fork": 2, "bowl": 1}, "", 17),
        ("cups_plates", "May you wash 2 cups and 2 plates?", "zero-shot moderate", {"cup": 2, "plate": 2}, "", 20),
        (
            "six_utensils",
            "Please wash 2 fork, 2 plate and 2 bowl.",
            "zero-shot hard",
            {"fork": 2, "plate": 2, "bowl": 2},
            "",
            27,
        ),
        (
            "five_rose",
            "Wash 2 plates, 1 bowl, 1 fork and 1 knife with rose flavor.",
            "zero-shot hard",
            {"plate": 2, "bowl": 1, "fork": 1, "knife": 1},
            rose,
            23,
        ),
    ]
    found = []
    for name, request, level, items, additive, steps in rows:
        wanted = MachineOrder(tuple(items.items()), additive or DETERGENTS[0])
        episode = _washing(name, request, wanted)
        if name == "another_plate":
            more = MachineOrder((("plate", 3),), wanted.additive)
            new = {"new_request": "Can you wash another?", "before_step": 0}
            episode = _washing(name, request, more, first=wanted, **new)  # type: ignore[arg-type]
        found.append(Published(name, "Table III", level, episode, (steps, steps)))
    refused = _washing("lemon", "Wash one dirty plate with lemon flavor", None)
    return [*found, Published("lemon", "Table III", "unavailable material", refused)]


def _ordering(
    name: str,
    request: str,
    wanted: CounterOrder | None,
    *,
    first: CounterOrder | None = None,
    new_request: str | None = None,
    before_step: int | None = None,
) -> OrderEpisode:
    return OrderEpisode(
        name,
        shipped_text("drinks"),
        request,
        new_request,
        before_step,
        "drinks",
        first=first,
        wanted=wanted,
        declined=wanted is None,
        says=drinks_sentences(),
    )


def _washing(
    name: str,
    request: str,
    wanted: MachineOrder | None,
    *,
    first: MachineOrder | None = None,
    new_request: str | None = None,
    before_step: int | None = None,
) -> OrderEpisode:
    return OrderEpisode(
        name,
        shipped_text("dishwashing"),
        request,
        new_request,
        before_step,
        "dishwasher",
        scene=_three_forks() if name == "all_forks" else "",
        first=first,
        wanted=wanted,
        declined=wanted is None,
        says=dishwashing_sentences(),
    )


def _three_forks() -> str:
    """A kitchen in which three forks are all the forks."""
    counts = {"plate": 4, "bowl": 3, "cup": 3, "fork": 3, "knife": 2, "spoon": 2}
    items = [{"kind": kind, "count": count, "belongs": RACKS[kind]} for kind, count in counts.items()]
    racks = list(dict.fromkeys(sorted(RACKS.values())))
    return json.dumps({"compartments": racks, "items": items, "additives": list(DETERGENTS)})


PUBLISHED: Mapping[str, Published] = {row.name: row for row in (*_table_1(), *_table_2(), *_table_3())}


def published_figures() -> dict[str, dict[str, dict[str, float]]]:
    """The paper's figures by metric, preset and task."""
    rates = {"itp": dict[str, float](), "code_as_policies": dict[str, float]()}
    done = {"itp": dict[str, float](), "code_as_policies": dict[str, float]()}
    extra = dict[str, float]()
    for name, row in PUBLISHED.items():
        for preset, rate, success in (
            ("itp", row.itp, row.itp_success),
            ("code_as_policies", row.code, row.code_success),
        ):
            if rate is not None:
                rates[preset][name] = min(1.0, rate[0] / rate[1])
            if success is not None:
                done[preset][name] = float(success)
        if row.itp is not None:
            extra[name] = float(max(0, row.itp[0] - row.itp[1]))
    return {"success": done, "step_rate": rates, "extra": {"itp": extra}}
