"""Take pictures of the page to look at, and measure each: python scripts/look_at_page.py FOLDER [--views play]

Every view, in five sizes of screen and both themes, with six kinds of boards: nothing may be wider than the screen, and
axe-core may find nothing. FOLDER gets a sheet of the views for each size, theme and board, the frames of the first
load, and figures.txt. It needs Chromium and playwright, as tests/browser does.
"""

import argparse
import base64
import io
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

ROOT = Path(__file__).parent.parent
AXE = ROOT / "node_modules/axe-core/axe.min.js"
VIEWS = ("home", "find", "watch", "play", "all", "count", "compare", "check", "puzzle")
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
# What a page is given to show its answer before the picture is taken.
SETTLED_MS = 15_000
SHEET_HEIGHT = 420


@contextmanager
def served() -> Iterator[str]:
    """The address of a server with a cache of its own."""
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
    """Let the server give a search up at once, so that its answer is: not decided."""
    route.continue_(post_data={**route.request.post_data_json, "nodes": 1})


def opened(page: Any, address: str, link: str) -> None:
    """Show a link, and wait until the page has its answer."""
    page.goto("about:blank")
    page.goto(f"{address}/#{link}")
    page.locator("html[data-ready]").wait_for(state="attached")
    page.wait_for_load_state("networkidle")
    from playwright.sync_api import TimeoutError as Timeout

    # What takes longer is seen as it is then.
    with suppress(Timeout):
        page.wait_for_function("() => !document.querySelector('.spinner')", timeout=SETTLED_MS)


def faults(page: Any, width: int) -> list[str]:
    """What is wrong with what is seen: wider than the screen, or found by axe."""
    found = []
    wide = page.evaluate("document.documentElement.scrollWidth")
    if wide > width:
        found.append(f"{wide} px wide")
    if AXE.exists():
        if not page.evaluate("'axe' in window"):
            page.evaluate(AXE.read_text(encoding="utf-8"))
        found += page.evaluate("axe.run().then(({violations}) => violations.map((each) => each.id))")
    return found


def sheet(pictures: list[bytes], target: Path) -> None:
    """The pictures in a row each of five, as one PNG."""
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


def film(browser: Any, address: str, folder: Path) -> list[str]:
    """The frames of the first load, and what it took; a dark theme that was chosen must not flash light."""
    folder.mkdir(exist_ok=True)
    context = browser.new_context(viewport={"width": 1280, "height": 720})
    context.add_init_script("localStorage.setItem('theme', 'dark')")
    page = context.new_page()
    session = context.new_cdp_session(page)
    frames: list[bytes] = []

    def keep(event: dict[str, Any]) -> None:
        frames.append(base64.b64decode(event["data"]))
        session.send("Page.screencastFrameAck", {"sessionId": event["sessionId"]})

    session.on("Page.screencastFrame", keep)
    session.send("Page.startScreencast", {"format": "png"})
    page.goto(address)
    page.locator("html[data-ready]").wait_for(state="attached")
    page.locator("[data-answer=found]").wait_for()
    page.wait_for_timeout(1500)
    session.send("Page.stopScreencast")
    for number, frame in enumerate(frames):
        (folder / f"{number:03}.png").write_bytes(frame)
    paint = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0")
    sizes = page.evaluate("performance.getEntriesByType('resource').map((each) => each.transferSize)")
    context.close()
    return [
        f"first paint after {paint:.0f} ms",
        f"{len(sizes)} files, {sum(sizes) / 1000:.0f} kB as sent",
        f"{len(frames)} frames of the first load",
    ]


def main() -> None:
    """Take the pictures; the exit code is 1 where something is wrong."""
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
    lines: list[str] = []
    errors: list[Any] = []

    wrong = 0
    with served() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        lines += film(browser, address, asked.folder / "film")
        for size in asked.sizes.split(","):
            width, height = map(int, size.split("x"))
            for theme in asked.themes.split(","):
                context = browser.new_context(
                    viewport={"width": width, "height": height}, color_scheme=theme, reduced_motion="reduce"
                )
                page = context.new_page()
                page.on("pageerror", lambda error: errors.append(error))
                for board in asked.boards.split(","):
                    if board == "undecided":
                        page.route("**/api/solve", ask_for_little)
                    pictures = []
                    for view in asked.views.split(","):
                        opened(page, address, f"{BOARDS[board]}&v={view}")
                        pictures.append(page.screenshot())
                        found = faults(page, width)
                        wrong += len(found)
                        lines += [f"{size} {theme} {board} {view}: {fault}" for fault in found]
                    page.unroute_all()
                    sheet(pictures, asked.folder / f"{size}-{theme}-{board}.png")
                context.close()
        browser.close()
    lines += [f"script: {error}" for error in errors]
    wrong += len(errors)
    lines.append(f"{wrong} faults")
    (asked.folder / "figures.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    print("\n".join(lines))
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
