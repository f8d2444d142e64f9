"""Train the adapter: `python -m training.train BASE.gguf tokens.npz adapter.gguf`. Needs numpy, torch and gguf only.

A LoRA on all linear layers of a GGUF of llama's or Qwen2's architecture, in the file's own layout, so that no tensor is
permuted. Where Qwen2 differs: biases of q, k and v, which stay as they are; heads that turn in halves; its own head.
In a small model the sum of base and adapter is worked out once for each step, and its gradient is taken apart into
those of the two factors: few and large multiplications. In a large one the two stand beside each other, so that no
gradient of the base is worked out, which is a third of the work. Seeded; goes on from OUT.state if that is there;
`--begin ADAPTER` begins with what another has learnt. 45 M tokens, each seen twice, take 135M nine minutes on an H200.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
from gguf import GGMLQuantizationType, GGUFReader, GGUFWriter
from gguf.quants import dequantize, quantize

try:
    import torch
    import torch.nn.functional as F
except ModuleNotFoundError:
    sys.exit("Training needs torch. Install it (pip install torch), or train on a machine that has it.")

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
    """The base model with an adapter that can learn."""

    def __init__(self, base: Base, rank: int, longest: int, *, beside: bool | None = None) -> None:
        self.base, self.rank, self.scale = base, rank, 2.0
        device = base.weights["token_embd.weight"].device
        self.adapter: dict[str, tuple[torch.nn.Parameter, torch.nn.Parameter]] = {}
        for name in base.linear:
            out, into = base.weights[name].shape
            down = torch.randn(rank, into, device=device) / math.sqrt(into)
            self.adapter[name] = torch.nn.Parameter(down), torch.nn.Parameter(torch.zeros(out, rank, device=device))
        turns = base.base ** (-torch.arange(0, base.head, 2, device=device).float() / base.head)
        angle = torch.arange(longest, device=device).float()[:, None] * turns
        self.cos, self.sin = angle.cos(), angle.sin()
        self.beside = base.width >= WIDE if beside is None else beside
        self.merged: dict[str, torch.Tensor] = {}
        self.factors: dict[str, tuple[torch.Tensor, torch.Tensor]] = {}
        quick = torch.compile(dynamic=True) if device.type == "cuda" else lambda function: function
        self.turn, self.gate = quick(_turn_halves if base.kind == "qwen2" else _turn_pairs), quick(_gate)

    def parameters(self) -> list[torch.nn.Parameter]:
        """What is learnt."""
        return [each for pair in self.adapter.values() for each in pair]

    def merge(self) -> None:
        """Work out the weights for the next pass."""
        for name, (a, b) in self.adapter.items():
            if self.beside:
                kind = self.base.weights[name].dtype
                scaled = (self.scale * b.detach()).to(kind).requires_grad_(True)
                self.factors[name] = a.detach().to(kind).requires_grad_(True), scaled
                continue
            whole = self.base.weights[name].float() + self.scale * (b.detach() @ a.detach())
            self.merged[name] = whole.to(self.base.weights[name].dtype).requires_grad_(True)

    def take_apart(self) -> None:
        """The gradients of the two factors out of those of the weights."""
        for name, (a, b) in self.adapter.items():
            if self.beside:
                down, up = (each.grad for each in self.factors[name])
                assert down is not None and up is not None
                a.grad, b.grad = down.float(), self.scale * up.float()
                continue
            slope = self.merged[name].grad
            assert slope is not None
            full = self.scale * slope.float()
            a.grad, b.grad = b.detach().T @ full, full @ a.detach().T

    def begin(self, path: Path) -> None:
        """Begin with what another adapter of the same rank has learnt."""
        found = {each.name: dequantize(each.data, each.tensor_type) for each in GGUFReader(str(path)).tensors}
        with torch.no_grad():
            for name, pair in self.adapter.items():
                for suffix, factor in zip(("lora_a", "lora_b"), pair, strict=True):
                    values = torch.from_numpy(np.array(found[f"{name}.{suffix}"], np.float32))
                    factor.copy_(values.reshape(factor.shape))

    def linear(self, h: torch.Tensor, name: str, bias: torch.Tensor | None = None) -> torch.Tensor:
        """One layer of the base with its part of the adapter."""
        if not self.beside:
            return F.linear(h, self.merged[name], bias)
        down, up = self.factors[name]
        return F.linear(h, self.base.weights[name], bias) + F.linear(F.linear(h, down), up)

    def norm(self, x: torch.Tensor, name: str) -> torch.Tensor:
        return F.rms_norm(x, (self.base.width,), self.base.weights[name], self.base.epsilon)

    def hidden(self, ids: torch.Tensor) -> torch.Tensor:
        """What the model thinks at each token."""
        base = self.base
        n, t = ids.shape
        cos, sin = self.cos[:t], self.sin[:t]
        x = F.embedding(ids, base.weights["token_embd.weight"])
        for layer in range(base.layers):
            p = f"blk.{layer}."
            h = self.norm(x, p + "attn_norm.weight")
            q, k, v = (
                self.linear(h, f"{p}attn_{part}.weight", base.weights.get(f"{p}attn_{part}.bias"))
                .view(n, t, heads, base.head)
                .transpose(1, 2)
                for part, heads in (("q", base.heads), ("k", base.kv), ("v", base.kv))
            )
            o = F.scaled_dot_product_attention(
                self.turn(q, cos, sin), self.turn(k, cos, sin), v, is_causal=True, enable_gqa=True
            )
            x = x + self.linear(o.transpose(1, 2).reshape(n, t, base.width), p + "attn_output.weight")
            h = self.norm(x, p + "ffn_norm.weight")
            gated = self.gate(self.linear(h, p + "ffn_gate.weight"), self.linear(h, p + "ffn_up.weight"))
            x = x + self.linear(gated, p + "ffn_down.weight")
        return self.norm(x, "output_norm.weight")

    def logits(self, hidden: torch.Tensor) -> torch.Tensor:
        """How likely each token is next; where there is no head, the embedding is used both ways."""
        return F.linear(hidden, self.base.output)


def _turn_halves(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    """Pairs are turned as in Qwen2's files: one of each half."""
    one, other = x.float().chunk(2, -1)
    return torch.cat((one * cos - other * sin, other * cos + one * sin), -1).to(x.dtype)


