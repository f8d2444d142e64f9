"""Train the adapter: `python -m training.train BASE.gguf tokens.npz adapter.gguf`. Needs numpy, torch and gguf only.

A LoRA on all linear layers of a GGUF of llama's or Qwen2's architecture, in the file's own layout, so that no tensor is
permuted. Where Qwen2 differs: biases of q, k and v, which stay as they are; heads that turn in halves; its own head.
In a small model the sum of base and adapter is worked out once for each step, and its gradient is taken apart into
those of the two factors: few and large multiplications. In a large one the two stand beside each other, so that no
gradient of the base is worked out, which is a third of the work. Seeded; goes on from OUT.state if that is there;
`--begin ADAPTER` begins with what another has learnt. 84 M tokens, each seen twice, take 135M nine minutes on an H200.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from gguf import GGMLQuantizationType, GGUFReader, GGUFWriter
from gguf.quants import dequantize, quantize

try:
    import torch
    import torch.nn.functional as F
except ModuleNotFoundError:
    sys.exit("Training needs torch. Install it (pip install torch), or train on a machine that has it.")

Weights = Any
"""Those of one part of a layer; where the adapter stands beside its base, the base's and the two factors."""
Layer = Callable[..., Any]
WIDE = 1024
"""From this width on, an adapter stands beside its base."""
LONGEST = 2560
"""Tokens of a sample, at most."""
VALID = 400
"""Samples of each family that are kept back, to see how well it learns."""


class Base:
    """The weights of a GGUF file, dequantised, and what else its header says."""

    def __init__(self, path: Path, device: str, dtype: torch.dtype) -> None:
        reader = GGUFReader(str(path))
        self.kind = str(reader.fields["general.architecture"].contents())
        if self.kind not in ("llama", "qwen2"):
            sys.exit(f"{path} is a {self.kind}; an adapter can be trained for llama or qwen2.")

        def meta(key: str) -> Any:
            return reader.fields[f"{self.kind}.{key}"].contents()

        self.layers, self.width = int(meta("block_count")), int(meta("embedding_length"))
        self.heads, self.kv = int(meta("attention.head_count")), int(meta("attention.head_count_kv"))
        self.epsilon, self.base = float(meta("attention.layer_norm_rms_epsilon")), float(meta("rope.freq_base"))
        self.head = self.width // self.heads

        def load(tensor: Any) -> tuple[str, torch.Tensor]:
            values = dequantize(tensor.data, tensor.tensor_type).astype(np.float32)
            shaped = torch.from_numpy(values.reshape([int(n) for n in reversed(tensor.shape)]))
            return tensor.name, shaped.to(device, dtype)

        with ThreadPoolExecutor(8) as pool:
            self.weights: dict[str, torch.Tensor] = dict(pool.map(load, reader.tensors))
        self.output = self.weights.get("output.weight", self.weights["token_embd.weight"])
        self.linear = [name for name, w in self.weights.items() if name.startswith("blk") and w.ndim == 2]


