"""What all messages of the cockpit share: the base class and the ranges of their numbers."""

from typing import Annotated, ClassVar

from pydantic import BaseModel, ConfigDict, Field

from cupola.teleop.manual_modes import KEYS

Finite = Annotated[float, Field(allow_inf_nan=False)]
Deflection = Annotated[float, Field(ge=-1.0, le=1.0)]
Force = Annotated[float, Field(ge=-1e4, le=1e4)]
Length = Annotated[float, Field(ge=-1e3, le=1e3)]
Name = Annotated[str, Field(max_length=200)]
DriveKey = Annotated[str, Field(pattern=f"^({'|'.join(KEYS)})$")]
Three = tuple[Finite, Finite, Finite]
Four = tuple[Finite, Finite, Finite, Finite]


class Message(BaseModel):
    """What is unknown is refused."""

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="forbid", frozen=True)
