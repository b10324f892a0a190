"""A wing model from outside: the port-Hamiltonian wing that ships as C, packed as an FMU, flaps on a stand in wind.

Needs a C compiler and `pip install 'cupola[fmi]'`. What the ports supply, less what is lost, is what the wing stores.
"""

import math
from pathlib import Path

import cupola
from cupola.bridge.fmi.pack import WING, pack
from cupola.config.air import Air, Wind
from cupola.config.scenario import Scenario, VehicleEntry

MODEL = """<mujoco><worldbody><body name="base" pos="0 0 1">
<geom type="box" size="0.1 0.04 0.04" mass="0.5"/>
<body name="wing" pos="0 0.04 0"><joint name="flap" axis="1 0 0"/>
<geom type="box" size="0.06 0.15 0.002" pos="0 0.15 0" mass="0.03"/><site name="middle" pos="0 0.15 0"/></body>
</body></worldbody><actuator><motor name="motor" joint="flap"/></actuator></mujoco>"""
VEHICLE = """about: A port-Hamiltonian wing on a stand
parts:
  wing:
    kind: fmu
    file: wing.fmu
    inputs: {joint.flap.velocity: rate, site.middle.vel_air_s.z: air, air.density: density}
    outputs:
      joint.flap.torque: torque
      site.middle.force_s.z: force
      show.stored: stored
      show.lost: lost
controller: {use: pass_through, rate_hz: 100}
"""

folder = Path("out/ph_wing")
folder.mkdir(parents=True, exist_ok=True)
(folder / "model.xml").write_text(MODEL)
(folder / "vehicle.yaml").write_text(VEHICLE)
pack(WING, folder / "wing.fmu", version=3)

wind = Air(wind=Wind(speed=3.0, from_deg=270.0, up=1.0))
world = cupola.World(
    Scenario(vehicles=(VehicleEntry(model=str(folder)),), air=wind, floor=None, physics_hz=1000), trust=True
)
names = ("rate", "air", "torque", "force", "stored", "lost")
supplied = lost = stored = moved = 0.0
for _ in range(10_000):
    world.data.ctrl[0] = 0.3 * math.sin(2 * math.pi * 3.0 * world.time)  # a motor of 3 Hz
    world.step()
    rate, air, torque, force, stored, loss = (world.signal(f"ph_wing.wing.{name}") for name in names)
    power = -torque * rate - force * air
    supplied, lost, moved = supplied + power * world.dt, lost + loss * world.dt, moved + abs(power) * world.dt

balance = (stored - (supplied - lost)) / moved
print(f"in 10 s: {supplied:.3f} J supplied, {lost:.3f} J lost, {stored:.3f} J stored; balance open by {balance:.1e}")
