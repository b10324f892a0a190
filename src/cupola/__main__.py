"""`python -m cupola` is `cupola`."""

from cupola.cli import main

main()
