from __future__ import annotations

import base64
import json
import urllib.parse
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thinkaloud.untrusted.secrets import Secrets, hide_credentials

KEY = "sk-proj-Zq9Xw7Lm3Vt5Rb1Yc8Nd2Kf6Hs4Jg0"
SECRETS = Secrets([KEY])
WORDS = st.text("aeiu ,.\n", max_size=30)
"""Without a letter that may go on with a part of the key."""


def shared(text: str, least: int) -> bool:
    """Whether so many letters and digits of the key stand in a row in a text."""
    flat, key = ("".join(filter(str.isalnum, each)).lower() for each in (text, KEY))
    return any(key[at : at + least] in flat for at in range(len(key) - least + 1))


@given(WORDS, st.integers(0, 30), st.integers(6, 40), WORDS)
def test_any_part_of_a_key_is_hidden_in_a_message_and_nothing_else(a: str, at: int, size: int, b: str) -> None:
    part = KEY[at : at + size]
    cleaned = SECRETS.clean(f"{a}|{part}|{b}")
    assert not shared(cleaned, 6)
    if len("".join(filter(str.isalnum, part))) >= 6:
        assert cleaned.startswith(f"{a}|") and cleaned.endswith(f"|{b}") and "…" in cleaned


@pytest.mark.parametrize(
    "encode",
    [
        str.upper,
        lambda key: key[::-1],
        lambda key: " ".join(key),
        lambda key: "\u200b".join(key),
        lambda key: f"{key[:20]}'\n + '{key[20:]}",
        lambda key: key.encode().hex(),
        lambda key: "".join(f"%{byte:02X}" for byte in key.encode()),
        lambda key: "".join(f"\\x{byte:02x}" for byte in key.encode()),
        lambda key: "".join(f"&#{byte};" for byte in key.encode()),
        lambda key: "".join(f"&#x{byte:x};" for byte in key.encode()),
        lambda key: json.dumps("".join(chr(0xE000 + ord(letter)) for letter in key)).replace("\\ue0", "\\u00"),
        lambda key: urllib.parse.quote(key.replace("-", "/"), safe="").replace("%2F", "%2D"),
        lambda key: base64.b64encode(key.encode()).decode(),
        lambda key: base64.urlsafe_b64encode(f"Bearer {key}".encode()).decode(),
        lambda key: base64.b64encode(f"x:{key}".encode()).decode()[3:-5],
    ],
)
def test_a_key_is_hidden_in_any_form(encode: Callable[[str], str]) -> None:
    written = encode(KEY)
    cleaned = SECRETS.clean(f"You sent {written}, which is wrong.")
    assert len(cleaned) < len("You sent , which is wrong.") + 16, cleaned
    assert SECRETS.clean_answer(f"So {written}.") != f"So {written}."


@given(WORDS, st.lists(st.integers(1, 7), min_size=1), WORDS, st.booleans())
def test_a_key_that_comes_in_pieces_is_hidden_and_all_the_rest_comes(
    a: str, sizes: list[int], b: str, leaks: bool
) -> None:
    text = f"{a}|{KEY}|{b}" if leaks else f"{a}||{b}"
    stream, shown, at = SECRETS.stream(), "", 0
    while at < len(text):
        size = sizes[at % len(sizes)]
        shown += stream.feed(text[at : at + size])
        at += size
        assert not shared(shown, 12)
    shown += stream.end()
    assert shown == (f"{a}|…|{b}" if leaks else text)


def test_an_answer_without_a_secret_comes_as_it_is_and_a_placeholder_is_no_secret() -> None:
    plain = "Put the none block on the test bowl; my server is in the kitchen."
    for key in ("", "none", "test", "-", "my-server-key-one"):
        assert Secrets([key]).clean_answer(plain) == plain
    assert Secrets(["none"]).clean("bad key none, nonesuch") == "bad key …, nonesuch"


def test_an_address_is_shown_without_what_is_secret_in_it() -> None:
    assert hide_credentials("https://me:pa/ss@robot.test/v1?key=abc#x") == "https://robot.test/v1"
    assert hide_credentials("http://127.0.0.1:8080/v1") == "http://127.0.0.1:8080/v1"
