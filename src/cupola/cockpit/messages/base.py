"""What all messages of the cockpit share: the base class and the ranges of their numbers."""

import json
from typing import Annotated, Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field
from pydantic_core import PydanticSerializationError

from cupola.schema.hostile_text import writable
from cupola.teleop.manual_modes import KEYS

LONGEST_TEXT = 40_000
"""Characters of a file that a page edits; the longest that ships has 5000."""
Finite = Annotated[float, Field(allow_inf_nan=False)]
Deflection = Annotated[float, Field(ge=-1.0, le=1.0)]
Force = Annotated[float, Field(ge=-1e4, le=1e4)]
Length = Annotated[float, Field(ge=-1e3, le=1e3)]
Place = Annotated[float, Field(ge=-1e6, le=1e6)]
Formula = Annotated[str, Field(min_length=1, max_length=1000)]
Name = Annotated[str, Field(max_length=200)]
DriveKey = Annotated[str, Field(pattern=f"^({'|'.join(KEYS)})$")]
Text = Annotated[str, Field(max_length=LONGEST_TEXT)]
TextOf = Annotated[int, Field(ge=-1, le=1000)]
Version = Annotated[int, Field(ge=0, le=1_000_000_000)]
Three = tuple[Finite, Finite, Finite]
Four = tuple[Finite, Finite, Finite, Finite]


class Message(BaseModel):
    """What is unknown is refused."""

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="forbid", frozen=True)

    def model_dump_json(self, **how: Any) -> str:
        """As text, also where it tells of a file whose name is none."""
        try:
            return super().model_dump_json(**how)
        except PydanticSerializationError:
            return writable(json.dumps(self.model_dump(mode="json"), ensure_ascii=False))
