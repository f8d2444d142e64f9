"""Statler: conversations about things on a table, and the shell game.

`query` is our own reader: a query becomes a short program that asks the state. The others show what the same
conversations lead to in the paper's parts and its baselines, where the model looks up and computes by itself.
"""

from __future__ import annotations

from training.demonstrators.statler import shell, showing
from training.samples import Demonstrator

DEMONSTRATORS = (
    Demonstrator("statler_query", showing.query_mode, 0.2),
    Demonstrator("statler_reader", showing.reader, 0.03),
    Demonstrator("statler_writer", showing.writer, 0.03),
    Demonstrator("statler_unified", showing.unified, 0.02),
    Demonstrator("statler_history", showing.history, 0.02),
    Demonstrator("statler_thoughts", showing.thoughts, 0.02),
    Demonstrator("shell_game", shell.games, 0.02),
)

_QUERY = r"# query: [^\n]*"
HELD_OUT = (
    _QUERY + r"make sure that [^\n]* ends up",
    _QUERY + r"let's have (the|both)",
    _QUERY + r"woops",
    _QUERY + r"ends up (on|in|inside) ",
    _QUERY + r"in a higher position than",
    _QUERY + r"accidentally polluted",
    _QUERY + r"becomes identical to",
    _QUERY + r"surpass",
)
"""Ways to put things that are in the paper's episodes or in ours, and are never shown here."""
