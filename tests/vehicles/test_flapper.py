"""The wing in the tunnel: its stroke is the published one, and its lift is nearer to the measured than a lattice."""

from cupola.reproduce.morphing_flapper import rows


def test_stroke_and_lift():
    judged = {row.id: row for row in rows(False)}
    assert judged["flapper_stroke"].passed
    assert judged["flapper_lift"].passed, judged["flapper_lift"].measured
