"""Sessions in the journal: list, resume, replay, fork and export them."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Iterator, Sequence
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
    from thinkaloud.remember.journal import Journal, Session, SessionInfo
    from thinkaloud.settings import Settings


@contextmanager
def _open_journal(settings: Settings | None = None) -> Iterator[Journal | None]:
    """The journal, for reading; None if there is none yet. Does not create one."""
    from thinkaloud.remember.journal import Journal
    from thinkaloud.settings import load

    path = (settings or load()).journal
    try:
        missing = not path.exists() and not path.parent.is_file()
    except OSError:  # not even readable: the journal reports that
        missing = False
    if missing:
        yield None
        return
    with Journal(path, to_write=False) as journal:
        yield journal


def _find_session(journal: Journal | None, id: str) -> Session:
    """A session by its id or the beginning of it."""
    from thinkaloud.errors import UnknownName

    if journal is None:
        raise UnknownName("session", id, ())
    return journal.open(id)


def _events_of(session: Session, salvage: bool) -> tuple[list[tuple[int, float, Record]], str]:
    """All events; with salvage, those before the damage, and what the damage is."""
    return session.salvage() if salvage else (session.events(), "")


_salvaging = click.option("--salvage", is_flag=True, help="For a damaged session: what came before the damage.")


@click.command(short_help="List, name or delete sessions.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, one session per line.")
@click.option("--name", "named", metavar="ID NAME", nargs=2, type=SpokenText(), help="Give a session a name.")
@click.option("--delete", "deleted", metavar="ID", type=SpokenText(), help="Delete a session for good; asks first.")
@click.option("--yes", is_flag=True, help="With --delete: do not ask.")
@click.option("--pack", is_flag=True, help="Make the journal's file smaller; nothing is lost.")
def sessions(as_json: bool, named: tuple[str, str] | None, deleted: str | None, yes: bool, pack: bool) -> None:
    """List all sessions, newest first.

    With --name, give session ID a name (an empty one takes it away); with --delete, delete it for good. A session that
    a process is still writing is not deleted. With --pack, compress what the sessions hold: they can be replayed,
    resumed and forked as before.

    \b
    Examples:
      thinkaloud sessions --name 20261115-ac8d "The first try"
      thinkaloud sessions --delete 20261115-ac8d
    """
    if named is not None or deleted is not None:
        _change_session(named, deleted, yes=yes)
        return
    if pack:
        _pack_sessions()
        return
    with _open_journal() as journal:
        listed = journal.sessions() if journal else []
        if as_json:
            for info in listed:
                write_json(json.dumps(asdict(info), ensure_ascii=False))
            return
        if not listed:
            write_line('There are no sessions yet. Start one: thinkaloud run "Stack all the blocks."')
            return
        from thinkaloud.cli.lists import table
        from thinkaloud.untrusted.output import complain

        rows = [(i.id, i.started[:16].replace("T", " "), i.result, str(i.events), i.model, _title(i)) for i in listed]
        table(("session", "started", "result", "events", "model", "request"), rows)
        for info in listed:
            if info.damage:
                complain(info.damage)


def _title(info: SessionInfo) -> str:
    """What was asked for last, after the name that people gave the session, and where it was forked from."""
    asked = f"{info.request} … and {info.requests - 1} more" if info.requests > 1 else info.request
    named = f"{info.name}: {asked}" if info.name else asked
    return f"{named} (fork of {info.parent})" if info.parent else named


def _change_session(named: tuple[str, str] | None, deleted: str | None, *, yes: bool) -> None:
    from thinkaloud.errors import BadInput, UnknownName
    from thinkaloud.remember.journal import Journal
    from thinkaloud.settings import load

    path = load().journal
    if not path.exists():
        raise UnknownName("session", named[0] if named else str(deleted), ())
    with Journal(path) as journal:
        if named is not None:
            journal.open(named[0]).rename(named[1])
        if deleted is not None:
            session = journal.open(deleted)
            if not yes and not click.confirm(f"Delete session {session.id} for good?", err=True):
                raise BadInput("Nothing was deleted.")
            session.discard()


def _pack_sessions() -> None:
    from thinkaloud.remember.journal import Journal
    from thinkaloud.settings import load
    from thinkaloud.untrusted.output import complain

    path = load().journal
    if not path.exists():
        write_line("There are no sessions yet.")
        return
    with Journal(path) as journal:
        before, packed = _megabytes(path), 0
        for _, why in journal.pack():
            packed += not why
            if why:
                complain(f"Stays as it is: {why}")
    write_line(f"{path}: {before:.1f} MB before, {_megabytes(path):.1f} MB now; sessions packed: {packed}.")


def _megabytes(path: Path) -> float:
    parts = (path, path.with_name(f"{path.name}-wal"))
    return sum(each.stat().st_size for each in parts if each.exists()) / 1e6


@click.command(short_help="List what you have taught the robot, or change it.")
@click.option("--world", metavar="W", type=SpokenText(), help="Only for this world; needed with --add.")
@click.option("--add", metavar="SAID MEANS", nargs=2, type=SpokenText(), help="When I say SAID, I mean MEANS.")
@click.option("--remove", metavar="ID", type=SpokenText(), help="Forget a lesson.")
def lessons(world: str | None, add: tuple[str, str] | None, remove: str | None) -> None:
    """List the lessons: what you mean when you say something to a robot.

    A lesson comes from a plan that you changed (`thinkaloud plan --edit`, or the page), or from --add. It holds in the
    world for which it was given, from the next request on.

    \b
    Examples:
      thinkaloud lessons
      thinkaloud lessons --world tabletop --add "tidy up" "put all the blocks in the bottom left corner"
      thinkaloud lessons --remove 3fa1c2d4
    """
    from thinkaloud.cli.lists import table
    from thinkaloud.records import Taught
    from thinkaloud.settings import load
    from thinkaloud.staging.opening import lesson_book

    book = lesson_book(load())
    if add is not None:
        if world is None:
            raise click.UsageError("--add needs --world: a lesson holds in one world.")
        book.keep(world, Taught(add[0], add[1]))
    if remove is not None:
        book.remove(remove)
    listed = book.all(world)
    if not listed:
        write_line("There are no lessons.")
        return
    rows = [(each.id, each.world, each.taught.said, each.taught.means or each.taught.words) for each in listed]
    table(("lesson", "world", "you say", "you mean"), rows)


@click.command(short_help="Show the rules that people gave.")
@click.argument("id", type=SpokenText(), required=False)
def rules(id: str | None) -> None:
    """Show what people told the robot to do at a time or on a condition, and what it must never do.

    With the ID of a session, its rules; without, those of every session that has some, newest first. Such a rule is
    kept while the session is open, in `chat` or `serve`; say "forget that" there to take it back.
    """
    from thinkaloud.episode.told_rules import NO_RULES

    with _open_journal() as journal:
        listed = (
            [_find_session(journal, id).id] if id else [each.id for each in (journal.sessions() if journal else ())]
        )
        found = {each: _find_session(journal, each).salvage()[0] for each in listed}
    told = {each: _tell_rules(rows) for each, rows in found.items()}
    shown = {each: lines for each, lines in told.items() if lines != [NO_RULES]}
    for each, lines in shown.items():
        for line in [*([] if id else [f"{each}:"]), *lines]:
            write_line(line)
    if not shown:
        write_line(NO_RULES)


def _tell_rules(rows: Sequence[tuple[int, float, Record]]) -> list[str]:
    """The rules of a session, in a person's English; of the robot, only the names of what it saw are known here."""
    from thinkaloud.clock import WallClock
    from thinkaloud.episode.person_english import PersonEnglish
    from thinkaloud.episode.told_rules import tell_all_rules
    from thinkaloud.monologue import Event, Monologue
    from thinkaloud.records import Observation

    speak = PersonEnglish(None)
    for _, _, record in rows:
        if isinstance(record, Observation):
            speak.see(record)
    return [speak(each) for each in tell_all_rules(Monologue(WallClock(), (Event(*row) for row in rows)))]


