"""A short pass of `make soak`."""

import pytest

from .soak import endure


@pytest.mark.parametrize("name", ["quadcopter", "velma_base"])
def test_a_run_in_pieces_is_the_run_in_one_go(name):
    found = endure(name, 8.0 / 3600.0)
    assert found.whole == found.pieces
    assert found.grown < 20.0
