"""Learning: environments made from scenarios by data, a reference learner, and policies that fly as controllers."""
