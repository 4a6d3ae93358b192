"""Two ways to work a page, by mouse and by keyboard alone, each counting what a person would press."""

from dataclasses import dataclass, field

from playwright.sync_api import Locator, Page, expect

MOST_TABS = 80
"""Who has to press Tab more often than this does not work by keyboard."""


@dataclass
class Count:
    """What one task took."""

    clicks: int = 0
    keys: int = 0
    typed: int = 0
    """Letters of what the person has to say; no page can save them."""

    def __str__(self) -> str:
        return f"{self.clicks} click{'' if self.clicks == 1 else 's'}" if self.clicks else f"{self.keys} keys"


@dataclass
class Mouse:
    """A hand on the mouse; letters still come from the keyboard."""

    page: Page
    count: Count = field(default_factory=Count)
    name = "mouse"

    def choose(self, control: Locator) -> None:
        self.count.clicks += 1
        control.click()

    def key(self, key: str, control: Locator) -> None:
        """Where the keyboard has a key of its own, the mouse has a control."""
        self.choose(control)

    def pick(self, control: Locator, label: str) -> None:
        """Choose from a list: it is opened, and an entry chosen."""
        self.count.clicks += 2
        control.select_option(label=label)

    def type(self, control: Locator, text: str) -> None:
        self.count.clicks += 1
        control.click()
        self.count.typed += len(text)
        control.fill(text)

    def submit(self, control: Locator) -> None:
        self.choose(control)


@dataclass
class Keyboard:
    """Nothing but keys: Tab and Enter, and the keys of the pages."""

    page: Page
    count: Count = field(default_factory=Count)
    name = "keyboard"

    def press(self, key: str) -> None:
        self.count.keys += 1
        self.page.keyboard.press(key)

    def choose(self, control: Locator) -> None:
        self.reach(control)
        self.press("Space" if control.evaluate("element => element.type === 'checkbox'") else "Enter")

    def key(self, key: str, control: Locator) -> None:
        expect(control.first).to_be_visible()
        self.press(key)

    def pick(self, control: Locator, label: str) -> None:
        """A list takes the first letters of its entries."""
        self.reach(control)
        self.count.keys += len(label)
        control.select_option(label=label)

    def type(self, control: Locator, text: str) -> None:
        self.reach(control)
        self.count.typed += len(text)
        control.fill(text)

    def submit(self, control: Locator) -> None:
        """A form that allows it is sent from within."""
        is_sent_by_key = self.page.evaluate("document.activeElement.closest('form[data-send-by-key]') !== null")
        if is_sent_by_key:
            self.press("Control+Enter")
        elif self.page.evaluate("document.activeElement.matches('input:not([type=date])')"):
            self.press("Enter")
        else:
            self.choose(control)

    def reach(self, control: Locator) -> None:
        """Press Tab until the control has the focus; back, where that is nearer."""
        expect(control).to_be_visible()
        forward = self.page.evaluate(NEARER, control.element_handle())
        for _ in range(MOST_TABS):
            if control.evaluate("element => element === document.activeElement"):
                return
            self.press("Tab" if forward else "Shift+Tab")
        raise AssertionError(f"the keyboard does not reach {control}")


NEARER = """control => {
    const here = document.activeElement;
    if (!here || here === document.body) return true;
    const ahead = Node.DOCUMENT_POSITION_FOLLOWING | Node.DOCUMENT_POSITION_CONTAINED_BY;
    return Boolean(here.compareDocumentPosition(control) & ahead);
}"""

type Hand = Mouse | Keyboard
