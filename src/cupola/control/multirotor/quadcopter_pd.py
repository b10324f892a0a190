"""The quadcopter controller of Last_letter_2: its PD law with its gains (§5.3), mixed for four motors (§5.4)."""

from typing import Any

from cupola.config.controller import parameter
from cupola.control.mixing import Quad, mix_quad
from cupola.control.multirotor.authority import Mix
from cupola.control.multirotor.pd import PDState, StickFlight, multirotor_pd
from cupola.kernel.observation import Observation, Reference


def quadcopter_pd(obs: Observation, ref: Reference, state: PDState, p: Any) -> tuple[Quad, PDState]:
    """Motor signals from four sticks."""
    demand, now = multirotor_pd(obs, ref, state, p)
    return mix_quad(demand.throttle, demand.roll, demand.pitch, demand.yaw), now


class QuadcopterPD(StickFlight):
    """Sticks: roll, pitch, turn rate, height."""

    law = staticmethod(quadcopter_pd)

    roll_kp: parameter = parameter(0.09, low=0, high=1, unit="1/rad")
    roll_kd: parameter = parameter(0.02, low=0, high=1, unit="s/rad")
    pitch_kp: parameter = parameter(0.09, low=0, high=1, unit="1/rad")
    pitch_kd: parameter = parameter(0.02, low=0, high=1, unit="s/rad")
    yaw_kp: parameter = parameter(0.11, low=0, high=1, unit="1/rad")
    yaw_kd: parameter = parameter(0.10, low=0, high=1, unit="s/rad")
    alt_kp: parameter = parameter(0.30, low=0, high=1, unit="1/m")
    alt_kd: parameter = parameter(0.26, low=0, high=1, unit="s/m")

    def mixing(self) -> tuple[Mix, int]:
        """Of four motors."""
        return mix_quad, 4