class Student:
    """The base model with an adapter that can learn.

    Weights of the same part of all layers lie in one tensor: few and large multiplications, few steps of the optimiser.
    """

    def __init__(
        self, base: Base, rank: int, longest: int, *, beside: bool | None = None, dropout: float = 0.0
    ) -> None:
        self.base, self.rank, self.scale = base, rank, 2.0
        device = base.weights["token_embd.weight"].device
        self.parts = list(dict.fromkeys(name.split(".", 2)[2] for name in base.linear))
        self.adapter: dict[str, tuple[torch.nn.Parameter, torch.nn.Parameter]] = {}
        self.stacked: dict[str, torch.Tensor] = {}
        for part in self.parts:
            names = [f"blk.{layer}.{part}" for layer in range(base.layers)]
            whole = self.stacked[part] = torch.stack([base.weights[name] for name in names])
            base.weights |= dict(zip(names, whole, strict=True))
            _, out, into = whole.shape
            down = torch.randn(base.layers, rank, into, device=device) / math.sqrt(into)
            up = torch.zeros(base.layers, out, rank, device=device)
            self.adapter[part] = torch.nn.Parameter(down), torch.nn.Parameter(up)
        turns = base.base ** (-torch.arange(0, base.head, 2, device=device).float() / base.head)
        angle = torch.arange(longest, device=device).float()[:, None] * turns
        self.cos, self.sin = angle.cos(), angle.sin()
        self.beside = base.width >= WIDE if beside is None else beside
        self.merged: dict[str, torch.Tensor] = {}
        self.factors: dict[str, tuple[torch.Tensor, torch.Tensor]] = {}
        self.turn = _turn_halves if base.kind == "qwen2" else _turn_pairs
        self.layer = _make_layer(base, self.turn)
        learning = _make_layer(base, self.turn, dropout) if dropout else self.layer
        self.quick = torch.compile(learning) if device.type == "cuda" else learning

    def parameters(self) -> list[torch.nn.Parameter]:
        """What is learnt."""
        return [each for pair in self.adapter.values() for each in pair]

    def merge(self) -> None:
        """Work out the weights for the next pass."""
        for part, (a, b) in self.adapter.items():
            kind = self.stacked[part].dtype
            if self.beside:
                scaled = (self.scale * b.detach()).to(kind).requires_grad_(True)
                self.factors[part] = a.detach().to(kind).requires_grad_(True), scaled
                continue
            whole = torch.baddbmm(self.stacked[part].float(), b.detach(), a.detach(), alpha=self.scale)
            self.merged[part] = whole.to(kind).requires_grad_(True)

    def take_apart(self, answers: int) -> None:
        """The gradients of the two factors out of those of the weights, for each token of so many answers."""
        for part, (a, b) in self.adapter.items():
            if self.beside:
                down, up = (each.grad for each in self.factors[part])
                assert down is not None and up is not None
                a.grad, b.grad = down.float() / answers, up.float() * (self.scale / answers)
                continue
            slope = self.merged[part].grad
            assert slope is not None
            full = slope.float() * (self.scale / answers)
            a.grad, b.grad = b.detach().mT @ full, full @ a.detach().mT

    def begin(self, path: Path) -> None:
        """Begin with what another adapter of the same rank has learnt."""
        found = {each.name: dequantize(each.data, each.tensor_type) for each in GGUFReader(str(path)).tensors}
        with torch.no_grad():
            for part, pair in self.adapter.items():
                for suffix, factor in zip(("lora_a", "lora_b"), pair, strict=True):
                    for layer in range(self.base.layers):
                        values = torch.from_numpy(np.array(found[f"blk.{layer}.{part}.{suffix}"], np.float32))
                        factor[layer].copy_(values.reshape(factor[layer].shape))

    def weights(self) -> list[dict[str, Weights]]:
        """Of each layer all its weights, as the next pass has them."""
        found: list[dict[str, Weights]] = []
        whole = {part: each.unbind() for part, each in self.merged.items()}
        factors = {part: (a.unbind(), b.unbind()) for part, (a, b) in self.factors.items()}
        for layer in range(self.base.layers):
            front = f"blk.{layer}."
            names = (name for name in self.base.weights if name.startswith(front))
            here: dict[str, Weights] = {name.removeprefix(front): self.base.weights[name] for name in names}
            here |= {part: each[layer] for part, each in whole.items()}
            here |= {part: (self.stacked[part][layer], a[layer], b[layer]) for part, (a, b) in factors.items()}
            found.append(here)
        return found

    def hidden(self, ids: torch.Tensor) -> torch.Tensor:
        """What the model thinks at each token."""
        t = ids.shape[1]
        layer = self.quick if torch.is_grad_enabled() else self.layer
        x = F.embedding(ids, self.base.weights["token_embd.weight"]).requires_grad_(torch.is_grad_enabled())
        for weights in self.weights():
            x = layer(x, self.cos[:t], self.sin[:t], weights)
        return F.rms_norm(x, (self.base.width,), self.base.weights["output_norm.weight"], self.base.epsilon)

    def logits(self, hidden: torch.Tensor) -> torch.Tensor:
        """How likely each token is next; where there is no head, the embedding is used both ways."""
        return F.linear(hidden, self.base.output)


def _make_layer(base: Base, turn: Layer, dropout: float = 0.0) -> Layer:
    """One layer as a function of what goes in and of its weights, so that it is compiled once for all of them.

    `dropout` leaves out so much of what the adapter sees; where it and the base are added up, of what a layer adds.
    """
    width, head, epsilon, counts = base.width, base.head, base.epsilon, (base.heads, base.kv, base.kv)

    def linear(h: torch.Tensor, weights: Weights, bias: torch.Tensor | None = None) -> torch.Tensor:
        if isinstance(weights, torch.Tensor):
            return F.linear(h, weights, bias)
        whole, down, up = weights
        return F.linear(h, whole, bias) + F.linear(F.linear(F.dropout(h, dropout) if dropout else h, down), up)

    def left(added: torch.Tensor, w: dict[str, Any]) -> torch.Tensor:
        together = dropout and isinstance(w["ffn_down.weight"], torch.Tensor)
        return F.dropout(added, dropout) if together else added

    def layer(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor, w: dict[str, Any]) -> torch.Tensor:
        n, t, _ = x.shape
        h = F.rms_norm(x, (width,), w["attn_norm.weight"], epsilon)
        q, k, v = (
            linear(h, w[f"attn_{part}.weight"], w.get(f"attn_{part}.bias")).view(n, t, heads, head).transpose(1, 2)
            for part, heads in zip("qkv", counts, strict=True)
        )
        o = F.scaled_dot_product_attention(turn(q, cos, sin), turn(k, cos, sin), v, is_causal=True, enable_gqa=True)
        x = x + left(linear(o.transpose(1, 2).reshape(n, t, width), w["attn_output.weight"]), w)
        h = F.rms_norm(x, (width,), w["ffn_norm.weight"], epsilon)
        gated = F.silu(linear(h, w["ffn_gate.weight"])) * linear(h, w["ffn_up.weight"])
        return x + left(linear(gated, w["ffn_down.weight"]), w)

    return layer


