"""A greenhouse for thinkaloud: a world, a preset and a model that another package brings along."""
