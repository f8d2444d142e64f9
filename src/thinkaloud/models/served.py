"""A model that another process of thinkaloud serves to many robots (`thinkaloud models serve`), as one robot's own.

    thinkaloud models serve embedded --port 8766
    THINKALOUD_MODEL_URL=http://127.0.0.1:8766 thinkaloud run "…"

It has the name, the adapters and the answers of the model that is served. What is asked goes through OpenAI's form.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import replace
from typing import Any

import httpx

from thinkaloud.errors import ModelError, ModelMissing, ModelUnreachable
from thinkaloud.models.connections import authorities
from thinkaloud.models.contract import Scores, Usage
from thinkaloud.models.openai import OpenAI
from thinkaloud.models.openai_http import UNUSABLE
from thinkaloud.models.settings import ModelSettings
from thinkaloud.models.usage import read_usage
from thinkaloud.models.wire import OURS, ROBOT_HEADER, tell_read

_PATIENCE = 10.0
"""Seconds until a server says which models it has."""


class Served(OpenAI):
    """A model behind `thinkaloud models serve`."""

    def __init__(
        self,
        name: str,
        settings: ModelSettings,
        transport: httpx.AsyncBaseTransport | None = None,
        models: Mapping[str, Any] | None = None,
    ) -> None:
        """Ask the server which models it has, unless that is given; ModelMissing if it has no such model."""
        super().__init__(name, replace(settings, base_url=settings.model_url), transport=transport)
        self._endpoint.extra_headers[ROBOT_HEADER] = secrets.token_hex(8)
        self.name = name
        told = models if models is not None else _ask_models(self._endpoint.shown, settings.api_key)
        self._traits = self._read_traits(told, name)
        self._base = name
        self._take_role("")

    def in_role(self, role: str) -> Served:
        """Return the model in a role."""
        other = copy(self)
        other._take_role(role if role in self._traits else "")
        return other

    def _take_role(self, role: str) -> None:
        traits = self._traits[role]
        self._model = f"{self._base}#{role}" if role else self._base
        self.trained, self.fluent, self.judges = traits["trained"], traits["fluent"], traits["judges"]

    async def score(self, prompt: str, options: Sequence[str], *, worth: Sequence[float] = ()) -> Scores:
        """Return the log-likelihood of each option as the continuation of the prompt."""
        body = {"model": self._model, "prompt": prompt, "options": list(options), "worth": list(worth)}
        start = self._endpoint.clock.now()
        async with self._endpoint.within_time():
            answer = await self._endpoint.post("score", body)
        try:
            values = tuple(float(value) for value in answer["values"])
            usage: Usage = read_usage(answer["usage"], self._endpoint.clock.now() - start)
        except UNUSABLE as error:
            raise ModelError(f"{self._endpoint.shown} is no model server of thinkaloud. Check model_url.") from error
        return Scores(values, usage)

    async def read_ahead(self, prompt: str) -> None:
        """Have the server read the text that the next prompts begin with."""
        async with self._endpoint.within_time():
            body = {"model": self._model, "prompt": prompt, "stream": True}
            await self._endpoint.stream("read_ahead", body, tell_read)

    def _text_of(self, heard: Any) -> str:
        """The whole text, as the model returned it: what was heard on the way may go beyond a stop text."""
        whole = heard.ours.get("text")
        return whole if isinstance(whole, str) else str(heard.text)

    def _read_traits(self, told: Mapping[str, Any], name: str) -> dict[str, dict[str, bool]]:
        try:
            found = {str(each["id"]): each[OURS] for each in told["data"] if OURS in each}
            if name not in found:
                have = ", ".join(found) or "none"
                raise ModelMissing(f"{self._endpoint.shown} does not serve {name!r}. It serves: {have}.")
            traits = {
                str(role): {key: bool(each[key]) for key in ("trained", "fluent", "judges")}
                for role, each in found[name]["roles"].items()
            }
            return {"": traits[""], **traits}
        except UNUSABLE as error:
            raise ModelMissing(
                f"{self._endpoint.shown} is no model server of thinkaloud. For other servers, set base_url and "
                "--model openai:NAME."
            ) from error


def _ask_models(address: str, key: str) -> Mapping[str, Any]:
    """Ask a server which models it has."""
    headers = {"Authorization": f"Bearer {key.strip()}"} if key.strip() else {}
    try:
        away = httpx.URL(address).host not in ("127.0.0.1", "localhost", "::1")  # a proxy cannot know local addresses
        verify = authorities(trust_env=away) if away or address.startswith("https") else False
        url = f"{address}/models"
        answer = httpx.get(url, headers=headers, timeout=_PATIENCE, trust_env=away, verify=verify)
        if answer.status_code in (401, 403):
            raise ModelMissing(f"{address} refused the key ({answer.status_code}). Check THINKALOUD_API_KEY.")
        told = answer.raise_for_status().json()
    except (httpx.HTTPError, ValueError, UnicodeError) as error:
        advice = "Start it with: thinkaloud models serve, or change model_url."
        raise ModelUnreachable(f"{address} does not answer as a model server. {advice}") from error
    return told if isinstance(told, dict) else {}