def _turn_halves(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    """Pairs are turned as in Qwen2's files: one of each half."""
    one, other = x.float().chunk(2, -1)
    return torch.cat((one * cos - other * sin, other * cos + one * sin), -1).to(x.dtype)


def _turn_pairs(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    """Pairs are turned as in llama's files: neighbours."""
    even, odd = x[..., 0::2].float(), x[..., 1::2].float()
    return torch.stack((even * cos - odd * sin, even * sin + odd * cos), -1).flatten(-2).to(x.dtype)


class Data:
    """The samples, in batches of about the same length."""

    def __init__(self, path: Path, seed: int) -> None:
        stored = np.load(path)
        self.tokens, self.lengths = stored["tokens"].astype(np.int64), stored["lengths"].astype(np.int64)
        self.counts = np.unpackbits(stored["counts"])[: len(self.tokens)].astype(bool)
        self.families, self.names = stored["families"], [str(name) for name in stored["names"]]
        self.starts = np.concatenate([[0], np.cumsum(self.lengths)[:-1]])
        self.rng = np.random.default_rng(seed)
        valid = [np.flatnonzero(self.families == family)[:VALID] for family in range(len(self.names))]
        self.valid = {name: each[: max(1, len(each) // 20)] for name, each in zip(self.names, valid, strict=True)}
        kept = np.concatenate(list(self.valid.values()))
        self.train = np.setdiff1d(np.arange(len(self.lengths)), kept)

    def batches(self, size: int) -> Iterator[np.ndarray[Any, Any]]:
        """One pass over all samples, so many tokens at a time; samples of like length are together."""
        order = self.rng.permutation(self.train)
        batches = []
        for some in np.array_split(order, max(1, len(order) // 20_000)):
            some = some[np.argsort(self.lengths[some], kind="stable")]
            start = 0
            while start < len(some):
                end = start + 1
                while end < len(some) and self.lengths[some[end]] * (end + 1 - start) <= size:
                    end += 1
                batches.append(some[start:end])
                start = end
        for index in self.rng.permutation(len(batches)):
            yield batches[index]

    def tensors(self, which: np.ndarray[Any, Any], device: str) -> Batch:
        """The tokens of samples, filled up at the end, and where the next one belongs to an answer."""
        longest = -(-int(self.lengths[which].max()) // 8) * 8
        ids, counts = np.zeros((len(which), longest), np.int64), np.zeros((len(which), longest), bool)
        for row, sample in enumerate(which):
            start, length = self.starts[sample], self.lengths[sample]
            ids[row, :length] = self.tokens[start : start + length]
            counts[row, :length] = self.counts[start : start + length]
        before = np.flatnonzero(np.roll(counts, -1, 1) & (np.arange(longest) < longest - 1))
        tokens, where, wanted = (torch.from_numpy(e).to(device) for e in (ids, before, ids.ravel()[before + 1]))
        return Batch(tokens, where, wanted, before // longest)


class Batch(NamedTuple):
    """Tokens; where (in all rows after one another) an answer follows, with what token, and in which row."""

    ids: torch.Tensor
    before: torch.Tensor
    wanted: torch.Tensor
    rows: np.ndarray[Any, Any]


def odds_of(student: Student, batch: Batch) -> torch.Tensor:
    """For each token of an answer how likely every token is there."""
    return student.logits(student.hidden(batch.ids).flatten(0, 1)[batch.before]).float()


def whole_answers(student: Student, data: Data, device: str) -> dict[str, float]:
    """Of each family the share of kept samples in which the model would say every token of every answer."""
    student.merge()
    found = {}
    for name, which in data.valid.items():
        right = 0
        for some in np.array_split(which, max(1, len(which) // 16)):
            batch = data.tensors(some, device)
            with torch.no_grad():
                wrong = (odds_of(student, batch).argmax(-1) != batch.wanted).cpu().numpy()
            right += len(some) - len(set(batch.rows[wrong]))
        found[name] = right / len(which)
    return found


def export(student: Student, path: Path) -> None:
    """The adapter as llama.cpp reads it, in eight bits."""
    writer = GGUFWriter(str(path), student.base.kind)
    writer.add_type("adapter")
    writer.add_string("general.name", f"thinkaloud adapter, {student.base.kind}, {student.base.layers} layers")
    writer.add_string("general.license", "apache-2.0")
    writer.add_string("adapter.type", "lora")
    writer.add_float32("adapter.lora.alpha", student.scale * student.rank)
    kind = GGMLQuantizationType.Q8_0
    for name in student.base.linear:
        _, layer, part = name.split(".", 2)
        for suffix, factor in zip(("lora_a", "lora_b"), student.adapter[part], strict=True):
            values = quantize(factor[int(layer)].detach().float().cpu().numpy(), kind)
            writer.add_tensor(f"{name}.{suffix}", values, raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def main() -> None:
    """The command."""
    options = argparse.ArgumentParser(description=__doc__)
    for name in ("base", "data", "adapter"):
        options.add_argument(name, type=Path)
    options.add_argument("--rank", type=int, default=64)
    options.add_argument("--passes", type=float, default=2.2, help="how often every sample is seen (2.2)")
    options.add_argument("--batch", type=int, default=32768, help="tokens in one pass of the model (32768)")
    options.add_argument("--together", type=int, default=2, help="passes of the model for one step (2)")
    options.add_argument("--rate", type=float, default=8e-4)
    options.add_argument("--minutes", type=float, default=60, help="stop in time, with a finished adapter (60)")
    options.add_argument(
        "--dropout", type=float, default=0.0, help="how much is left out at random while it learns (0)"
    )
    options.add_argument("--begin", type=Path, help="an adapter of the same rank to begin with")
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    if missing := [
        str(path) for path in (given.base, given.data, given.begin) if path is not None and not path.is_file()
    ]:
        sys.exit(f"There is no file {' and no file '.join(missing)}.")
    torch.manual_seed(given.seed)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    data = Data(given.data, given.seed)
    base = Base(given.base, device, torch.bfloat16 if device == "cuda" else torch.float32)
    student = Student(base, given.rank, LONGEST, dropout=given.dropout)
    if given.begin is not None:
        student.begin(given.begin)
    optimizer = torch.optim.AdamW(student.parameters(), lr=given.rate, weight_decay=0.0, betas=(0.9, 0.98))
    once = len(list(data.batches(given.batch)))
    steps = max(1, int(once * given.passes) // given.together)
    print(f"{len(data.train)} samples, {data.lengths.sum() / 1e6:.1f} M tokens, {steps} steps", flush=True)
    state, first = given.adapter.with_suffix(".state"), 0
    if state.exists():
        saved = torch.load(state, map_location=device)
        with torch.no_grad():
            for parameter, values in zip(student.parameters(), saved["adapter"], strict=True):
                parameter.copy_(values)
        optimizer.load_state_dict(saved["optimizer"])
        first = saved["step"]
        data.rng = np.random.default_rng([given.seed, first])
    batches: Iterator[np.ndarray[Any, Any]] = iter(())
    start, tokens = time.monotonic(), 0
    step = first
    while step < steps:
        spent = (time.monotonic() - start) / 60
        progress = max((step + 1) / steps, spent / given.minutes)  # too slow a machine shortens it, and ends it well
        if progress > 1:
            break
        for group in optimizer.param_groups:
            group["lr"] = (
                given.rate * min(1, (step + 1) / 50) * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * progress)))
            )
        student.merge()
        total, answers = torch.zeros((), device=device), 0
        for _ in range(given.together):
            which = next(batches, None)
            if which is None:
                batches = data.batches(given.batch)
                which = next(batches)
            batch = data.tensors(which, device)
            loss = F.cross_entropy(odds_of(student, batch), batch.wanted, reduction="sum")
            loss.backward()
            total, answers, tokens = total + loss.detach(), answers + len(batch.rows), tokens + batch.ids.numel()
        student.take_apart(answers)
        torch.nn.utils.clip_grad_norm_(student.parameters(), 1.0)
        optimizer.step()
        step += 1
        if step % 100 == 0 or step == steps:  # to look at a figure is to wait for it
            last, speed = total.item() / answers, tokens / (time.monotonic() - start) / 1000
            print(f"step {step}/{steps}  loss {last:.4f}  {speed:.0f}k tokens/s  {spent:.1f} min", flush=True)
        if step % 500 == 0:
            factors = [each.detach() for each in student.parameters()]
            torch.save({"adapter": factors, "optimizer": optimizer.state_dict(), "step": step}, state)
    export(student, given.adapter)
    for name, share in whole_answers(student, data, device).items():
        print(f"{name}: {share:.3f} of {len(data.valid[name])} samples without a single wrong token", flush=True)


if __name__ == "__main__":
    main()
