"""Parts of a run for many machines: `bench NAME --shard 3/64 --out DIR` plays one, `bench merge DIR` joins them.

Every shard takes each 64th episode, so that long and short ones are spread evenly. A shard keeps its episodes in a
folder of its own in DIR, with all that decides what they are: benchmark, columns, model, seed, settings, the file of
episodes, and digests of the program and of all weights. Merging refuses shards that differ in any of these, shards that
are missing or incomplete, and episodes that are missing or there twice. The merged files depend on the episodes alone,
not on how many shards played them.

Not covered: a local model's prefix cache can tip a near tie between two tokens, and differs from shard to shard, as it
does with `--jobs`. The seconds are those measured.
"""

from __future__ import annotations

import hashlib
import importlib.util
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import msgspec

from thinkaloud.errors import BadInput
from thinkaloud.models import ModelSettings
from thinkaloud.models.weight_digest import digest_model
from thinkaloud_bench.benches import BENCHES
from thinkaloud_bench.contract import Bench, Item, Played
from thinkaloud_bench.episode_log import LogHeading, Shard, read_log, write_log

_PACKAGES = ("thinkaloud", "thinkaloud_bench", "thinkaloud_worlds")
_CODE = (".py", ".toml", ".txt", ".json", ".onnx", ".npz")
"""What of a package counts as the program, with the learned parts in it; a model's weights have their own digest."""
_FOLDERS = "shard-*-of-*"


def read_shard(text: str) -> tuple[int, int]:
    """Read `3/64`; BadInput if that is no shard."""
    number, _, count = text.partition("/")
    if not (number.isdecimal() and count.isdecimal() and 1 <= int(number) <= int(count) <= 99_999):
        raise BadInput(f"--shard has to be a number and a count, such as 3/64, not {text[:40]!r}.")
    return int(number), int(count)


def shard_of(items: Sequence[Item], shard: tuple[int, int], model: str, settings: ModelSettings) -> Shard:
    """Return the description of a shard of these episodes."""
    number, count = shard
    presets = tuple(dict.fromkeys(item.preset for item in items))
    return Shard(number, count, len(items), presets, digest_code(), digest_model(model, settings))


def items_in(items: Sequence[Item], shard: Shard) -> list[Item]:
    """Return the episodes of a shard."""
    return list(items[shard.number - 1 :: shard.count])


def shard_folder(out: Path, shard: Shard) -> Path:
    """Return where a shard keeps its episodes."""
    return out / f"shard-{shard.number:05}-of-{shard.count:05}"


@cache
def digest_code() -> str:
    """The SHA-256 of the program's own files."""
    digest = hashlib.sha256()
    for package in _PACKAGES:
        spec = importlib.util.find_spec(package)
        folder = Path(spec.origin).parent if spec is not None and spec.origin else None
        files = [] if folder is None else [path for path in folder.rglob("*") if path.suffix in _CODE]
        for path in sorted(files):
            digest.update(f"{package} {path.relative_to(folder or path)} ".encode() + path.read_bytes())
    return digest.hexdigest()


def read_shards(out: Path, bench: Bench | None = None) -> tuple[Bench, LogHeading, list[Played]]:
    """Return what all shards in a folder have played, in the order of the whole run; BadInput unless they are whole.

    Give the benchmark if it is one of your own.
    """
    found: dict[int, tuple[LogHeading, list[Played]]] = {}
    for folder in sorted(out.glob(_FOLDERS)):
        try:
            heading, played = read_log(folder)
        except (OSError, ValueError, msgspec.MsgspecError) as error:
            raise BadInput(f"{folder} is not a shard of a benchmark ({error}).") from None
        if heading.shard is None or heading.shard.number in found:
            raise BadInput(f"{folder} holds a shard that is there twice, or none.")
        found[heading.shard.number] = heading, played
    if not found:
        raise BadInput(f"There are no shards in {out}. Play them with: thinkaloud bench NAME --shard 1/2 --out {out}")
    (first, _), *others = found.values()
    for heading, _ in others:
        _require_same(first, heading)
    assert first.shard is not None
    _require_all([*found], first.shard.count)
    bench = bench or BENCHES.find(first.bench)
    everything = in_order(bench, first.shard.presets, [each for _, played in found.values() for each in played])
    for number, (_, played) in found.items():
        _require_finished(number, first.shard, played)
    for number, (_, played) in found.items():
        _require_own(number, first.shard, played, everything)
    return bench, msgspec.structs.replace(first, shard=None), everything


def in_order(bench: Bench, presets: Sequence[str], played: Sequence[Played]) -> list[Played]:
    """Return episodes in the order of a whole run: by preset, task and number."""
    columns, tasks = list(presets), list(bench.tasks)
    return sorted(played, key=lambda each: (columns.index(each.preset), tasks.index(each.task), each.index))


def write_merged(out: Path, heading: LogHeading, played: Sequence[Played]) -> None:
    """Write the log of the whole run beside the shards; BadInput if another run is there."""
    if (out / "episodes.jsonl").exists() and read_log(out)[0] != heading:
        raise BadInput(f"{out}/episodes.jsonl is from another run and would be overwritten; choose another folder.")
    write_log(out, heading, played)


def _require_same(first: LogHeading, other: LogHeading) -> None:
    assert first.shard is not None and other.shard is not None
    named = [*_differing(first, other, ("shard",)), *_differing(first.shard, other.shard, ("number",))]
    if named:
        one, two = (f"{each.shard.number}/{each.shard.count}" for each in (first, other) if each.shard is not None)
        raise BadInput(f"Shards {one} and {two} are not of the same run: they differ in {', '.join(named)}.")


def _differing(one: msgspec.Struct, two: msgspec.Struct, but: Sequence[str]) -> list[str]:
    names = [name for name in one.__struct_fields__ if name not in but]
    return [name for name in names if getattr(one, name) != getattr(two, name)]


def _require_all(numbers: Sequence[int], count: int) -> None:
    missing = [number for number in range(1, count + 1) if number not in numbers]
    if missing:
        shown = ", ".join(map(str, missing[:10])) + (", …" if len(missing) > 10 else "")
        raise BadInput(f"{len(missing)} of {count} shards are missing: {shown}. Play them, then merge again.")


def _require_finished(number: int, shard: Shard, played: Sequence[Played]) -> None:
    expected = len(range(number - 1, shard.episodes, shard.count))
    if len(played) < expected:
        raise BadInput(
            f"Shard {number}/{shard.count} has played {len(played)} of {expected} episodes; the same command goes on "
            "with it."
        )


def _require_own(number: int, shard: Shard, played: Sequence[Played], everything: Sequence[Played]) -> None:
    """Refuse a shard that has not played exactly its own episodes."""
    keys = [(each.preset, each.task, each.index) for each in everything]
    if (twice := len(keys) - len({*keys})) or len(keys) != shard.episodes:
        raise BadInput(f"{twice} episodes are there twice; there are {len(keys)} in all instead of {shard.episodes}.")
    own = {keys[at] for at in range(number - 1, len(keys), shard.count)}
    if own != {(each.preset, each.task, each.index) for each in played}:
        raise BadInput(f"Shard {number}/{shard.count} has played episodes that belong to another shard.")
