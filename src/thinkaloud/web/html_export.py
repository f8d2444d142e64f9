"""A run as one HTML file: monologue, plan, state and pictures along a time slider; it asks nobody for anything.

Whatever was said in the run is text in it, never markup: it is escaped where it is written, and set as text where the
few lines of script in it show it. A policy in its head forbids every request and every other script.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from typing import Any

from thinkaloud.episode.event_text import Narrator, Row
from thinkaloud.episode.person_english import PersonEnglish
from thinkaloud.errors import BadInput
from thinkaloud.monologue import Event
from thinkaloud.presets import tell_preset
from thinkaloud.records import Begin, End, Outcome, Request
from thinkaloud.remember.journal import Session
from thinkaloud.robots import is_own_robot
from thinkaloud.staging.opening import open_world_of, read_begin
from thinkaloud.web.session_state import SessionTracker
from thinkaloud.web.spoken import speak_summary
from thinkaloud.web.world_names import tell_record
from thinkaloud.worlds.pictures import picture_world

_STYLE = """
:root { color-scheme: light dark; font: 16px/1.45 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 72rem; padding: 1rem; }
h1 { font-size: 1.3rem; } .about { opacity: .7; }
.bar { position: sticky; top: 0; background: Canvas; padding: .5rem 0; display: flex; gap: 1rem; align-items: center; }
.bar input { flex: 1; } .bar button { font: inherit; }
main { display: grid; grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); gap: 1.5rem; }
@media (max-width: 50rem) { main { grid-template-columns: 1fr; } }
ol { list-style: none; padding: 0; } .line { display: grid; grid-template-columns: 4.5rem 1fr; margin: .15rem 0; }
.line time { opacity: .55; } .line p { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
.person p { font-weight: 600; } .thought p, .plan p { font-style: italic; }
.asks p { color: #8a5a00; font-weight: 600; }
.action p, .understood p { color: #1a56b0; } .good p { color: #147a3c; } .bad p, .trouble p { color: #b3261e; }
.aside p, .scene p, .memory p { opacity: .65; }
@media (prefers-color-scheme: dark) { .asks p { color: #e0b050; } .action p, .understood p { color: #7db3ff; }
  .good p { color: #6fd08c; } .bad p, .trouble p { color: #ff8a80; } }
.later { display: none; } img { max-width: 100%; } table { border-collapse: collapse; }
td { padding: .1rem .5rem .1rem 0; vertical-align: top; overflow-wrap: anywhere; } h2 { font-size: 1rem; }
"""
_SCRIPT = """
const told = JSON.parse(document.getElementById('told').textContent);
const slider = document.querySelector('input'), lines = [...document.querySelectorAll('.line')];
const pictures = [...document.querySelectorAll('img')], marks = {true: '\\u2713', false: '\\u2717', null: '\\u00b7'};
function fill(id, rows) {
  const body = document.getElementById(id); body.replaceChildren();
  for (const cells of rows) {
    const row = body.insertRow();
    for (const cell of cells) row.insertCell().textContent = cell;
  }
}
function show() {
  const at = Number(slider.value);
  document.querySelector('output').textContent = at + ' / ' + slider.max;
  for (const line of lines) line.classList.toggle('later', Number(line.dataset.at) > at);
  let now = {plan: [], goal: [], world: []};
  for (const each of told) if (each.at <= at) now = each;
  fill('plan', now.plan.map(s => [s.state, s.words, s.why]));
  fill('goal', now.goal.map(g => [marks[g.holds], g.words]));
  fill('world', now.world);
  let seen = null;
  for (const each of pictures) if (Number(each.dataset.at) <= at) seen = each;
  for (const each of pictures) each.classList.toggle('later', each !== (seen || pictures[0]));
}
let timer = null;
document.querySelector('button').addEventListener('click', () => {
  if (timer) { clearInterval(timer); timer = null; return; }
  if (slider.value === slider.max) slider.value = 0;
  timer = setInterval(() => {
    slider.value = Number(slider.value) + 1; show();
    if (slider.value === slider.max) { clearInterval(timer); timer = null; }
  }, 400);
});
slider.addEventListener('input', show);
show();
"""


_PICTURES = 8
_PLAIN = ("person", "says", "action")
"""Who says these is plain from how they look."""


def worth_a_picture(events: Sequence[Event]) -> list[int]:
    """Where a picture tells something: when a step is over, and at the end; at most a few of them."""
    moments = [event.index for event in events if isinstance(event.record, Outcome | End | Request)]
    return moments[:: max(len(moments) // _PICTURES, 1)][-_PICTURES:]


def share_session(session: Session) -> str:
    """A session of the journal as a page; its world is opened for the pictures, where it can be."""
    events = [Event(*row) for row in session.events()]
    pictures: dict[int, bytes] = {}
    speak: PersonEnglish | None = None
    with suppress(BadInput, ModuleNotFoundError, NotImplementedError):  # a world that is not here: words are enough
        begin = read_begin(session)
        world = None if is_own_robot(begin.world) else open_world_of(begin)
        speak = None if world is None else PersonEnglish(world)
        moments = () if world is None else worth_a_picture(events)
        for index in moments:
            snapshot = session.snapshot_at(index)
            if snapshot is None or world is None:
                break
            world.restore(snapshot)
            picture = picture_world(world, boxes=False)
            if picture is None:
                break
            pictures[index] = picture
    return render_page(session.id, events, pictures, speak)


def render_page(
    id: str, events: Sequence[Event], pictures: Mapping[int, bytes], speak: PersonEnglish | None = None
) -> str:
    """The page; `pictures` are PNGs by the event that they were taken at."""
    events = [Event(event.index, event.at, tell_record(event.record)) for event in events]
    asked = next((event.record.text for event in events if isinstance(event.record, Request)), "")
    begin = next((event.record for event in events if isinstance(event.record, Begin)), None)
    about = (
        f"{begin.world}, seed {begin.seed} · {tell_preset(begin.preset)} · {begin.model} · session {id}"
        if begin
        else id
    )
    shown = "".join(
        f'<img alt="the world after event {at}" data-at="{at}" src="data:image/png;base64,{_base64(png)}">\n'
        for at, png in pictures.items()
    )
    policy = f"default-src 'none'; img-src data:; style-src '{_hash(_STYLE)}'; script-src '{_hash(_SCRIPT)}'"
    last = events[-1].index if events else 0
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{html.escape(asked or id)}</title><style>{_STYLE}</style></head>
<body><h1>{html.escape(asked)}</h1><p class="about">{html.escape(about)}</p>
<div class="bar"><button type="button">Play</button>
<input type="range" min="0" max="{last}" value="{last}" aria-label="event"><output></output></div>
<main><ol aria-label="monologue">{_lines(events, speak)}</ol>
<div>{shown}<h2>Plan</h2><table id="plan"></table><h2>Goal</h2><table id="goal"></table>
<h2>World</h2><table id="world"></table></div></main>
<script type="application/json" id="told">{_embedded(_told(events, speak))}</script>
<script>{_SCRIPT}</script></body></html>
"""


def _lines(events: Sequence[Event], speak: PersonEnglish | None) -> str:
    talk = Narrator(speak)
    return "\n".join(_line(row) for event in events for row in talk.hear(event))


def _line(row: Row) -> str:
    how = {None: "", True: " good", False: " bad"}[row.ok]
    told = [f"{row.who}: {row.text}" if row.who and row.manner not in _PLAIN else row.text]
    told += [f"  {line.sign or '·'} {line.text}" + (f" ({line.why})" if line.why else "") for line in row.lines]
    return (
        f'<li class="line {row.manner}{how}" data-at="{row.index}"><time>{row.at:.1f} s</time>'
        f"<p>{html.escape(chr(10).join(told))}</p></li>"
    )


def _told(events: Sequence[Event], speak: PersonEnglish | None) -> list[dict[str, Any]]:
    """Where the story stood, for each event at which it changed."""
    tracker, found = SessionTracker(), list[dict[str, Any]]()
    for event in events:
        tracker.hear(event)
        told = speak_summary(tracker.summary(), speak)
        now = {
            "plan": [asdict(step) for step in told.plan],
            "goal": [asdict(mark) for mark in told.goal],
            "world": [[name, _about(about)] for name, about in told.world.items() if about],
        }
        if not found or any(found[-1][key] != value for key, value in now.items()):
            found.append({"at": event.index, **now})
    return found


def _about(about: Any) -> str:
    if not isinstance(about, Mapping):
        return str(about)
    return ", ".join(key if value is True else f"{key}: {value}" for key, value in about.items())


def _embedded(data: Any) -> str:
    """JSON that ends no script, whatever is in it."""
    return json.dumps(data, ensure_ascii=True).replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode()
