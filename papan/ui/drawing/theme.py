"""The colours and sizes of the window.

There are three themes, each at any scale: ``theme_of("dark", 1.25)``. A theme names colours by their meaning, and
converts design pixels to real ones with ``px``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Literal

from papan.game.base.sentences import say

Colour = tuple[int, int, int] | tuple[int, int, int, int]
Shape = Literal["circle", "diamond", "triangle", "square"]
TextStyle = Literal["name", "title", "heading", "strong", "label", "text", "small", "small strong", "fine", "tiny"]

SMALLEST_WINDOW = (1024, 640)
"""The window's minimum size, in design pixels at 100 %."""
SMALLEST_PAGE = (640, 400)
"""The least size of a scene's layout, in design pixels, when the scale is large for the window."""
USUAL_WINDOW = (1280, 800)
SCALES = (0.8, 0.9, 1.0, 1.1, 1.25, 1.5, 1.75, 2.0)

FONT_WEIGHTS: Mapping[TextStyle, tuple[str, int]] = {
    "name": ("Bold", 34),
    "title": ("Bold", 22),
    "heading": ("Bold", 17),
    "strong": ("SemiBold", 15),
    "label": ("Medium", 15),
    "text": ("Regular", 15),
    "small": ("Regular", 13),
    "small strong": ("SemiBold", 13),
    "fine": ("Regular", 11),
    "tiny": ("SemiBold", 11),
}
"""The text styles: font weight and size in design pixels."""

MARGIN = 20
GAP = 12
"""The distance between panels."""
PANEL_RADIUS = 14
BUTTON_RADIUS = 10
BUTTON_HEIGHT = 40
FIELD_HEIGHT = 40
FIELD_PADDING = 14
"""The distance from a field's edge to its text."""
ICON_SIZE = 20

Tone = Literal["good", "bad", "plain"]
"""The tone of a text, which decides its colour: see ``Theme.tone_ink``."""

BLACK: Colour = (0, 0, 0)
WHITE: Colour = (255, 255, 255)
RING_CONTRAST = 9.0
"""The contrast between the two colours of the focus ring."""


def rgb(text: str) -> Colour:
    return int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16)


def mix(first: Colour, second: Colour, share: float) -> Colour:
    """The colour at *share* of the way from *first* (0) to *second* (1)."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(first[:3], second[:3], strict=True))
    return red, green, blue


def with_opacity(colour: Colour, opacity: float) -> Colour:
    """*colour* with *opacity*, from 0 to 1."""
    return colour[0], colour[1], colour[2], round(opacity * 255)


def luminance(colour: Colour) -> float:
    """Relative luminance from 0 to 1, as WCAG 2 defines it."""
    parts = [part / 255 for part in colour[:3]]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first: Colour, second: Colour) -> float:
    """The contrast ratio of WCAG 2: 1 for equal colours, 21 for black on white."""
    dark, light = sorted((luminance(first), luminance(second)))
    return (light + 0.05) / (dark + 0.05)


def readable_colour(colour: Colour, ground: Colour, least: float = 3.0) -> Colour:
    """*colour*, made darker or lighter until its contrast with *ground* is at least *least*."""
    goal = BLACK if contrast(BLACK, ground) > contrast(WHITE, ground) else WHITE
    share = 0.0
    found = mix(colour, goal, 0)
    while contrast(found, ground) < least and share < 1:
        share += 0.05
        found = mix(colour, goal, min(1.0, share))
    return found


_RED, _BLUE, _YELLOW, _PURPLE = say("Red"), say("Blue"), say("Yellow"), say("Purple")


@dataclass(frozen=True)
class SeatStyle:
    """A seat's colours and shape."""

    colour: Colour
    ink: Colour
    """The text colour on a panel."""
    shape: Shape
    mark: Colour = (255, 252, 246)
    """The colour of the shape on a disc of ``colour``."""
    name: str = ""
    """The usual word for the colour, to be translated; "" where the game has one."""


@dataclass(frozen=True)
class Wood:
    """The colours of a wooden board."""

    top: Colour
    edge: Colour
    deep: Colour
    cell: Colour
    other_cell: Colour
    line: Colour
    grain: float = 1.0
    """How strong its grain is, 1 for wood."""


@dataclass(frozen=True)
class Stone:
    """The colours of a block of stone, lit from above, and of a dome."""

    top: Colour
    left: Colour
    right: Colour
    dome: Colour


