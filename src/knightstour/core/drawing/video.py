"""Moving pictures as MP4, which slides and telephones play: made of an APNG by the program ffmpeg."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

from knightstour.core.model.errors import FormatError


def check_ffmpeg() -> None:
    """A FormatError where the program ffmpeg is not installed."""
    if shutil.which("ffmpeg") is None:
        help = "install it (apt install ffmpeg, brew install ffmpeg), or write a .gif or .webp"
        raise FormatError("an .mp4 needs the program ffmpeg, which is not here", help=help)


def mp4_of(apng: bytes, rest: float) -> bytes:
    """The MP4 (H.264) of an APNG; its last frame stays for `rest` seconds. Raises FormatError where ffmpeg fails."""
    with tempfile.TemporaryDirectory(prefix="knightstour-") as folder:
        source, target = Path(folder) / "film.png", Path(folder) / "film.mp4"
        source.write_bytes(apng)
        # H.264 in these colours has an even number of rows and columns.
        filters = f"pad=ceil(iw/2)*2:ceil(ih/2)*2:color=white,fps=25,tpad=stop_mode=clone:stop_duration={rest:g}"
        words = ["ffmpeg", "-v", "error", "-f", "apng", "-i", str(source), "-vf", filters, "-c:v", "libx264"]
        words += ["-pix_fmt", "yuv420p", "-movflags", "+faststart", "-fflags", "+bitexact", str(target)]
        done = subprocess.run(words, capture_output=True, stdin=subprocess.DEVNULL, check=False)
        if done.returncode or not target.exists():
            said = done.stderr.decode(errors="replace").strip().splitlines()
            raise FormatError(f"ffmpeg made no .mp4: {said[-1] if said else 'it said nothing'}", help="write a .gif")
        return target.read_bytes()
