"""Statler's shell game (section II, Fig. 2): three cups, one ball, some swaps; where is the ball in the end?

Three ways to ask the same model: `plain` (all swaps, then the last state), `chain_of_thought` (all swaps, then every
state in turn) and `state` (the model writes the state after each swap before it reads the next). All get the same
solved games, 30 with 1 to 8 swaps, each in its own format. A state is a list of booleans; a grammar restricts the model
to such lists, sensible or not, and the true game judges the last one.

`success` is the paper's a(n), `relative` its r(n) = a(n) / a(1); the paper prints a plot and no numbers. Demonstrations
come first in every prompt and are always the same, so a model with a prefix cache reads them once. If they do not all
fit its context, the last ones are left out, and the report says so. A model that was trained on the game gets none.
Games of the demonstrations are not played. There are only 9 different games with one swap, so these repeat.
"""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from weakref import WeakKeyDictionary

import numpy as np

from thinkaloud.errors import ContextOverflow, ModelRefused, Unparseable
from thinkaloud.models import Model, Recorded, introduce
from thinkaloud.models.grammar import grammar, literal, one_of, sequence
from thinkaloud.records import ModelCall
from thinkaloud_bench.contract import Bench, Item, OpenedModel, Played, Row, Shown, Task
from thinkaloud_bench.intervals import Estimate, ratio
from thinkaloud_bench.playing import played_as
from thinkaloud_bench.plots import INSTALL_PLOTS, new_figure
from thinkaloud_bench.rows import averaged, by_preset, cached, fractions, measures, row, success

_CUPS = 3
_SWAPS = 8
LONGER = (12, 16, 20)
"""More swaps than in the paper, with fewer games."""
_DEMONSTRATIONS = 30
_DEVELOPMENT = 1000  # the seed of the demonstrations
PLAIN_COLUMN, CHAIN_COLUMN, STATE_COLUMN = "plain", "chain_of_thought", "state"
MOST_FOR_A_LIST = 24  # tokens; a list is 7 to 10
_AGAIN = "\ncups ="

_State = tuple[bool, ...]


@dataclass(frozen=True)
class Game:
    """Where the ball starts, and which cups are swapped."""

    start: int
    swaps: tuple[tuple[int, int], ...]

    def states(self) -> list[_State]:
        """Return where the ball is at the start and after each swap."""
        places = [self.start]
        for one, other in self.swaps:
            places.append({one: other, other: one}.get(places[-1], places[-1]))
        return [tuple(cup == place for cup in range(_CUPS)) for place in places]


# Games ----------------------------------------------------------------------------------------------------------------


def draw_game(rng: np.random.Generator, swaps: int) -> Game:
    """A random game."""
    pairs = [(one, other) for one in range(_CUPS) for other in range(one + 1, _CUPS)]
    chosen = rng.integers(len(pairs), size=swaps)
    return Game(int(rng.integers(_CUPS)), tuple(pairs[int(at)] for at in chosen))


@cache
def demonstrations() -> tuple[Game, ...]:
    """The solved games in the prompts: all different, every number of swaps about as often."""
    rng = np.random.default_rng(_DEVELOPMENT)
    found: dict[Game, None] = {}
    for swaps in rng.permutation([1 + at % _SWAPS for at in range(_DEMONSTRATIONS)]):
        while (game := draw_game(rng, int(swaps))) in found:
            pass
        found[game] = None
    return tuple(found)


def game_of(seed: int, swaps: int) -> Game:
    """The game of an episode: one that is not among the demonstrations."""
    rng = np.random.default_rng([seed, swaps])
    while (game := draw_game(rng, swaps)) in demonstrations():
        pass
    return game


# Prompts --------------------------------------------------------------------------------------------------------------


