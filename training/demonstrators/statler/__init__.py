"""Statler: conversations about things on a table, and the shell game.

The same conversations are shown to the paper's parts and to its baselines, each as it would see them: the reader and
the writer, the two in one, Code as Policies without and with all states worked out. What is looked up is thought aloud.
"""

from __future__ import annotations

from training.demonstrators.statler import shell, showing
from training.samples import Demonstrator

DEMONSTRATORS = (
    Demonstrator("statler_reader", showing.reader, 0.18),
    Demonstrator("statler_writer", showing.writer, 0.11),
    Demonstrator("statler_other_writers", showing.other_writers, 0.02),
    Demonstrator("statler_unified", showing.unified, 0.03),
    Demonstrator("statler_functions", showing.functions, 0.003),
    Demonstrator("statler_history", showing.history, 0.035),
    Demonstrator("statler_thoughts", showing.worked_out, 0.03),
    Demonstrator("shell_game", shell.games, 0.012),
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
