"""Guidelines as they are shown: a line for each task, quoted, the likeliest in full."""

from __future__ import annotations

from thinkaloud.guidelines import read_guidelines
from thinkaloud.guidelines.summary import tell_guidelines

TASKS = [f"Tea {number}" for number in range(10)]
TEXT = "\n".join(
    [
        f"Options: {', '.join([*TASKS, 'Mint lemonade'])}",
        "Instructions:",
        *(f"{task}\nMaterial: tea\nSteps:\n0) boil water\n1) brew it" for task in TASKS),
        "Mint lemonade\nMaterial: mint, lemon\nSteps:\n0) squeeze a lemon\n1) add mint",
        "Rules:",
        "* Nothing is served hot.",
        "Available material we have now: tea, mint, lemon",
    ]
)


def test_without_guidelines_nothing_is_said() -> None:
    assert tell_guidelines(None, "Tea!") == ()


def test_what_is_meant_is_told_in_full_and_the_rest_by_name() -> None:
    lines = tell_guidelines(read_guidelines(TEXT), "A lemonade with mint, please.")
    assert "Mint lemonade: mint, lemon" in lines
    assert sum(line.startswith("Tea") for line in lines) == 7
    assert any(line.startswith("Also: Tea 7") for line in lines)
    assert lines[-1] == "There is: tea, mint, lemon"
