"""Settings: flags over environment (`THINKALOUD_*`) over `thinkaloud.toml` over defaults.

Two files are read if they exist: `thinkaloud.toml` in the working folder, and the user's own in
`~/.config/thinkaloud/`. The first one takes precedence. Each key is the name of a field below.

    # thinkaloud.toml
    model = "openai:gpt-4o"
    base_url = "https://api.openai.com/v1"
    timeout = 30

An API key or a trace is never sent to an address that only the working folder's file sets: people who download a folder
have not read its settings.

Not covered: whether the world, preset or model exists. That is checked when it is opened.
"""

from __future__ import annotations

import os
import typing
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from msgspec import Meta

from thinkaloud.errors import BadInput, BadSettings
from thinkaloud.language.name_matching import find_nearest
from thinkaloud.untrusted.files import FileMissing, Malformed, expand, read_file, read_toml
from thinkaloud.untrusted.secrets import hide_credentials

if TYPE_CHECKING:
    from thinkaloud.models.settings import ModelSettings

_Name = Annotated[str, Meta(pattern=r"^[^\x00-\x1f\x7f]+\Z", description="a name")]
_Url = Annotated[
    str,
    Meta(
        pattern=r"^https?://[^\s/\x00-\x1f\x7f]+[^\s\x00-\x1f\x7f]*\Z",
        description="an address such as http://127.0.0.1:8080/v1",
    ),
]
_UrlOrNone = Annotated[
    str,
    Meta(
        pattern=r"^(https?://[^\s/\x00-\x1f\x7f]+[^\s\x00-\x1f\x7f]*)?\Z",
        description="an address such as http://127.0.0.1:8766",
    ),
]
_Collector = Annotated[
    str,
    Meta(
        pattern=r"^(https?://[^\s/\x00-\x1f\x7f]+[^\s\x00-\x1f\x7f]*)?\Z",
        description="the address of a collector such as http://127.0.0.1:4318",
    ),
]
_Viewer = Annotated[
    str,
    Meta(
        pattern=r"^(https?://[^\s/\x00-\x1f\x7f]+[^\s\x00-\x1f\x7f]*\{trace\}[^\s\x00-\x1f\x7f]*)?\Z",
        description="the address of a trace, such as http://127.0.0.1:16686/trace/{trace}",
    ),
]
_Seconds = Annotated[float, Meta(gt=0, le=86400, description="a number of seconds above 0, at most 86400")]
_SecondsOrNone = Annotated[float, Meta(ge=0, le=86400, description="a number of seconds, 0 to 86400")]
_Price = Annotated[float, Meta(ge=0, le=1e9, description="an amount of money, 0 or more")]
_Count = Annotated[int, Meta(ge=0, le=2**31 - 1, description="a whole number, 0 or more")]
_Flag = Annotated[bool, Meta(description="true or false")]
_Text = Annotated[str, Meta(description="text in quotes")]


@dataclass(frozen=True, slots=True)
class Settings:
    """What a run uses, and where it is recorded."""

    home: Path
    """Where the journal and downloaded models live."""
    model: _Name = "embedded"
    preset: _Name = "thinkaloud"
    world: _Name = "tabletop"
    model_url: _UrlOrNone = ""
    """Where `thinkaloud models serve` runs; models that would run in this process are asked there instead."""
    base_url: _Url = "http://127.0.0.1:8080/v1"
    api_key: _Text = field(default="", repr=False)
    timeout: _Seconds = 60.0
    """Seconds a server may be silent."""
    answer_timeout: _SecondsOrNone = 0.0
    """Seconds a whole model call may take, retries included; 0 means ten times `timeout`."""
    retries: _Count = 3
    threads: _Count = 0
    """0 means automatic."""
    context: _Count = 0
    """0 means automatic."""
    fluent: _Flag = False
    """Whether a file or a served model was trained to write meanings."""
    trained: _Flag = False
    """Whether it was trained on the formats of the papers' presets."""
    judge: _Flag = False
    """Whether a judge of readings is served beside a model, under its name with `:judge` behind it."""
    record: _Text = ""
    """A file that every answer of the model is appended to; the model `replay:FILE` answers from it."""
    reading_cache: _Count = 1000
    """Megabytes of what local models have read that stay on disk for later processes; 0 keeps nothing."""
    price_read: _Price = 0.0
    """What a million tokens cost that a served model reads, in whatever currency."""
    price_cached: _Price = 0.0
    """The same for tokens that it takes from its cache."""
    price_written: _Price = 0.0
    """The same for tokens that it writes."""
    request_tokens: _Count = 0
    """The most tokens that the models may read and write for one request; 0 means any number."""
    request_money: _Price = 0.0
    """The most money that they may cost for one request; 0 means any amount."""
    request_seconds: _SecondsOrNone = 0.0
    """The most seconds that they may think for one request; 0 means any time."""
    traces: _Collector = ""
    """Where OpenTelemetry traces are sent (OTLP over HTTP); empty sends none."""
    traces_content: _Flag = False
    """Whether they hold what people, models and skills said."""
    trace_viewer: _Viewer = ""
    """Where a trace can be looked at, with `{trace}` for its identifier; the page then links to the traces."""
    page_url: _UrlOrNone = ""
    """Where the page can be opened; traces then link to it."""

    @property
    def journal(self) -> Path:
        """The file that holds every session."""
        return self.home / "journal.db"

    def for_model(self, **changes: Any) -> ModelSettings:
        """The settings that concern a model, with some changed."""
        from thinkaloud.models.settings import ModelSettings

        shared = {each.name: getattr(self, each.name) for each in fields(ModelSettings) if hasattr(self, each.name)}
        return ModelSettings(**shared | changes)


