"""Text as the tree of a Python program. It is only parsed: nothing of it runs.

Python 3.11's parser miscounts its depth, and says SystemError, if two threads parse at the same time. So all text is
parsed here, in one thread after another.
"""

from __future__ import annotations

import ast
import threading
import warnings

_PARSING = threading.RLock()


def parse_statements(text: str) -> ast.Module:
    """The tree of a program; raises what Python's parser does, and prints no warning about odd escapes."""
    with _PARSING, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text)


def parse_expression(text: str) -> ast.expr:
    """The tree of one expression; raises what Python's parser does."""
    with _PARSING, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text, mode="eval").body
