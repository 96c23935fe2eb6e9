"""The pictures of docs/page.md: `python tests/support/page_pictures.py docs`.

They show a made-up audit. Needs Chromium, playwright and Pillow.
"""

import io
import shutil
import sys
import tempfile
from pathlib import Path

import pages
from wellworn.report.page import page

SHOTS = {
    "page-light": ("light", 1280, 1500, None),
    "page-dark": ("dark", 1280, 1500, "#evidence"),
    "page-phone": ("light", 390, 1500, None),
    "page-prompt": ("light", 1280, 1500, "item"),
}
"""Colour scheme, width and height of the window, and what is at its top."""
COLOURS = 256


def main(folder):
    """Write the pictures into a folder."""
    from PIL import Image
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as made, sync_playwright() as playwright:
        file = Path(made) / "report.html"
        html = page(pages.contents(60, 40), pages.records_of(60, 40))
        file.write_text(html, encoding="utf-8")
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        for name, (scheme, width, height, top) in SHOTS.items():
            size = {"width": width, "height": height}
            view = browser.new_page(viewport=size, color_scheme=scheme, reduced_motion="reduce")
            view.goto(file.as_uri())
            view.wait_for_selector("table.items tbody tr")
            if top == "item":
                view.locator("table.items .open").first.click()
                view.wait_for_selector("dialog[open] .aligned")
            elif top:
                view.evaluate("top => document.querySelector(top).scrollIntoView()", top)
            picture = Image.open(io.BytesIO(view.screenshot())).convert("RGB")
            few = picture.quantize(COLOURS, dither=Image.Dither.NONE)
            few.save(Path(folder) / f"{name}.png", optimize=True)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1])
