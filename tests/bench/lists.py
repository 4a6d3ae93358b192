"""Does reading a large tenant take no more calls than it must, and no more memory at its end than at its beginning?"""

import re
import subprocess
import sys
import tempfile
import time
from math import ceil
from pathlib import Path

import requests

from portal.platform_api import Call, Platform
from portal.platform_api.oauth import OAuthApplication
from portal.platform_api.paging import PAGE_SIZE

QUESTIONNAIRES, RESPONSES_EACH = 10_000, 10
MEGABYTE = 1024 * 1024


class OneToken:
    """The token of the tenant's own application, which lives an hour."""

    def __init__(self, token: str) -> None:
        self._token = token

    def current(self) -> str:
        return self._token

    def renew(self, stale: str) -> str:
        raise AssertionError("the token should be good")


def print_lists() -> None:
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(
            [sys.executable, "-m", "portal.sandbox", "--port", "0", "--data-dir", folder, "--control"],
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            _measure(re.search(r"http://\S+", (process.stdout or sys.stdin).readline())[0])  # type: ignore[index]
        finally:
            process.terminate()
            process.wait(timeout=10)


def _measure(url: str) -> None:
    asked = {"name": "Large", "questionnaires": QUESTIONNAIRES, "responses_per_questionnaire": RESPONSES_EACH}
    requests.post(f"{url}/_control/tenants", json=asked, timeout=600).raise_for_status()
    limits = requests.get(f"{url}/_control/limits", timeout=10).json()
    requests.post(f"{url}/_control/limits", json=dict.fromkeys(limits), timeout=10).raise_for_status()
    calls = 0

    def count(call: Call) -> None:
        nonlocal calls
        calls += 1

    api = Platform(url, tokens=OneToken(_token(url)), observe=count)
    sizes, responses, started = [], 0, time.perf_counter()
    for number, questionnaire in enumerate(api.questionnaires.all(), start=1):
        responses += sum(1 for _ in api.questionnaires.responses.all(questionnaire.id))
        if number % (QUESTIONNAIRES // 10) == 0:
            sizes.append(_resident_bytes())
    seconds = time.perf_counter() - started
    least = ceil(QUESTIONNAIRES / PAGE_SIZE) + QUESTIONNAIRES * ceil(RESPONSES_EACH / PAGE_SIZE)
    print(f"\nReading {number:,} questionnaires with {responses:,} responses, {PAGE_SIZE} a page:")
    print(f"  calls {calls:,}, at least {least:,} are needed   ({calls / seconds:.0f} calls a second over loopback)")
    print(
        f"  memory after each tenth, MB: {' '.join(f'{size / MEGABYTE:.0f}' for size in sizes)}   x {sizes[-1] / sizes[0]:.2f}"
    )


def _token(url: str) -> str:
    applications = requests.get(f"{url}/_control/applications", timeout=10).json()
    found = next(each for each in applications if each["type"] == "management")
    application = OAuthApplication(
        url, session=requests.Session(), client_id=found["client_id"], client_secret=found["client_secret"]
    )
    return application.issue("svc-api.all:read").access_token


def _resident_bytes() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096
