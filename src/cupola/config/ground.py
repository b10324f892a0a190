"""Static objects of a scenario file: floor, floor patches, obstacles."""

from typing import Annotated, Literal

from pydantic import Field, PositiveFloat, model_validator

from cupola.config.vehicle import Triple
from cupola.schema.yaml_files import Entry

Share = Annotated[float, Field(ge=0, le=1)]


class Patch(Entry):
    """A rectangle of the floor with its own friction; where two overlap, the later one counts."""

    center: tuple[float, float] = Field(description="[m] world x, y")
    size: tuple[PositiveFloat, PositiveFloat] = Field(description="[m] edges along x, y")
    friction: float = Field(ge=0, le=100)


class Floor(Entry):
    """A flat ground at z = 0."""

    friction: float = Field(1.0, ge=0, le=100, description="of everything that touches it")
    size: float = Field(2500.0, gt=0, le=1e6, description="[m] half the edge")
    patches: tuple[Patch, ...] = ()


class Obstacle(Entry):
    """A fixed obstacle: a wall, a post, a shelf, a bump."""

    shape: Literal["box", "cylinder"] = "box"
    position: Triple = Field(description="[m] of its middle, world")
    size: Triple = Field(description="[m] edges along its x, y, z; a cylinder has diameter, diameter, height")
    attitude_deg: Triple = Field((0.0, 0.0, 0.0), description="roll, pitch, yaw (z-y-x)")
    friction: float = Field(1.0, ge=0, le=100)
    rgba: tuple[Share, Share, Share, Share] = (0.62, 0.64, 0.68, 1.0)

    @model_validator(mode="after")
    def _check_size(self) -> "Obstacle":
        if min(self.size) <= 0.0 or (self.shape == "cylinder" and self.size[0] != self.size[1]):
            raise ValueError(f"size must be positive, and of a cylinder x and y alike, got {self.size}")
        return self
