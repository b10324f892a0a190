"""Controllers of bases on Mecanum wheels."""