def _turn_pairs(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    """Pairs are turned as in llama's files: neighbours."""
    even, odd = x[..., 0::2].float(), x[..., 1::2].float()
    return torch.stack((even * cos - odd * sin, even * sin + odd * cos), -1).flatten(-2).to(x.dtype)


def _gate(gate: torch.Tensor, up: torch.Tensor) -> torch.Tensor:
    return F.silu(gate) * up


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

    def tensors(self, which: np.ndarray[Any, Any], device: str) -> tuple[torch.Tensor, torch.Tensor]:
        """The tokens of samples, filled up at the end, and what counts as an answer."""
        longest = -(-int(self.lengths[which].max()) // 8) * 8
        ids, counts = np.zeros((len(which), longest), np.int64), np.zeros((len(which), longest), bool)
        for row, sample in enumerate(which):
            start, length = self.starts[sample], self.lengths[sample]
            ids[row, :length] = self.tokens[start : start + length]
            counts[row, :length] = self.counts[start : start + length]
        return torch.from_numpy(ids).to(device), torch.from_numpy(counts).to(device)


def loss_of(student: Student, ids: torch.Tensor, counts: torch.Tensor) -> tuple[torch.Tensor, int]:
    """The sum over all tokens of answers, and how many there are."""
    wanted = counts[:, 1:]
    hidden = student.hidden(ids)[:, :-1][wanted]
    return F.cross_entropy(student.logits(hidden).float(), ids[:, 1:][wanted], reduction="sum"), int(wanted.sum())


def whole_answers(student: Student, data: Data, device: str) -> dict[str, float]:
    """Of each family the share of kept samples in which the model would say every token of every answer."""
    student.merge()
    found = {}
    for name, which in data.valid.items():
        right = 0
        for some in np.array_split(which, max(1, len(which) // 16)):
            ids, counts = data.tensors(some, device)
            wanted, said = counts[:, 1:], torch.ones_like(ids[:, 1:], dtype=torch.bool)
            with torch.no_grad():
                said[wanted] = student.logits(student.hidden(ids)[:, :-1][wanted]).argmax(-1) == ids[:, 1:][wanted]
            right += int(said.all(1).sum())
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
    for name, pair in student.adapter.items():
        for suffix, factor in zip(("lora_a", "lora_b"), pair, strict=True):
            values = quantize(factor.detach().float().cpu().numpy(), kind)
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
    student = Student(base, given.rank, LONGEST)
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
    start, tokens, last = time.monotonic(), 0, 0.0
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
        total, answers = 0.0, 0
        for _ in range(given.together):
            which = next(batches, None)
            if which is None:
                batches = data.batches(given.batch)
                which = next(batches)
            ids, counts = data.tensors(which, device)
            loss, many = loss_of(student, ids, counts)
            loss.backward()
            total, answers, tokens = total + loss.item(), answers + many, tokens + ids.numel()
        student.take_apart()
        for parameter in student.parameters():
            assert parameter.grad is not None
            parameter.grad /= answers
        torch.nn.utils.clip_grad_norm_(student.parameters(), 1.0)
        optimizer.step()
        last = total / answers
        step += 1
        if step % 100 == 0 or step == steps:
            speed = tokens / (time.monotonic() - start)
            print(f"step {step}/{steps}  loss {last:.4f}  {speed / 1000:.0f}k tokens/s  {spent:.1f} min", flush=True)
        if step % 500 == 0:
            factors = [each.detach() for each in student.parameters()]
            torch.save({"adapter": factors, "optimizer": optimizer.state_dict(), "step": step}, state)
    export(student, given.adapter)
    for name, share in whole_answers(student, data, device).items():
        print(f"{name}: {share:.3f} of {len(data.valid[name])} samples without a single wrong token", flush=True)


if __name__ == "__main__":
    main()
