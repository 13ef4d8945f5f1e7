"""The window itself: its loop, its settings, the system around it, and the program put together.

What SDL and pygame are told by the environment stands here, because they read it when they are imported.
"""

from __future__ import annotations

import os

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
os.environ.setdefault("SDL_WINDOWS_DPI_AWARENESS", "permonitorv2")
if os.environ.get("DISPLAY") and os.environ.get("SDL_VIDEODRIVER", "x11") == "x11":
    # Shared memory with the X server: a tenth of the time of OpenGL where there is no graphics card.
    os.environ.setdefault("SDL_FRAMEBUFFER_ACCELERATION", "0")
os.environ["SDL_VIDEO_X11_WMCLASS"] = (
    "Papan"  # pygame names it by the file that was started, where it is imported first
)
os.environ.setdefault("SDL_VIDEO_WAYLAND_WMCLASS", "org.papan.Papan")  # as its desktop file is called
os.environ.setdefault("SDL_IME_SHOW_UI", "1")
