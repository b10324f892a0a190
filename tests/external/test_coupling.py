"""Order of convergence of the exchange with a model from outside, by the word in its entry."""

import pytest

from cupola.parts.external.external import External
from cupola.reproduce.morphing.coupling import exact, order_of, swing


@pytest.mark.parametrize(
    ("model", "coupling", "order"),
    [
        ("Spring", "held", 1.0),
        ("Spring", "extrapolated", 2.0),
        ("Follower", "held", 2.0),
        ("Follower", "extrapolated", 1.0),
    ],
)
def test_the_order_of_an_exchange_is_that_of_its_word(model, coupling, order):
    assert order_of(model, coupling) == pytest.approx(order, abs=0.2)


def test_what_is_extrapolated_is_closer_to_the_closed_form():
    coarse = abs(swing("Spring", "held", 100) - exact("Spring"))
    assert abs(swing("Spring", "extrapolated", 100) - exact("Spring")) < 0.2 * coarse


def test_an_unknown_word_is_refused():
    with pytest.raises(ValueError, match="'held' or 'extrapolated'"):
        External.model_validate({"kind": "External", "coupling": "iterated"})
