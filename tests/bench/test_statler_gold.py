"""Gold against a second opinion: a plain reader of the sentences and a plain replay of the moves; nothing is shared."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

from thinkaloud.state.edits import supports
from thinkaloud_bench.statler.episodes import Query, QueryEpisode
from thinkaloud_bench.statler.generating import draw_queries


@dataclass
class Table:
    """Where things are and which are dirty, as a child would keep track of it."""

    on: dict[str, str] = field(default_factory=dict)
    dirty: set[str] = field(default_factory=set)

    def put(self, thing: str, target: str) -> None:
        for other in [o for o, under in self.on.items() if under == thing and thing != "disinfector"]:
            self.put(other, "table")
        self.on.pop(thing, None)
        if target not in ("table", "empty space"):
            self.on[thing] = target
        self.touch()

    def touch(self) -> None:
        for _ in range(6):
            for upper, lower in self.on.items():
                if lower == "disinfector":
                    self.dirty.discard(upper)
                elif lower.endswith("block") and {upper, lower} & self.dirty:
                    self.dirty |= {upper, lower}

    def height(self, thing: str) -> int:
        under = self.on.get(thing, "")
        return 1 + self.height(under) if under.endswith("block") else 0


def check(episode: QueryEpisode, table: Table, query: Query) -> str:
    """Check one query as far as its sentence is understood; the kind of it, or nothing."""
    text = query.text.lower().rstrip(".?")
    names = episode.initial.objects
    blocks = {name for name in names if name.endswith("block")}
    found = sorted((text.index(name), name) for name in names if name in text)
    named = [name for _, name in found]
    bowls = [name for name in names if name.endswith("bowl")]
    if "the empty bowl" in text or ("bowl is empty" in text and query.say in bowls):
        bare = [bowl for bowl in bowls if bowl not in table.on.values()]
        assert len(bare) == 1
        assert bare[0] == query.say or any(target == bare[0] for _, target in query.actions)
        return "empty bowl"
    group = re.search(r"\b(?:every|the|all|are|blocks?) (?:blocks that are )?(dirty|clean|not dirty)\b", text)
    if query.actions and group and len(named) <= 1 and re.search(r"\bblocks\b|every", text):
        wanted = table.dirty if group[1] == "dirty" else blocks - table.dirty
        (target,) = {target for _, target in query.actions}
        there = {block for block in wanted if table.on.get(block, "table") == target}
        assert {thing for thing, _ in query.actions} == wanted - there, (episode.id, query)
        assert all({thing for thing, _ in moves} == wanted for moves in query.accept)
        return "group"
    if query.say in ("yes", "no") and len(named) == 1 and (asked := re.search(r"\b(dirty|clean)\b", text)):
        assert (query.say == "yes") == ((named[0] in table.dirty) == (asked[1] == "dirty"))
        return "is dirty"
    if query.say in ("yes", "no") and "higher" in text:
        assert (query.say == "yes") == (table.height(named[0]) > table.height(named[1])), (episode.id, query)
        return "higher"
    if query.say and re.search(r"colou?r .*\bblock (that )?.*(under|beneath|below)", text):
        assert table.on[named[0]] == f"{query.say} block"
        return "under"
    if query.say and re.search(r"\b(is|are|blocks) (dirty|clean)|(dirty|clean) blocks", text) and not named:
        wanted = table.dirty if "dirty" in text else blocks - table.dirty
        told = {block for block in blocks if block in query.say}
        assert told == wanted or (not told and str(len(wanted)) in (query.say, str(_words.get(query.say))))
        return "which dirty"
    cups = [name for name in named if name.endswith(" cup")]
    if query.say and len(named) == 1 and cups and re.search(r"\b(under|beneath|cover|hid)", text):
        assert query.say == table.on.get(cups[0], "nothing") or query.say == ("yes" if cups[0] in table.on else "no")
        return "under the cup"
    return ""


_words = {word: n for n, word in enumerate(("zero", "one", "two", "three", "four", "five", "six"))} | {"none": 0}


def test_a_second_opinion_comes_to_the_same() -> None:
    kinds: Counter[str] = Counter()
    for domain in ("pick_and_place", "disinfection", "cups"):
        for seed in range(150):
            episode = draw_queries(domain, seed)
            table = Table(dict(supports(episode.initial)), set(episode.truth.dirty if episode.truth else ()))
            for query in episode.queries:
                kinds[check(episode, table, query)] += 1
                for thing, target in query.happens.moves if query.happens else ():
                    table.on.pop(thing)
                    assert target == "table"
                if query.happens:
                    table.dirty = (table.dirty | {*query.happens.dirty}) - {*query.happens.clean}
                for move in query.actions:
                    table.put(*move)
    assert set(kinds) == {"", "empty bowl", "group", "is dirty", "higher", "under", "which dirty", "under the cup"}
    assert min(count for kind, count in kinds.items() if kind) >= 20, kinds
