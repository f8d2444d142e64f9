from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from thinkaloud.errors import BadSettings
from thinkaloud.models import ModelSettings
from thinkaloud.settings import Settings, load


class Place:
    """A working folder and a user's home, both empty."""

    def __init__(self, root: Path) -> None:
        self.folder = root / "project"
        self.folder.mkdir()
        self.file = self.folder / "thinkaloud.toml"
        self.user = root / "user"
        self.user_file = self.user / ".config" / "thinkaloud" / "thinkaloud.toml"
        self.user_file.parent.mkdir(parents=True)

    def load(self, flags: Mapping[str, Any] | None = None, **environ: str) -> Settings:
        return load(flags, environ={"HOME": str(self.user), **environ}, folder=self.folder)

    def problem(self, flags: Mapping[str, Any] | None = None, **environ: str) -> str:
        with pytest.raises(BadSettings) as caught:
            self.load(flags, **environ)
        assert "\n" not in str(caught.value)
        return str(caught.value)


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def test_everything_has_a_default(place: Place) -> None:
    assert place.load() == Settings(
        home=place.user / ".local/share/thinkaloud",
        model="embedded",
        preset="thinkaloud",
        world="tabletop",
        base_url="http://127.0.0.1:8080/v1",
        api_key="",
        timeout=60.0,
        retries=3,
        threads=0,
        context=0,
    )


def test_the_journal_is_in_the_home_folder(place: Place) -> None:
    assert place.load().journal == place.user / ".local/share/thinkaloud/journal.db"


def test_flags_over_environment_over_folder_over_user_over_defaults(place: Place) -> None:
    place.user_file.write_text('model = "user"\nworld = "user"\npreset = "user"\ntimeout = 1')
    assert place.load().model == "user"
    place.file.write_text('model = "folder"\nworld = "folder"\npreset = "folder"')
    assert place.load().model == "folder"
    settings = place.load({"model": "flag"}, THINKALOUD_MODEL="variable", THINKALOUD_WORLD="variable")
    assert (settings.model, settings.world, settings.preset) == ("flag", "variable", "folder")
    assert (settings.timeout, settings.retries) == (1.0, 3)


def test_flags_that_were_not_given_and_empty_variables_count_for_nothing(place: Place) -> None:
    place.file.write_text("retries = 5")
    assert place.load({"retries": None}, THINKALOUD_RETRIES="").retries == 5


def test_zero_is_a_value(place: Place) -> None:
    assert place.load({"retries": 0}).retries == 0
    assert place.load(THINKALOUD_RETRIES="0").retries == 0


def test_variables_are_read_as_numbers_where_numbers_are_meant(place: Place) -> None:
    settings = place.load(THINKALOUD_TIMEOUT="2.5", THINKALOUD_THREADS=" 8 ", THINKALOUD_MODEL="7")
    assert (settings.timeout, settings.threads, settings.model) == (2.5, 8, "7")


def test_other_variables_are_left_alone(place: Place) -> None:
    assert place.load(THINKALOUD_TEST_LOG="1") == place.load()


def test_the_key_is_never_shown(place: Place) -> None:
    settings = place.load(THINKALOUD_API_KEY="sk-secret")
    assert settings.api_key == "sk-secret"
    assert "secret" not in repr(settings)
    place.file.write_text('api_key = ["sk-secret"]')
    assert "secret" not in place.problem()


def test_a_key_does_not_go_to_an_address_that_the_folder_chose(place: Place) -> None:
    place.file.write_text('base_url = "https://elsewhere.example/v1"')
    assert place.load().base_url == "https://elsewhere.example/v1"
    problem = place.problem(THINKALOUD_API_KEY="sk-secret")
    assert str(place.file) in problem
    assert "THINKALOUD_BASE_URL" in problem
    assert "secret" not in problem
    assert str(place.file) in place.problem({"api_key": "sk-secret"})
    place.user_file.write_text('api_key = "sk-secret"')
    assert str(place.user_file) in place.problem()


def test_a_key_goes_to_an_address_that_its_owner_chose(place: Place) -> None:
    address = "https://api.example/v1"
    place.file.write_text(f'base_url = "{address}"')
    given = place.load(THINKALOUD_API_KEY="sk-secret", THINKALOUD_BASE_URL=address)
    assert (given.base_url, given.api_key) == (address, "sk-secret")
    assert place.load({"base_url": address}, THINKALOUD_API_KEY="sk-secret").base_url == address
    place.user_file.write_text(f'base_url = "{address}"')
    assert place.load(THINKALOUD_API_KEY="sk-secret").base_url == address
    place.user_file.unlink()
    place.file.write_text(f'base_url = "{address}"\napi_key = "sk-folder"')
    assert place.load().api_key == "sk-folder"


def test_a_key_of_the_folder_does_not_replace_the_one_that_was_given(place: Place) -> None:
    place.file.write_text('base_url = "https://elsewhere.example/v1"\napi_key = "sk-folder"')
    assert "base_url" in place.problem(THINKALOUD_API_KEY="sk-secret")


