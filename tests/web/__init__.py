"""Tests of the hub, its API and the server."""