_LONGEST_SHOWN = 80
_TYPES = typing.get_type_hints(Settings, include_extras=True)
_NAMES = tuple(setting.name for setting in fields(Settings))


def load(
    flags: Mapping[str, Any] | None = None,
    *,
    environ: Mapping[str, str] | None = None,
    folder: Path | None = None,
) -> Settings:
    """The settings for a run started in this folder. A flag that is None and an empty variable count as not given."""
    environ = os.environ if environ is None else environ
    folder = Path.cwd() if folder is None else folder
    user = _xdg(environ, "XDG_CONFIG_HOME", ".config") / "thinkaloud.toml"
    here = folder / "thinkaloud.toml"
    own: dict[str, Any] = {"home": _xdg(environ, "XDG_DATA_HOME", ".local/share")} | _from_file(user, environ)
    found = _from_file(here, environ)
    said = _from_environment(environ, folder) | _from_flags(flags or {}, environ, folder)
    settings = Settings(**own | found | said)
    trusted = Settings(**own | said)
    for name in ("base_url", "model_url") if settings.api_key and settings.api_key == trusted.api_key else ():
        if (chosen := getattr(settings, name)) != getattr(trusted, name):
            raise BadSettings(
                f"{here} sets {name} to {hide_credentials(chosen)}, but your key is not from that file: "
                f"to send it there, set THINKALOUD_{name.upper()}, or {name} in {user}."
            )
    if settings.api_key and settings.api_key == trusted.api_key and settings.base_url != trusted.base_url:
        raise BadSettings(
            f"{here} sets base_url to {hide_credentials(settings.base_url)}, but your key is not from that file: "
            f"to send it there, set THINKALOUD_BASE_URL, or base_url in {user}."
        )
    if settings.traces and settings.traces != trusted.traces:
        raise BadSettings(
            f"{here} sets traces to {hide_credentials(settings.traces)}, which would tell another machine what your "
            f"robot does. To send traces there, set THINKALOUD_TRACES, or traces in {user}."
        )
    return settings


def sources() -> dict[str, str]:
    """Where each non-default setting comes from: a file, or the name of a variable."""
    environ, folder = os.environ, Path.cwd()
    files = (_xdg(environ, "XDG_CONFIG_HOME", ".config") / "thinkaloud.toml", folder / "thinkaloud.toml")
    said = {name: str(path) for path in files for name in _from_file(path, environ)}
    return said | {name: f"THINKALOUD_{name.upper()}" for name in _from_environment(environ, folder)}


def _from_flags(flags: Mapping[str, Any], environ: Mapping[str, str], folder: Path) -> dict[str, Any]:
    given = {name: value for name, value in flags.items() if value is not None}
    for name in given:
        _known(name, "a flag")
    return {name: _read(name, value, f"--{name.replace('_', '-')}", environ, folder) for name, value in given.items()}


def _from_environment(environ: Mapping[str, str], folder: Path) -> dict[str, Any]:
    variables = {name: f"THINKALOUD_{name.upper()}" for name in _NAMES}
    given = {name: variable for name, variable in variables.items() if environ.get(variable, "").strip()}
    return {
        name: _read(name, environ[variable].strip(), variable, environ, folder, strict=False)
        for name, variable in given.items()
    }


def _from_file(path: Path, environ: Mapping[str, str]) -> dict[str, Any]:
    try:
        text = read_file(path)
    except FileMissing:
        return {}
    except Malformed as error:
        raise BadSettings(f"{path} {error}.") from error
    try:
        data = read_toml(text)
    except Malformed as error:
        where = f" (at line {error.line})" if error.line else ""
        raise BadSettings(f"{path} is not TOML: {error}{where}.") from error
    for name in data:
        _known(name, str(path))
    return {name: _read(name, value, f"{name} in {path}", environ, path.parent) for name, value in data.items()}


def _known(name: str, source: str) -> None:
    if name not in _NAMES:
        near = find_nearest(name, _NAMES)
        hint = f" Did you mean {near!r}?" if near else ""
        raise BadSettings(f"{source} has no setting {name!r}.{hint} Settings: {', '.join(sorted(_NAMES))}.")


def _read(name: str, value: Any, source: str, environ: Mapping[str, str], folder: Path, *, strict: bool = True) -> Any:
    """Check a value. If not strict, numbers are read from text."""
    if name == "home":
        return _folder(value, source, environ, folder)
    kind = _TYPES[name]
    try:
        return msgspec.convert(value, kind, strict=strict)
    except (msgspec.ValidationError, ValueError):  # ValueError: thousands of digits
        shown = "" if name == "api_key" else f", not {_shown(value)}"
        raise BadSettings(f"{source} has to be {kind.__metadata__[0].description}{shown}.") from None


def _folder(value: Any, source: str, environ: Mapping[str, str], folder: Path) -> Path:
    if not isinstance(value, str | Path) or not str(value):
        raise BadSettings(f"{source} has to be a folder, not {_shown(value)}.")
    first, *rest = Path(value).parts or (".",)
    try:
        return expand(_user(environ).joinpath(*rest) if first == "~" else folder / value)
    except BadInput as error:
        raise BadSettings(f"{source} has to be a folder: {error}") from None


def _shown(value: Any) -> str:
    """A value for a message, shortened, without passwords in addresses."""
    text = repr(hide_credentials(value) if isinstance(value, str) else value)
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}…"


def _xdg(environ: Mapping[str, str], variable: str, fallback: str) -> Path:
    given = Path(environ.get(variable, ""))
    # The XDG standard says to ignore relative paths.
    return (given if given.is_absolute() else _user(environ) / fallback) / "thinkaloud"


def _user(environ: Mapping[str, str]) -> Path:
    home = environ.get("HOME")
    return Path(home) if home else Path.home()
