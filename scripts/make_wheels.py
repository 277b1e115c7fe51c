"""Build a wheel for each platform, all on this machine: python scripts/make_wheels.py [FOLDER]

The kernels in C++ are compiled by the package ziglang, which is downloaded for the build. The wheels are for any Python
from 3.11 on; they go into dist/ or the folder given.
"""

import os
import subprocess
import sys

from knightstour.core.kernels import builder


def main(folder: str) -> None:
    """Build the wheels one after another."""
    for name in builder.TARGETS:
        command = [sys.executable, "-m", "build", "--wheel", "--outdir", folder, str(builder.ROOT)]
        print(f"# {name}", flush=True)
        subprocess.run(command, check=True, env={**os.environ, "KNIGHTSTOUR_TARGET": name})


if __name__ == "__main__":
    main(*sys.argv[1:] or ["dist"])