def test_settings_do_not_change(place: Place) -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        place.load().model = "other"  # type: ignore[misc]


# Where home is --------------------------------------------------------------------------------------------------------


def test_home_follows_the_xdg_standard(place: Place, tmp_path: Path) -> None:
    assert place.load(XDG_DATA_HOME=str(tmp_path)).home == tmp_path / "thinkaloud"
    assert place.load(XDG_DATA_HOME="not/absolute").home == place.user / ".local/share/thinkaloud"
    (tmp_path / "thinkaloud").mkdir()
    (tmp_path / "thinkaloud" / "thinkaloud.toml").write_text('model = "xdg"')
    assert place.load(XDG_CONFIG_HOME=str(tmp_path)).model == "xdg"


def test_home_may_be_set_everywhere(place: Place, tmp_path: Path) -> None:
    place.user_file.write_text('home = "~/robots"')
    assert place.load().home == place.user / "robots"
    place.file.write_text('home = "runs"')
    assert place.load().home == place.folder / "runs"
    assert place.load(THINKALOUD_HOME=str(tmp_path / "x")).home == tmp_path / "x"
    assert place.load({"home": tmp_path / "y"}, THINKALOUD_HOME=str(tmp_path)).home == tmp_path / "y"


# What cannot be used --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("modle = 'x'", "no setting 'modle'. Did you mean 'model'?"),
        ("[model]\nname = 'x'", "model in {file} has to be a name, not {{'name': 'x'}}"),
        ("model = 3", "model in {file} has to be a name, not 3"),
        ("model = ''", "model in {file} has to be a name"),
        ("timeout = 'soon'", "timeout in {file} has to be a number of seconds above 0"),
        ("timeout = '5'", "timeout in {file} has to be a number"),
        ("timeout = 0", "timeout in {file}"),
        ("timeout = inf", "timeout in {file}"),
        ("timeout = nan", "timeout in {file}"),
        ("retries = -1", "retries in {file} has to be a whole number, 0 or more, not -1"),
        ("retries = 1.5", "retries in {file}"),
        ("retries = true", "retries in {file}"),
        ("timeout = true", "timeout in {file}"),
        ("base_url = 'ftp://x'", "base_url in {file} has to be an address"),
        ("base_url = 'https://'", "base_url in {file} has to be an address"),
        ("home = 3", "home in {file} has to be a folder"),
        ("home = ''", "home in {file} has to be a folder"),
        ("model = 'a'\nmodel = 'b'", "{file} is not TOML: Cannot overwrite a value"),
        ("model = 'a'\npreset = \n", "{file} is not TOML: Invalid value (at line 2"),
    ],
)
def test_a_file_that_cannot_be_used_is_named(place: Place, text: str, expected: str) -> None:
    place.file.write_text(text)
    problem = place.problem()
    assert expected.format(file=place.file) in problem
    assert str(place.file) in problem


def test_the_users_file_is_checked_and_named_too(place: Place) -> None:
    place.user_file.write_text("retries = 'many'")
    assert str(place.user_file) in place.problem()


def test_a_file_that_is_not_text_is_named(place: Place) -> None:
    place.file.write_bytes(b"model = '\xff'")
    assert f"{place.file} is not a text file" in place.problem()


def test_a_folder_in_place_of_the_file_is_named(place: Place) -> None:
    place.file.mkdir()
    assert f"{place.file} cannot be read" in place.problem()


@pytest.mark.parametrize("value", ["soon", "-1", "0", "inf", "nan", "1e400", "true", "5s"])
def test_a_variable_that_cannot_be_used_is_named(place: Place, value: str) -> None:
    assert place.problem(THINKALOUD_TIMEOUT=value).startswith("THINKALOUD_TIMEOUT has to be a number of seconds")


@pytest.mark.parametrize("value", ["many", "-1", "1.5", "9" * 5000])
def test_a_variable_that_is_no_count_is_named(place: Place, value: str) -> None:
    assert place.problem(THINKALOUD_RETRIES=value).startswith("THINKALOUD_RETRIES has to be a whole number")


def test_a_flag_that_cannot_be_used_is_named(place: Place) -> None:
    assert place.problem({"base_url": "nowhere"}).startswith("--base-url has to be an address")
    assert "no setting 'speed'" in place.problem({"speed": 3})


def test_everything_that_is_set_about_a_model_reaches_it(tmp_path: Path) -> None:
    """But for what nobody sets; and both know the same defaults."""
    assert Settings(home=tmp_path).for_model() == ModelSettings(home=tmp_path)
    shared = {each.name for each in dataclasses.fields(ModelSettings)} - {"slots"}
    assert shared <= {each.name for each in dataclasses.fields(Settings)}
    set_here = Settings(
        tmp_path, base_url="http://robot.test", api_key="k", timeout=1.0, retries=7, threads=3, context=9
    )
    assert all(getattr(set_here.for_model(), name) == getattr(set_here, name) for name in shared)
    assert set_here.for_model(threads=1).threads == 1
