"""The policy: two streams over the table from above, one for what is where and one for where there is room.

The stream of what is the eyes' own trunk; trained eyes may begin it, as CLIP begins CLIPort's. A sentence becomes a few
queries, each of which lights up what it is about, so that new combinations of known words need no training of their
own. The stream of where sees heights and coordinates, and is conditioned on the sentence. What is unlike CLIPort: there
is no crop that is matched against the table, because nothing has to be turned to be placed.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import nn
from torch.nn import functional

from thinkaloud.worlds.learned_files import LONGEST_SENTENCE
from training.eyes.network import Block, Trunk, conv

QUERIES = 6
_EMBEDDED = 64
_WHERE = 32


class Language(nn.Module):  # type: ignore[misc]  # torch is not typed here
    """A sentence as queries, each a weighted sum over its words in their order, and as one vector."""

    def __init__(self, words: int, out: int, queries: int = QUERIES) -> None:
        super().__init__()
        self.words = nn.Embedding(words + 1, _EMBEDDED, padding_idx=0)
        self.order = nn.GRU(_EMBEDDED, _EMBEDDED // 2, batch_first=True, bidirectional=True)
        self.attention = nn.Linear(_EMBEDDED, queries)
        self.queries = nn.Linear(_EMBEDDED, out)
        self.whole = nn.Linear(queries * _EMBEDDED, _EMBEDDED)

    def forward(self, sentence: Any) -> tuple[Any, Any]:
        embedded = self.words(sentence)
        weight = self.attention(self.order(embedded)[0])
        weight = weight.masked_fill((sentence == 0)[..., None], -1e4).softmax(dim=1)
        picked = torch.matmul(weight.transpose(1, 2), embedded)  # the words themselves: order only says which
        return self.queries(picked), functional.relu(self.whole(picked.flatten(1)))


class Conditioned(nn.Module):  # type: ignore[misc]
    """A residual block whose channels are scaled and shifted by the sentence."""

    def __init__(self, wide: int) -> None:
        super().__init__()
        self.block = Block(wide)
        self.by_sentence = nn.Linear(_EMBEDDED, 2 * wide)

    def forward(self, seen: Any, sentence: Any) -> Any:
        scale, shift = self.by_sentence(sentence)[:, :, None, None].chunk(2, dim=1)
        return self.block(seen * (1 + scale) + shift)


class Policy(nn.Module):  # type: ignore[misc]
    """Logits of where to pick and where to place, at every second pixel."""

    def __init__(self, words: int, width: float = 1.0) -> None:
        super().__init__()
        self.trunk = Trunk(width)
        self.language = Language(words, self.trunk.out)
        self.where = nn.Sequential(conv(4, 16, 5, 2), conv(16, _WHERE, 5, 2))  # height, known, row, column
        self.joined = conv(QUERIES + _WHERE, _WHERE, 1)
        self.blocks = nn.ModuleList([Conditioned(_WHERE) for _ in range(4)])
        self.far = conv(_WHERE, _WHERE, 3, 2)
        self.far_blocks = nn.ModuleList([Conditioned(_WHERE) for _ in range(2)])
        self.maps = nn.Conv2d(_WHERE, 2, 1)
        self.directly = nn.Parameter(torch.tensor([1.0, 1.0]))

    def forward(self, picture: Any, sentence: Any) -> Any:
        return self.answer(*self.look(picture), sentence)

    def look(self, picture: Any) -> tuple[Any, Any]:
        """Return what the two streams see, whatever the sentence."""
        return self.trunk(picture), self.where(torch.cat([picture[:, 3:5], coordinates(picture)], dim=1))

    def answer(self, what: Any, where: Any, sentence: Any) -> Any:
        """Return the maps for a sentence."""
        queries, whole = self.language(sentence)
        lit = lit_by(what, queries)
        seen = self.joined(torch.cat([functional.avg_pool2d(lit, 2), where], dim=1))
        for number, block in enumerate(self.blocks):
            seen = block(seen, whole)
            if number == 1:
                far = self.far(seen)
                for each in self.far_blocks:
                    far = each(far, whole)
                seen = seen + functional.interpolate(far, scale_factor=2.0)
        maps = functional.interpolate(self.maps(seen), scale_factor=2.0, mode="bilinear", align_corners=False)
        return maps + lit[:, :2] * self.directly[:, None, None]


def lit_by(seen: Any, queries: Any) -> Any:
    """Return one map for each query: how well each cell answers it."""
    flat = torch.matmul(queries, seen.flatten(2)) / seen.shape[1] ** 0.5
    return flat.reshape(flat.shape[0], flat.shape[1], seen.shape[2], seen.shape[3])


def coordinates(picture: Any) -> Any:
    """Return the row and the column of each pixel, from -1 to 1."""
    ones = torch.ones_like(picture[:, :1])
    rows, columns = ones.cumsum(dim=2), ones.cumsum(dim=3)
    return torch.cat([rows / rows.amax() * 2 - 1, columns / columns.amax() * 2 - 1], dim=1)


EXAMPLE = torch.ones(1, LONGEST_SENTENCE, dtype=torch.long)
