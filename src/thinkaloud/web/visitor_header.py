"""Who asks something of the API: a client's secret, bound to the person whose token came along."""

from typing import Annotated

from fastapi import Depends, Header, Request

from thinkaloud.web.access import PERSON
from thinkaloud.web.control import LONGEST_IDENTIFIER

_Secret = Annotated[
    str, Header(alias="X-Viewer", max_length=LONGEST_IDENTIFIER, description="A secret of the client's own.")
]


def _visitor(request: Request, secret: _Secret = "") -> str:
    return str(request.app.state.hub.visitors.bind(request.scope.get(PERSON), secret))


VisitorHeader = Annotated[str, Depends(_visitor)]
"""By what the sessions know whoever asks."""