@click.command(short_help="Resume an interrupted session.")
@click.argument("id", type=SpokenText())
@click.option("--json", "as_json", is_flag=True, help="Print events on standard output as JSON, one per line.")
@film_options
def resume(id: str, **given: Any) -> int:
    """Resume session ID after its process ended; the beginning of an id is enough.

    The world is restored to its last known state, the step that was running is checked first, and the robot goes on.
    Exits like `run`.
    """
    return resume_session(id, RunOptions(**given))


def resume_session(id: str, wanted: RunOptions, *, settings: Settings | None = None, model: Model | None = None) -> int:
    """Do this without the command line; returns the exit status."""
    from thinkaloud.cli.shown_episode import ShownEpisode, opener_of, progress_of
    from thinkaloud.cli.views import open_view
    from thinkaloud.staging.opening import reopen_episode, settings_for

    async def go_on() -> int:
        chosen = settings or settings_for(wanted)
        with _open_journal(chosen) as journal:
            _find_session(journal, id)
        view = open_view(wanted)
        async with (
            progress_of(view) as told,
            reopen_episode(id, wanted, chosen, view=view, model=model, opener=opener_of(told)) as episode,
        ):
            shown = ShownEpisode(episode, told)
            await shown.attend(episode.agent.resume())
            return await shown.finish()

    return asyncio.run(go_on())


