"""`python -m thinkaloud`."""

from thinkaloud.cli import main

main()
