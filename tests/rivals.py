"""Other programs' rules and records, which tests compare ours with: packages of ``requirements-dev.txt``."""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import Any

import pytest

NOT_PACKAGED_FOR = {"pyspiel": ("win32",), "pyffish": ("win32",)}
"""By module, the platforms that its makers have no package for."""


def rival(module: str) -> ModuleType | Any:
    """The *module* of another program; the test is skipped on a platform that there is no package for.

    :raises ImportError: it is not installed.
    """
    if sys.platform in NOT_PACKAGED_FOR.get(module, ()):
        pytest.importorskip(module, reason=f"{module} is not packaged for {sys.platform}")
    return importlib.import_module(module)
