"""Colours as people see them whose eyes lack one kind of cone, and how far apart two colours are.

Protanopia and deuteranopia after Viénot, Brettel & Mollon, *Digital video colourmaps for checking the legibility of
displays by dichromats* (1999); tritanopia after Brettel, Viénot & Mollon, *Computerized simulation of color appearance
for dichromats* (1997). Differences after Sharma, Wu & Dalal, *The CIEDE2000 color-difference formula* (2005).

Colours are arrays whose last axis has red, green and blue from 0 to 255, as the screen has them (sRGB).
"""

from __future__ import annotations

from typing import Literal

import numpy as np

Deficiency = Literal["protanopia", "deuteranopia", "tritanopia"]
DEFICIENCIES: tuple[Deficiency, ...] = ("protanopia", "deuteranopia", "tritanopia")

_XYZ_OF_RGB = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)
"""Of linear sRGB, by IEC 61966-2-1."""
_WHITE = _XYZ_OF_RGB.sum(axis=1)
_LMS_OF_RGB = np.array([[17.8824, 43.5161, 4.11935], [3.45565, 27.1554, 3.86714], [0.0299566, 0.184309, 1.46709]])
"""The long, middle and short cones' answers to linear red, green and blue: Viénot and others, equation 4."""
_LMS_OF_XYZ = np.array([[0.15514, 0.54312, -0.03286], [-0.15514, 0.45684, 0.03286], [0.0, 0.0, 0.01608]])
"""Smith & Pokorny's cones, to the units of Viénot and others: equation 3."""
_PROTAN = np.array([[0.0, 2.02344, -2.52581], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
_DEUTAN = np.array([[1.0, 0.0, 0.0], [0.494207, 0.0, 1.24827], [0.0, 0.0, 1.0]])
"""Equations 5 and 6: what the missing cone is taken to answer, so that white, blue and yellow stay as they are."""
_REDUCED = {"protanopia": (0.992052, 0.003974), "deuteranopia": (0.957237, 0.0213814)}
"""By these, colours are drawn a little towards grey first, so that the result is one that a screen can show."""
_BLUE_485 = np.array([0.05795, 0.16930, 0.61620])
_RED_660 = np.array([0.16490, 0.06100, 0.00001])
"""The CIE's 1931 X, Y and Z of the two lights that people with tritanopia see as everybody does."""


def simulated(colours: np.ndarray, deficiency: Deficiency) -> np.ndarray:
    """*colours* as somebody with *deficiency* sees them, as colours for everybody."""
    linear = _linear(colours)
    if deficiency == "tritanopia":
        seen = _tritan(linear @ _LMS_OF_RGB.T)
    else:
        share, least = _REDUCED[deficiency]
        seen = (linear * share + least) @ _LMS_OF_RGB.T @ (_PROTAN if deficiency == "protanopia" else _DEUTAN).T
    return _from_linear(seen @ np.linalg.inv(_LMS_OF_RGB).T)


def _tritan(lms: np.ndarray) -> np.ndarray:
    """*lms* with the short cones' answer that lies on one of two planes through white: by 660 or by 485 nm."""
    white = _LMS_OF_RGB.sum(axis=1)
    is_reddish = lms[..., 1] * white[0] < lms[..., 0] * white[1]
    found = lms.copy()
    for light, where in ((_RED_660, is_reddish), (_BLUE_485, ~is_reddish)):
        along, middle, short = np.cross(white, _LMS_OF_XYZ @ light)
        found[..., 2] = np.where(where, -(along * lms[..., 0] + middle * lms[..., 1]) / short, found[..., 2])
    return found


def _linear(colours: np.ndarray) -> np.ndarray:
    shares = np.asarray(colours, dtype=float) / 255
    linear: np.ndarray = np.where(shares <= 0.04045, shares / 12.92, ((shares + 0.055) / 1.055) ** 2.4)
    return linear


def _from_linear(linear: np.ndarray) -> np.ndarray:
    inside = np.clip(linear, 0.0, 1.0)
    shares = np.where(inside <= 0.0031308, inside * 12.92, 1.055 * inside ** (1 / 2.4) - 0.055)
    colours: np.ndarray = shares * 255
    return colours


def lab(colours: np.ndarray) -> np.ndarray:
    """CIELAB's L*, a* and b* of *colours*, white being the screen's."""
    relative = _linear(colours) @ _XYZ_OF_RGB.T / _WHITE
    bent = np.where(relative > (6 / 29) ** 3, np.cbrt(relative), relative / (3 * (6 / 29) ** 2) + 4 / 29)
    x, y, z = np.moveaxis(bent, -1, 0)
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=-1)


def difference(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """CIEDE2000 between two arrays of L*, a* and b*: 1 is just seen by who looks closely, 100 is black and white."""
    light_1, a_1, b_1 = np.moveaxis(np.asarray(first, dtype=float), -1, 0)
    light_2, a_2, b_2 = np.moveaxis(np.asarray(second, dtype=float), -1, 0)
    mean_chroma = (np.hypot(a_1, b_1) + np.hypot(a_2, b_2)) / 2
    stretch = 1.5 - 0.5 * np.sqrt(mean_chroma**7 / (mean_chroma**7 + 25.0**7))
    a_1, a_2 = a_1 * stretch, a_2 * stretch
    chroma_1, chroma_2 = np.hypot(a_1, b_1), np.hypot(a_2, b_2)
    hue_1, hue_2 = (np.degrees(np.arctan2(b, a)) % 360 for a, b in ((a_1, b_1), (a_2, b_2)))
    turn = (hue_2 - hue_1 + 180) % 360 - 180
    has_hue = chroma_1 * chroma_2 > 0
    turn = np.where(has_hue, turn, 0.0)
    along_hue = 2 * np.sqrt(chroma_1 * chroma_2) * np.sin(np.radians(turn / 2))
    light, chroma = (light_1 + light_2) / 2, (chroma_1 + chroma_2) / 2
    is_far = np.abs(hue_1 - hue_2) > 180
    hue = np.where(has_hue, (hue_1 + hue_2 + np.where(is_far, np.where(hue_1 + hue_2 < 360, 360, -360), 0)) / 2, 0.0)
    hue = np.where(has_hue, hue, hue_1 + hue_2)
    weight = (
        1
        - 0.17 * np.cos(np.radians(hue - 30))
        + 0.24 * np.cos(np.radians(2 * hue))
        + 0.32 * np.cos(np.radians(3 * hue + 6))
        - 0.20 * np.cos(np.radians(4 * hue - 63))
    )
    of_light = 1 + 0.015 * (light - 50) ** 2 / np.sqrt(20 + (light - 50) ** 2)
    of_chroma, of_hue = 1 + 0.045 * chroma, 1 + 0.015 * chroma * weight
    blue = 60 * np.exp(-(((hue - 275) / 25) ** 2))
    rotation = -2 * np.sqrt(chroma**7 / (chroma**7 + 25.0**7)) * np.sin(np.radians(blue))
    in_chroma, in_hue = (chroma_2 - chroma_1) / of_chroma, along_hue / of_hue
    found: np.ndarray = np.sqrt(
        ((light_2 - light_1) / of_light) ** 2 + in_chroma**2 + in_hue**2 + rotation * in_chroma * in_hue
    )
    return found
