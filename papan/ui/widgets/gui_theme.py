"""pygame_gui's own drawing, where we use it (text fields, long texts), in the colours and font of the theme."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pygame_gui
from pygame_gui.core.utility import set_default_manager

from papan.game.base.places import bundled
from papan.ui.drawing.theme import FIELD_PADDING, FONT_WEIGHTS, Colour, Theme, faded, mix

if TYPE_CHECKING:
    from papan.ui.window.app import App

_FAMILY = "inter"


def new_manager(app: App) -> Any:
    """A manager for one scene, with the theme in force."""
    manager = pygame_gui.UIManager(app.area.size, enable_live_theme_updates=False)
    set_default_manager(None)  # the first one would be kept for ever, and its scene and the window with it
    fonts = [str(bundled("assets", "fonts", f"Inter-{weight}.otf")) for weight in ("Regular", "SemiBold")]
    manager.add_font_paths(_FAMILY, fonts[0], fonts[1])
    manager.get_theme().load_theme(_tokens(app.theme))
    return manager


def _tokens(theme: Theme) -> dict[str, Any]:
    font = {"name": _FAMILY, "size": str(theme.px(FONT_WEIGHTS["text"][1]))}
    colours = {
        "dark_bg": "#00000000",
        "normal_text": _hex(theme.ink),
        "normal_border": _hex(theme.line),
        "disabled_bg": "#00000000",
        "disabled_text": _hex(mix(theme.ink, theme.panel, 0.5)),
        "disabled_border": _hex(theme.line),
        "selected_bg": _hex(theme.accent),
        "selected_text": _hex(theme.on_accent),
        "text_cursor": _hex(theme.ink),
        "link_text": _hex(theme.accent),
        "link_hover": _hex(theme.accent),
    }
    field = {
        "colours": colours,
        "font": font,
        "misc": {
            "shape": "rectangle",
            "shape_corner_radius": "0",
            "border_width": "0",
            "shadow_width": "0",
            "padding": f"{theme.px(FIELD_PADDING)},0",
        },
    }
    return {"text_entry_line": field, "text_box": field}


def _hex(colour: Colour) -> str:
    red, green, blue, alpha = colour if len(colour) == 4 else faded(colour, 1.0)  # type: ignore[misc]
    return f"#{red:02X}{green:02X}{blue:02X}{alpha:02X}"
