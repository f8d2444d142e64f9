"""The eyes `owlv2` and `grounding_dino`: open-vocabulary detectors that find anything by name, with `transformers`.

    thinkaloud run --eyes owlv2:weights/owlv2-base …          a folder with weights and processor
    thinkaloud run --eyes grounding_dino …                    from the hub (or an earlier download)

They get the picture and the names of the catalogue as text, as MDETR does in Inner Monologue (appendix A.2), and return
boxes with scores. Overlapping boxes for one name are merged.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from thinkaloud.errors import BadInput, MissingExtra, describe_fault
from thinkaloud.perceive.detector_boxes import DetectingEyes, Detection
from thinkaloud.worlds.vision import Appearance, PixelBox, View, overlap

PromptForm = Literal["queries", "caption"]
_WEIGHTS = {"queries": "google/owlv2-base-patch16-ensemble", "caption": "IDEA-Research/grounding-dino-tiny"}
_NAMED = {"queries": "owlv2", "caption": "grounding_dino"}
_LEAST_SCORE = {"queries": 0.15, "caption": 0.3}
_SAME = 0.5  # boxes of one name that overlap more than this show one thing


def open_owlv2(rest: str) -> DetectingEyes:
    """Open OWLv2 from a folder or by its name on the hub."""
    return DetectingEyes(OpenVocabulary(rest, "queries"))


def open_grounding_dino(rest: str) -> DetectingEyes:
    """Open Grounding DINO from a folder or by its name on the hub."""
    return DetectingEyes(OpenVocabulary(rest, "caption"))


class OpenVocabulary:
    """A zero-shot detector: OWLv2 takes a list of `queries`, Grounding DINO a `caption`."""

    def __init__(self, weights: str, form: PromptForm) -> None:
        self._form, self._torch = form, None
        name = f"The eyes {_NAMED[form]!r}"
        try:
            import torch
            from transformers import AutoModelForZeroShotObjectDetection, AutoProcessor
        except ImportError as error:
            raise MissingExtra(name, "detectors") from error
        where = weights or _WEIGHTS[form]
        local = Path(where).expanduser()
        if weights and ("/" not in weights or weights[0] in "/.~") and not local.is_dir():
            raise BadInput(f"{name}: {weights} is not a folder with weights; write {_NAMED[form]}:FOLDER.")
        source = str(local) if local.is_dir() else where
        try:
            self._processor: Any = AutoProcessor.from_pretrained(source)
            self._model: Any = AutoModelForZeroShotObjectDetection.from_pretrained(source).eval()
        except (OSError, ValueError) as error:  # missing, unreachable, or another kind of model
            raise BadInput(
                f"{name}: {source} cannot be loaded ({describe_fault(error)[:160]}); write {_NAMED[form]}:FOLDER, a "
                f"folder with weights and processor."
            ) from error
        self._torch = torch

    def detect(self, view: View, catalogue: Sequence[Appearance]) -> list[Detection]:
        """Return what is seen from the catalogue, and in which boxes, most certain first."""
        names = [each.name for each in catalogue]
        if not names:
            return []
        torch: Any = self._torch
        tall, wide = view.rgb.shape[:2]
        with torch.no_grad():
            found = self._queried(view, names) if self._form == "queries" else self._captioned(view, names)
        known = [
            Detection(name, _pixels(box, wide, tall), float(score))
            for name, box, score in found
            if name in names and float(score) >= _LEAST_SCORE[self._form]
        ]
        return without_doubles(sorted(known, key=lambda each: -each.score))

    def _queried(self, view: View, names: list[str]) -> list[tuple[str, Any, Any]]:
        texts = [[f"a photo of a {name}" for name in names]]
        inputs = self._processor(text=texts, images=view.rgb, return_tensors="pt", truncation=True)
        size = [view.rgb.shape[:2]]
        said = self._processor.post_process_grounded_object_detection(
            self._model(**inputs), threshold=_LEAST_SCORE["queries"], target_sizes=size
        )[0]
        labels = [names[int(number)] for number in said["labels"]]
        return list(zip(labels, said["boxes"].tolist(), said["scores"].tolist(), strict=True))

    def _captioned(self, view: View, names: list[str]) -> list[tuple[str, Any, Any]]:
        caption = ". ".join(name.lower() for name in names) + "."
        inputs = self._processor(images=view.rgb, text=caption, return_tensors="pt")
        said = self._processor.post_process_grounded_object_detection(
            self._model(**inputs),
            inputs["input_ids"],
            threshold=_LEAST_SCORE["caption"],
            text_threshold=0.25,
            target_sizes=[view.rgb.shape[:2]],
        )[0]
        labels = said.get("text_labels", said["labels"])
        spelled = [next((n for n in names if n.lower() == str(each).strip()), "") for each in labels]
        return list(zip(spelled, said["boxes"].tolist(), said["scores"].tolist(), strict=True))


def without_doubles(found: Sequence[Detection]) -> list[Detection]:
    """Return the boxes, most certain first, without those that show the same thing as a more certain one."""
    kept: list[Detection] = []
    for each in found:
        if all(overlap(each.box, other.box) < _SAME for other in kept):
            kept.append(each)
    return kept


def _pixels(box: Sequence[float], wide: int, tall: int) -> PixelBox:
    """Return a detector's box in pixels, clipped to the picture."""
    left, top, right, bottom = (round(value) for value in box)
    left, top = min(max(left, 0), wide - 1), min(max(top, 0), tall - 1)
    return left, top, min(max(right, left), wide - 1), min(max(bottom, top), tall - 1)
