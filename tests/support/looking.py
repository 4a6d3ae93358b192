"""Looking at a page as a demanding customer would: axe, and nothing that sticks out. With SHOTS=<folder> it takes a picture."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

DESK, PHONE = {"width": 1440, "height": 900}, {"width": 390, "height": 844}
AXE = Axe().axe_script
ALL_RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
# Colours and sizes are what differs from a desk to a phone, and from one page to the next; they are also the slowest to tell.
# The shell meets them once for each size and theme, and what a page is made of is read at the desk.
OF_EVERY_LOOK = ["color-contrast", "target-size"]
OUTSIDE_OF_THE_SHELL = ":not(:is(#side, .top, .bottom), :is(#side, .top, .bottom) *)"
CHECK = """async ([only, slow, selector]) => {
    axe.configure({rules: slow.map((id) => ({id, selector}))});
    return (await axe.run(document, {resultTypes: ["violations"], runOnly: only})).violations;
}"""
SEEN_AS = "[innerWidth, matchMedia('(prefers-color-scheme: dark)').matches, Boolean(document.querySelector('#side'))]"
STICKING_OUT = """() => document.documentElement.scrollWidth <= innerWidth ? [] : [...document.body.querySelectorAll("*")]
    .filter(element => element.getBoundingClientRect().right > innerWidth).map(element => element.outerHTML.slice(0, 120))"""
"""What makes a page wider than the window."""
GLUED = r"""() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = [];
    let before = null;
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const parent = node.parentElement;
        if (!parent || parent.closest("script, style, template, mark, code, kbd, textarea, option, svg, .sr")) continue;
        if (!node.data.trim()) { before = null; continue; }
        const range = document.createRange();
        range.selectNodeContents(node);
        const boxes = range.getClientRects();
        if (!boxes.length || !parent.checkVisibility()) continue;
        const first = boxes[0], last = boxes[boxes.length - 1];
        if (before && before.parent !== parent) {
            const isOneLine = Math.min(before.box.bottom, first.bottom) - Math.max(before.box.top, first.top) > 4;
            const gap = first.left - before.box.right;
            const touches = isOneLine && gap > -1 && gap < 1.5;
            if (touches && /[\p{L}\p{N}]$/u.test(before.text) && /^[\p{L}\p{N}]/u.test(node.data))
                found.push(before.text.trim().slice(-40) + "|" + node.data.trim().slice(0, 40));
        }
        before = {parent, box: last, text: node.data};
    }
    return found;
}"""
"""Two words that stand beside each other without any space: `Cindershore Energy` and `1 contract`."""
STILL = """async () => {
    if (window.looks === undefined) {
        window.looks = 0;
        document.addEventListener("htmx:beforeRequest", (event) => {
            if (!window.looks) return;
            event.preventDefault();
            event.stopImmediatePropagation();
        }, true);
    }
    const busy = () => document.querySelector(".htmx-request, .htmx-swapping, .htmx-settling, .htmx-added");
    const end = Date.now() + 15_000;
    for (let quiet = 0; quiet < 3 && Date.now() < end; quiet = busy() ? 0 : quiet + 1)
        await new Promise((resolve) => setTimeout(resolve, 20));
    window.looks += 1;
    await Promise.allSettled(document.getAnimations()
        .filter(animation => animation.effect.getComputedTiming().endTime !== Infinity).map(animation => animation.finished));
    return busy()?.outerHTML.slice(0, 200) ?? "";
}"""
"""What was asked for is waited for, with its swap and what fades in, which is pale on the way; nothing new is asked for."""
_measured: set[tuple[int, bool]] = set()


@contextmanager
def still(page: Page) -> Iterator[None]:
    """Hold the page still while it is looked at: a row that comes in the middle has sizes and colors of neither page."""
    assert page.evaluate(STILL) == "", "the page does not come to rest"
    try:
        yield
    finally:
        page.evaluate("window.looks -= 1")


def look(page: Page, name: str, *, has_phone: bool = True) -> None:
    """Check the page that is open as it is, and as a phone in the dark shows it; `name` says which one it is."""
    with still(page):
        _check(page, name)
        size = page.viewport_size
        if not has_phone or size is None or size["width"] <= PHONE["width"]:
            return
        page.set_viewport_size({"width": PHONE["width"], "height": max(size["height"], PHONE["height"])})
        page.emulate_media(color_scheme="dark")
        with still(page):
            _check(page, f"{name}-phone")
        page.set_viewport_size(size)
        page.emulate_media(color_scheme="light")


def _check(page: Page, name: str) -> None:
    # What is scrolled half under the bar at the top is no fault of its own.
    page.evaluate("scrollTo({top: 0, behavior: 'instant'})")
    if folder := os.environ.get("SHOTS"):
        page.screenshot(path=Path(folder) / f"{name}.png", full_page=True)
    width, is_dark, has_shell = page.evaluate(SEEN_AS)
    if page.evaluate("typeof axe === 'undefined'"):
        page.evaluate(AXE)
    is_new = has_shell and (width, is_dark) not in _measured
    rules = ALL_RULES if is_new or width > PHONE["width"] else OF_EVERY_LOOK
    found = page.evaluate(CHECK, [rules, OF_EVERY_LOOK, "*" if is_new else OUTSIDE_OF_THE_SHELL])
    if has_shell:
        _measured.add((width, is_dark))
    assert not found, (name, [(violation["id"], [node["html"][:120] for node in violation["nodes"]]) for violation in found])
    sticking_out = page.evaluate(STICKING_OUT)
    assert sticking_out == [], (name, sticking_out)
    glued = page.evaluate(GLUED)
    assert glued == [], (name, glued)
