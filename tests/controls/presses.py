"""Pressing a control as a person does, and judging what came of it."""

import time
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import urljoin, urlsplit

from django.conf import settings
from playwright.sync_api import BrowserContext, Error, Page, Request, Response

from tests.controls import form_values
from tests.controls.inventory import SCRIPT, Control, controls_of, route_of
from tests.controls.keys import PageKey, evaluate
from tests.controls.world import World

EFFECT_SECONDS = 1.0
AT_ONCE_SECONDS = 0.05
"""Whoever sees nothing for so long takes the control for dead."""
ANSWER_SECONDS = 15.0
LETTER, DAY = "a", "01022026"
NO_EFFECT = {"scroll"}
HARMLESS = ("Failed to load resource", "htmx:sendAbort", "htmx:afterRequest")
"""Said of every refusal, and of a search that another letter has overtaken; what fails says more than that."""
OF_A_CHOICE = NO_EFFECT | {"fields", "focus"}
BY_ITSELF = ("/t/<slug:slug>/today/seen/", "/t/<slug:slug>/search/opened/")
"""What a page sends some seconds after it was opened, whatever is pressed in it."""
CLOSE_BOXES = """for (const box of document.querySelectorAll("dialog[open], details[data-menu][open]")) {
    if (box.localName === "dialog") box.close(); else box.open = false;
}"""


@dataclass
class Exchange:
    """What the browser has asked, and how it was answered; 0 while it waits."""

    method: str
    url: str
    is_page: bool
    status: int = 0
    is_file: bool = False


