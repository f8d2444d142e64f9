"""Measure what parts of thinkaloud itself cost, in milliseconds: run `python -m thinkaloud_bench.costs.loop`."""
