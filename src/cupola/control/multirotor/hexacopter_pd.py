"""The hexacopter controller of Last_letter_2: its PD law with its gains (§5.3), mixed for six motors (§5.4)."""

from typing import Any

from cupola.config.controller import parameter
from cupola.control.mixing import Hexa, mix_hexa
from cupola.control.multirotor.authority import Mix
from cupola.control.multirotor.pd import PDState, StickFlight, multirotor_pd
from cupola.kernel.observation import Observation, Reference


def hexacopter_pd(obs: Observation, ref: Reference, state: PDState, p: Any) -> tuple[Hexa, PDState]:
    """Motor signals from four sticks."""
    demand, now = multirotor_pd(obs, ref, state, p)
    return mix_hexa(demand.throttle, demand.roll, demand.pitch, demand.yaw), now


class HexacopterPD(StickFlight):
    """Sticks: roll, pitch, turn rate, height."""

    law = staticmethod(hexacopter_pd)

    roll_kp: parameter = parameter(0.10, low=0, high=1, unit="1/rad")
    roll_kd: parameter = parameter(0.02, low=0, high=1, unit="s/rad")
    pitch_kp: parameter = parameter(0.16, low=0, high=1, unit="1/rad")
    pitch_kd: parameter = parameter(0.04, low=0, high=1, unit="s/rad")
    yaw_kp: parameter = parameter(0.09, low=0, high=1, unit="1/rad")
    yaw_kd: parameter = parameter(0.07, low=0, high=1, unit="s/rad")
    alt_kp: parameter = parameter(0.18, low=0, high=1, unit="1/m")
    alt_kd: parameter = parameter(0.17, low=0, high=1, unit="s/m")

    def mixing(self) -> tuple[Mix, int]:
        """Of six motors."""
        return mix_hexa, 6