@dataclass
class Browser:
    """One person at one browser."""

    world: World
    context: BrowserContext
    session: str | None
    page: Page = field(init=False)
    exchanges: dict[Request, Exchange] = field(default_factory=dict)
    said: list[str] = field(default_factory=list)
    followed: dict[str, str] = field(default_factory=dict)
    """Addresses that links led to, and what was wrong with them."""

    def __post_init__(self) -> None:
        self.context.add_init_script(SCRIPT)
        self.page = self.context.new_page()
        self.page.set_default_timeout(10_000)
        self.page.on("request", self._ask)
        self.page.on("response", self._hear)
        self.page.on("requestfailed", lambda request: self._fail(request))
        self.page.on("pageerror", lambda error: self.said.append(f"the page fails: {error}"))
        self.page.on(
            "console",
            lambda message: self.said.append(f"the console says: {message.text}") if message.type == "error" else None,
        )
        self.page.on("dialog", lambda dialog: dialog.accept())

    def _ask(self, request: Request) -> None:
        path = urlsplit(request.url).path
        if not path.startswith("/static/") and route_of(path) not in BY_ITSELF:
            self.exchanges[request] = Exchange(request.method, request.url, request.is_navigation_request())

    def _hear(self, response: Response) -> None:
        if exchange := self.exchanges.get(response.request):
            exchange.status = response.status
            exchange.is_file = "attachment" in response.headers.get("content-disposition", "")

    def _fail(self, request: Request) -> None:
        exchange = self.exchanges.get(request)
        if exchange and not exchange.status:
            exchange.status = 204 if not request.url.startswith(self.world.url) else 999 if exchange.is_page else 204

    def open(self, path: str) -> int:
        """Open a page as if nothing had been done before; return how it answered, 0 for a file that it gives."""
        self.world.restore()
        if self.session:
            self.context.add_cookies([{"name": "sessionid", "value": self.session, "url": self.world.url}])
        else:
            self.context.clear_cookies()
        try:
            answer = self.page.goto(f"{self.world.url}{path}", wait_until="domcontentloaded")
        except Error as error:
            if "Download is starting" not in str(error):
                raise
            return 0
        self._settle()
        return answer.status if answer else 0

    def opens(self, path: str) -> bool:
        """Open an address; say whether it is a page of this person's."""
        return 0 < self.open(path) < 400

    def is_as_before(self) -> bool:
        """Close what was opened, and say whether the page is now as it was before the press."""
        if self.exchanges or self.page.url != self.address:
            return False
        self.page.evaluate(f"() => {{ {CLOSE_BOXES} }}")
        return not (self._changed() - {"focus", "leads", "scroll"})

    def find(self, signature: tuple[str, ...], path: str) -> Control | None:
        """Find a control of the page that is open again."""
        return next((each for each in controls_of(self.page) if each.signature(path) == signature), None)

    def press(self, control: Control, path: str) -> list[str]:
        """Press one control; return what is wrong with it."""
        element = self.page.evaluate_handle("index => controls.reach(index)", control.index).as_element()
        assert element
        is_sent = self.page.evaluate("index => controls.isSent(index)", control.index)
        if control.kind == "sender" and (missing := self._fill(control, path)):
            return [f"its form wants what no test gives: {', '.join(missing)}"]
        self._settle()
        self._begin(control.index)
        try:
            if not self._act(control, element):
                return []
        except Error as error:
            lines = [line.strip() for line in str(error).splitlines()]
            return [f"cannot be pressed: {next((line for line in lines if 'intercepts' in line), lines[0])}"]
        may_wait = (
            control.kind == "choice"
            and is_sent
            and not self.page.evaluate("index => controls.asksAtOnce(index)", control.index)
        )
        return self._judge(control, self._wait(AT_ONCE_SECONDS if may_wait else EFFECT_SECONDS), is_sent=is_sent)

    def press_key(self, control: Control) -> list[str]:
        """Press the key of a control."""
        if control.kind == "sender" and (missing := self._fill(control, self.page.url)):
            return [f"its form wants what no test gives: {', '.join(missing)}"]
        self.page.evaluate("document.activeElement?.blur()")
        self._begin(None)
        self.page.keyboard.press(control.key)
        return self._judge(control, self._wait(), is_sent=False)

    def send_by_key(self, control: Control, path: str) -> list[str]:
        """Fill in a form, and press Control and Enter in it: it has to be sent as its button sends it."""
        self.page.evaluate("index => controls.reach(index)", control.index)
        if missing := self._fill(control, path):
            return [f"its form wants what no test gives: {', '.join(missing)}"]
        self.page.evaluate("index => controls.stayInForm(index)", control.index)
        self._settle()
        self._begin(control.index)
        self.page.keyboard.press("Control+Enter")
        changed = self._wait()
        wanted = urlsplit(urljoin(self.address, control.address or "")).path
        if not any(urlsplit(each.url).path == wanted for each in self.exchanges.values()):
            return ["nothing is sent"]
        return self._judge(control, changed, is_sent=False)

    def press_keys(self, key: PageKey) -> list[str]:
        """Press keys of the page; the last one has to do what is written beside it."""
        self.page.evaluate("document.activeElement?.blur()")
        if key.at:
            evaluate(self.page, key.at)
        self._begin(None)
        *first, last = key.presses
        for each in first:
            self.page.keyboard.press(each)
        if self._holds(key):
            return ["nothing shows that it was pressed: it was so before"]
        self.page.keyboard.press(last)
        until = time.monotonic() + EFFECT_SECONDS
        while not (self.exchanges or self._holds(key)) and time.monotonic() < until:
            self.page.wait_for_timeout(15)
        self._settle()
        return self._complaints([*self.exchanges.values()]) or ([] if self._holds(key) else ["nothing happens"])

    def _holds(self, key: PageKey) -> bool:
        try:
            return bool(evaluate(self.page, key.then))
        except Error:  # between two pages
            return False

    def _begin(self, index: int | None) -> None:
        self.exchanges.clear()
        self.said.clear()
        self.page.evaluate("index => controls.begin(index)", index)
        self.text = self.page.evaluate("document.body.innerText")
        self.remarks = self.page.evaluate("controls.remarks()")
        self.address = self.page.url

    def _fill(self, control: Control, path: str) -> list[str]:
        files = self.page.evaluate_handle("index => controls.files(index)", control.index)
        for handle in files.get_properties().values():
            if element := handle.as_element():
                element.set_input_files(form_values.file_for(element.get_attribute("accept") or "", path))
        missing: list[str] = self.page.evaluate(
            "([index, wanted]) => controls.fill(index, wanted)",
            [control.index, form_values.wanted(path, control.address or "")],
        )
        return missing

    def _act(self, control: Control, element: Any) -> bool:
        if control.tag == "select":
            other = self.page.evaluate("index => controls.choose(index)", control.index)
            return other is not None and bool(element.select_option(other))
        if control.kind == "field":
            element.focus()
            self.page.keyboard.type(DAY if element.get_attribute("type") == "date" else LETTER)
        elif control.kind == "choice":
            label = element.evaluate_handle(
                "box => box.getBoundingClientRect().width < 8 || getComputedStyle(box).opacity === '0' ? box.labels[0] : box"
            )
            (label.as_element() or element).click(timeout=2000)
        elif control.is_hidden:
            element.focus()
            self.page.keyboard.press("Enter")
        else:
            element.click(timeout=2000)
        return True

    def _changed(self) -> set[str]:
        try:
            return set(self.page.evaluate("window.controls?.changed() ?? []"))
        except Error:  # between two pages
            return set()

    def _wait(self, seconds: float = EFFECT_SECONDS) -> set[str]:
        until = time.monotonic() + seconds
        while not self.exchanges and not (self._changed() - OF_A_CHOICE) and time.monotonic() < until:
            self.page.wait_for_timeout(15)
        self._settle()
        return self._changed()

    def _settle(self) -> None:
        until = time.monotonic() + ANSWER_SECONDS
        while time.monotonic() < until:
            waiting = any(not each.status for each in [*self.exchanges.values()])
            try:
                if not waiting and self.page.evaluate("Boolean(window.controls) && !controls.isBusy()"):
                    return
            except Error:  # between two pages
                pass
            if any(
                each.is_page and not each.url.startswith(self.world.url) and each.status for each in [*self.exchanges.values()]
            ):
                return  # it has left for the platform
            self.page.wait_for_timeout(15)

    def _judge(self, control: Control, changed: set[str], *, is_sent: bool) -> list[str]:
        asked = [*self.exchanges.values()]
        return self._complaints(asked) or self._effect(control, changed, asked, is_sent=is_sent)

    def _complaints(self, asked: list[Exchange]) -> list[str]:
        """Return what is wrong with the answers, or was said by the page or in the logs."""
        faults = [
            f"{each.method} {each.url.removeprefix(self.world.url)} is answered {each.status}"
            for each in asked
            if each.status >= 400 and each.status != 422
        ]
        is_refused = any(each.status == 422 for each in asked)
        # A field or a remark of the form that says why is a clear refusal; an answer that has neither is not.
        refused = self._refused() if is_refused else []
        faults += ["is refused, and the page does not say why"] if is_refused and not refused else []
        meant = ("422",) if refused else ()
        faults += [line for line in self.said if not any(words in line for words in (*HARMLESS, *meant))]
        if any(each.method == "POST" for each in asked):
            self.world.work()
            faults += [] if self._tells(asked) else ["it was sent, and the page says nothing of it"]
        return faults + self.world.complaints()

    def _refused(self) -> list[str]:
        found: list[str] = self.page.evaluate("[...controls.refused(), ...controls.remarks()]")
        return [each for each in found if each not in self.remarks]

    def _tells(self, asked: list[Exchange]) -> bool:
        if any(each.is_file for each in asked) or not self.page.url.startswith(self.world.url):
            return True
        return self.page.url != self.address or self.page.evaluate("document.body.innerText") != self.text

    def _effect(self, control: Control, changed: set[str], asked: list[Exchange], *, is_sent: bool) -> list[str]:
        if control.kind == "link" and not control.key:
            return self._lead(control, changed)
        if control.kind == "choice":
            return [] if is_sent or asked or changed - OF_A_CHOICE else ["nobody sends what is chosen"]
        if left := [each.url for each in asked if not each.url.startswith(self.world.url)]:
            return [fault for url in left if (fault := self._follow(url))]
        if "leads" in changed:
            return self._lead(control, changed)
        if any(each.is_page or each.is_file for each in asked) or (asked and control.is_current):
            return []
        return [] if changed - NO_EFFECT else ["nothing happens"]

    def _lead(self, control: Control, changed: set[str]) -> list[str]:
        address = control.address or ""
        if address in ("", "#"):
            return [] if changed & {"html", "root", "text", "open"} else ["leads nowhere"]
        if address.startswith("#"):
            is_there = self.page.evaluate("id => controls.isThere(id)", address[1:])
            return [] if is_there else [f"leads to {address}, which is not on the page"]
        led = self.page.evaluate("window.controls?.led?.() ?? null") if "leads" in changed else None
        if led is None:
            return [] if changed - NO_EFFECT else ["nothing happens"]
        fault = self._follow(led["address"])
        return [fault] if fault else []

    def _follow(self, url: str) -> str:
        """Ask where a link leads to; return what is wrong with it."""
        if url not in self.followed:
            self.followed[url] = self._ask_for(url)
        return self.followed[url]

    def _ask_for(self, url: str) -> str:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https"):
            return "" if PurePosixPath(parts.path).name else f"leads to {url}"
        if url.startswith(settings.PLATFORM_API_URL):
            status = self.world.handle.session.get(url).status_code
        elif url.startswith(self.world.url):
            if not route_of(url).startswith("/"):
                return f"leads to {url}, which is no address of the site"
            answer = self.context.request.get(url)
            status = answer.status
            if self.session and route_of(answer.url) == "/accounts/login/":
                return "leads to the sign-in page"
        else:
            return ""
        self.world.complaints()
        return f"leads to {url}, which answers {status}" if status >= 400 else ""
