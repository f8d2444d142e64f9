"""The short campaign: a few attempts of every family, in seconds; and that what fails is found, counted and kept."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict, replace
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from campaign.children import Child, Ended
from campaign.contract import KINDS, Attempt, FamilyKind, Finding, NotHere, NotTried, Stage
from campaign.families import FAMILIES
from campaign.families.soak import Soak
from campaign.judging import SECRET, judge_command
from campaign.killing import compare
from campaign.report import render_table
from campaign.running import Tally, Wanted, keep, read_kept, run_campaign, run_family
from campaign.sessions import CASES
from sampling import how_many
from thinkaloud.presets import PRESETS
from thinkaloud.worlds import WORLDS

pytestmark = pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
ROOT = Path(__file__).parents[2]
SHORT = ("words", "escapes", "files", "answers", "names", "journals", "stops", "kills")


def campaign(*arguments: str) -> subprocess.CompletedProcess[str]:
    around = os.environ | {"PYTHONPATH": os.pathsep.join((str(ROOT / "src"), str(ROOT)))}
    command = [sys.executable, "-m", "campaign", *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=around, cwd=ROOT, timeout=300)


@pytest.fixture(scope="module")
def short(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """A campaign of an attempt of every family, or of two."""
    out = tmp_path_factory.mktemp("campaign")
    done = campaign(
        "--most", str(how_many(1, of=2)), "--minutes", "60", "--families", ",".join(SHORT), "--out", str(out)
    )
    assert done.returncode in (0, 1), done.stderr
    found: dict[str, Any] = json.loads((out / "campaign.json").read_text())
    assert done.stdout.startswith((out / "table.md").read_text().rstrip())
    return found | {"by name": {each["family"]: each for each in found["families"]}, "out": out}


@pytest.mark.parametrize("name", SHORT)
def test_nothing_is_found_in_a_short_campaign(name: str, short: dict[str, Any]) -> None:
    assert short["by name"][name]["attempts"] == how_many(1, of=2)
    assert short["by name"][name]["kept"] == []


def test_what_is_found_is_kept_and_can_be_tried_again(short: dict[str, Any]) -> None:
    for kept in (kept for family in short["families"] for kept in family["kept"][:1]):
        path = Path(kept["replay"].rpartition(" ")[2])
        assert read_kept(path).name == kept["name"]


def test_a_soak_of_one_round_says_what_was_in_use(tmp_path: Path) -> None:
    """In a process that holds nothing else: what it uses is what the sessions use."""
    attempt = Attempt("soak", "2 sessions", {"seconds": 0.0, "sessions": 2})
    keep(tmp_path / "attempt.json", attempt, Finding("memory", ""))
    done = campaign("replay", str(tmp_path / "attempt.json"))
    assert (done.returncode, done.stdout.splitlines()[0]) == (0, "soak: 2 sessions: all is well"), done.stderr
    figures = dict(re.findall(r"(runs|MiB) (\d+)", done.stdout))
    assert figures["runs"] == "2" and 20 < int(figures["MiB"]) < 500


@pytest.mark.parametrize("wire", ["usage of words", "details as number"])
def test_a_word_beside_odd_counts_of_tokens_is_no_answer(wire: str, tmp_path: Path) -> None:
    data = {"preset": "inner_monologue", "wire": wire}
    keep(tmp_path / "attempt.json", Attempt("answers", wire, data), Finding("silent", ""))
    done = campaign("replay", str(tmp_path / "attempt.json"))
    assert (done.returncode, done.stdout.splitlines()[0]) == (0, f"answers: {wire}: all is well"), done.stderr


# The attempts ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", list(FAMILIES))
def test_the_same_seed_gives_the_same_attempts_and_each_can_be_written_down(name: str, tmp_path: Path) -> None:
    def drawn(seed: int) -> list[Attempt]:
        return list(islice(FAMILIES[name].open(Stage(tmp_path, 1.0)).attempts(seed), 400))

    first, again, other = drawn(1), drawn(1), drawn(2)
    assert first == again
    assert name == "soak" or first != other
    assert all(json.loads(json.dumps(asdict(each)))["family"] == name for each in other)
    assert str(ROOT) not in json.dumps([asdict(each) for each in first]), "it is to be tried elsewhere, too"


def test_a_child_that_is_killed_before_it_does_anything_has_said_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Child, "_live", lambda *_: signal.pause())
    (tmp_path / ".out").write_text("what another one said")
    child = Child(lambda: 0, tmp_path)
    child.kill()
    ended = child.wait()
    assert (ended.signal, ended.out, ended.err) == (signal.SIGKILL, "", "")


def test_hostile_words_are_for_the_presets_that_were_said(tmp_path: Path) -> None:
    def read(presets: tuple[str, ...]) -> set[str]:
        found = FAMILIES["words"].open(Stage(tmp_path, 1.0, presets=presets)).attempts(1)
        return {each.data["preset"] for each in islice(found, 100)}

    assert read(("thinkaloud",)) == {"thinkaloud"}
    assert {*PRESETS} <= read(())


def test_every_world_that_moves_by_itself_and_every_preset_is_killed() -> None:
    assert {case.world for case in CASES} == {*WORLDS} - {"by_hand"}
    assert {case.preset.partition(":")[0] for case in CASES} == {*PRESETS}


# What is found --------------------------------------------------------------------------------------------------------

GOOD = Ended(0, None, False, "done\n", "", 1.0, 100 * 2**20)


@pytest.mark.parametrize(
    ("kind", "ended"),
    [
        ("hang", replace(GOOD, status=None, signal=9, timed_out=True)),
        ("crash", replace(GOOD, status=None, signal=6)),
        ("crash", replace(GOOD, status=1, err="Traceback (most recent call last)\n  …\nValueError: no\n")),
        ("memory", replace(GOOD, peak=2**31)),
        ("secret", replace(GOOD, out=f"the key {SECRET[8:15]} is wrong\n")),
        ("terminal", replace(GOOD, out="a \x1b[2J block\n")),
        ("terminal", replace(GOOD, err="a \u202e block\n")),
        ("unclear", replace(GOOD, status=2, err="thinkaloud: this\nand that\n")),
        ("unclear", replace(GOOD, status=2)),
        ("unclear", replace(GOOD, status=7)),
        ("unclear", replace(GOOD, out="x" * 5000)),
        ("unclear", replace(GOOD, out='{"a": 1}\n' * 200_000)),
    ],
)
def test_what_a_command_must_not_do_is_found(kind: str, ended: Ended) -> None:
    assert judge_command(GOOD) is None
    finding = judge_command(ended)
    assert finding is not None and finding.kind == kind


def events(*told: str) -> list[dict[str, Any]]:
    """Events in short: `started a`, `ok a`, `resumed`, `end goal met`."""
    found = []
    for words in told:
        kind, _, rest = words.partition(" ")
        step = {"step": {"words": rest}}
        found.append(
            {"kind": "end", "result": rest, "because": ""}
            if kind == "end"
            else {"kind": {"ok": "verdict"}.get(kind, kind), "ok": True, **step}
        )
    return found


WHOLE = events("started a", "ok a", "started b", "ok b", "end goal met")


@pytest.mark.parametrize(
    ("kind", "after"),
    [
        (None, ["started a", "ok a", "resumed", "started b", "ok b", "end goal met"]),
        (None, ["started a", "ok a", "started b", "resumed", "ok b", "end goal met"]),
        (None, ["started a", "ok a", "started b", "resumed", "started b", "ok b", "end goal met"]),
        ("steps", ["started a", "ok a", "resumed", "started a", "started b", "ok b", "end goal met"]),
        ("steps", ["started a", "ok a", "resumed", "end goal met"]),
        ("silent", ["started a", "ok a", "started b", "resumed", "ok b", "end unconfirmed"]),
        ("silent", ["started a", "ok a", "resumed", "started b", "ok b"]),
    ],
)
def test_what_a_kill_must_not_change_is_found(kind: str | None, after: list[str]) -> None:
    finding = compare(WHOLE, events(*after))
    assert (finding and finding.kind) == kind


def test_growth_is_found_and_noise_is_not(tmp_path: Path) -> None:
    def rounds(more: int) -> list[dict[str, float]]:
        steady = {"files": 9, "threads": 1, "met": 20, "runs": 20}
        return [{"memory": 2e8 + 1e6 * (at % 3) + more * at, **steady} for at in range(16)]

    soak = Soak(Stage(tmp_path, 1.0))
    assert soak._judge(rounds(0)) is None
    finding = soak._judge(rounds(2 * 2**20))
    assert finding is not None and finding.kind == "memory"


# Running --------------------------------------------------------------------------------------------------------------


class Sums:
    """A family in which every third attempt fails, and every fifth cannot be tried."""

    def attempts(self, seed: int) -> Iterator[Attempt]:
        for number in range(seed, seed + 30):
            yield Attempt("sums", f"number {number}", {"number": number})

    def try_one(self, attempt: Attempt) -> Finding | None:
        number = attempt.data["number"]
        if number % 5 == 0:
            raise NotTried("five")
        if number == 7:
            raise ZeroDivisionError("seven")
        return Finding("late", "three") if number % 3 == 0 else None


SUMS = FamilyKind("sums", "", lambda stage: Sums())


def test_failures_are_counted_by_kind_and_kept_and_the_rest_goes_on(tmp_path: Path) -> None:
    tally = run_family(SUMS, Stage(tmp_path / "work", 1e9), Wanted(1, 1e9, tmp_path), lambda text: None)
    assert (tally.attempts, tally.passed_over, tally.failures) == (24, 6, {"late": 8, "crash": 1})
    assert len(list((tmp_path / "failures").iterdir())) == 9
    assert read_kept(tmp_path / "failures" / "sums-late-1.json") == Attempt("sums", "number 3", {"number": 3})


def test_a_family_that_this_machine_cannot_try_is_left_out(tmp_path: Path) -> None:
    class Elsewhere(Sums):
        def try_one(self, attempt: Attempt) -> Finding | None:
            raise NotHere("there is no browser here")

    told: list[str] = []
    kind = FamilyKind("elsewhere", "", lambda stage: Elsewhere())
    tally = run_family(kind, Stage(tmp_path / "work", 1e9), Wanted(1, 1e9, tmp_path), told.append)
    assert (tally.attempts, told[-1]) == (0, "elsewhere: there is no browser here")


def test_every_family_has_a_turn_also_where_there_is_no_time(tmp_path: Path) -> None:
    kinds = [SUMS, replace(SUMS, name="again")]
    tallies = run_campaign(kinds, Wanted(1, 0.0, tmp_path), tmp_path / "work", lambda text: None)
    assert [tally.attempts for tally in tallies] == [1, 1]


def test_the_table_has_a_line_for_each_family_and_one_for_all() -> None:
    tallies = [Tally("kills", 9, 1, failures={"steps": 2}), Tally("stops", 5, figures={"median ticks": 1.0})]
    lines = render_table(tallies).splitlines()
    assert lines[2:] == [
        "| kills | 9 | 2 | steps 2 |  |",
        "| stops | 5 | 0 | – | median ticks 1 |",
        "| all | 14 | 2 | steps 2 |  |",
    ]
    assert "steps" in KINDS


def test_the_tables_in_the_security_page_are_those_that_were_measured() -> None:
    page = (ROOT / "SECURITY.md").read_text()
    for path in sorted((ROOT / "bench" / "campaign").glob("*.json")):
        content = json.loads(path.read_text())
        measured = _summed(content) if isinstance(content, list) else [Tally(**each) for each in content["families"]]
        assert render_table(measured) in page, path.name


def _summed(runs: list[dict[str, Any]]) -> list[Tally]:
    """Several runs as one: what was tried of each family, and what failed."""
    found: dict[str, Tally] = {}
    for each in (family for run in runs for family in run["families"]):
        tally = found.setdefault(each["family"], Tally(each["family"]))
        tally.attempts += each["attempts"]
        for kind, number in each["failures"].items():
            tally.failures[kind] = tally.failures.get(kind, 0) + number
    return [*found.values()]