@click.command(short_help="Print a session again.")
@click.argument("id", type=SpokenText())
@click.option(
    "--speed",
    metavar="X",
    type=Speed(),
    help="Replay in real time (1), twice as fast (2), …; default: all at once.",
)
@click.option("--prompts", is_flag=True, help="Also print each prompt, and which feedback was part of it.")
@_salvaging
def replay(id: str, speed: float | None, prompts: bool, salvage: bool) -> None:
    """Print session ID again, from the journal, without a model or a world.

    With --prompts, also print what the model was given and what it answered, word for word; the lines that were in its
    last prompt already are only counted. Each line of feedback then says whether it was part of the next prompt.
    """
    replay_session(id, speed, prompts=prompts, salvage=salvage)


def replay_session(
    id: str,
    speed: float | None = None,
    *,
    prompts: bool = False,
    salvage: bool = False,
    settings: Settings | None = None,
    wait: Callable[[float], None] = time.sleep,
) -> None:
    """Do this without the command line."""
    from thinkaloud.cli.shown_prompts import ShownPrompts
    from thinkaloud.cli.terminal import Terminal, console
    from thinkaloud.episode.person_english import PersonEnglish
    from thinkaloud.monologue import Event
    from thinkaloud.records import ModelCall

    with _open_journal(settings) as journal:
        session = _find_session(journal, id)
        terminal, before = Terminal(console()), 0.0
        terminal.speak = PersonEnglish(None)
        events, damage = _events_of(session, salvage)
        beside = ShownPrompts([Event(*row) for row in events], session.verbatim) if prompts else None
        if beside is not None and beside.remark:
            terminal.note(beside.remark)
        for index, at, record in events:
            if speed is not None:
                passed = record.seconds if isinstance(record, ModelCall) else max(at - before, 0.0)
                wait(passed / speed)
            before, lines = at, terminal.lines
            terminal(event := Event(index, at, record))
            for text in () if beside is None else beside.lines(event, shown=terminal.lines > lines):
                terminal.note(f"{'':24}{text}")
        terminal.note(f"Session {session.id}")
        if damage:
            terminal.conclude(damage)
        elif terminal.tally.end is None:
            terminal.conclude(f"this session has not ended. Resume it: thinkaloud resume {session.id}")
        else:
            terminal.conclude()


