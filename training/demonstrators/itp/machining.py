"""Robots at machines, and robots with any functions at all."""

from __future__ import annotations

from training.demonstrators.itp.doing import DONE, Robot, call, signature, slug
from training.demonstrators.itp.drawing import Rng, between, chance, made_up, one, some
from training.demonstrators.itp.menus import draw_works, plural
from training.demonstrators.itp.ruling import WORKPLACES
from training.demonstrators.itp.shops import TRADES

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
_PREPARE = ("wipe", "dust", "rinse", "brush", "trim", "polish", "unwrap", "scrub", "straighten", "dry", "weigh", "tag")
_READY = (
    "done and dry",
    "ready and cool",
    "clean and cold",
    "finished",
    "firm and dry",
    "bright and smooth",
    "warm and soft",
)


def machine(rng: Rng) -> Robot:
    """A robot that puts things through a machine, one by one."""
    works = draw_works(rng)
    plant, slot = works.plant, plural(works.plant.compartment)
    words = {
        "i": slug(plant.item),
        "is": slug(plural(plant.item)),
        "m": slug(plant.machine),
        "c": slug(plant.compartment),
        "cs": slug(slot),
        "a": slug(plant.additive),
        "prep": one(rng, _PREPARE),
        "r": "",
        "rw": one(rng, _READY),
    }
    words["r"] = slug(words["rw"])
    names = {deed: one(rng, named).format(**words) for deed, (named, _) in _MACHINE.items()}
    given = {"grasp": (words["i"],), "put": (words["i"], words["c"]), "additive": (words["a"],), "wait": ("minutes",)}
    functions = [signature(name, *given.get(deed, ())) for deed, name in names.items()]
    back = f"put_back_{words['i']}"
    functions.insert(2, signature(back))
    robot = Robot(functions, works.guidelines.locations)
    start, end = one(rng, WORKPLACES), one(rng, DONE)
    kind, where = one(rng, works.kinds), one(rng, plant.compartments)
    spoken = {
        **words,
        "k": kind,
        "p": where,
        "x": one(rng, works.additives),
        "m": plant.machine,
        "c": plant.compartment,
        "cs": slot,
        "i": plant.item,
        "is": plural(plant.item),
        "n": one(rng, ("first", "second", "third", "fourth", "next")),
        "d": one(rng, ("new", "raw", "used", "untreated", "plain")),
        "start": start,
        "end": end,
    }
    arguments = {"grasp": (kind,), "put": (kind, where), "additive": (spoken["x"],)}
    number = between(rng, 1, 4)
    held = [f"{kind} {number} is in the gripper"]
    loaded = [
        f"{each} {n} is on the {one(rng, plant.compartments)}"
        for n, each in enumerate(some(rng, works.kinds, between(rng, 0, 2)), 1)
    ]
    for deed in some(rng, list(_MACHINE), between(rng, 4, 8)):
        step = one(rng, _MACHINE[deed][1]).format(**spoken)
        if deed == "grasp" and chance(rng, 0.25):
            other = one(rng, [each for each in works.kinds if each != kind])
            robot.asks(step, call(back), call(names[deed], kind), now=[*loaded, f"{other} {number} is in the gripper"])
            continue
        calls = [call(names[deed], *arguments.get(deed, ()))]
        trouble = ""
        if deed == "check" and chance(rng, 0.4):
            still = f"{kind} {number} is still {one(rng, ('hot', 'wet', 'rough'))}"
            trouble = f"{calls[0]} failed: Not everything is {words['rw']}: {still}."
            calls = [call(names["wait"]), *calls]
        robot.asks(step, *calls, now=[*loaded, *(held if deed in ("prepare", "put") else [])], trouble=trouble)
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
    deeds = some(rng, _DEEDS, between(rng, 2, 5))
    alone = some(rng, _ALONE, between(rng, 1, 4))
    what = one(rng, ("part", "item", "thing", "object", "piece", "material"))
    named = {verb: one(rng, (verb, f"{verb}_{what}", f"{verb}_it")) for verb, _ in deeds}
    robot = Robot(
        some(
            rng,
            [*(signature(name, what) for name in named.values()), *(signature(each[0]) for each in alone)],
            len(deeds) + len(alone),
        )
    )
    for verb, ways in deeds:
        thing = one(rng, things)
        robot.asks(one(rng, ways).format(x=thing), call(named[verb], thing))
    for name, *others in alone:
        robot.asks(one(rng, others), call(name))
    return robot
