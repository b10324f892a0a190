"""How strong the light is that comes back to a laser scanner."""

from cupola.xmath import Number


def echo(reflectivity: Number, cosine: Number, distance: Number) -> Number:
    """Power of an echo over that of white, straight on, 1 m away.

    Laser radar equation of a dull (Lambertian) surface wider than the beam, without losses in the air: `reflectivity`
    0 to 1, `cosine` of the angle between beam and normal, `distance` [m]. Jelalian, "Laser Radar Systems" (1992), 1.1;
    Höfle and Pfeifer, ISPRS Journal 62 (2007), equation 6.
    """
    return reflectivity * cosine / (distance * distance)
