"""Robots at machines, and robots with any functions at all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from thinkaloud.guidelines.order_form import places
from thinkaloud.methods.itp.executor import CANNOT_PREFIX
from thinkaloud.skills.signatures import Parameter
from training.demonstrators.itp.doing import DONE, Robot, call, signature, slug
from training.demonstrators.itp.drawing import Rng, between, chance, made_up, one, some
from training.demonstrators.itp.menus import Works, draw_works, plural
from training.demonstrators.itp.ruling import WORKPLACES
from training.demonstrators.itp.shops import TRADES, Plant

_MACHINE: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "grasp": (
        ("grasp_{i}", "take_{i}", "pick_{i}", "get_{i}", "pick_up_{i}", "fetch_{i}"),
        (
            "take the {k}",
            "pick up the {k}",
            "grasp the {k}",
            "grasp the {n} {d} {k}",
            "get the {n} {k} from the {start}",
            "take hold of the {k}",
            "fetch the {d} {k}",
            "take the {n} {k}",
            "grab the {d} {k} at the {start}",
            "pick the {n} {d} {k}",
        ),
    ),
    "prepare": (
        ("{prep}_{i}", "prepare_{i}", "{prep}", "{prep}_it", "clean_{i}"),
        (
            "{prep} the {k}",
            "{prep} the {k} first",
            "now {prep} the {k}",
            "{prep} the {k} with care",
            "{prep} the {k} that is held",
        ),
    ),
    "open": (
        ("open_{m}", "open_door", "unlock_{m}", "open_lid"),
        ("open the {m}", "open the {m}'s door", "open up the {m}", "open the lid of the {m}"),
    ),
    "pull": (
        ("pull_out_{cs}", "slide_out_{cs}", "extend_{cs}", "draw_out_{cs}"),
        (
            "pull the {cs} out",
            "slide the {cs} out",
            "draw out the {cs}",
            "pull out every {c}",
            "get the {cs} out of the {m}",
        ),
    ),
    "put": (
        ("put_on_{c}", "place_on_{c}", "load_{c}", "put_{i}", "lay_on_{c}", "put_into_{c}"),
        (
            "put the {k} on the {p}",
            "place the {k} on the {p}",
            "lay the {k} onto the {p}",
            "set the {k} on the {p}",
            "load the {k} into the {p}",
            "the {k} goes on the {p}",
        ),
    ),
    "additive": (
        ("add_{a}", "fill_in_{a}", "set_{a}", "choose_{a}", "use_{a}"),
        (
            "add {x}",
            "fill {x} in",
            "add {x} to the {m}",
            "put {x} into the {m}",
            "use {x} for this",
            "fill the {m} with {x}",
            "choose {x}",
        ),
    ),
    "close": (
        ("close_{m}", "shut_{m}", "close_door", "lock_{m}"),
        ("close the {m}", "shut the {m}", "close the {m}'s door", "push everything in and shut the {m}"),
    ),
    "start": (
        ("start_{m}", "run_{m}", "switch_on_{m}", "start_cycle"),
        ("start the {m}", "run the {m}", "switch on the {m}", "set the programme and start the {m}", "turn the {m} on"),
    ),
    "wait": (
        ("wait_minutes", "wait", "let_rest"),
        (
            "wait until it is over",
            "wait some minutes",
            "let it run and wait a little longer",
            "after it has stopped, wait a bit",
            "wait a few minutes until all has settled",
        ),
    ),
    "check": (
        ("check_{r}", "inspect_{is}", "verify_{r}", "check_all"),
        (
            "check that all {is} are {rw}",
            "check whether everything is {rw}, or else wait more",
            "see to it that everything is {rw}; if not, wait",
            "inspect every {i}: it should be {rw}",
            "make sure that all of it is {rw}",
        ),
    ),
    "return": (
        ("return_{is}", "unload_{is}", "take_out_{is}", "bring_back_{is}"),
        (
            "return all the {is} to the {end}",
            "take everything out and bring it to the {end}",
            "unload the {m} onto the {end}",
            "bring what is {rw} to the {end}",
            "move all {is} to the {end}",
        ),
    ),
}
PREPARE = ("wipe", "dust", "rinse", "brush", "trim", "polish", "unwrap", "scrub", "straighten", "dry", "weigh", "tag")
READY = (
    "done and dry",
    "ready and cool",
    "clean and cold",
    "finished",
    "firm and dry",
    "bright and smooth",
    "warm and soft",
)


SAYS = {deed: said for deed, (_, said) in _MACHINE.items()}
"""How the steps are said."""
_ABOUT = {
    "grasp": (
        "Take the next {i} of a kind from the {start}.",
        "Grip one of the {is}; the hand has to be empty.",
        "Grasp, fetch or pick up one more {i} at the {start}, with an empty gripper.",
    ),
    "prepare": (
        "{prep} the {i} that is in the gripper.",
        "Do what is needed before the {i} goes in: {prep} it.",
        "{prep} what is held; it has to be done before the {i} is put into the {m}.",
    ),
    "open": ("Open the {m}.", "Open the door of the {m}."),
    "pull": ("Pull out the {cs} of the open {m}.", "Slide the {cs} out, so that things can be put there."),
    "put": (
        "Put the {i} in the gripper where it belongs.",
        "Load the {i} in hand into one of the {cs}.",
        "Place, lay or set the {i} that is held on (into) a {c}.",
        "Put (lay, load) the {i} in the gripper onto a {c} that is pulled out.",
    ),
    "additive": ("Choose or add what it is treated with.", "Fill one of these into the {m}."),
    "close": ("Push all in and close the {m}.", "Shut the {m}."),
    "start": ("Select a programme and start the closed {m}.", "Switch the {m} on."),
    "wait": ("Wait until it has stopped, and some minutes more.", "Let some time pass."),
    "check": ("See whether everything is {rw}; fails and says what is not.", "Check all {is}: are they {rw}?"),
    "return": ("Bring all {is} that are {rw} to the {end}.", "Take everything out and carry it to the {end}."),
    "back": (
        "Put the {i} in hand back; only if it is no longer wanted.",
        "Return what is held to the {start}.",
        "Put the {i} that is in the gripper back on the {start}: for one that is not wanted after all.",
        "Lay the {i} down at the {start} again, without treating it.",
    ),
}
_BACK = ("put_back_{i}", "put_back", "return_{i}_to_start", "put_{i}_back", "undo_grasp")
_MINUTES = Parameter("minutes", int, "how many minutes to wait.", default=5)


@dataclass
class Operator:
    """A robot at a machine, and how its steps are made into calls."""

    works: Works
    robot: Robot
    called: dict[str, str]
    """The function for each kind of step."""
    words: dict[str, str]
    timed: bool = False
    """Whether it has to be said how long is waited."""

    def calls(self, deed: str, kind: str = "", place: str = "", additive: str = "") -> str:
        """A step as a call."""
        if deed == "wait" and self.timed:
            return f"{self.called[deed]}(5)"
        given = {"grasp": (kind,), "put": (kind, place), "additive": (additive,)}
        return call(self.called[deed], *given.get(deed, ()))


def draw_operator(rng: Rng, works: Works, words: Mapping[str, str]) -> Operator:
    """A robot for a machine; `words` are those in which its steps are said."""
    plant = works.plant
    named = {
        "i": slug(plant.item),
        "is": slug(plural(plant.item)),
        "m": slug(plant.machine),
        "c": slug(plant.compartment),
        "cs": slug(plural(plant.compartment)),
        "a": slug(plant.additive),
        "prep": slug(words["prep"]),
        "r": slug(words["rw"]),
    }
    called = {deed: one(rng, names).format(**named) for deed, (names, _) in _MACHINE.items()}
    called["back"] = one(rng, _BACK).format(**named)
    given = {"grasp": (named["i"],), "put": (named["i"], named["c"]), "additive": (named["a"],)}
    functions, timed = [], chance(rng, 0.5)
    for deed, name in called.items():
        about = one(rng, _ABOUT[deed]).format(**words)
        parameters = tuple((each, each) for each in given.get(deed, ()))
        made = signature(name, about[:1].upper() + about[1:], *parameters)
        functions.append(replace(made, parameters=(_MINUTES,)) if deed == "wait" and timed else made)
    places_ = tuple(dict.fromkeys([*places(works.guidelines), *plant.compartments]))
    names = {named["i"]: works.kinds, named["c"]: places_, named["a"]: works.additives}
    return Operator(works, Robot(functions, names, f"there is {plant.machine}"), called, dict(words), timed)


def plant_words(rng: Rng, plant: Plant) -> dict[str, str]:
    """What somebody calls a machine, what goes into it, and what is done with that."""
    return {
        "m": plant.machine,
        "c": plant.compartment,
        "cs": plural(plant.compartment),
        "i": plant.item,
        "is": plural(plant.item),
        "prep": one(rng, PREPARE),
        "rw": one(rng, READY),
    }


def machine(rng: Rng) -> Robot:
    """Steps of a robot that puts things through a machine, one by one."""
    works = draw_works(rng)
    plant = works.plant
    words = plant_words(rng, plant) | {"start": one(rng, WORKPLACES), "end": one(rng, DONE)}
    operator = draw_operator(rng, works, words)
    robot, kind, where = operator.robot, one(rng, works.kinds), one(rng, places(works.guidelines))
    spoken = words | {
        "k": kind,
        "p": where,
        "x": one(rng, works.additives),
        "n": one(rng, ("first", "second", "third", "fourth", "next")),
        "d": one(rng, ("new", "raw", "used", "untreated", "plain")),
    }
    number = between(rng, 1, 4)
    rest = some(rng, [each for each in works.kinds if each != kind], 2)
    waiting = [f"{', '.join(f'{each} 1, 2' for each in rest)} is at the {words['start']}"]
    loaded = [
        f"{each} {n} is on the {one(rng, places(works.guidelines))}"
        for n, each in enumerate(some(rng, works.kinds, between(rng, 0, 2)), 1)
    ]
    deeds = some(rng, list(_MACHINE), between(rng, 3, 6))
    for deed in sorted(deeds, key=list(_MACHINE).index):
        step = one(rng, SAYS[deed]).format(**spoken)
        made = operator.calls(deed, kind, where, spoken["x"])
        held = [f"{kind} {number} is in the gripper"] if deed in ("prepare", "put") else []
        now = [*held, *loaded, *waiting, *([f"The {plant.machine} is open"] if deed in ("put", "close") else [])]
        if deed == "grasp" and chance(rng, 0.2):
            now = [f"{one(rng, rest)} {number} is in the gripper", *loaded, *waiting]
            robot.asks(step, operator.calls("back"), made, now=now)
        elif deed == "check" and chance(rng, 0.4):
            still = f"{kind} {number} is still {one(rng, ('hot', 'wet', 'rough'))}"
            failed = [(made, f"Not everything is {words['rw']}: {still}. Wait a few minutes and check again.")]
            robot.asks(step, operator.calls("wait"), made, now=now, failed=failed)
        else:
            robot.asks(step, made, now=now)
    return robot


_DEEDS = tuple(
    (line.split("|")[0].strip(), tuple(each.strip() for each in line.split("|")[1:]))
    for line in """
