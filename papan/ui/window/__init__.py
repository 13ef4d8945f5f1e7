"""The window: its loop, the display, sound, speech, the operating system, and the program that connects them.

SDL and pygame read environment variables when they are imported, so these are set here.
"""

from __future__ import annotations

import os

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
os.environ.setdefault("SDL_WINDOWS_DPI_AWARENESS", "permonitorv2")
if os.environ.get("DISPLAY") and os.environ.get("SDL_VIDEODRIVER", "x11") == "x11":
    # Shared memory with the X server takes a tenth of OpenGL's time if there is no graphics card.
    os.environ.setdefault("SDL_FRAMEBUFFER_ACCELERATION", "0")
os.environ["SDL_VIDEO_X11_WMCLASS"] = "Papan"  # pygame would use the name of the program file
os.environ.setdefault("SDL_VIDEO_WAYLAND_WMCLASS", "org.papan.Papan")  # as its desktop file is called
os.environ.setdefault("SDL_IME_SHOW_UI", "1")
