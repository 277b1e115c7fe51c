"""Build hook: add the compiled kernels and the page to the wheel, and set the wheel's tag.

core/kernels/builder.py compiles the kernels. The page is copied from page/src; scripts/make_guide.py makes its guide
from docs/.

If the machine has no C++ compiler, the build requires the package `ziglang`.
KNIGHTSTOUR_TARGET=macos-arm64, or another name of builder.TARGETS, makes the wheel of that platform, by ziglang.
"""

from __future__ import annotations

import importlib.util
import os
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

TARGET = os.environ.get("KNIGHTSTOUR_TARGET", "")


def _module(name: str, file: str) -> Any:
    """A module of a file, without the package, which needs more than a build has."""
    spec = importlib.util.spec_from_file_location(name, Path(__file__).parent / file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


builder = _module("knightstour_builder", "src/knightstour/core/kernels/builder.py")


class NativeHook(BuildHookInterface):  # type: ignore[type-arg]
    """Called by hatchling for the wheel and for the editable one."""

    def dependencies(self) -> list[str]:
        """What must be installed before the build, beside what pyproject.toml lists."""
        return ["markdown-it-py>=3", *([] if builder.compiler() and not TARGET else ["ziglang>=0.13"])]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Before the files are gathered."""
        _module("knightstour_guide", "scripts/make_guide.py").write()
        build_data["pure_python"] = False
        build_data["tag"] = "py3-none-" + sysconfig.get_platform().replace("-", "_").replace(".", "_")
        try:
            if version == "editable":  # beside the sources: core/machine/native.py builds it anew when they change
                builder.bring_up_to_date(builder.LIBRARY, "plain")
                return
            suffix = builder.EXTENSION
            if TARGET:
                _, tag, suffix = builder.TARGETS[TARGET]
                build_data["tag"] = f"py3-none-{tag}"
            self._folder = tempfile.TemporaryDirectory()
            library = builder.build(Path(self._folder.name) / f"library{suffix}", target=TARGET)
        except builder.CannotBuild as error:
            sys.exit(f"error: {error}\nhelp: {error.help}")
        page = Path(__file__).parent / "page/src"
        build_data["force_include"][str(page)] = "knightstour/interfaces/web/static"
        for file in (library, builder.stamp_of(library)):
            build_data["force_include"][str(file)] = f"knightstour/core/kernels/{file.name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """After the wheel is written."""
        if hasattr(self, "_folder"):
            self._folder.cleanup()
