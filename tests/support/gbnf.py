"""Does a grammar accept a text? Thinkaloud's own reader of GBNF, which the tests hold against llama.cpp itself."""

from thinkaloud.models.gbnf import accepts

__all__ = ["accepts"]
