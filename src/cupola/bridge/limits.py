"""How large a robot may be that is brought from elsewhere; no real one comes near."""

MOST_LINKS = 1000
LONGEST_CHAIN = 200
"""Links from the root to a tip; MuJoCo's own reader stops at 500 levels."""
MOST_CORNERS = 1_000_000
"""Of one mesh."""
