"""A new person's first hour at a browser: from signing up to the last step of the set-up, by mouse or by keys alone."""

import time
from dataclasses import dataclass, field

from playwright.sync_api import Locator, Page, expect

from tests.flows.newcomer import CODE, Newcomer
from tests.support.demo import Demo
from tests.support.hands import Hand

PASSWORD = "four plain words together"
ORGANIZATION = "Osprey Systems"
"""On the platform, and in no tenant of the portal that is connected."""
SYNC_MILLISECONDS = 180_000


@dataclass
class FirstHour:
    """One new person. `steps` counts what is sent or opened; the presses are counted by the hand."""

    demo: Demo
    hand: Hand
    email: str = "ines@new.example"
    name: str = "New Co"
    steps: list[str] = field(default_factory=list)
    started: float = field(default_factory=time.monotonic)

    @property
    def page(self) -> Page:
        return self.hand.page

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.started

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("main").get_by_role("button", name=name, exact=True)

    def send(self, words: str) -> None:
        button = self.button(words)
        # The page before it may still be on its way out.
        expect(button).to_be_visible()
        self.hand.send(button)
        self.steps.append(words)

    def follow(self, words: str) -> None:
        self.hand.use(self.page.get_by_role("main").get_by_role("link", name=words))
        self.steps.append(words)

    def sign_up(self) -> None:
        page, mails = self.page, Newcomer(self.demo.url, self.demo.folder / "mail")
        page.goto(f"{self.demo.url}/accounts/signup/")
        self.hand.write(page.get_by_label("Email"), self.email)
        self.hand.write(page.get_by_label("Your name"), "Ines New")
        self.hand.write(page.get_by_label("Password", exact=True), PASSWORD)
        self.send("Create account")
        [code] = CODE.findall(mails.wait_for_mail(self.email, 1))
        self.hand.write(page.get_by_label("Code"), code)
        self.send("Confirm")

    def create_tenant(self) -> None:
        self.hand.write(self.page.get_by_label("Company name"), self.name)
        self.send("Create tenant")

    def connect(self) -> None:
        """Choose nothing but the organization: its region is the first of the list."""
        self.send("Connect to the platform")
        self.hand.use(self.page.get_by_label(ORGANIZATION))
        self.hand.use(self.page.get_by_role("button", name="Allow"))
        self.steps.append("Allow")

    def wait_for_the_first_questionnaire(self) -> None:
        expect(self.page.locator("#first-hour-guide")).to_contain_text("synced so far", timeout=SYNC_MILLISECONDS)

    def add_trust_center(self) -> None:
        [organization] = [each for each in self.demo.control("GET", "/tenants") if each["name"] == ORGANIZATION]
        address = f"https://trust.example.com/{organization['slugId']}"
        self.hand.write(self.page.get_by_label("Trust Center id or address"), address)
        self.send("Save and verify")

    def point_webhooks(self) -> None:
        """Copy the address to the platform and its secret back, then have the platform send its example."""
        page = self.page
        [organization] = [each for each in self.demo.control("GET", "/tenants") if each["name"] == ORGANIZATION]
        address = page.get_by_role("textbox", name="address").input_value()
        made = self.demo.control("POST", "/endpoints", tenant_id=organization["tenant_id"], url=address, event_types=[])
        self.hand.write(page.get_by_label("Signing secret"), made["secret"])
        self.send("Save the secret")
        expect(page.get_by_text("Waiting for the first delivery").first).to_be_visible()
        page.evaluate("window.neverReloaded = true")
        self._send_example(made["endpoint_id"])
        expect(page.get_by_text("The first delivery has arrived")).to_be_visible(timeout=SYNC_MILLISECONDS)
        assert page.evaluate("window.neverReloaded")
        self.follow("Next: Invite your team")

    def _send_example(self, endpoint_id: str) -> None:
        """Press the button on the platform's side, in another tab."""
        console = self.page.context.new_page()
        console.goto(f"{self.demo.platform}/console/endpoints/{endpoint_id}/")
        console.get_by_role("button", name="Send example").click()
        expect(console.get_by_text("is on its way")).to_be_visible()
        console.close()

    def invite(self) -> None:
        self.hand.write(self.page.get_by_label("Email"), "otto@new.example")
        self.send("Invite")
        self.follow("Next: Set office hours")

    def set_hours(self) -> None:
        """Change one hour: Enter in a field saves them all, which is nearer than the button."""
        self.hand.write(self.page.get_by_label("Monday from"), "08:30")
        self.send("Save the hours")
