"""Convert records of earlier versions of thinkaloud to the current form when a journal is read.

The file stays as it is. An old record is recognised by fields that no longer exist:

- `Plan` up to 0.1.0: the lines of the outline and the number of the current one (`doing`) were in the plan itself, and
  one text was both the thought for people and the model's own words.
- `Done` up to 0.1.0: two booleans, `answered` and `gave_up`.
- `Meaning` up to 0.1.0: one flat record for all kinds; `why` held a reason, a number, or when to stop.
- `Verdict` up to 0.1.0: that a check had failed itself stood only in its words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

Data = Mapping[str, Any]


def upgrade(kind: str, data: Any) -> Any:
    """Return the data of a record in the current form; anything that is not an old record is returned unchanged."""
    if isinstance(data, dict) and kind == "plan" and "doing" in data and isinstance(data.get("outline", []), list):
        return _plan(data)
    if isinstance(data, dict) and kind == "done" and ("answered" in data or "gave_up" in data):
        return _done(data)
    if isinstance(data, dict) and kind == "meaning" and isinstance(data.get("sort"), str):
        return _meaning(data)
    if isinstance(data, dict) and kind == "verdict" and _is_untold(data):
        return {**data, "unchecked": True}
    return data


def _is_untold(old: Data) -> bool:
    return old.get("ok") is False and str(old.get("observed", "")).startswith("Cannot be checked: ")


def _plan(old: Data) -> Data:
    lines, at, said = old.get("outline", ()), old["doing"], old.get("thought", "")
    checks = bool(old.get("conditions"))  # after the last line: what must be true now
    outline = {"lines": lines, "at": len(lines) if at is None and checks else at} if lines else None
    # A goal was shown as its conditions, not in the words in which the model had stated it.
    thought = "" if checks and not old.get("steps") else said
    new = {name: value for name, value in old.items() if name != "doing"}
    return new | {"thought": thought, "verbatim": said, "outline": outline}


def _done(old: Data) -> Data:
    how = "answered" if old.get("answered") else "gave up" if old.get("gave_up") else "finished"
    return {name: value for name, value in old.items() if name not in ("answered", "gave_up")} | {"how": how}


_AROUND = ("program", "words", "notes", "freed", "sure", "readings", "written", "meant")
_ACT = ("deeds", "wishes", "already", "kept", "said", "goes_on")


def _meaning(old: Data) -> Data:
    new = {name: old[name] for name in _AROUND if name in old}
    return new | {"content": {"sort": old["sort"], **_content(old["sort"], old, old.get("why", ""))}}


def _content(sort: str, old: Data, why: str) -> Data:
    act = {name: old[name] for name in _ACT if name in old}
    match sort:
        case "deeds":
            return act | {"lacking": why}
        case "undo":
            return {"count": int(why) if why.isdecimal() else 1, "then": act}
        case "answer":
            return {"said": old.get("said", ())}
        case "note":
            return {"kept": old.get("kept", ()) if old.get("lasting") else ()}
        case "question":
            return {"text": old.get("question", ""), "options": old.get("options", ())}
        case "refusal":
            missing = re.match(r"There is no (.+?) here\.", why)
            return {
                "kind": "no such thing" if missing else "declined",
                "why": why,
                "missing": missing[1] if missing else "",
            }
        case "unclear":
            return {"why": why}
        case "stop":
            return {"when": "after this" if "after" in why else "now"}
        case "previous":
            return {"kept": old.get("kept", ())}
    return {"wishes": old.get("wishes", ())}
