"""Errors of the command line, as the page tells them."""

from __future__ import annotations

from pathlib import Path

import pytest

from thinkaloud.errors import BadInput
from thinkaloud.presets import PRESETS
from thinkaloud.robots import open_world
from thinkaloud.web import page
from thinkaloud.web.page_words import on_page


@pytest.mark.parametrize(
    ("told", "shown"),
    [
        (
            "warehouse has no senses to disturb; leave --disturb out.",
            "warehouse has no senses to disturb; leave “Noise” out.",
        ),
        (
            "give --guidelines FILE, or choose another --world (drinks).",
            "give “Guidelines”, or choose another “World” (drinks).",
        ),
        ("Use --model gguf:PATH, or --confirm never.", "Use “Model” gguf:PATH, or “Asks before it acts” never."),
        ("It refused the key (401). Check THINKALOUD_API_KEY.", "It refused the key (401). Check the key."),
        ("The form is not theirs. Check base_url.", "The form is not theirs. Check the address."),
        ("Say --worldly or --port.", "Say --worldly or --port."),
    ],
)
def test_an_error_names_the_fields_of_the_page(told: str, shown: str) -> None:
    assert on_page(told) == shown


def test_a_worlds_own_error_names_no_flag() -> None:
    with pytest.raises(BadInput) as error:
        open_world("kitchen", disturbance="paper", eyes="moon")
    assert "--" not in on_page(str(error.value))


def test_every_option_that_takes_nothing_away_has_words() -> None:
    """A new one would stand among those for researchers, with a name that only code uses."""
    text = (Path(page.__file__).parent / "parts" / "options.js").read_text()
    named = {name for preset in PRESETS.available().values() for name in preset.options}
    assert not [name for name in named - {"confirm"} if f"  {name}: " not in text]
