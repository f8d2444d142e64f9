"""How the adapter of the embedded model is made: demonstrations, tokens, training, export.

    python -m training.generate data/           # demonstrations, as text that can be read
    python -m training.pack data/ tokens.npz    # the same as tokens
    python -m training.train BASE tokens.npz adapter.gguf

`make adapter` does all of it. A new world or role joins by adding its demonstrator to `training/demonstrators`.
"""
