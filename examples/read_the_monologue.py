"""Walk through the events of a journal: what was asked, planned, done and found out.

python examples/read_the_monologue.py              the latest session of your journal
python examples/read_the_monologue.py SESSION      another one, by its id or the beginning of it
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from thinkaloud import End, Journal
from thinkaloud.records import Meaning, ModelCall, Plan, Record, Request, Started, Stop, Verdict
from thinkaloud.settings import load


def told(record: Record) -> str | None:
    """One line about a record; None for records that this reader skips."""
    match record:
        case Request(text):
            return f"asked      {text}"
        case Meaning(words=words):
            return f"understood {words}"
        case Plan(conditions=conditions, steps=()) if conditions:
            return f"goal       {' '.join(condition.words for condition in conditions)}"
        case Started(step):
            return f"did        {step.words}"
        case Verdict(ok=ok, observed=observed):
            return "found      it worked" if ok else f"found      {observed}"
        case Stop(because):
            return f"held still {because}"
        case End(result, because):
            return f"ended      {result}: {because}"
        case _:
            return None


def read(path: Path, id: str = "") -> Iterator[str]:
    """The lines of a session; of the latest one if no id is given."""
    with Journal(path) as journal:
        listed = journal.sessions()
        if not listed:
            yield 'The journal is empty. Begin with: thinkaloud run "Stack all the blocks."'
            return
        session = journal.open(id or listed[0].id)
        events = session.events()
        yield f"session {session.id}, {len(events)} events"
        for _, at, record in events:
            line = told(record)
            if line is not None:
                yield f"{at:7.2f} s  {line}"
        calls = [record for _, _, record in events if isinstance(record, ModelCall)]
        yield f"The model was asked {len(calls)} times and wrote {sum(call.generated for call in calls)} tokens."


if __name__ == "__main__":
    for line in read(load().journal, *sys.argv[1:2]):
        print(line)
