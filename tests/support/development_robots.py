"""The robots in files with which the language was developed: what was said to them, and what it means."""

from __future__ import annotations

import tomllib
from pathlib import Path

from thinkaloud.language.words import plural
from thinkaloud.program.lexicon import Lexicon, identifier
from thinkaloud.skills.signatures import Parameter, Signature

DEVELOPMENT = sorted((Path(__file__).parent.parent / "data" / "development").glob("*.toml"))


def lexicon_in(path: Path) -> Lexicon:
    """The lexicon of a robot in a text file."""
    data = tomllib.loads(path.read_text())
    kinds = {identifier(plural(kind)): tuple(names) for kind, names in data["kinds"].items()}
    if path.stem == "laundry":
        kinds["shirts"] = ("red shirt", "white shirt")

    def signatures(part: str) -> dict[str, Signature]:
        return {
            name: Signature(
                name, each["doc"], tuple(Parameter(p, str, p) for p in each.get("parameters", ())), each["says"]
            )
            for name, each in data.get(part, {}).items()
        }

    return Lexicon("", "", kinds, signatures("skills"), signatures("relations"), signatures("values"))
