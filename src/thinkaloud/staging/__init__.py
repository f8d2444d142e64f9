"""Staging an episode: turn options and settings into a world, a model, a session and an agent, for any front end."""
