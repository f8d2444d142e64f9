"""What parts of thinkaloud itself cost, in milliseconds: run them as `python -m thinkaloud_bench.costs.loop`."""
