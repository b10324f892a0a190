"""A figure that shows itself below the cell of a notebook, whether or not matplotlib was told that there is one."""

import io

from matplotlib.figure import Figure

DOTS = 100
"""Per inch."""


class ShownFigure(Figure):
    """As every figure of matplotlib otherwise; one that pyplot has not made is only text to a notebook."""

    def _repr_png_(self) -> bytes:
        picture = io.BytesIO()
        self.savefig(picture, format="png", dpi=DOTS)
        return picture.getvalue()
