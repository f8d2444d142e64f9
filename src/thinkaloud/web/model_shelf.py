"""Models that are not here yet: one to fetch, with progress, and hosted ones with an address and a key.

Addresses and keys are kept in memory only. They are in no file, journal, log or message of this server, so they have to
be entered again after a restart. A session with a hosted model says so.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from thinkaloud.errors import BadInput, ModelMissing, ThinkaloudError, describe_fault
from thinkaloud.models import Model, describe_models
from thinkaloud.models.downloads import Downloads, open_client
from thinkaloud.models.fetch_weights import Fetching
from thinkaloud.models.large_weights import LARGE
from thinkaloud.models.missing_weights import missing_models
from thinkaloud.models.openai import OpenAI
from thinkaloud.settings import Settings

HOSTED = "hosted:"
LARGE_MODEL = "embedded-large"
_MOST_HOSTED = 20
_ADDRESS = re.compile(r"https?://[^\s/@\x00-\x1f\x7f]+(/[^\s@?#\x00-\x1f\x7f]*)?")
_NAME = re.compile(r"[\w][\w./:-]{0,99}")
_KEY = re.compile(r"[\x21-\x7e]{0,500}")
FetchState = Literal["", "running", "done", "failed"]


@dataclass(frozen=True, slots=True)
class ModelState:
    """A model: whether it is here, and how far a download has got."""

    name: str
    about: str
    here: bool
    hint: str = ""
    fetch: FetchState = ""
    doing: str = ""
    done: int = 0
    total: int = 0
    address: str = ""
    """Of a hosted one."""


class _Unwanted(Exception):
    """Nobody waits for a download any more."""


class ModelShelf:
    """What can be fetched, and what is hosted elsewhere."""

    def __init__(self, settings: Settings, fetch: Callable[..., object] | None = None) -> None:
        self._settings = settings
        self._hosted: dict[str, Settings] = {}
        self._fetch = fetch or self._download
        self._lock = threading.Lock()
        self._state: FetchState = ""
        self._doing, self._done, self._total, self._problem = "", 0, 0, ""
        self._unwanted = False

    # hosted -----------------------------------------------------------------------------------------------------------

    def add_hosted(self, address: str, model: str, key: str) -> str:
        """Offer a model at an OpenAI-compatible address; the name by which it is chosen."""
        if not _ADDRESS.fullmatch(address):
            raise BadInput(
                "The address has to be such as https://api.example.com/v1, without a name, password or query."
            )
        if not _NAME.fullmatch(model):
            raise BadInput("The model's name has 1 to 100 letters, digits, or one of . / : - _")
        if not _KEY.fullmatch(key):
            raise BadInput("The key has characters that no key has.")  # it is not repeated here
        name = f"{HOSTED}{model}"
        with self._lock:
            if name not in self._hosted and len(self._hosted) >= _MOST_HOSTED:
                raise BadInput(f"{_MOST_HOSTED} hosted models are known already. Take one out first.")
            self._hosted[name] = replace(self._settings, base_url=address.rstrip("/"), api_key=key)
        return name

    def remove_hosted(self, name: str) -> None:
        """Forget an address and its key."""
        with self._lock:
            if self._hosted.pop(name, None) is None:
                raise BadInput("There is no such hosted model.")

    def names(self) -> tuple[str, ...]:
        """The hosted models that are known now."""
        return tuple(self._hosted)

    def open(self, name: str) -> Model:
        """A hosted model; ModelMissing where its address was not entered, or the server was started again since."""
        settings = self._hosted.get(name)
        if settings is None:
            again = "Enter them again in the settings of the page."
            raise ModelMissing(f"The address and the key of {name} are not known (any more). {again}")
        model = OpenAI(name.removeprefix(HOSTED), settings.for_model(record=""))
        model.name = name
        return model

    # fetched ----------------------------------------------------------------------------------------------------------

    def states(self) -> list[ModelState]:
        """All models, with what is being fetched."""
        missing = missing_models(self._settings.home)
        found = [
            ModelState(name, about, name not in missing, missing.get(name, ""))
            for name, about in describe_models().items()
            if ":" not in name
        ]
        found = [self._with_progress(each) if each.name == LARGE_MODEL else each for each in found]
        hosted = (ModelState(name, "hosted", True, address=each.base_url) for name, each in self._hosted.items())
        return [*found, *hosted]

    def _with_progress(self, state: ModelState) -> ModelState:
        with self._lock:
            return replace(
                state,
                hint=self._problem or state.hint,
                fetch=self._state,
                doing=self._doing,
                done=self._done,
                total=self._total,
            )

    def fetch_large(self) -> None:
        """Begin to fetch the large model, unless that is under way; `states` says how far it has got."""
        with self._lock:
            if self._state == "running":
                return
            self._state, self._problem, self._doing, self._done, self._total = "running", "", "starting", 0, LARGE.size
            self._unwanted = False
        threading.Thread(target=self._fetching, name="fetching a model", daemon=True).start()

    def stop_fetching(self) -> None:
        """Have a download end at its next piece. What has come is kept, and fetching goes on from there."""
        with self._lock:
            self._unwanted = self._state == "running"

    def _fetching(self) -> None:
        problem = ""
        try:
            self._fetch(self._report)
        except _Unwanted:
            problem = "It was stopped. Fetch goes on from where it was."
        except ThinkaloudError as error:
            problem = str(error)
        except Exception as error:  # a full disk, say
            problem = describe_fault(error)
        with self._lock:
            self._state, self._problem = ("failed", problem) if problem else ("done", "")

    def _download(self, report: Callable[[str, int, int], None]) -> None:
        with open_client() as client:
            Fetching(LARGE, self._settings.home, Downloads(client), report, lambda line: None).fetch(None)

    def _report(self, what: str, done: int, total: int) -> None:
        with self._lock:
            self._doing, self._done, self._total = what, done, total
            if self._unwanted:
                raise _Unwanted
