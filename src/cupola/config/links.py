"""Masses and lengths of bodies that replace those of a vehicle's model."""

from pydantic import Field

from cupola.config.vehicle import Triple
from cupola.schema.yaml_files import Entry

Six = tuple[float, float, float, float, float, float]


class Link(Entry):
    """One body; values that are not given stay unchanged."""

    mass: float | None = Field(None, gt=0, description="[kg]; moments of inertia grow with it unless they are given")
    length: float | None = Field(None, gt=0, description="[m] to what hangs on it, which moves along")
    com: Triple | None = Field(None, description="[m] centre of mass in the axes of the body")
    inertia: Six | None = Field(None, description="[kg m²] xx, yy, zz, xy, xz, yz about that centre, axes of the body")
