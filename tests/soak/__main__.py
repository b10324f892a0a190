"""`python -m tests.soak` is a long one."""

from .soak import main

main()
