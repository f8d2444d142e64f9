"""A greenhouse for thinkaloud: a package that adds a world, a preset and a model."""
