"""Measures the pane beside a list: what of it is in the window, and whether anything lies above or below its foot."""

from typing import Any

from playwright.sync_api import Page

SIZES = [(1440, 900), (1280, 720), (390, 844)]
LEAST_BODY = 120
"""With less room between head and foot nobody reads an answer."""
SCROLL = "part => scrollTo({top: part * (document.documentElement.scrollHeight - innerHeight), behavior: 'instant'})"
MEASURE = """() => {
    const pane = document.querySelector(".split > .pane");
    const body = pane.querySelector(".pane-body"), foot = pane.querySelector(":scope > footer");
    const box = (element) => {
        const { top, bottom, height } = element.getBoundingClientRect();
        return { top, bottom, height };
    };
    body.scrollTop = body.scrollHeight;
    const isOnTop = (button) => {
        const { left, top, width, height } = button.getBoundingClientRect();
        return button.contains(document.elementFromPoint(left + width / 2, top + height / 2));
    };
    const found = {
        window: innerHeight, pane: box(pane), body: box(body), foot: box(foot), last: box(body.lastElementChild),
        content: body.scrollHeight, pressable: [...foot.querySelectorAll(".btn")].map(isOnTop),
    };
    body.scrollTop = 0;
    return found;
}"""


def measure(page: Page, part: float) -> dict[str, Any]:
    """Scroll the page to a part of its length (0 is its top, 1 its end) and measure the pane there."""
    page.evaluate(SCROLL, part)
    page.evaluate("() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))")
    measured: dict[str, Any] = page.evaluate(MEASURE)
    return measured


def check_foot(page: Page) -> None:
    """The foot is wholly in the window wherever the page is scrolled to; what is long scrolls between head and foot."""
    for part in (0, 0.1, 0.5, 1):
        found = measure(page, part)
        window, foot, body = found["window"], found["foot"], found["body"]
        assert found["pane"]["top"] >= 0, (part, found)
        assert found["pane"]["bottom"] <= window, (part, found)
        assert foot["bottom"] <= window, (part, found)
        assert all(found["pressable"]), (part, found)
        assert found["pressable"], (part, found)
        assert body["height"] >= LEAST_BODY, (part, found)
        assert found["content"] > body["height"], (part, "nothing is long enough to tell", found)
        assert body["bottom"] <= foot["top"] + 1, (part, found)
        assert found["last"]["bottom"] <= foot["top"] + 1, (part, found)
