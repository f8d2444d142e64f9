"""The model `gardener`: it knows which words of a request ask for water, and which for air."""

from __future__ import annotations

import re

from thinkaloud.models import Model, ModelSettings, Scripted

_WINDOW = {"open": "open", "close": "closed", "shut": "closed"}


class Gardener(Scripted):
    """Answers the prompts of `gardening` by looking at the request."""

    def __init__(self) -> None:
        super().__init__(self._said, name="gardener")

    def _said(self, prompt: str) -> str:
        request, _, since = prompt.rsplit("Human: ", 1)[1].partition("\n")
        wishes = _wishes(request.lower())
        if "Goal state" not in since:
            return " Goal state is [" + ", ".join(f'"{goal}"' for goal in wishes) + "]."
        done = since.rsplit("You have completed", 1)[-1] if "You have completed" in since else ""
        left = [action for goal, action in wishes.items() if goal not in done]
        if not left:
            return " None."
        return f" {len(left)} to do.\nRobot action: {left[0]}" if prompt.endswith("Robot thought:") else f" {left[0]}"


def _wishes(request: str) -> dict[str, str]:
    """The conditions that should be true at the end, each with the step that makes it true."""
    wishes = {
        f"{plant.capitalize()} is watered.": f"Water the {plant}."
        for plant in re.findall(r"(?:water|and) the (?!window)(\w+)", request)
    }
    for verb in re.findall(r"(open|close|shut) the window", request):
        wishes[f"Window is {_WINDOW[verb]}."] = f"Set the window {_WINDOW[verb]}."
    return wishes


def open_gardener(settings: ModelSettings) -> Model:
    """Open the model; it needs no settings."""
    return Gardener()
