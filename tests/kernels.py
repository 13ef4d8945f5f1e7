"""The compiled kernels that all tests share, for processes that have a home of their own and don't test compiling."""

from __future__ import annotations

from papan.game.base.places import KERNELS_VARIABLE
from papan.game.kernel.cache import kernel_cache_folder

SHARED = {KERNELS_VARIABLE: str(kernel_cache_folder())}
"""Variables of such a process' environment: it finds what is compiled, and compiles nothing a second time."""
