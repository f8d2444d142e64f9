"""Untrusted text from outside: names, reports, answers, files and JSON; and secrets that must not be shown."""
