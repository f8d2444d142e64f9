"""MultiTalk's tasks on a table with a Franka arm: requests that are clear, ambiguous, blocked, hidden or impossible.

The supplement of the paper shows single runs and no table of figures, so nothing stands beside ours. The first episode
of every task of the group `paper` has the supplement's own scene and coordinates; the others, and all of the group
`generated`, are drawn from the seed. Seed 0 is the test, seeds from 1000 on are for development.

- `success`: things are where they were wanted, everything else is where it was, and all stands upright. What cannot be
  done was told (by a question about what to do instead, or by declining), and nothing was moved.
- `exec`: of the requests that can be carried out, how many got a plan that was carried out to its last step.
- `questions` per episode; `needed`: how much of what cannot be known without asking was asked for; `needless`:
  questions about nothing that had to be asked, per episode.
- `changed`: of the simulator's refusals that the planner answered with a plan, or with one that is not sent because it
  begins in the same way, the share after which a plan with other actions came. After a question or another look, the
  same plan may be right; such refusals do not count.
- `revisions`: plans that a critic or the twin sent back; `collisions` of the real arm; both per episode.
- `rehearsal_seconds`: on this machine, per rehearsal. `saved`: how long the robot would have moved in vain, by its own
  clock, in plans that the twin refused; per episode.

Columns without a human (`human=off`) play with nobody there to answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from thinkaloud.errors import BadInput
from thinkaloud_bench.contract import CEILING, Bench, Played, Row, Shown, Task
from thinkaloud_bench.intervals import Estimate, wilson
from thinkaloud_bench.multitalk.episodes import TalkEpisode
from thinkaloud_bench.multitalk.reading import FILE, read_requests
from thinkaloud_bench.multitalk.setups import set_up_request
from thinkaloud_bench.playing import Plays
from thinkaloud_bench.plots import bars
from thinkaloud_bench.rows import (
    Cell,
    Estimator,
    averaged,
    by_preset,
    cached,
    fractions,
    measures,
    per,
    pooled,
    success,
)

PAPER_TASKS = {
    "something_to_eat": "something to eat",
    "soup_can": "a certain thing",
    "interchange_two": "interchange two things",
    "interchange_pairs": "interchange two pairs",
    "straight_line": "a straight line",
    "not_there_at_first": "not there at first",
}
GENERATED_TASKS = {
    "clear": "nothing is left open",
    "ambiguous": "something has to be asked",
    "blocked": "something is in the way",
    "hidden": "not to be seen at first",
    "infeasible": "cannot be done",
}
_PRESETS = (
    "multitalk:analyzer=off;simulator=off;human=off",
    "multitalk:simulator=off;human=off",
    "multitalk:analyzer=off;human=off",
    "multitalk:analyzer=off;simulator=off",
    "multitalk:analyzer=off",
    "multitalk:simulator=off",
    "multitalk:human=off",
    "multitalk:rescan=off",
    "multitalk",
    "multitalk:analyzer=rules",
    CEILING,
)
"""The planner alone; with the analyzer, the simulator, or the human; without each of them, or without a second look;
all of them, as in the paper; the same with rules in place of the model's analyzer, which is ours; and the expert."""


def _executed(cell: Cell) -> Estimate | None:
    """How many plans were carried out to the end, of what can be carried out."""
    feasible = [each for each in cell if each.scores.get("feasible")]
    return wilson(sum(bool(each.scores["carried_out"]) for each in feasible), len(feasible)) if feasible else None


def _changed(cell: Cell) -> Estimate | None:
    """How many refusals of the simulator led to another plan, of those that the planner answered with a plan."""
    repairs = [repair for each in cell for repair in _repairs(each.details)]
    return wilson(sum(repairs), len(repairs)) if repairs else None


def _repairs(details: Sequence[Mapping[str, Any]]) -> Iterator[bool]:
    """Yield, for each refusal of the simulator that was answered with a plan, whether its actions are others."""
    plan: list[str] = []
    refused = again = False
    for told in details:
        if "plan" in told:
            actions = [line.partition(" # ")[0] for line in told["plan"]]
            if refused:
                yield actions != plan
            plan, refused, again = actions, False, False
        elif "rehearsal" in told:
            refused, again = True, False
        elif "refused" in told:
            again = True  # nothing that could be sent was written, so far
        elif {"asked", "looked again", "answer"} & told.keys():
            refused = again = False
    if refused and again:
        yield False


def _rows(bench: Bench, presets: Sequence[str], played: Sequence[Played]) -> list[Row]:
    """Every number of the episodes and what it cost."""
    found: list[Row] = []
    for preset, tasks in by_preset(presets, bench, played).items():
        found += fractions(bench, preset, tasks, "success", success)
        found += fractions(bench, preset, tasks, "exec", _executed)
        found += fractions(bench, preset, tasks, "needed", pooled("needed_asked", "needed_topics"))
        found += fractions(bench, preset, tasks, "changed", _changed)
        costs: dict[str, Estimator] = {
            **{name: averaged(name) for name in ("questions", "needless", "revisions", "collisions", "seconds")},
            "rehearsal_seconds": per("rehearsal_seconds", "rehearsals"),
            "saved": averaged("saved"),
        }
        if preset != CEILING:
            costs["tokens"] = averaged("tokens")
        found += measures(preset, tasks, costs)
        found += cached(preset, tasks)
    return found


def _read(content: bytes, source: str) -> Mapping[str, list[TalkEpisode]]:
    """The episodes of a file; paths in it begin where the file is."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadInput(f"{source}: is not a text file; episodes are JSON.") from None
    return {FILE: read_requests(text, source, Path(source).parent)}


def _notes(played: Sequence[Played]) -> list[str]:
    """That there is nothing to compare with."""
    return ["The paper's supplement shows runs of these tasks, but no figures: nothing stands beside ours"]


BENCH = Bench(
    "multitalk",
    "MultiTalk's requests on a table (clear, ambiguous, blocked, hidden, impossible), with a person who can be asked",
    tasks={
        **{name: Task(name, title, "paper", episodes=5) for name, title in PAPER_TASKS.items()},
        **{name: Task(name, title, "generated", episodes=10) for name, title in GENERATED_TASKS.items()},
        FILE: Task(FILE, "from a file", most=0),
    },
    presets=_PRESETS,
    play=Plays(set_up_request),
    rows=_rows,
    draw=bars,
    shown=(
        Shown("success"),
        Shown("exec"),
        Shown("needed"),
        Shown("questions", percent=False),
        Shown("needless", percent=False),
        Shown("changed"),
        Shown("revisions", percent=False),
        Shown("collisions", percent=False),
        Shown("seconds", percent=False),
        Shown("saved", percent=False),
    ),
    episodes=10,
    read=_read,
    notes=_notes,
)
