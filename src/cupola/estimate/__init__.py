"""From measurements to what they mean: filters, scan matching, pose of a base. Plain Python that only reads."""