@click.command(short_help="Continue a session from any event, differently.")
@click.argument("id", type=SpokenText())
@click.option("--at", metavar="N", type=WholeNumber(), required=True, help="The last event to keep; see `export`.")
@click.option("--preset", metavar="P", type=SpokenText(), help="The preset from there on; default: as before.")
@click.option("--model", metavar="M", type=SpokenText(), help="The model from there on; default: as before.")
@click.option("--steps", metavar="N", type=WholeNumber(1, 10_000), help="The most steps; default: as before.")
@click.option("--say", metavar="TEXT", type=SpokenText(), help="What to tell it first: another request, or an answer.")
@click.option("--json", "as_json", is_flag=True, help="Print events on standard output as JSON, one per line.")
@film_options
def fork(id: str, at: int, say: str | None, **given: Any) -> int:
    """Copy session ID up to event N into a new session, and continue from there.

    The world is restored to its state at that event. A plan made before it is kept; to get a new plan, choose an event
    before that plan. Session ID does not change. Exits like `run`.

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
    """Do this without the command line; returns the exit status."""
    from thinkaloud.cli.shown_episode import ShownEpisode, opener_of, progress_of
    from thinkaloud.cli.views import open_view
    from thinkaloud.errors import BadInput
    from thinkaloud.staging.opening import fork_episode, settings_for

    async def go_on() -> int:
        chosen = settings or settings_for(RunOptions())
        with _open_journal(chosen) as journal:
            whole = _find_session(journal, id).id
        view = open_view(wanted)
        async with (
            progress_of(view) as told,
            fork_episode(whole, at, wanted, chosen, view=view, model=model, opener=opener_of(told)) as episode,
        ):
            agent, shown = episode.agent, ShownEpisode(episode, told)
            because = f"forked from {whole} at event {at}"
            unfinished = agent.ended() is None and agent.monologue.task_start() >= 0
            if not unfinished and say is None:
                assert episode.session is not None
                episode.session.discard()
                raise BadInput(f"At event {at} of {whole}, the robot is idle: choose another --at, or pass --say.")
            if say is not None and unfinished and agent.asks():
                agent.say(say)
                await shown.attend(agent.resume(because))
            else:
                await shown.attend(agent.run(say) if say is not None else agent.resume(because))
            return await shown.finish()

    return asyncio.run(go_on())


@click.command(short_help="Export a session as JSON, one event per line, or as a page.")
@click.argument("id", type=SpokenText())
@click.option(
    "--timings", is_flag=True, help="Also export what depends on the machine, such as seconds and cache hits."
)
@click.option("--html", "page", metavar="FILE", type=to_path, help="Write it as one HTML file instead, with pictures.")
@click.option(
    "--to",
    "file",
    metavar="FILE",
    type=to_path,
    help="Write it for another tool (FILE.mcap, FILE.rrd), or its plan as a program (plan.py, tree.py).",
)
@_salvaging
def export(id: str, timings: bool, page: Path | None, file: Path | None, salvage: bool) -> None:
    """Write session ID to standard output as JSON, one event per line; or to a file with words and pictures.

    Without --timings, the same episode gives the same bytes if the model gives the same answers.

    \b
    Examples:
      thinkaloud export 20261115-ac8d > story.jsonl
      thinkaloud export 20261115-ac8d --html story.html
      thinkaloud export 20261115-ac8d --to run.mcap
      thinkaloud export 20261115-ac8d --to plan.py     the plan, as a Python function
      thinkaloud export 20261115-ac8d --to tree.py     the plan, as a behaviour tree
    """
    from thinkaloud.remember.journal import render_event
    from thinkaloud.untrusted.output import complain

    if page is not None and file is not None:
        raise click.UsageError("--html and --to cannot be used together; leave one out.")
    if page is not None:
        _export_page(id, page)
        return
    if file is not None:
        _export_file(id, file)
        return
    with _open_journal() as journal:
        events, damage = _events_of(_find_session(journal, id), salvage)
        for index, at, record in events:
            write_json(render_event(index, at, record, measurements=timings))
    if damage:
        complain(damage)


def _export_file(id: str, path: Path) -> None:
    """Write the session in another tool's format, which the ending of the name tells."""
    from importlib import import_module

    from thinkaloud.errors import BadInput

    if path.suffix not in _FORMATS:
        raise BadInput(f"--to needs a name that ends in {' or '.join(_FORMATS)}, not {path.name!r}.")
    module, writer = _FORMATS[path.suffix]
    with _open_journal() as journal:
        session = _find_session(journal, id)
        try:
            getattr(import_module(module), writer)(session, path)
        except OSError as error:
            raise BadInput(f"{path} cannot be written: {error.strerror or error}.") from error


_FORMATS = {
    ".mcap": ("thinkaloud.logs.mcap_file", "write_mcap"),
    ".rrd": ("thinkaloud.logs.rerun_file", "write_rerun"),
    ".py": ("thinkaloud.robots.exported_plan", "write_program"),
}


def _export_page(id: str, page: Path) -> None:
    """Write the session as one HTML file."""
    from thinkaloud.errors import BadInput
    from thinkaloud.web.html_export import share_session

    with _open_journal() as journal:
        session = _find_session(journal, id)
        text = share_session(session)
    try:
        page.write_text(text, encoding="utf-8")
    except OSError as error:
        raise BadInput(f"{page} cannot be written: {error.strerror or error}.") from error
