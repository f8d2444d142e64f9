"""Demonstrations become tokens: `python -m training.pack data/ tokens.npz`.

The file has `tokens` (all samples one after another), `counts` (a bit for each: it is part of an answer), `lengths` and
`families` (of each sample), `names` (of the families). Needs `gguf` and `tokenizers` (extra `training`).
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from gguf import GGUFReader
from tokenizers import Regex, Tokenizer
from tokenizers.models import BPE
from tokenizers.pre_tokenizers import ByteLevel, Digits, Sequence, Split

from thinkaloud.models.weight_files import embedded_weights

MOST = 2560
"""Tokens of a sample."""
BATCH = 4000
_QWEN = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
"""Where Qwen2.5 splits a text."""
_FOLLOWS = "#"
"""What the next turn of a conversation begins with: a token of its own after a line end."""


def tokenizer(base: Path) -> Tokenizer:
    """The tokeniser that a GGUF file of the SmolLM2 or the Qwen2.5 family describes."""
    fields = GGUFReader(str(base)).fields
    words = fields["tokenizer.ggml.tokens"].contents()
    merges = [tuple(pair.split(" ")) for pair in fields["tokenizer.ggml.merges"].contents()]
    found = Tokenizer(BPE({word: number for number, word in enumerate(words)}, merges))
    if fields["tokenizer.ggml.pre"].contents() == "qwen2":
        split = Split(Regex(_QWEN), "isolated")
        found.pre_tokenizer = Sequence([split, ByteLevel(add_prefix_space=False, use_regex=False)])
    else:
        found.pre_tokenizer = Sequence([Digits(individual_digits=True), ByteLevel(add_prefix_space=False)])
    return found


def read(folder: Path) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """The samples of all files, family and parts."""
    for path in sorted(folder.glob("*.jsonl")):
        with path.open(encoding="utf-8") as file:
            for line in file:
                sample = json.loads(line)
                yield sample["family"], sample["parts"]


def encode(words: Tokenizer, texts: list[str]) -> list[list[int]]:
    """The tokens of texts as they are in the middle of a conversation.

    Line ends at the end of a text would be one token, and are several where something follows: so something does.
    """
    ends = [text.endswith("\n\n") for text in texts]
    given = [f"{text}{_FOLLOWS}" if end else text for text, end in zip(texts, ends, strict=True)]
    found = words.encode_batch_fast(given)
    return [each.ids[:-1] if end else each.ids for each, end in zip(found, ends, strict=True)]


def _small(tokens: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    return tokens.astype(np.uint16) if int(tokens.max()) < 2**16 else tokens


def main() -> None:
    """The command."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("data", type=Path)
    options.add_argument("out", type=Path)
    options.add_argument("--base", type=Path, default=None, help="the GGUF file of the base model (the installed one)")
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    samples = list(read(given.data))
    if not samples:
        sys.exit(
            f"There are no demonstrations in {given.data}; make some with: python -m training.generate {given.data}"
        )
    words = tokenizer(given.base or embedded_weights())
    np.random.default_rng(given.seed).shuffle(samples)
    tokens, counts, lengths, families = [], [], [], list[int]()
    names: dict[str, int] = {}
    total, answers = Counter[str](), Counter[str]()
    for start in range(0, len(samples), BATCH):
        batch = samples[start : start + BATCH]
        texts = [text for _, parts in batch for part in parts for text in part]
        encoded = iter(encode(words, texts))
        for family, parts in batch:
            each = [next(encoded) for _ in range(2 * len(parts))]
            if sum(map(len, each)) > MOST:
                continue
            tokens += [np.array(ids, np.uint32) for ids in each]
            counts += [np.full(len(ids), number % 2, np.uint8) for number, ids in enumerate(each)]
            lengths.append(sum(map(len, each)))
            families.append(names.setdefault(family, len(names)))
            total[family] += lengths[-1]
            answers[family] += sum(len(ids) for ids in each[1::2])
    np.savez_compressed(
        given.out,
        tokens=_small(np.concatenate(tokens)),
        counts=np.packbits(np.concatenate(counts)),
        lengths=np.array(lengths, np.uint16),
        families=np.array(families, np.uint8),
        names=np.array(list(names)),
    )
    samples_of = Counter(families)
    for family, number in names.items():
        many = samples_of[number]
        print(
            f"{family}: {many} samples, {total[family] / 1e6:.2f} M tokens, {total[family] / many:.0f} each, "
            f"{answers[family] / many:.0f} of them answers"
        )
    print(f"{len(lengths)} samples, {sum(lengths) / 1e6:.1f} M tokens")


if __name__ == "__main__":
    main()
