from __future__ import annotations

from pathlib import Path

import pytest

from thinkaloud.errors import BadInput
from thinkaloud.settings import load
from thinkaloud.untrusted.files import Malformed, expand, read_file, read_json, read_toml


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("9" * 5000, "more than 64 bits"),
        (str(2**63), "more than 64 bits"),
        ("NaN", "no number"),
        ("[" * 100_000, "nested too deeply"),
        ("[" * 500 + "]" * 500, "nested too deeply"),
        ('{"a":' * 100_000, "nested too deeply"),
        ('{"a"\n1}', "line 2"),
        ("", "Expecting value"),
    ],
)
def test_json_that_cannot_be_used_is_malformed(text: str, why: str) -> None:
    with pytest.raises(Malformed, match=why):
        read_json(text)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (f"a = {'9' * 5000}", "more than 64 bits"),
        (f"a = {2**63}", "more than 64 bits"),
        (f"a = {'[' * 100_000}", "nested too deeply"),
        (f"a = {'[' * 300}{']' * 300}", "nested too deeply"),
        ("a = \x1b[31m", "Invalid"),
    ],
)
def test_toml_that_cannot_be_used_is_malformed(text: str, why: str) -> None:
    with pytest.raises(Malformed, match=why):
        read_toml(text)


def test_keys_that_nest_as_deep_as_they_are_long_are_malformed() -> None:
    with pytest.raises(Malformed, match="nested too deeply"):
        read_toml(".".join("a" * 200) + " = 1")
    with pytest.raises(Malformed, match="nested too deeply"):
        read_toml("[" + " . ".join(["'a'"] * 60_000) + "]")
    assert read_toml(f"a = '{'.' * 500}{'x' * 100_000}'")


def test_a_file_without_an_end_and_a_path_that_cannot_be_are_refused() -> None:
    if Path("/dev/zero").exists():
        with pytest.raises(Malformed, match="larger than 16 MiB"):
            read_file(Path("/dev/zero"))
    with pytest.raises(Malformed, match="cannot be read"):
        read_file(Path("a\0b"))
    for path in ("a\0b", "x" * 5000):
        with pytest.raises(BadInput, match="cannot be the path of anything"):
            expand(path)
    assert expand("~nobody-of-this-name/x") == Path("~nobody-of-this-name/x")


@pytest.mark.parametrize(
    "text",
    [
        f"timeout = {'9' * 5000}",
        f"retries = {'9' * 400}",
        'home = "a\\u0000b"',
        f'home = "{"x" * 5000}"',
        'model = "gguf:a\\u0000b"',
        'world = "a\\u001b[31m"',
        'base_url = "http://a\\u0000b"',
        ".".join("a" * 2000) + " = 1",
        f'timeout = "{"x" * 5000}"',
    ],
    ids=lambda text: text[:20],
)
def test_settings_that_cannot_be_are_one_short_line(tmp_path: Path, text: str) -> None:
    (tmp_path / "thinkaloud.toml").write_text(text)
    with pytest.raises(BadInput) as caught:
        load(environ={"HOME": str(tmp_path)}, folder=tmp_path)
    said = str(caught.value)
    assert "\n" not in said and len(said) < 400


def test_a_password_in_the_settings_is_not_shown(tmp_path: Path) -> None:
    (tmp_path / "thinkaloud.toml").write_text('base_url = "http://me:pass-word@robot.test/v1"')
    with pytest.raises(BadInput, match=r"base_url to http://robot\.test/v1, but") as caught:
        load(environ={"HOME": str(tmp_path), "THINKALOUD_API_KEY": "sk-mine"}, folder=tmp_path)
    assert "pass-word" not in str(caught.value)
    with pytest.raises(BadInput) as caught:
        load(environ={"HOME": str(tmp_path), "THINKALOUD_BASE_URL": "ftp://me:pass-word@robot.test"}, folder=tmp_path)
    assert "pass-word" not in str(caught.value)