@dataclass(frozen=True)
class Theme:
    """A theme at a scale."""

    name: str
    is_dark: bool
    background: Colour
    panel: Colour
    line: Colour
    ink: Colour
    second: Colour
    """The text colour for secondary text."""
    accent: Colour
    on_accent: Colour
    pill: Colour
    on_pill: Colour
    hover: Colour
    pressed: Colour
    legal: Colour
    good_ink: Colour
    bad_ink: Colour
    shadow: float
    """The opacity of a panel's shadow; 0 only in high contrast."""
    seats: tuple[SeatStyle, ...]
    wood: Wood
    stone: Stone
    line_width: int = 1
    scale: float = 1.0

    def px(self, length: float) -> int:
        """*length*, in design pixels, in real pixels."""
        return round(length * self.scale)

    def tone_ink(self, tone: Tone) -> Colour:
        """The text colour for *tone*."""
        return {"good": self.good_ink, "bad": self.bad_ink, "plain": self.ink}[tone]

    def ink_on(self, ground: Colour) -> Colour:
        """The text colour with the most contrast on *ground*."""
        return max((self.ink, self.background, BLACK), key=lambda ink: contrast(ink, ground))

    @property
    def ring(self) -> Colour:
        """The colour of the focus ring: the accent, changed until its contrast with ``ring_ground`` is 9.

        On any background, one of the two then has a contrast of at least 3, the root of 9: WCAG 2.2, 1.4.11.
        """
        towards = WHITE if self.is_dark else BLACK
        steps = (mix(self.accent, towards, share / 20) for share in range(21))
        return next(colour for colour in steps if contrast(colour, self.ring_ground) >= RING_CONTRAST)

    @property
    def ring_ground(self) -> Colour:
        """The colour of the lines on both sides of the focus ring."""
        return self.background

    @property
    def accent_soft(self) -> Colour:
        """A background for text in the accent colour."""
        return mix(self.panel, self.accent, 0.12)


_COLOURS: Mapping[str, tuple[str, str, str]] = {
    "background": ("#F3EDE2", "#1E1C19", "#000000"),
    "panel": ("#FFFCF6", "#292622", "#000000"),
    "line": ("#E4DACA", "#3B362F", "#D0D0D0"),
    "ink": ("#2B2926", "#F1EADF", "#FFFFFF"),
    "second": ("#6F665A", "#ABA091", "#E6E6E6"),
    "accent": ("#2F6F73", "#6FB7B5", "#FFD83D"),
    "on_accent": ("#FFFCF6", "#1E1C19", "#000000"),
    "pill": ("#E4DACA", "#3B362F", "#303030"),
    "on_pill": ("#61594D", "#C2B7A7", "#FFFFFF"),
    "hover": ("#F8F2E7", "#332F2A", "#303030"),
    "pressed": ("#EFE6D7", "#3D3832", "#4A4A4A"),
    "legal": ("#5E8C56", "#86B57C", "#5CFF5C"),
    "good_ink": ("#47753F", "#86B57C", "#5CFF5C"),
    "bad_ink": ("#B4442D", "#E98A75", "#FF9C8A"),
}
"""In the light theme, the dark one and high contrast."""


def _colours(theme: int) -> dict[str, Any]:
    return {name: rgb(texts[theme]) for name, texts in _COLOURS.items()}


LIGHT = Theme(
    name="light",
    is_dark=False,
    **_colours(0),
    shadow=0.16,
    seats=(
        SeatStyle(rgb("#C4523A"), rgb("#B4442D"), "circle", name=_RED),
        SeatStyle(rgb("#2B6C78"), rgb("#2B6C78"), "diamond", name=_BLUE),
        SeatStyle(rgb("#D8A035"), rgb("#8A6210"), "triangle", rgb("#2B2926"), name=_YELLOW),
        SeatStyle(rgb("#6C4A7E"), rgb("#6C4A7E"), "square", name=_PURPLE),
    ),
    wood=Wood(rgb("#DDBB8A"), rgb("#C99F69"), rgb("#8E6A3F"), rgb("#EBD3AE"), rgb("#E3C79C"), rgb("#A9804C")),
    stone=Stone(rgb("#F7F3EA"), rgb("#E4DDCF"), rgb("#CFC6B4"), rgb("#3E78A8")),
)

_DARK_MARK = rgb("#1E1C19")

