"""The exact motion of a site, at a rate of its own: what a perfect sensor would say."""

from typing import Literal

import numpy as np

from cupola.parts.part import RING, Places, Row, SampleTiming, Sensor, row_type


class Truth(Sensor):
    """Position, attitude, velocity and rate without error."""

    kind: Literal["truth"]

    def bind(self, places: Places) -> Row:
        """Numbers and places for the loop."""
        row = np.zeros((), TRUTH)
        row["site"] = site = places.site(self.site)
        row["body"], row["vehicle"] = places.body_of(site), places.vehicle
        row["start"], row["capacity"], row["period"], row["counter"] = places.samples(17, self.rate_hz, self.delay)
        return row


TRUTH = row_type(SampleTiming, **RING)
