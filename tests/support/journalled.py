"""An episode as it is written down, and the journal that it is written to."""

from __future__ import annotations

from thinkaloud.records import Begin, End, ModelCall, Outcome, Record, Request, Step
from thinkaloud.remember.journal import Journal

STEP = Step("pick", {"object": "red block"}, "Pick up the red block.")
EPISODE: tuple[Record, ...] = (
    Begin("tabletop", "inner_monologue", "embedded", 7),
    Request("put the red block away"),
    ModelCall("plan", "embedded", 120, 9, evaluated=20, cached=100, seconds=0.4),
    Outcome(STEP, "completed"),
    End("goal met", "the red block is away"),
)


def record_episode(journal: Journal, records: tuple[Record, ...] = EPISODE) -> str:
    with journal.begin() as session:
        for index, record in enumerate(records):
            session.commit(index, index / 3, record, b"world %d" % index)
        return session.id
