"""The keys of every page: those of a control press it, the others do what the list of keys says."""

from tests.controls.finding import Control

KEYS: dict[str, str] = {
    "/": "[data-search]",
    "j": ":is(.tbl tbody tr, .work > li, .board-cards > li) :is(a.t, a, button)",
    "k": ":is(.tbl tbody tr, .work > li, .board-cards > li) :is(a.t, a, button)",
    "e": ":is(.pane, main) form.form :is(textarea, select, input:not([type=hidden]))",
    "i": "[data-insert]",
    "?": "#shortcuts",
    "Escape": ".pane [data-pane-close]",
}
"""Key → what has to be on a page for it to mean something there."""
IS_MEANT = """([key, selector]) => {
    const isPaneOpen = [...document.querySelectorAll(".split > .pane")].some((pane) => pane.checkVisibility());
    const isTaken = [...document.querySelectorAll("[data-key]")].some((each) => each.dataset.key === key);
    if (isTaken || document.activeElement.matches("textarea, select, input")) return false;
    if ("jk".includes(key) && isPaneOpen) return false;  // at the end of the list there is nothing to open
    if (key === "e" && isPaneOpen) selector = selector.replace(":is(.pane, main)", ".pane");
    const found = [...document.querySelectorAll(selector)].filter((each) => key === "?" || each.checkVisibility());
    return found.some((each) => !each.matches(":disabled"));
}"""


def key_of(key: str) -> Control:
    """Describe a key of the whole page as what is pressed."""
    return Control(
        index=-1,
        kind="key",
        tag="",
        words=f"key {key}",
        verb="",
        address=None,
        name="",
        value="",
        key=key,
        place="",
        is_row=False,
        is_shell=False,
        is_current=False,
        is_hidden=False,
    )