fit | fit the {x} | mount the {x} | attach the {x} | screw the {x} on
remove | remove the {x} | take the {x} off | unscrew the {x} | detach the {x}
paint | paint the {x} | give the {x} a coat of paint | colour the {x}
cut | cut the {x} | saw the {x} | cut the {x} to length
glue | glue the {x} on | stick the {x} in place | paste the {x}
pack | pack the {x} | wrap the {x} up | put the {x} in its package
weigh | weigh the {x} | put the {x} on the scales
scan | scan the {x} | read the code on the {x}
test | test the {x} | try whether the {x} works
oil | oil the {x} | lubricate the {x} | grease the {x}
fold | fold the {x} | fold up the {x}
count | count the {x} | see how many {x} there are
label | label the {x} | stick a label on the {x}
polish | polish the {x} | make the {x} shine
sort | sort the {x} | bring the {x} in order
heat | heat the {x} | warm the {x} up
cool | cool the {x} | let the {x} cool down
tighten | tighten the {x} | fasten the {x}
stamp | stamp the {x} | put a stamp on the {x}
hang | hang the {x} up | hang up the {x}
""".strip().splitlines()
)
_ALONE = (
    ("inflate_tyres", "inflate the tyres", "pump up the tyres"),
    ("clamp_frame", "clamp the frame in the stand", "fix the frame in the stand"),
    ("hand_over", "hand it over to the customer", "give it to the customer"),
    ("switch_on_light", "switch the light on", "turn on the light"),
    ("lock_door", "lock the door", "shut and lock the door"),
    ("ring_bell", "ring the bell", "give a ring"),
    ("sweep_floor", "sweep the floor", "clean the floor with the broom"),
    ("print_receipt", "print the receipt", "print a receipt for the customer"),
    ("go_home", "drive home", "go back home"),
    ("open_drawer", "open the drawer", "pull the drawer open"),
    ("close_drawer", "close the drawer", "push the drawer shut"),
    ("start_timer", "start the timer", "set the timer going"),
)


def workshop(rng: Rng) -> Robot:
    """A robot with any functions: each does something to one thing, or nothing in particular."""
    known = [name for sort in one(rng, TRADES).sorts for name in sort]
    things = some(rng, known, 5) if chance(rng, 0.8) else [made_up(rng) for _ in range(4)]
    deeds = some(rng, _DEEDS, between(rng, 3, 6))
    alone = some(rng, _ALONE, between(rng, 1, 4))
    what = one(rng, ("part", "item", "thing", "object", "piece", "material"))
    named = {verb: one(rng, (verb, f"{verb}_{what}", f"{verb}_it")) for verb, _ in deeds}
    (unable, ways), *deeds = deeds
    functions = [signature(named[verb], f"{one(rng, said).format(x=what).capitalize()}.", what) for verb, said in deeds]
    functions += [signature(name, f"{one(rng, others).capitalize()}.") for name, *others in alone]
    robot = Robot(some(rng, functions, len(functions)), {what: things}, f"there is {', '.join(things)}")
    for verb, said in deeds:
        thing = one(rng, things)
        robot.asks(one(rng, said).format(x=thing), call(named[verb], thing))
    for name, *others in alone:
        robot.asks(one(rng, others), call(name))
    if chance(rng, 0.3):
        robot.asks(one(rng, ways).format(x=one(rng, things)), f"{CANNOT_PREFIX}there is no function to {unable} it")
    return robot