DARK = Theme(
    name="dark",
    is_dark=True,
    **_colours(1),
    shadow=0.45,
    seats=(
        SeatStyle(rgb("#E2725A"), rgb("#E98A75"), "circle", _DARK_MARK, name=_RED),
        SeatStyle(rgb("#58A9B4"), rgb("#66B3BD"), "diamond", _DARK_MARK, name=_BLUE),
        SeatStyle(rgb("#E5B858"), rgb("#E5B858"), "triangle", _DARK_MARK, name=_YELLOW),
        SeatStyle(rgb("#A984BE"), rgb("#B998CC"), "square", _DARK_MARK, name=_PURPLE),
    ),
    wood=Wood(rgb("#7A5C38"), rgb("#5F4629"), rgb("#3A2A17"), rgb("#8B6B45"), rgb("#80613D"), rgb("#4E3A20")),
    stone=Stone(rgb("#EFEAE0"), rgb("#CFC7B8"), rgb("#AFA694"), rgb("#5D96C6")),
)

HIGH_CONTRAST = Theme(
    name="contrast",
    is_dark=True,
    **_colours(2),
    shadow=0.0,
    seats=(
        SeatStyle(rgb("#FF6A52"), rgb("#FF9C8A"), "circle", BLACK, name=_RED),
        SeatStyle(rgb("#3FD2FF"), rgb("#3FD2FF"), "diamond", BLACK, name=_BLUE),
        SeatStyle(rgb("#FFD83D"), rgb("#FFD83D"), "triangle", BLACK, name=_YELLOW),
        SeatStyle(rgb("#D79BFF"), rgb("#D79BFF"), "square", BLACK, name=_PURPLE),
    ),
    wood=Wood(rgb("#8C8C8C"), rgb("#D0D0D0"), rgb("#5A5A5A"), rgb("#1C1C1C"), rgb("#2C2C2C"), rgb("#D0D0D0")),
    stone=Stone(WHITE, rgb("#B8B8B8"), rgb("#8A8A8A"), rgb("#3F9DFF")),
    line_width=2,
)

_MATERIALS: Mapping[str, tuple[Wood, Wood]] = {
    "rosewood": (
        Wood(rgb("#B87F58"), rgb("#9E6A47"), rgb("#5E3523"), rgb("#CF9E78"), rgb("#C4916B"), rgb("#6F4530")),
        Wood(rgb("#714A36"), rgb("#573728"), rgb("#2C1810"), rgb("#84583F"), rgb("#794F38"), rgb("#3E2519")),
    ),
    "paper": (
        Wood(rgb("#E9E1CF"), rgb("#D3C8B1"), rgb("#7D735F"), rgb("#F6F1E4"), rgb("#EFE9DA"), rgb("#7D735F"), 0.2),
        Wood(rgb("#8A8478"), rgb("#6C675D"), rgb("#35322C"), rgb("#A8A295"), rgb("#9F998C"), rgb("#4A463E"), 0.3),
    ),
    "slate": (
        Wood(rgb("#8D969D"), rgb("#747E86"), rgb("#39424A"), rgb("#AEB6BB"), rgb("#A3ACB2"), rgb("#4D5860"), 0.25),
        Wood(rgb("#59626A"), rgb("#444C53"), rgb("#22282D"), rgb("#6A747C"), rgb("#626C74"), rgb("#2F373D"), 0.4),
    ),
}
"""What boards can be made of instead of the theme's wood: in the light and in the dark theme."""

PLAIN = "plain"
BACKGROUNDS: Mapping[str, tuple[Colour, Colour]] = {
    "sage": (rgb("#E6EEE0"), rgb("#171E18")),
    "mist": (rgb("#E6EDF2"), rgb("#161B21")),
}
"""Backgrounds of the window instead of the theme's: in the light and in the dark theme."""

THEMES: Mapping[str, Theme] = {theme.name: theme for theme in (LIGHT, DARK, HIGH_CONTRAST)}


def theme_of(name: str, scale: float = 1.0, background: str = PLAIN) -> Theme:
    """The theme *name* at *scale*; the light one if the name is unknown. High contrast keeps its background."""
    theme = replace(THEMES.get(name, LIGHT), scale=scale)
    if background not in BACKGROUNDS or not theme.shadow:
        return theme
    return replace(theme, background=BACKGROUNDS[background][theme.is_dark])


def with_material(theme: Theme, name: str) -> Theme:
    """*theme* with the colours of another material for its wood; *theme* itself in high contrast, or without such."""
    return _with_material(theme, name) if name in _MATERIALS and theme.shadow else theme


@lru_cache(maxsize=16)
def _with_material(theme: Theme, name: str) -> Theme:
    return replace(theme, wood=_MATERIALS[name][theme.is_dark])
