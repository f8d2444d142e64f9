"""A scene of the machine that is no dishwasher."""

from __future__ import annotations

KILN = """{
  "machine": "kiln", "compartment": "shelf", "additive": "glaze", "item": "pot", "prepare": "wipe the dust off",
  "start_place": "workbench", "finished": "showroom", "ready": "fired and cool", "dirty": "raw",
  "compartments": ["upper shelf", "lower shelf"],
  "items": [
    {"kind": "vase", "count": 2, "belongs": "lower shelf"},
    {"kind": "egg cup", "belongs": "upper shelf"}
  ],
  "additives": ["blue glaze"], "cycle_minutes": 90
}"""
