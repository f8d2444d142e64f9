"""The detector: a small convolutional network over colour and height, with one learned vector for each word.

It looks at a picture once, at any size. For every second pixel it gives a vector and a box. A word fits there as far as
its own vector agrees; a phrase fits as far as all its words do, so combinations that were never shown are no new words.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import nn
from torch.nn import functional

CHANNELS = 5  # red, green, blue, height, and whether the height is known
STRIDE = 2
_BOX_UNIT = 16.0
_MOST = 12.0


def conv(wide_in: int, wide: int, size: int, stride: int = 1, groups: int = 1, *, active: bool = True) -> nn.Sequential:
    """A convolution, normalised; `active` ones end in a ReLU."""
    layers: list[nn.Module] = [
        nn.Conv2d(wide_in, wide, size, stride, size // 2, groups=groups, bias=False),
        nn.BatchNorm2d(wide),
    ]
    return nn.Sequential(*layers, nn.ReLU(inplace=True)) if active else nn.Sequential(*layers)


class Block(nn.Module):  # type: ignore[misc]  # torch is not typed here
    """A residual block: each channel over its neighbours, then the channels with each other."""

    def __init__(self, wide: int, size: int = 5) -> None:
        super().__init__()
        self.steps = nn.Sequential(
            conv(wide, wide, size, groups=wide, active=False),
            conv(wide, 2 * wide, 1),
            conv(2 * wide, wide, 1, active=False),
        )

    def forward(self, seen: Any) -> Any:
        return functional.relu(seen + self.steps(seen))


class Trunk(nn.Module):  # type: ignore[misc]
    """What is seen in a picture: a vector of `out` values at every second pixel. Hands and senses look with it, too."""

    def __init__(self, width: float = 1.0) -> None:
        super().__init__()
        fine, middle, coarse, last = (int(8 * round(width * wide / 8)) for wide in (16, 40, 64, 32))
        self.out = last
        self.fine = conv(CHANNELS, fine, 3, 2)
        self.middle = nn.Sequential(conv(fine, middle, 3, 2), Block(middle), Block(middle))
        self.coarse = nn.Sequential(conv(middle, coarse, 3, 2), Block(coarse), Block(coarse), Block(coarse))
        self.to_middle = conv(coarse, middle, 1, active=False)
        self.joined = Block(middle)
        self.to_fine = conv(middle, last, 1, active=False)
        self.from_fine = conv(fine, last, 1, active=False)
        self.last = nn.Sequential(conv(last, last, 3, groups=last, active=False), conv(last, last, 1))

    def forward(self, picture: Any) -> Any:
        fine = self.fine(picture)
        middle = self.middle(fine)
        coarse = functional.interpolate(self.to_middle(self.coarse(middle)), scale_factor=2.0)
        joined = self.joined(functional.relu(middle + coarse))
        back = functional.interpolate(self.to_fine(joined), scale_factor=2.0)
        return self.last(functional.relu(self.from_fine(fine) + back))


class Detector(nn.Module):  # type: ignore[misc]
    """Word scores (logits) and boxes (left, top, right, bottom of the pixel, in pixels) at every second pixel."""

    def __init__(self, words: int, width: float = 1.0) -> None:
        super().__init__()
        self.trunk = Trunk(width)
        self.words = nn.Conv2d(self.trunk.out, words, 1)
        self.boxes = nn.Conv2d(self.trunk.out, 4, 1)
        nn.init.constant_(self.words.bias, -3.0)
        nn.init.constant_(self.boxes.bias, 0.0)

    def forward(self, picture: Any) -> tuple[Any, Any]:
        last = self.trunk(picture)
        words = self.words(last).clamp(-_MOST, _MOST)
        return words, functional.softplus(self.boxes(last)) * _BOX_UNIT


class ForPhrases(nn.Module):  # type: ignore[misc]
    """What is exported: a picture and the words of each phrase (1 or 0) in, scores of phrases and boxes out."""

    def __init__(self, detector: Detector) -> None:
        super().__init__()
        self.detector = detector

    def forward(self, picture: Any, phrases: Any) -> tuple[Any, Any]:
        words, boxes = self.detector(picture)
        against = torch.exp(-words[0])  # the odds that a word does not fit; those of a phrase are their sum
        flat = against.reshape(against.shape[0], -1)
        odds = torch.matmul(phrases, flat).reshape(-1, against.shape[1], against.shape[2])
        return 1.0 / (1.0 + odds), boxes[0]
