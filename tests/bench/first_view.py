"""What does a browser fetch to show a page, with an empty cache and with a warm one?"""

import tempfile
import time
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests import browser
from tests.support.demo import Demo
from tests.support.first_view import MAX_BYTES, MAX_REQUESTS, MAX_WARM, views


def print_first_view() -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        started = time.monotonic()
        demo = Demo(Path(folder) / "demo").start()
        ready = time.monotonic() - started
        try:
            chromium = playwright.chromium.launch(executable_path=browser.find(), args=browser.ARGUMENTS)
            found = views(chromium, demo)
            chromium.close()
        finally:
            demo.stop()
    wanted = f"{MAX_BYTES / 1024:.0f} KB, {MAX_REQUESTS} requests, {MAX_WARM} with a warm cache, nothing moves"
    print(f"\nA page of the demo (ready after {ready:.1f} s) in a browser that has seen nothing (wanted: {wanted}):")
    for view in found:
        cold = f"{view.bytes / 1024:5.1f} KB in {view.requests} requests"
        print(
            f"  {view.path:<42} {cold}   warm {view.warm_bytes / 1024:4.1f} KB in {view.warm_requests}   CLS {view.shift:.3f}"
        )
