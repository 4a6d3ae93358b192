"""How many steps and seconds from signing up to the first synced questionnaire, and to the end of the set-up?"""

import os
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests import browser
from tests.flows.first_hour import FirstHour
from tests.support.demo import Demo, services
from tests.support.hands import Hand, Keyboard, Mouse

WANTED_SECONDS = 600


def print_first_hour() -> None:
    print(
        f"\nA new person's first hour, without the seconds of reading and typing (wanted: below {WANTED_SECONDS} s with them):"
    )
    for name, kind in (("mouse", Mouse), ("keyboard", Keyboard)):
        with tempfile.TemporaryDirectory() as folder, services(f"portal_first_hour_{os.getpid()}") as given:
            demo = Demo(Path(folder) / "demo", services=given).start()
            try:
                first, whole = _measure(demo, kind)
            finally:
                demo.stop()
        print(f"  by {name:<9} to the first synced questionnaire {first}   to the last step {whole}")


def _measure(demo: Demo, kind: type[Hand]) -> tuple[str, str]:
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=browser.find(), args=browser.ARGUMENTS)
        page = chromium.new_context().new_page()
        walk = FirstHour(demo, kind(page))
        walk.sign_up()
        walk.create_tenant()
        walk.connect()
        walk.wait_for_the_first_questionnaire()
        first = _figures(walk)
        walk.add_trust_center()
        walk.point_webhooks()
        walk.invite()
        walk.set_hours()
        page.wait_for_url(lambda address: address.endswith("/t/new-co/"))
        whole = _figures(walk)
        chromium.close()
    return first, whole


def _figures(walk: FirstHour) -> str:
    return f"{len(walk.steps):>2} steps, {walk.hand.presses:>3} presses, {walk.seconds:4.1f} s"
