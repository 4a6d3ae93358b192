"""Two ways to work a page, by mouse and by keyboard alone, each counting what a person would press."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

from playwright.sync_api import Locator, Page, expect

MAX_TABS = 40
"""Who has to press Tab more often than this does not work by keyboard."""


@dataclass
class Hand(ABC):
    """Counts presses: clicks, or keys. Letters of what a person has to say are not counted; no page can save them."""

    page: Page
    presses: int = 0

    @abstractmethod
    def use(self, control: Locator, *keys: str) -> None:
        """Press a control; a keyboard has these keys for it, or reaches it with Tab."""

    @abstractmethod
    def go(self, key: str) -> None:
        """Press a key that only a keyboard needs."""

    @abstractmethod
    def write(self, control: Locator, text: str) -> None:
        """Write into a field."""

    @abstractmethod
    def send(self, button: Locator) -> None:
        """Send the form that was just filled in."""


class Mouse(Hand):
    """A hand on the mouse; letters still come from the keyboard."""

    def use(self, control: Locator, *_: str) -> None:
        self.presses += 1
        control.click()

    def go(self, key: str) -> None:
        """A mouse needs no key: it is there already."""

    def write(self, control: Locator, text: str) -> None:
        self.use(control)
        control.fill(text)

    def send(self, button: Locator) -> None:
        self.use(button)


class Keyboard(Hand):
    """Nothing but keys: those of the pages, Tab and Enter."""

    def use(self, control: Locator, *keys: str) -> None:
        expect(control).to_be_visible()
        if not keys:
            self._reach(control)
            keys = ("Space",) if control.evaluate("element => element.matches('[type=checkbox], [type=radio]')") else ("Enter",)
        for key in keys:
            self.go(key)

    def go(self, key: str) -> None:
        self.presses += 1
        self.page.keyboard.press(key)

    def write(self, control: Locator, text: str) -> None:
        self._reach(control)
        control.fill(text)

    def send(self, button: Locator) -> None:
        here = self.page.evaluate(
            """() => {
                const field = document.activeElement;
                if (field.closest("form[data-send-by-key]")) return "Control+Enter";
                return field.matches("input:not([type=checkbox], [type=radio])") ? "Enter" : "";
            }"""
        )
        self.use(button, *([here] if here else []))

    def _reach(self, control: Locator) -> None:
        """Press Tab until the control has the focus; back, where it stands before."""
        expect(control).to_be_visible()
        is_ahead = control.evaluate(IS_AHEAD)
        for _ in range(MAX_TABS):
            if control.evaluate("element => element === document.activeElement"):
                return
            self.go("Tab" if is_ahead else "Shift+Tab")
        raise AssertionError(f"the keyboard does not reach {control}")


IS_AHEAD = """control => {
    const here = document.activeElement;
    if (!here || here === document.body) return true;
    const ahead = Node.DOCUMENT_POSITION_FOLLOWING | Node.DOCUMENT_POSITION_CONTAINED_BY;
    return Boolean(here.compareDocumentPosition(control) & ahead);
}"""
