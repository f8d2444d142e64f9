"""The remembered world: functions to change, check and query a `WorldState`, and to write it as Statler's JSON.

Stages, worlds and benchmarks read and write states with this package; it does not depend on any of them.
"""
