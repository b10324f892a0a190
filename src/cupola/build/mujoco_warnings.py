"""What MuJoCo warns of, as messages of ours.

By itself it prints them among the results of a command and writes MUJOCO_LOG.TXT into the present folder.
"""

import logging
import re
import warnings
from collections.abc import Iterator
from typing import Any

import mujoco

log = logging.getLogger("cupola")
SAID_OTHERWISE = (
    mujoco.mjtWarning.mjWARN_BADQPOS,
    mujoco.mjtWarning.mjWARN_BADQVEL,
    mujoco.mjtWarning.mjWARN_BADQACC,
)
"""A run ends with them, and its own message names the part."""
FIRST = 1
"""The first warning of a kind is what MuJoCo prints: where one is counted already, it only counts."""
_last: list[str] = [""]


def pass_on() -> None:
    """From here on warnings of the compiler go to our log, unless somebody else listens already."""
    if mujoco.get_mju_user_warning() is None:
        mujoco.set_mju_user_warning(_tell)


def compiled(spec: Any) -> Any:
    """The model of a specification; its warnings come as Python's."""
    with warnings.catch_warnings(record=True) as found:
        model = spec.compile()
    for warning in found:
        _tell(str(warning.message))
    return model


def _tell(text: str) -> None:
    """A model is compiled more than once on its way into a world: what it says again is not said again."""
    if text != _last[0]:
        _last[0] = text
        log.warning("MuJoCo: %s", _plain(text))


def only_count(data: Any) -> None:
    """Let MuJoCo count the warnings of a simulation that begins, and print none."""
    data.warning.number[:] = FIRST


def counted(data: Any) -> Iterator[tuple[int, str]]:
    """The kinds of warnings that came since `only_count` and that nothing else tells of, in MuJoCo's words."""
    if data.warning.number.max() == FIRST:
        return
    for kind, number in enumerate(data.warning.number.tolist()):
        if number > FIRST and kind not in map(int, SAID_OTHERWISE):
            yield kind, _plain(mujoco.mju_warningText(kind, int(data.warning.lastinfo[kind])))


def _plain(text: str) -> str:
    return " ".join(re.sub(r"\s*Time = .*", "", text).split()).rstrip(".")