def turns(method: str, game: Game) -> list[tuple[str, list[_State]]]:
    """Return, turn by turn, what the model gets and the states that it should add."""
    first, *after = game.states()
    told = [f"\nSwap cup {one} with cup {other}" for one, other in game.swaps]
    opening = f"# A new game{_AGAIN}{render_states([first])}"
    if method == STATE_COLUMN:
        return [(opening * (at == 0) + swap + _AGAIN, [after[at]]) for at, swap in enumerate(told)]
    wanted = after if method == CHAIN_COLUMN else after[-1:]
    heading = "\n# After each swap" if method == CHAIN_COLUMN else "\n# In the end"
    return [(opening + "".join(told) + heading + _AGAIN, wanted)]


def solved(method: str, game: Game) -> str:
    """A game with all the right answers in it."""
    return "".join(given + render_states(states) for given, states in turns(method, game)) + "\n\n"


def prefix(method: str, shown: int) -> str:
    """The first demonstrations."""
    return "".join(solved(method, game) for game in demonstrations()[:shown])


def render_states(states: Sequence[_State]) -> str:
    """Render states as a model writes them, one per line."""
    return _AGAIN.join(f" [{', '.join(map(str, state))}]" for state in states)


def states_grammar(count: int) -> str:
    """The grammar of so many states."""
    either = one_of(("True", "False"))
    one = sequence(
        literal(" ["), either, *(part for _ in range(_CUPS - 1) for part in (literal(", "), either)), literal("]")
    )
    return grammar(sequence(one, *(part for _ in range(count - 1) for part in (literal(_AGAIN), one))))


def read_states(text: str, count: int) -> list[_State]:
    """Parse exactly so many states, or raise Unparseable."""
    one = rf"\[{', '.join(['(True|False)'] * _CUPS)}\]"
    found = re.fullmatch(f"{_AGAIN} ".join([one] * count), text.strip())
    if found is None:
        raise Unparseable(f"Not {count} lists of {_CUPS} booleans.", text)
    words = [word == "True" for word in found.groups()]
    return [tuple(words[at : at + _CUPS]) for at in range(0, len(words), _CUPS)]


# Playing --------------------------------------------------------------------------------------------------------------

_shown_to: WeakKeyDictionary[Model, dict[str, int]] = WeakKeyDictionary()


