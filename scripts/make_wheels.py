"""Build the wheels of all platforms on this machine: python scripts/make_wheels.py [FOLDER]

The package ziglang, which is downloaded for the build, compiles the C++ kernels. The wheels support any Python from
3.11 on. The default folder is dist/.
"""

import os
import subprocess
import sys

from knightstour.core.kernels import builder


def main(folder: str) -> None:
    for name in builder.TARGETS:
        command = [sys.executable, "-m", "build", "--wheel", "--outdir", folder, str(builder.ROOT)]
        print(f"# {name}", flush=True)
        subprocess.run(command, check=True, env={**os.environ, "KNIGHTSTOUR_TARGET": name})


if __name__ == "__main__":
    main(*sys.argv[1:] or ["dist"])
