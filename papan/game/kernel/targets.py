"""Processors that a kernel pack can be compiled for. This module needs no compiler."""

from __future__ import annotations

import platform
from collections.abc import Mapping

TARGETS: Mapping[str, tuple[str, str]] = {
    "x86-64-v2": ("x86-64-v2", "+cx16,+popcnt,+sahf,+sse3,+sse4.1,+sse4.2,+ssse3"),
    "x86-64-v3": (
        "x86-64-v3",
        "+avx,+avx2,+bmi,+bmi2,+cx16,+f16c,+fma,+lzcnt,+movbe,+popcnt,+sahf,+sse3,+sse4.1,+sse4.2,+ssse3,+xsave",
    ),
    "arm64": ("generic", "+neon"),
}
"""LLVM's name and features of each baseline processor. x86-64-v3: Intel since Haswell (2013), AMD since Zen (2017)."""


def default_target() -> str:
    """The baseline of this computer's kind of processor; a key of ``TARGETS``."""
    return "arm64" if platform.machine().lower() in ("arm64", "aarch64") else "x86-64-v3"
