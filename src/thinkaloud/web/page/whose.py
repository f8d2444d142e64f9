"""Who has opened a page: the person whose token or cookie came with it."""

from __future__ import annotations

from nicegui import ui

from thinkaloud.web.access import PERSON
from thinkaloud.web.people import Person


def who_opened() -> Person | None:
    """Who has opened the page that is being built; None where nobody is named."""
    person: Person | None = ui.context.client.request.scope.get(PERSON)
    return person


def tell_person(person: Person | None) -> dict[str, str]:
    """What their browser is told; without a name, they may do everything."""
    return {"name": "", "role": "administer"} if person is None else {"name": person.name, "role": person.role}
