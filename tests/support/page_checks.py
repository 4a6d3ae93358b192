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
CHECK = """async ([only, known, selector]) => {
    const hash = (text) => {
        let a = 0xdeadbeef, b = 0x41c6ce57;
        for (let at = 0; at < text.length; at++) {
            a = Math.imul(a ^ text.charCodeAt(at), 2654435761);
            b = Math.imul(b ^ text.charCodeAt(at), 1597334677);
        }
        return (a >>> 0) * 2097152 + ((b >>> 0) & 2097151);
    };
    const grounds = new Map();
    const groundsOf = (element) => {
        if (element === null) return "";
        if (!grounds.has(element)) {
            const style = getComputedStyle(element);
            const drawn = `|${style.opacity} ${style.backgroundColor} ${style.backgroundImage}`;
            const own = drawn === "|1 rgba(0, 0, 0, 0) none" ? "" : `${drawn} ${style.position}`;
            grounds.set(element, own + groundsOf(element.parentElement));
        }
        return grounds.get(element);
    };
    const shown = new Set(document.querySelectorAll("input, select, textarea"));
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) if (node.data.trim()) shown.add(node.parentElement);
    const measured = new Set(known), fresh = new Set(), isCovered = document.querySelector(":modal") !== null;
    for (const element of shown) {
        const style = getComputedStyle(element), box = element.getBoundingClientRect();
        const own = [style.color, style.fontSize, style.fontWeight, style.textShadow, element.matches(":disabled")].join(" ");
        const sign = hash(own + groundsOf(element));
        if (measured.has(sign)) continue;
        element.setAttribute("data-look", "");
        // What is hidden, or lies under a dialog, axe leaves out: it is measured where it can be seen.
        if (!isCovered && box.width && box.height && element.checkVisibility({opacityProperty: true, visibilityProperty: true}))
            fresh.add(sign);
    }
    axe.configure({rules: [{id: "color-contrast", selector: "[data-look]"}, {id: "target-size", selector}]});
    try {
        const {violations} = await axe.run(document, {resultTypes: ["violations"], runOnly: only});
        return [violations, [...fresh]];
    } finally {
        for (const element of document.querySelectorAll("[data-look]")) element.removeAttribute("data-look");
    }
}"""
"""Contrast is the dearest of the rules, and the same for two texts of one color and size on the same grounds: only what this
process has not measured yet is marked for it."""
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
WITHOUT_WORDS = r"""() => {
    const isShown = (element) => element.checkVisibility({visibilityProperty: true});
    const found = new Set();
    for (const table of document.querySelectorAll("main .tbl")) {
        // On a phone the columns have no heads: what a figure is has to stand beside it.
        if (!table.tHead || table.tHead.checkVisibility() || !isShown(table)) continue;
        for (const cell of table.querySelectorAll("tbody td")) {
            const loose = [...cell.childNodes].filter(each => each.nodeType === Node.TEXT_NODE && each.data.trim());
            const shown = [...cell.children].filter(each => !each.matches(".sr") && isShown(each));
            const text = [...loose.map(each => each.data), ...shown.map(each => each.innerText)].join(" ").trim();
            if (/^[\d.,]+%?( of [\d.,]+)?$/.test(text)) found.add(`without a word: ${text}`);
            if (loose.length && shown.length) found.add(`torn apart: ${text}`);
        }
        for (const each of table.querySelectorAll(".badge > .cut"))
            if (isShown(each) && each.scrollWidth > each.clientWidth + 1) found.add(`cut: ${each.innerText}`);
    }
    return [...found].map(each => each.slice(0, 120));
}"""
"""What a table drawn as cards says only in part: figures alone, a state that is cut, a sentence whose words lie apart."""
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
"""The sizes and themes in which the shell was measured."""
_drawn: set[int] = set()
"""The ways to draw a text whose contrast was measured."""


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
    if os.environ.get("TEST_AGAIN") == "1":
        return  # by `tests.run`: the same page was looked at on the other database
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
    found, drawn = page.evaluate(CHECK, [rules, [*_drawn], "*" if is_new else OUTSIDE_OF_THE_SHELL])
    if has_shell:
        _measured.add((width, is_dark))
    assert not found, (name, [(violation["id"], [node["html"][:120] for node in violation["nodes"]]) for violation in found])
    _drawn.update(drawn)
    sticking_out = page.evaluate(STICKING_OUT)
    assert sticking_out == [], (name, sticking_out)
    glued = page.evaluate(GLUED)
    assert glued == [], (name, glued)
    partial = page.evaluate(WITHOUT_WORDS)
    assert partial == [], (name, partial)
