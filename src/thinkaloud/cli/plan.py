"""`thinkaloud plan`: plan, critique and rehearse without moving anything."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from thinkaloud.cli.options import SpokenText, episode_options
from thinkaloud.staging.options import RunOptions
from thinkaloud.untrusted.output import write_json

if TYPE_CHECKING:
    from thinkaloud.models import Model
    from thinkaloud.monologue import Monologue


@click.command(short_help="Plan a REQUEST and print the plan; nothing moves.")
@click.argument("request", type=SpokenText())
@episode_options
@click.option(
    "--edit", is_flag=True, help="Change the plan in your editor; it is checked, and carried out if you agree."
)
def plan(request: str, edit: bool, **given: Any) -> int:
    """Plan a REQUEST and print the plan; nothing moves and nothing is recorded.

    The plan is criticised and rehearsed if the preset does that. Presets that think one step at a time print the goal
    and their first step. With guidelines, all the steps are listed in words, or the reason why there are none. Exits
    with 0 if there is a plan (or nothing left to do), with 1 if there is none.

    With --edit, the steps open in your editor ($EDITOR), one call per line: move, remove, change or add lines. What you
    save is checked. Then you are asked whether to carry it out; that is recorded as a session and exits like `run`. At
    the end you are asked whether to remember it as what you mean by this request.

    \b
    Examples:
      thinkaloud plan "Stack all the blocks."
      thinkaloud plan --edit "Stack all the blocks."
      thinkaloud plan --guidelines drinks "A cup of taro milk with boba, please."
      thinkaloud plan --preset open_loop --json "Stack all the blocks." | jq -r '.steps[].words'
    """
    if edit:
        from thinkaloud.cli.plan_editing import edit_and_carry_out

        return edit_and_carry_out(request, RunOptions(**given))
    return plan_request(request, RunOptions(**given))


def plan_request(request: str, wanted: RunOptions, *, model: Model | None = None) -> int:
    """Plan without the command line; returns the exit status. Only the plan goes to standard output."""
    from thinkaloud.cli.first_sign import end_first_sign
    from thinkaloud.cli.plan_lines import print_steps
    from thinkaloud.cli.shown_episode import ShownEpisode, opener_of, progress_of
    from thinkaloud.cli.terminal import Terminal, console
    from thinkaloud.staging.opening import open_episode, settings_for

    wanted = replace(wanted, no_film=True, no_journal=True)
    end_first_sign()
    view = None if wanted.as_json else Terminal(console(stderr=True))

    async def think() -> int:
        chosen = settings_for(wanted)
        async with (
            progress_of(view) as told,
            open_episode(wanted, chosen, view=view, request=request, model=model, opener=opener_of(told)) as episode,
        ):
            await ShownEpisode(episode, told).attend(episode.agent.plan(request))
            if view is not None:
                view.clear()
            said = episode.agent.monologue
            (_print_json if wanted.as_json else print_steps)(said)
            return episode.interrupts.status or (0 if _worth_something(said) else 1)

    return asyncio.run(think())


def _worth_something(said: Monologue) -> bool:
    from thinkaloud.records import End

    end = said.last(End)
    return end is None or end.result == "goal met"


def _print_json(said: Monologue) -> None:
    import json

    from thinkaloud.records import DECISIONS, Critique, End, Rehearsal
    from thinkaloud.serialization import record_kind, to_data

    at, decision = said.where(DECISIONS), said.last(DECISIONS)
    data: dict[str, Any] = {} if decision is None else {"kind": record_kind(decision), **to_data(decision)}
    end, critique, rehearsal = said.last(End), said.since(at, Critique), said.since(at, Rehearsal)
    data["critique"] = to_data(critique[-1]) if critique else None
    data["rehearsal"] = to_data(rehearsal[-1]) if rehearsal else None
    data["end"] = to_data(end) if end else None
    write_json(json.dumps(data, ensure_ascii=False))