async def _fitting(model: Model, method: str, ask: Recorded) -> int:
    """Return how many demonstrations fit the model's context, leaving room for 1.5 times the longest game."""
    known = _shown_to.setdefault(model, {})
    if method not in known:
        rng = np.random.default_rng(_DEVELOPMENT + 1)
        room = solved(method, draw_game(rng, _SWAPS)) + solved(method, draw_game(rng, _SWAPS // 2))
        known[method] = 0
        for shown in range(_DEMONSTRATIONS, 0, -1):
            try:
                await ask.complete(prefix(method, shown) + room, grammar=grammar(literal("\n")), most=1)
            except ContextOverflow:
                continue
            except ModelRefused:  # reading the prompt is enough
                pass
            known[method] = shown
            break
    return known[method]


async def _play(item: Item, model: OpenedModel) -> Played:
    """Play a game in one of the three ways."""
    began, calls = time.perf_counter(), list[ModelCall]()
    ask = Recorded(model(), emit=calls.append)
    game = game_of(item.seed, int(item.task))
    introduced = bool(introduce(ask, prefix(item.preset, 1)))
    shown = await _fitting(model(), item.preset, ask) if introduced else 0
    prompt, told, because = prefix(item.preset, shown), list[_State](), ""
    for given, wanted in turns(item.preset, game):
        prompt += given
        try:
            answer = await ask.complete(
                prompt,
                stop=["\n\n" if item.preset == CHAIN_COLUMN else "\n"],
                grammar=states_grammar(len(wanted)),
                most=MOST_FOR_A_LIST * len(wanted),
            )
            told += read_states(answer.text, len(wanted))
        except (Unparseable, ModelRefused) as error:
            because = str(error)
            break
        prompt += render_states(told[-len(wanted) :])
    right = game.states()[1:]
    return played_as(
        item,
        calls,
        request=f"{render_states(game.states()[:1]).strip()} {' '.join(f'{one}-{other}' for one, other in game.swaps)}",
        success=not because and told[-1] == right[-1],
        result="unusable" if because else "told",
        because=because,
        steps=len(game.swaps),
        seconds=time.perf_counter() - began,
        model=ask.name,
        scores={"demonstrations": shown} if introduced else {},
        details=[{"told": render_states([state]).strip()} for state in told],
    )


# Figures --------------------------------------------------------------------------------------------------------------


def _rows(bench: Bench, presets: Sequence[str], played: Sequence[Played]) -> list[Row]:
    """a(n) and r(n) for every number of swaps, and the cost of a game."""
    found: list[Row] = []
    for preset, tasks in by_preset(presets, bench, played).items():
        found += fractions(bench, preset, tasks, "success", success, means=False)
        if "1" in tasks and (first := success(tasks["1"])).value:
            found.append(row(preset, "1", "relative", Estimate(1.0, 1.0, 1.0, first.n)))
            others = {task: success(cell) for task, cell in tasks.items() if task != "1"}
            found += [row(preset, task, "relative", ratio(rate, first)) for task, rate in others.items()]
        found += measures(preset, tasks, {"seconds": averaged("seconds"), "tokens": averaged("tokens")})
        found += cached(preset, tasks)
    return found


def _notes(played: Sequence[Played]) -> list[str]:
    """Note which methods got fewer demonstrations, and which have no relative accuracy."""
    shown = {each.preset: round(each.scores.get("demonstrations", _DEMONSTRATIONS)) for each in played}
    fewer = [
        f"{preset}: only {count} of {_DEMONSTRATIONS} demonstrations fit the model's context"
        for preset, count in shown.items()
        if count < _DEMONSTRATIONS
    ]
    known = {each.preset for each in played if each.task == "1" and each.success}
    none = [
        f"{preset}: no relative accuracy, as no game of one swap was won" for preset in shown if preset not in known
    ]
    return fewer + none


def _draw(bench: Bench, found: Sequence[Row], title: str, folder: Path) -> list[str]:
    """success.png, the shape of the paper's Fig. 2: a(n) solid with its interval, r(n) dashed, against swaps."""
    presets = list(dict.fromkeys(row.preset for row in found if row.metric == "success"))
    if not presets:
        return []
    figure = new_figure(7.0, 4.5)
    if figure is None:
        return [INSTALL_PLOTS]
    axes = figure.add_subplot()
    for at, preset in enumerate(presets):
        for metric, line, name in (("success", "-", "a(n)"), ("relative", "--", "r(n)")):
            own = [row for row in found if (row.preset, row.metric) == (preset, metric)]
            if not own:
                continue
            x, y = [int(row.task) for row in own], [row.value for row in own]
            axes.plot(x, y, line, color=f"C{at}", marker=".", label=f"{preset.replace('_', ' ')}, {name}")
            if metric == "success":
                axes.fill_between(x, [r.low for r in own], [r.high for r in own], color=f"C{at}", alpha=0.12, lw=0)
    axes.set_xlabel("swaps")
    axes.set_ylabel("accuracy")
    axes.set_xticks(sorted({int(row.task) for row in found if row.metric == "success"}))
    axes.set_ylim(bottom=0)
    axes.set_title(title)
    axes.legend(fontsize="small")
    figure.savefig(folder / "success.png", dpi=150)
    return []


BENCH = Bench(
    "shell-game",
    "Statler (Yoneda et al., 2023), Fig. 2: a ball under one of three cups, and where it is after some swaps",
    tasks={str(n): Task(str(n), f"{n} swap{'s' * (n > 1)}") for n in range(1, _SWAPS + 1)}
    | {str(n): Task(str(n), f"{n} swaps", episodes=20) for n in LONGER},
    presets=(PLAIN_COLUMN, CHAIN_COLUMN, STATE_COLUMN),
    play=_play,
    rows=_rows,
    draw=_draw,
    shown=(Shown("success"), Shown("relative")),
    episodes=100,
    only_own=True,
    notes=_notes,
)
