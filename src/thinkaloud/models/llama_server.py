"""Start llama.cpp inside this process: the settings that differ from its defaults, and why."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from thinkaloud.models.settings import ModelSettings
from thinkaloud.models.weight_files import cannot_load

# Threads that wait by spinning bring two busy processors to a crawl (20 times slower); read when OpenMP loads.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
import xllamacpp

_BATCH = 128
"""Prompt tokens evaluated between two checks for cancellation; larger batches measured no faster."""


def start_server(
    path: Path, settings: ModelSettings, adapters: Sequence[Path], key: str, states: Path | None = None
) -> Any:
    """Start llama.cpp with these weights; ModelMissing if it refuses them. Some make it crash: see `load_check`.

    With `states`, it can save the states of its slots in that folder.
    """
    params = xllamacpp.CommonParams()
    params.model.path = str(path)
    params.n_parallel = settings.slots
    params.n_ctx = settings.context_to_use() * settings.slots  # llama.cpp divides it among the slots
    params.n_batch = params.n_ubatch = _BATCH
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = settings.threads_to_use()
    # Without flash attention the likelihoods do not depend on the number of threads, and hardly on what the cache held.
    params.flash_attn_type = xllamacpp.llama_flash_attn_type.LLAMA_FLASH_ATTN_TYPE_DISABLED
    params.verbosity = -1
    params.warmup = params.fit_params = params.ui = False
    params.cache_ram_mib = 0
    params.hostnames, params.port, params.api_keys = ["127.0.0.1"], 0, [key]
    params.lora_adapters = [xllamacpp.CommonAdapterLoraInfo(str(each), 1.0) for each in adapters]
    if states is not None:
        params.slot_save_path = f"{states}{os.sep}"
    try:
        server = xllamacpp.Server(params)
    except RuntimeError as error:
        raise cannot_load(path, *adapters) from error
    server.handle_completions({"prompt": " ", "n_predict": 1})  # closing one that has never answered hangs
    return server
