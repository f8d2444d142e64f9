"""Begin hands and senses with what eyes or other hands have learned: the trunk, and what the words mean.

Words are matched by their spelling, never by their place in a list, so both may have words that the other has not.
Eyes have a vector for each word that lights up where the word fits. It becomes the word's embedding, in as many
dimensions as that takes, and the queries are made so that a sentence about one word lights up the same places.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import torch

from thinkaloud.worlds.learned_files import split_sentence
from training.resumable import load_checkpoint


def begin_with(network: Any, words: Sequence[str], *, eyes: Path | None = None, hands: Path | None = None) -> None:
    """Begin a policy or a judge with trained eyes, with trained hands, or with nothing; hands go before eyes."""
    if hands is not None:
        saved = load_checkpoint(hands)
        trained, known = saved.get("best") or saved["network"], saved["words"]
        _begin_trunk(network, trained, hands)
        for language in _languages(network):
            _begin_language(language, words, trained, known)
        own = network.state_dict()
        if hasattr(network, "maps"):  # another policy: all of it but the words, which are there by now
            rest = {name: part for name, part in trained.items() if not name.startswith(("trunk.", "language.words"))}
            network.load_state_dict(own | rest)
    elif eyes is not None:
        saved = load_checkpoint(eyes)
        trained, known = saved.get("best") or saved["network"], saved["words"]
        _begin_trunk(network, trained, eyes)
        vectors = dict(zip(known, trained["words.weight"][:, :, 0, 0], strict=True))
        for language in _languages(network):
            light_up(language, words, vectors)


def _languages(network: Any) -> Iterable[Any]:
    """Return the parts of a network that read sentences: one of a policy, two of a judge."""
    return [getattr(network, name) for name in ("language", "sentence") if hasattr(network, name)]


def _begin_trunk(network: Any, trained: Mapping[str, Any], path: Path) -> None:
    """Let the stream of what begin as the trunk that was trained."""
    own = {name.removeprefix("trunk."): part for name, part in trained.items() if name.startswith("trunk.")}
    if any(own[name].shape != part.shape for name, part in network.trunk.state_dict().items()):
        raise SystemExit(f"{path} has another width: train both with the same --width.")
    network.trunk.load_state_dict(own)


def _begin_language(language: Any, words: Sequence[str], trained: Mapping[str, Any], known: Sequence[str]) -> None:
    """Let a language begin as that of trained hands; words that they do not have begin by chance."""
    saved = {name.removeprefix("language."): part for name, part in trained.items() if name.startswith("language.")}
    own = language.state_dict()
    places = {word: place for place, word in enumerate(known, 1)}
    rows = own["words.weight"].clone()
    for place, word in enumerate(words, 1):
        if word in places:
            rows[place] = saved["words.weight"][places[word]]
    language.load_state_dict(own | saved | {"words.weight": rows})


def light_up(language: Any, words: Sequence[str], vectors: Mapping[str, Any]) -> None:
    """Let a language begin with the eyes' vectors of words. A word of a name such as "soft drink" gets the name's."""
    meant = dict[str, Any]()
    for name, vector in vectors.items():
        for part in split_sentence(name, {}):
            if part == name or part not in vectors:
                meant.setdefault(part, vector)
    shared = [word for word in words if word in meant]
    if not shared:
        return
    table = torch.stack([meant[word] for word in shared]).float()
    left, sizes, right = torch.linalg.svd(table, full_matrices=False)
    rank = min(language.words.embedding_dim, len(sizes))
    with torch.no_grad():
        places = torch.tensor([words.index(word) + 1 for word in shared])
        language.words.weight[places] = 0.0
        language.words.weight[places, :rank] = left[:, :rank] * sizes[:rank]
        language.queries.weight.zero_()
        language.queries.weight[:, :rank] = right[:rank].T
        language.queries.bias.zero_()
