"""Text from outside, treated as untrusted: names, reports and answers, files and JSON, and secrets in what is shown."""
