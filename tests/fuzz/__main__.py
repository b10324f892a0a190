"""`python -m tests.fuzz` is a campaign."""

import sys

from .campaign import main

sys.exit(main())
