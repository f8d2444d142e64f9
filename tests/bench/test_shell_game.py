"""The shell game: what the model is told, what counts as right, and what comes out."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from thinkaloud.errors import BadInput, ContextOverflow, UnknownName, Unparseable
from thinkaloud.models import Completion, Model, ModelSettings, Scripted
from thinkaloud.settings import Settings
from thinkaloud_bench import BENCHES, Item, Report, run_bench
from thinkaloud_bench import shell_game as shells
from thinkaloud_bench.contract import Shown
from thinkaloud_bench.running import items_of
from thinkaloud_bench.shell_game import CHAIN_COLUMN, PLAIN_COLUMN, STATE_COLUMN, Game

BENCH = BENCHES["shell-game"]
GAME = Game(1, ((1, 2), (0, 2), (1, 2)))
LISTS = {"0": "[True, False, False]", "1": "[False, True, False]", "2": "[False, False, True]"}
SWAP = re.compile(r"^Swap cup (\d) with cup (\d)$", re.MULTILINE)


def bench(settings: Settings, **changes: Any) -> Report:
    usual: dict[str, Any] = {
        "presets": None,
        "model": "player",
        "episodes": 2,
        "seed": 1000,
        "jobs": 1,
        "episodes_file": None,
        "out": None,
        "settings": settings,
        "progress": lambda done, total, what: None,
        "tasks": ["1", "3"],
        "open_model": open_player,
    }
    return run_bench("shell-game", **(usual | changes))


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(home=tmp_path)


def follows(prompt: str) -> str:
    """Plays the last game of a prompt by its swaps alone, in the format that the prompt asks for."""
    game = prompt.rsplit("# A new game", 1)[1]
    place = next(at for at, text in LISTS.items() if text in game.split("\n")[1])
    told = []
    for one, other in SWAP.findall(game):
        place = {one: other, other: one}.get(place, place)
        told.append(LISTS[place])
    return " " + ("\ncups = ".join(told) if "# After each swap" in game else told[-1])


def open_player(name: str, settings: ModelSettings) -> Model:
    return Scripted(follows, name=name)


def always_first(prompt: str) -> str:
    """Always under cup 0."""
    return re.sub(r"\[.*?\]", LISTS["0"], follows(prompt))


def open_stubborn(name: str, settings: ModelSettings) -> Model:
    return Scripted(always_first, name=name)


def play(method: str, answer: Callable[[str], str], swaps: int = 3) -> tuple[Any, Scripted]:
    model = Scripted(answer)
    return asyncio.run(BENCH.play(Item(method, str(swaps), 0, 5), lambda: model)), model


def test_the_ball_goes_with_its_cup() -> None:
    assert [state.index(True) for state in GAME.states()] == [1, 2, 0, 0]
    assert all(sum(state) == 1 for state in GAME.states())


def test_each_method_is_given_what_the_paper_gives_it() -> None:
    game = "# A new game\ncups = [False, True, False]"
    swaps = ["\nSwap cup 1 with cup 2", "\nSwap cup 0 with cup 2", "\nSwap cup 1 with cup 2"]
    first, second, last = (f"\ncups = {LISTS[at]}" for at in "200")
    assert shells.solved(PLAIN_COLUMN, GAME) == game + "".join(swaps) + "\n# In the end" + last + "\n\n"
    assert (
        shells.solved(CHAIN_COLUMN, GAME)
        == game + "".join(swaps) + "\n# After each swap" + first + second + last + "\n\n"
    )
    assert shells.solved(STATE_COLUMN, GAME) == game + swaps[0] + first + swaps[1] + second + swaps[2] + last + "\n\n"


def test_demonstrations_are_the_same_for_all_methods_and_of_all_lengths() -> None:
    games = shells.demonstrations()
    assert len(set(games)) == 30
    assert {len(game.swaps) for game in games} == set(range(1, 9))
    for method in BENCH.presets:
        assert SWAP.findall(shells.prefix(method, 30)) == [(str(a), str(b)) for game in games for a, b in game.swaps]


def test_no_game_that_is_played_is_among_the_demonstrations() -> None:
    items = items_of(BENCH, [PLAIN_COLUMN], None, None, 0)
    games = [shells.game_of(item.seed, int(item.task)) for item in items]
    assert len(games) == 860 and not set(games) & set(shells.demonstrations())
    assert {len(game.swaps) for game in games} == {*range(1, 9), *shells.LONGER}
    assert len(set(games)) > 500


@pytest.mark.parametrize("method", [PLAIN_COLUMN, CHAIN_COLUMN, STATE_COLUMN])
def test_who_follows_the_ball_finds_it(method: str) -> None:
    played, model = play(method, follows, 5)
    assert played.success and played.steps == 5
    assert played.calls == len(model.prompts) == 1 + (5 if method == STATE_COLUMN else 1), "one to see what fits"
    assert len(played.details) == (1 if method == PLAIN_COLUMN else 5)
    prefix = shells.prefix(method, 30)
    assert all(prompt.startswith(prefix) for prompt in model.prompts)


def test_state_prompts_only_grow_and_hold_what_the_model_said() -> None:
    played, model = play(STATE_COLUMN, lambda prompt: " [True, True, False]", 4)
    prompts = model.prompts[1:]
    assert all(later.startswith(before + " [True, True, False]\nSwap") for before, later in pairwise(prompts))
    assert not played.success and played.result == "told"


@pytest.mark.parametrize("method", [PLAIN_COLUMN, CHAIN_COLUMN, STATE_COLUMN])
@pytest.mark.parametrize(
    "words", ["under the left one", " [True, False]", " [1, 0, 0]", " [True, False, False], I think"]
)
def test_what_is_no_list_of_booleans_is_a_failure(method: str, words: str) -> None:
    played, _ = play(method, lambda prompt: words)
    assert (played.success, played.result) == (False, "unusable")
    assert "booleans" in played.because


def test_a_right_end_after_a_wrong_way_counts() -> None:
    end = follows(shells.turns(PLAIN_COLUMN, shells.game_of(5, 3))[0][0])
    played, _ = play(CHAIN_COLUMN, lambda prompt: " [False, False, False]\ncups = [True, True, True]\ncups =" + end)
    assert played.success


@pytest.mark.parametrize("text", [" [True, False, False]", "[True, False, False]\n"])
def test_states_are_read_strictly(text: str) -> None:
    assert shells.read_states(text, 1) == [(True, False, False)]
    with pytest.raises(Unparseable):
        shells.read_states(text, 2)
    with pytest.raises(Unparseable):
        shells.read_states(text + "\ncups = [True, False, False]", 1)


def test_the_grammar_is_of_as_many_lists_as_are_wanted() -> None:
    assert shells.states_grammar(1).count('"True"') == 3
    assert shells.states_grammar(8).count('"True"') == 24
    assert shells.states_grammar(2).count(r'"\ncups ="') == 1


def test_a_real_model_is_held_to_the_lists(embedded_base: Model) -> None:
    given, wanted = shells.turns(CHAIN_COLUMN, GAME)[0]
    most = shells.MOST_FOR_A_LIST * len(wanted)
    answer = asyncio.run(embedded_base.complete(given, grammar=shells.states_grammar(len(wanted)), most=most))
    assert len(shells.read_states(answer.text, 3)) == 3


# Demonstrations that do not fit ---------------------------------------------------------------------------------------


class Small(Scripted):
    """Takes so many words."""

    async def complete(self, prompt: str, **more: Any) -> Completion:
        if len(prompt.split()) > 1000:
            raise ContextOverflow("too long")
        return await super().complete(prompt, **more)


def open_small(name: str, settings: ModelSettings) -> Model:
    return Small(follows, name=name)


def test_of_too_many_demonstrations_the_last_are_left_out_and_the_report_says_so(settings: Settings) -> None:
    report = bench(settings, presets=[STATE_COLUMN, PLAIN_COLUMN], tasks=["1", "8"], open_model=open_small)
    said = " ".join(report.remarks())
    shown = int(re.findall(r"state: only (\d+) of 30", said)[0])
    assert 5 < shown < 30
    assert all(row.value == 1 for row in report.rows if row.metric == "success"), "also the longest games fit"
    longest = shells.solved(STATE_COLUMN, shells.demonstrations()[shown])
    assert len((shells.prefix(STATE_COLUMN, shown) + longest).split()) > 800, "no more than needed is left out"


def test_with_room_for_nothing_the_game_is_played_without_demonstrations() -> None:
    class Tiny(Scripted):
        async def complete(self, prompt: str, **more: Any) -> Completion:
            if len(prompt.split()) > 100:
                raise ContextOverflow("too long")
            return await super().complete(prompt, **more)

    model = Tiny(follows)
    played = asyncio.run(BENCH.play(Item(PLAIN_COLUMN, "2", 0, 5), lambda: model))
    assert played.success and played.scores == {"demonstrations": 0}
    assert "0 of 30" in BENCH.notes([played])[0]


# Figures --------------------------------------------------------------------------------------------------------------


@pytest.mark.draws
def test_a_run_gives_both_curves_and_a_plot(settings: Settings, tmp_path: Path) -> None:
    report = bench(settings, open_model=open_stubborn, episodes=20, out=tmp_path / "out")
    rows = {(row.preset, row.task, row.metric): row for row in report.rows}
    for method in BENCH.presets:
        first, third = rows[method, "1", "success"], rows[method, "3", "success"]
        assert 0 < first.value < 1 and first.n == 20 and first.paper is None
        assert rows[method, "3", "relative"].value == pytest.approx(third.value / first.value, abs=1e-5)
        assert rows[method, "3", "relative"].low < third.value / first.value < rows[method, "3", "relative"].high
        assert (rows[method, "1", "relative"].value, rows[method, "1", "relative"].low) == (1.0, 1.0)
        assert rows[method, "1", "success"].value == rows[PLAIN_COLUMN, "1", "success"].value, "all play the same games"
    assert {row.metric for row in report.rows} >= {"success", "relative", "seconds", "tokens"}
    assert "mean" not in {row.task for row in report.rows if row.metric in ("success", "relative")}
    assert (tmp_path / "out" / "success.png").read_bytes().startswith(b"\x89PNG")
    assert report.grid(Shown("relative"))[0] == ["task", *BENCH.presets]
    assert json.loads((tmp_path / "out" / "results.json").read_text())["bench"] == "shell-game"
    assert "3 swaps" in (tmp_path / "out" / "table.txt").read_text()


def test_relative_accuracy_needs_a_first_swap_that_succeeds(settings: Settings) -> None:
    assert not [row for row in bench(settings, tasks=["3"]).rows if row.metric == "relative"]
    mute = bench(settings, open_model=open_mute)
    assert not [row for row in mute.rows if row.metric == "relative"]
    assert "plain: no relative accuracy" in mute.remarks()[0]


def open_mute(name: str, settings: ModelSettings) -> Model:
    return Scripted(lambda prompt: "?", name=name)


@pytest.mark.sampled(0)
def test_two_processes_play_the_same_games(settings: Settings, tmp_path: Path) -> None:
    one = bench(settings, open_model=open_stubborn, presets=[PLAIN_COLUMN, STATE_COLUMN])
    two = bench(settings, open_model=open_stubborn, presets=[PLAIN_COLUMN, STATE_COLUMN], jobs=2)
    found = [[(r.preset, r.task, r.value) for r in each.rows if r.metric == "success"] for each in (one, two)]
    assert found[0] == found[1] and len(found[0]) == 4


@pytest.mark.parametrize(
    ("change", "kind", "says"),
    [
        ({"presets": ["inner_monologue"]}, UnknownName, "column of shell-game 'inner_monologue'"),
        ({"presets": ["ceiling"]}, UnknownName, "Known: chain_of_thought, plain, state"),
        ({"tasks": ["9"]}, UnknownName, "task of shell-game '9'"),
        ({"episodes_file": Path("x.json")}, BadInput, "takes no --episodes-file"),
    ],
)
def test_what_it_does_not_have_is_refused(
    settings: Settings, change: dict[str, Any], kind: type[BadInput], says: str
) -> None:
    with pytest.raises(kind, match=says):
        bench(settings, **change)
