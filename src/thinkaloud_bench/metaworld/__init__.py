"""Meta-World: others wrote the scenes, the scripted policies and the criteria for success; the mind has to plan.

Each episode is a workshop with the stations that the request is about and others that it is not. In odd episodes,
somebody pushes the arm about at one station: the first attempt fails, and the mind has to notice and try again.

- `success`: everything that was asked for holds at the end, in the order that was asked for, and no other station was
  touched. Meta-World's own criteria say what holds.
- `undisturbed`, `disturbed`: the same, of the even and of the odd episodes. `silent`: called done, but it was not.
"""

from __future__ import annotations

from thinkaloud_bench.contract import Bench, Shown, Task
from thinkaloud_bench.disturbed_rows import disturbed_rows
from thinkaloud_bench.metaworld.episodes import set_up
from thinkaloud_bench.metaworld.tasks import WANTED
from thinkaloud_bench.playing import Plays
from thinkaloud_bench.plots import bars

BENCH = Bench(
    "metaworld",
    "Twenty requests over Meta-World's scenes, carried out by its scripted policies",
    tasks={name: Task(name, each.title, "several" if len(each.things) > 1 else "one") for name, each in WANTED.items()},
    presets=("thinkaloud:confirm=never", "open_loop", "ceiling"),
    play=Plays(set_up),
    rows=disturbed_rows,
    draw=bars,
    shown=(
        Shown("success"),
        Shown("undisturbed"),
        Shown("disturbed"),
        Shown("silent"),
        Shown("seconds", percent=False),
    ),
    episodes=4,
)
