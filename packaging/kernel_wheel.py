"""A wheel with compiled kernels, for one platform and version of Python:

    papan kernels build build/kernels
    HATCH_BUILD_HOOK_ENABLE_CUSTOM=true hatch build -t wheel

Any other build leaves kernels out, and fits every platform.
"""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class KernelWheel(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        folder = Path(self.root) / "build" / "kernels"
        if not (folder / "pack.json").is_file():
            raise FileNotFoundError(f"{folder} holds no compiled kernels: run 'papan kernels build {folder}' first")
        build_data["force_include"][str(folder)] = "papan/kernels"
        build_data |= {"infer_tag": True, "pure_python": False}
