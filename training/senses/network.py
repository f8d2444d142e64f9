"""The judge: two pictures and a sentence. Foresight asks whether it came true, hindsight which sentence fits best.

Both look with the eyes' trunk, which trained eyes may begin. Foresight is conditioned on the sentence from the start.
Hindsight makes one vector of the pictures, whatever was said, and one of each sentence, and compares them as CLIP does.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import nn
from torch.nn import functional

from training.eyes.network import Block, Trunk, conv
from training.hands.network import QUERIES, Conditioned, Language, coordinates, lit_by

_WIDE = 48
_VECTOR = 96
_HEADS = 4


class Judge(nn.Module):  # type: ignore[misc]  # torch is not typed here
    """Logits of foresight, and the scores of hindsight, for sentences about a pair of pictures.

    A `frozen` trunk does not learn: it sees as the eyes do that it came from.
    """

    def __init__(self, words: int, width: float = 1.0, *, frozen: bool = False) -> None:
        super().__init__()
        self.trunk = Trunk(width)
        self.trunk.requires_grad_(not frozen)
        self.frozen = frozen
        out = self.trunk.out
        self.where = nn.Sequential(conv(6, 16, 5, 2), conv(16, 32, 5, 2))  # heights and known twice, row, column
        self.language = Language(words, out)
        self.joined = conv(2 * QUERIES + 32, _WIDE, 1)
        self.fine = nn.ModuleList([Conditioned(_WIDE) for _ in range(3)])
        self.down = conv(_WIDE, _WIDE, 3, 2)
        self.coarse = nn.ModuleList([Conditioned(_WIDE) for _ in range(2)])
        self.says = nn.Sequential(
            nn.Linear(2 * _WIDE + self.language.whole.out_features, 64), nn.ReLU(), nn.Linear(64, 1)
        )
        self.seen = nn.Sequential(conv(2 * out + 32, _WIDE, 1), Block(_WIDE), Block(_WIDE), conv(_WIDE, _WIDE, 3, 2))
        self.after = nn.Sequential(Block(_WIDE), Block(_WIDE))
        self.heads = nn.Conv2d(_WIDE, _HEADS, 1)
        self.vector = nn.Linear(_HEADS * _WIDE, _VECTOR)
        self.sentence = Language(words, out)
        self.named = nn.Linear(self.sentence.whole.out_features, _VECTOR)
        self.temperature = nn.Parameter(torch.tensor(2.0))

    def train(self, mode: bool = True) -> Any:
        """Train all but a frozen trunk."""
        super().train(mode)
        self.trunk.train(mode and not self.frozen)
        return self

    def look(self, before: Any, after: Any) -> tuple[Any, Any, Any]:
        """Return what is seen before and after, and where something is, whatever the sentence."""
        heights = torch.cat([before[:, 3:5], after[:, 3:5], coordinates(before)], dim=1)
        return self.trunk(before), self.trunk(after), self.where(heights)

    def foresight(self, looked: tuple[Any, Any, Any], sentence: Any) -> Any:
        """Return the logit that a sentence came true, for each pair of pictures and its sentence."""
        before, after, where = looked
        queries, whole = self.language(sentence)
        lit = torch.cat([lit_by(before, queries), lit_by(after, queries)], dim=1)
        seen = self.joined(torch.cat([functional.avg_pool2d(lit, 2), where], dim=1))
        for block in self.fine:
            seen = block(seen, whole)
        seen = self.down(seen)
        for block in self.coarse:
            seen = block(seen, whole)
        flat = seen.flatten(2)
        return self.says(torch.cat([flat.mean(dim=2), flat.amax(dim=2), whole], dim=1))[:, 0]

    def happened(self, looked: tuple[Any, Any, Any]) -> Any:
        """Return the vector of what happened between two pictures."""
        before, after, where = looked
        pooled = functional.avg_pool2d(torch.cat([before, after], dim=1), 2)
        seen = self.after(self.seen(torch.cat([pooled, where], dim=1)))
        weight = self.heads(seen).flatten(2).softmax(dim=2)
        picked = torch.matmul(weight, seen.flatten(2).transpose(1, 2)).flatten(1)
        return functional.normalize(self.vector(picked), dim=1)

    def meant(self, sentence: Any) -> Any:
        """Return the vector of each sentence, as long as the temperature says."""
        whole = self.named(self.sentence(sentence)[1])
        return functional.normalize(whole, dim=1) * self.temperature.exp()


class ForSentences(nn.Module):  # type: ignore[misc]
    """What is exported: a pair of pictures and sentences in; foresight of the first and hindsight of each out."""

    def __init__(self, judge: Judge) -> None:
        super().__init__()
        self.judge = judge

    def forward(self, before: Any, after: Any, sentences: Any) -> tuple[Any, Any]:
        looked = self.judge.look(before, after)
        hindsight = torch.matmul(self.judge.meant(sentences), self.judge.happened(looked)[0])
        return self.judge.foresight(looked, sentences[:1]), hindsight
