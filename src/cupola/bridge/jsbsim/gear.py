"""Landing gear and structural contacts of a JSBSim aircraft as balls that touch the floor.

MuJoCo's contacts are soft in terms of acceleration: stiffness and damping of a strut are divided by its share of the
mass. A wheel has the friction with which it rolls, in every direction: what needs more is listed as lost.
"""

from xml.etree import ElementTree as ET

from cupola.bridge.jsbsim.elements import front_left_up, location, value
from cupola.bridge.jsbsim.graph import Lost
from cupola.bridge.jsbsim.leftovers import unread
from cupola.bridge.jsbsim.mass import Mass

RADIUS = 0.1
"""Of a ball [m]; it ends where JSBSim's contact point is."""
ROLLING, SCRAPING = 0.02, 0.5
LOST = "a wheel is a ball with the friction of rolling: it has no side grip, brakes or steering, and does not retract"


def geoms(root: ET.Element, mass: Mass, lost: Lost) -> list[str]:
    """MJCF of all contacts."""
    contacts = [one for one in root.iterfind("ground_reactions/contact") if one.find("location") is not None]
    wheels = [one for one in contacts if (one.get("type") or "").strip().upper() == "BOGEY"]
    if wheels:
        lost.append(("landing gear", LOST))
    for number, one in enumerate(contacts):
        lost += unread(one, f"contact {one.get('name') or number}")
    if any(_squared(one) for one in contacts):
        lost.append(("<damping_coeff> by the square of the speed", "here in proportion to it, as at 1 m/s"))
    share = mass.mass / max(len(wheels), 1)
    return [_geom(one, mass, share, k, one in wheels) for k, one in enumerate(contacts)]


def _squared(contact: ET.Element) -> bool:
    damping = contact.find("damping_coeff")
    return damping is not None and (damping.get("type") or "").strip().upper() == "SQUARE"


def _geom(contact: ET.Element, mass: Mass, share: float, index: int, rolls: bool) -> str:
    place = contact.find("location")
    assert place is not None
    x, y, z = front_left_up(location(place), mass.centre)
    stiffness = value(contact, "spring_coeff", "LBS/FT", 20.0 * mass.mass) / share
    damping = value(contact, "damping_coeff", "LBS/FT/SEC", 2.0 * mass.mass) / share
    said = value(contact, "rolling_friction", "", ROLLING) if rolls else value(contact, "static_friction", "", SCRAPING)
    at = f"{x:.6g} {y:.6g} {z + RADIUS:.6g}"
    soft = f"{-stiffness:.6g} {-damping:.6g}"
    return (
        f'<geom name="contact_{index}" type="sphere" pos="{at}" size="{RADIUS}" mass="0" friction="{max(said, 1e-4):g}'
        f' 0.005 0.0001" solref="{soft}" priority="1"/>'
    )
