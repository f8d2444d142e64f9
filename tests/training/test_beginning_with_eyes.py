"""What hands and senses begin with: the eyes' trunk and words, and other hands; words by their spelling alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from thinkaloud_worlds.random_tables import VOCABULARY
from training.hands.sentences import WORDS

torch: Any = pytest.importorskip("torch", reason="torch is only there where training is")

from training.eyes.network import Detector  # noqa: E402
from training.hands.beginning import begin_with, light_up  # noqa: E402
from training.hands.network import Policy, lit_by  # noqa: E402
from training.resumable import load_checkpoint  # noqa: E402
from training.senses.network import Judge  # noqa: E402


def save(path: Path, network: Any, words: tuple[str, ...], width: float = 1.0, best: Any = None) -> Path:
    torch.save({"network": network.state_dict(), "best": best, "words": list(words), "width": width}, path)
    return path


def sentence(*words: str, vocabulary: tuple[str, ...] = WORDS) -> Any:
    numbers = torch.zeros(1, 24, dtype=torch.long)
    for place, word in enumerate(words):
        numbers[0, place] = vocabulary.index(word) + 1
    return numbers


def test_hands_and_senses_know_every_word_of_the_eyes() -> None:
    parts = {part for word in VOCABULARY for part in word.split()}
    assert parts <= {*WORDS} and len({*WORDS}) == len(WORDS)


@pytest.mark.parametrize("width", [0.5, 1.0, 2.0])
@pytest.mark.parametrize("network", [Policy, Judge])
def test_a_word_lights_up_what_the_eyes_see_it_in(tmp_path: Path, width: float, network: Any) -> None:
    eyes = Detector(len(VOCABULARY), width).eval()
    built = network(len(WORDS), width).eval()
    begin_with(built, WORDS, eyes=save(tmp_path / "eyes.pt", eyes, VOCABULARY, width))
    picture = torch.rand(1, 5, 64, 64)
    with torch.no_grad():
        seen = eyes.trunk(picture)
        for word in ("red", "bowl"):
            at = VOCABULARY.index(word)
            lit = lit_by(built.trunk(picture), built.language(sentence(word))[0])
            wanted = (eyes.words(seen) - eyes.words.bias[:, None, None])[:, at] / seen.shape[1] ** 0.5
            for query in lit[0]:
                assert torch.allclose(query, wanted[0], atol=1e-4)


def test_the_order_of_words_and_words_that_only_one_has_do_not_matter(tmp_path: Path) -> None:
    shuffled = ("gizmo", *reversed(VOCABULARY))
    eyes = Detector(len(shuffled)).eval()
    policy = Policy(len(WORDS)).eval()
    begin_with(policy, WORDS, eyes=save(tmp_path / "eyes.pt", eyes, shuffled))
    vector = eyes.words.weight[shuffled.index("red"), :, 0, 0]
    embedded = policy.language.words.weight[WORDS.index("red") + 1]
    assert torch.allclose(policy.language.queries(embedded), vector, atol=1e-4)
    before = Policy(3).language
    rows = before.words.weight.clone()
    light_up(before, ("pick", "place", "it"), {"red": vector})  # nothing in common: all stays as it was
    assert torch.equal(before.words.weight, rows)


def test_other_hands_and_senses_begin_as_hands_were_trained_and_with_the_best_of_them(tmp_path: Path) -> None:
    known = ("gizmo", *reversed(WORDS[: len(WORDS) // 2]), "bowl", "red")
    known = tuple(dict.fromkeys(known))
    trained, worse = Policy(len(known)).eval(), Policy(len(known))
    path = save(tmp_path / "hands.pt", worse, known, best=trained.state_dict())
    other, judge = Policy(len(WORDS)).eval(), Judge(len(WORDS)).eval()
    for network in (other, judge):
        begin_with(network, WORDS, eyes=tmp_path / "not read.pt", hands=path)
    picture = torch.rand(1, 5, 64, 64)
    ours, theirs = sentence("red", "bowl"), sentence("red", "bowl", vocabulary=known)
    with torch.no_grad():
        assert torch.allclose(other(picture, ours), trained(picture, theirs), atol=1e-5)
        assert torch.allclose(judge.trunk(picture), trained.trunk(picture))
        for language in (judge.language, judge.sentence):
            assert torch.allclose(language(ours)[0], trained.language(theirs)[0], atol=1e-5)


def test_a_checkpoint_with_other_words_is_not_gone_on_from(tmp_path: Path) -> None:
    path = save(tmp_path / "hands.pt", Policy(3), ("pick", "place", "it"))
    assert load_checkpoint(path, width=1.0, words=("pick", "place", "it"))["width"] == 1.0
    with pytest.raises(SystemExit, match="trained with other words: delete it"):
        load_checkpoint(path, width=1.0, words=("it", "pick", "place"))
    with pytest.raises(SystemExit, match="another width: delete it"):
        load_checkpoint(path, width=2.0)
