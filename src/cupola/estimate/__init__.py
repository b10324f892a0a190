"""Estimators: filters, scan matching, pose of a base. Plain Python that only reads."""
