"""Take screenshots of the page: python scripts/look_at_page.py FOLDER [--views play]

FOLDER gets a sheet of all views for each of five screen sizes, two themes and six kinds of boards. Needs Chromium and
playwright, as page/tests does.
"""

import argparse
import io
import itertools
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from PIL import Image

VIEWS = ("find", "watch", "play", "all", "count", "compare", "check", "puzzle")
SIZES = ((360, 740), (844, 390), (1280, 720), (1366, 768), (1920, 1080))
THEMES = ("light", "dark")
BOARDS = {
    "chess": "8&c=1",
    "zebra": "12:2,3&c=1",
    "klein": "6x8:klein&c=1",
    # Without its corners.
    "holes": "6:-a1,a6,f1,f6&c=1",
    "impossible": "5&c=1",
    "undecided": "14&c=1&m=backtracking",
}
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
# Maximum time for a result before the screenshot.
SETTLED_MS = 15_000
SHEET_HEIGHT = 420


@contextmanager
def serve_page() -> Iterator[str]:
    """Start a server with its own cache, and yield its address."""
    with tempfile.TemporaryDirectory() as cache:
        command = [sys.executable, "-m", "knightstour", "serve", "--port", "0"]
        environment = {**os.environ, "XDG_CACHE_HOME": cache}
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, encoding="utf-8", env=environment) as process:
            try:
                assert process.stdout is not None
                line = process.stdout.readline()
                yield next(word for word in line.split() if word.startswith("http")).rstrip("/")
            finally:
                process.terminate()


def ask_for_little(route: Any) -> None:
    """Shorten the time limit of a search, so that it ends undecided."""
    route.continue_(post_data={**route.request.post_data_json, "nodes": 1})


def open_link(page: Any, address: str, link: str) -> None:
    """Open a link, and wait for the result."""
    page.goto("about:blank")
    page.goto(f"{address}/#{link}")
    page.locator("html[data-ready]").wait_for(state="attached")
    page.wait_for_load_state("networkidle")
    from playwright.sync_api import TimeoutError as Timeout

    # What takes longer is seen as it is then.
    with suppress(Timeout):
        page.wait_for_function("() => !document.querySelector('.spinner')", timeout=SETTLED_MS)


def sheet(pictures: list[bytes], target: Path) -> None:
    """Write the pictures, five per row, as one PNG."""
    images = [Image.open(io.BytesIO(picture)).convert("RGB") for picture in pictures]
    images = [image.resize((image.width * SHEET_HEIGHT // image.height, SHEET_HEIGHT)) for image in images]
    rows = [images[i : i + 5] for i in range(0, len(images), 5)]
    width = max(sum(image.width + 8 for image in row) for row in rows)
    made = Image.new("RGB", (width, len(rows) * (SHEET_HEIGHT + 8)), "gray")
    for number, row in enumerate(rows):
        x = 0
        for image in row:
            made.paste(image, (x, number * (SHEET_HEIGHT + 8)))
            x += image.width + 8
    made.save(target)


def main() -> None:
    """Take the screenshots."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    for name, all_of in (("views", VIEWS), ("boards", BOARDS), ("themes", THEMES)):
        parser.add_argument(f"--{name}", default=",".join(all_of), help="only these, with commas between them")
    parser.add_argument("--sizes", default=",".join(f"{w}x{h}" for w, h in SIZES))
    asked = parser.parse_args()
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        sys.exit("error: Chromium is not installed (see CONTRIBUTING.md)")
    from playwright.sync_api import sync_playwright

    asked.folder.mkdir(parents=True, exist_ok=True)
    with serve_page() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        for size, theme in itertools.product(asked.sizes.split(","), asked.themes.split(",")):
            width, height = map(int, size.split("x"))
            context = browser.new_context(
                viewport={"width": width, "height": height}, color_scheme=theme, reduced_motion="reduce"
            )
            page = context.new_page()
            page.on("pageerror", lambda error: print(f"error of the page: {error}", file=sys.stderr))
            for board in asked.boards.split(","):
                if board == "undecided":
                    page.route("**/api/solve", ask_for_little)
                pictures = []
                for view in asked.views.split(","):
                    open_link(page, address, f"{BOARDS[board]}&v={view}")
                    pictures.append(page.screenshot())
                page.unroute_all()
                sheet(pictures, asked.folder / f"{size}-{theme}-{board}.png")
            context.close()
        browser.close()


if __name__ == "__main__":
    main()
