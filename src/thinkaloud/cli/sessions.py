"""Sessions: what the journal remembers, to list, go on with, see again and take elsewhere."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from thinkaloud.cli.options import Speed, SpokenText, WholeNumber, film_options, to_path
from thinkaloud.staging.options import RunOptions
from thinkaloud.untrusted.output import write_json, write_line

if TYPE_CHECKING:
    from thinkaloud.models import Model
    from thinkaloud.records import Record
    from thinkaloud.remember.journal import Journal, Session
    from thinkaloud.settings import Settings


@contextmanager
def _open_journal(settings: Settings | None = None) -> Iterator[Journal | None]:
    """The journal, to read; None where there is none yet, and none is made."""
    from thinkaloud.remember.journal import Journal
    from thinkaloud.settings import load

    path = (settings or load()).journal
    try:
        missing = not path.exists() and not path.parent.is_file()
    except OSError:  # not even to be looked at: the journal says so
        missing = False
    if missing:
        yield None
        return
    with Journal(path, to_write=False) as journal:
        yield journal


def _find_session(journal: Journal | None, id: str) -> Session:
    """A session by its id, or the beginning of it."""
    from thinkaloud.errors import UnknownName

    if journal is None:
        raise UnknownName("session", id, ())
    return journal.open(id)


def _events_of(session: Session, salvage: bool) -> tuple[list[tuple[int, float, Record]], str]:
    """All events; where what is left is to be saved, those before the damage, and what that is."""
    return session.salvage() if salvage else (session.events(), "")


_salvaging = click.option("--salvage", is_flag=True, help="Of a damaged session, what came before the damage.")


@click.command()
@click.option("--json", "as_json", is_flag=True, help="One session per line, as JSON.")
def sessions(as_json: bool) -> None:
    """List all sessions, the newest first."""
    with _open_journal() as journal:
        listed = journal.sessions() if journal else []
        if as_json:
            for info in listed:
                write_json(json.dumps(asdict(info), ensure_ascii=False))
            return
        if not listed:
            write_line('There is no session yet. Make one: thinkaloud run "Stack all the blocks."')
            return
        from thinkaloud.cli.lists import table
        from thinkaloud.untrusted.output import complain

        rows = [(i.id, i.started[:16].replace("T", " "), i.result, str(i.events), i.model, i.request) for i in listed]
        table(("session", "started", "result", "events", "model", "request"), rows)
        for info in listed:
            if info.damage:
                complain(info.damage)


@click.command(short_help="Go on with a session that was cut short.")
@click.argument("id", type=SpokenText())
@click.option("--json", "as_json", is_flag=True, help="One event per line on standard output, as JSON.")
@film_options
def resume(id: str, **given: Any) -> int:
    """Go on with session ID, whose process had ended; the beginning of an id is enough.

    The world is put back into the state in which it was last known, what was under way is checked first, and the
    robot goes on. Exits like `run`.
    """
    return resume_session(id, RunOptions(**given))


def resume_session(id: str, wanted: RunOptions, *, settings: Settings | None = None, model: Model | None = None) -> int:
    """The same without the command line; the exit status."""
    from thinkaloud.cli.shown_episode import ShownEpisode, open_view
    from thinkaloud.staging.opening import reopen_episode, settings_for

    async def go_on() -> int:
        chosen = settings or settings_for(wanted)
        with _open_journal(chosen) as journal:
            _find_session(journal, id)
        async with reopen_episode(id, wanted, chosen, view=open_view(wanted), model=model) as episode:
            shown = ShownEpisode(episode)
            await shown.attend(episode.agent.resume())
            return await shown.finish()

    return asyncio.run(go_on())


@click.command(short_help="Print a session again.")
@click.argument("id", type=SpokenText())
@click.option(
    "--speed",
    metavar="X",
    type=Speed(),
    help="As fast as it happened (1), twice as fast (2), …; without it, all at once.",
)
@_salvaging
def replay(id: str, speed: float | None, salvage: bool) -> None:
    """Print session ID again: from the journal, without a model or a world."""
    replay_session(id, speed, salvage=salvage)


def replay_session(
    id: str,
    speed: float | None = None,
    *,
    salvage: bool = False,
    settings: Settings | None = None,
    wait: Callable[[float], None] = time.sleep,
) -> None:
    """The same without the command line."""
    from thinkaloud.cli.terminal import Terminal, console
    from thinkaloud.monologue import Event
    from thinkaloud.records import ModelCall

    with _open_journal(settings) as journal:
        session = _find_session(journal, id)
        terminal, before = Terminal(console()), 0.0
        events, damage = _events_of(session, salvage)
        for index, at, record in events:
            if speed is not None:
                passed = record.seconds if isinstance(record, ModelCall) else max(at - before, 0.0)
                wait(passed / speed)
            before = at
            terminal(Event(index, at, record))
        terminal.note(f"Session {session.id}")
        if damage:
            terminal.conclude(damage)
        elif terminal.tally.end is None:
            terminal.conclude(f"this session has not come to an end. Go on with it: thinkaloud resume {session.id}")
        else:
            terminal.conclude()


@click.command(short_help="Go on with a session from any event, another way.")
@click.argument("id", type=SpokenText())
@click.option(
    "--at", metavar="N", type=WholeNumber(), required=True, help="The last event that it takes over; see `export`."
)
@click.option("--preset", metavar="P", type=SpokenText(), help="How it thinks from there; as before if not given.")
@click.option("--model", metavar="M", type=SpokenText(), help="What it thinks with from there; as before if not given.")
@click.option("--steps", metavar="N", type=WholeNumber(1, 10_000), help="The most steps; as before if not given.")
@click.option(
    "--say", metavar="TEXT", type=SpokenText(), help="Something that it is told first: another request, an answer."
)
@click.option("--json", "as_json", is_flag=True, help="One event per line on standard output, as JSON.")
@film_options
def fork(id: str, at: int, say: str | None, **given: Any) -> int:
    """A new session that has all that session ID has up to event N, and goes on from there.

    The world is put into the state in which it was then. A plan that was made before that is gone on with: to have
    another one made, take an event before it. ID stays as it is. Exits like `run`.

    \b
    Examples:
      thinkaloud fork 20261115-ac8d --at 4 --model embedded-base
      thinkaloud fork 20261115-ac8d --at 4 --preset inner_monologue:feedback=object
      thinkaloud fork 20261115-ac8d --at 20 --say "Put it back."
    """
    return fork_session(id, at, RunOptions(**given), say=say)


def fork_session(
    id: str,
    at: int,
    wanted: RunOptions,
    *,
    say: str | None = None,
    settings: Settings | None = None,
    model: Model | None = None,
) -> int:
    """The same without the command line; the exit status."""
    from thinkaloud.cli.shown_episode import ShownEpisode, open_view
    from thinkaloud.errors import BadInput
    from thinkaloud.staging.opening import fork_episode, settings_for

    async def go_on() -> int:
        chosen = settings or settings_for(RunOptions())
        with _open_journal(chosen) as journal:
            whole = _find_session(journal, id).id
        async with fork_episode(whole, at, wanted, chosen, view=open_view(wanted), model=model) as episode:
            agent, shown = episode.agent, ShownEpisode(episode)
            because = f"forked from {whole} at event {at}"
            unfinished = agent.ended() is None and agent.monologue.task_start() >= 0
            if not unfinished and say is None:
                assert episode.session is not None
                episode.session.discard()
                raise BadInput(f"At event {at} of {whole} nothing is under way: take another --at, or give --say.")
            if say is not None and unfinished and agent.asks():
                agent.say(say)
                await shown.attend(agent.resume(because))
            else:
                await shown.attend(agent.run(say) if say is not None else agent.resume(because))
            return await shown.finish()

    return asyncio.run(go_on())


@click.command(short_help="Write a session as JSON, one event per line, or as a page.")
@click.argument("id", type=SpokenText())
@click.option("--timings", is_flag=True, help="Also what depends on the machine, such as seconds and cache hits.")
@click.option("--html", "page", metavar="FILE", type=to_path, help="Write it as one HTML file instead, with pictures.")
@_salvaging
def export(id: str, timings: bool, page: Path | None, salvage: bool) -> None:
    """Write session ID to standard output, one event per line, as JSON; or to one HTML file that needs nothing else.

    Without --timings the same episode gives the same bytes, wherever the model says the same.
    """
    from thinkaloud.remember.journal import render_event
    from thinkaloud.untrusted.output import complain

    if page is not None:
        _export_page(id, page)
        return
    with _open_journal() as journal:
        events, damage = _events_of(_find_session(journal, id), salvage)
        for index, at, record in events:
            write_json(render_event(index, at, record, measurements=timings))
    if damage:
        complain(damage)


def _export_page(id: str, page: Path) -> None:
    """The session as one HTML file."""
    from thinkaloud.errors import BadInput
    from thinkaloud.web.html_export import share_session

    with _open_journal() as journal:
        session = _find_session(journal, id)
        text = share_session(session)
    try:
        page.write_text(text, encoding="utf-8")
    except OSError as error:
        raise BadInput(f"{page} cannot be written: {error.strerror or error}.") from error
