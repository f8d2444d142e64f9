"""Staging an episode: from options and settings to a world, a model, a session and an agent, for any front end."""
