"""FrankaKitchen: others wrote the kitchen and what counts as done; the mind has to plan over several things.

The package has no scripted policies, so the controller is ours (`reaching.py`); it cannot open the microwave, and one
task asks for that. In odd episodes, somebody holds the arm for a while: the first attempt fails.

- `success`: exactly what was asked for is done at the end, in the order that was asked for, and nothing else.
- `undisturbed`, `disturbed`: the same, of the even and of the odd episodes. `silent`: called done, but it was not.
"""

from __future__ import annotations

from thinkaloud_bench.contract import Bench, Shown, Task
from thinkaloud_bench.disturbed_rows import disturbed_rows
from thinkaloud_bench.frankakitchen.episodes import set_up
from thinkaloud_bench.frankakitchen.tasks import WANTED
from thinkaloud_bench.playing import Plays
from thinkaloud_bench.plots import bars

BENCH = Bench(
    "frankakitchen",
    "Twenty requests over FrankaKitchen, judged by its own completion of tasks",
    tasks={n: Task(n, each.title, "several" if len(each.elements) > 1 else "one") for n, each in WANTED.items()},
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
    episodes=2,
)
