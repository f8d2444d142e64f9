"""The remembered world: how a `WorldState` is changed, checked, asked, and written as Statler's JSON.

A support package: stages, worlds and benchmarks read and write states with it; nothing here knows who does.
"""
