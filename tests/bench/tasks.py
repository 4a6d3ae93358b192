"""What do the daily tasks of an analyst and a reviewer cost, in clicks and in keys? Through a whole demo and a real browser."""

import os
import re
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page, expect, sync_playwright

from portal.demo.seed import CONNECTED
from tests import browser
from tests.bench.hands import Hand, Keyboard, Mouse
from tests.support.demo import Demo, services

SYNC_MILLISECONDS, STEP_MILLISECONDS = 180_000, 20_000


@dataclass
class Desk:
    """A person at the questionnaires of the demo tenant, and the sandbox to see what came of it."""

    page: Page
    demo: Demo
    tenant_id: str
    root: str
    used: set[str] = field(default_factory=set)

    def one(self, *statuses: str) -> dict[str, Any]:
        """A questionnaire that no task has had yet."""
        found = self.demo.control("GET", f"/objects/{self.tenant_id}/questionnaires")
        chosen: dict[str, Any] = next(each for each in found if each["status"] in statuses and each["id"] not in self.used)
        self.used.add(chosen["id"])
        return chosen

    def there(self, questionnaire: dict[str, Any]) -> dict[str, Any]:
        found = self.demo.control("GET", f"/objects/{self.tenant_id}/questionnaires")
        return next(each for each in found if each["id"] == questionnaire["id"])

    def open(self, path: str = "") -> None:
        self.page.goto(f"{self.root}{path}")

    def button(self, name: str, **options: Any) -> Locator:
        return self.page.get_by_role("main").get_by_role("button", name=name, **options)

    def menu(self, name: str) -> Locator:
        return self.page.locator("#summary summary", has_text=name)

    def sees(self, words: str) -> None:
        expect(self.page.get_by_role("main").get_by_text(words).first).to_be_visible()


type Task = Callable[[Desk, Hand], None]


def see_what_moved(desk: Desk, hand: Hand) -> None:
    desk.open()
    hand.choose(desk.page.get_by_role("link", name="Updated"))
    expect(desk.page).to_have_url(re.compile("sort=updated"))


def take(desk: Desk, hand: Hand) -> None:
    desk.open(f"{desk.one('IN_PROGRESS', 'WAITING_ON_ANSWERS')['id']}/")
    hand.choose(desk.menu("Owner"))
    hand.choose(desk.button("Take", exact=True))
    desk.sees("Owner: Sofia Brandwell")


def hold(desk: Desk, hand: Hand) -> None:
    desk.open(f"{desk.one('IN_PROGRESS', 'WAITING_ON_ANSWERS')['id']}/")
    hand.choose(desk.menu("Set status"))
    hand.choose(desk.button("On hold"))
    expect(desk.page.locator("#summary .badge").first).to_contain_text("On hold")


def refuse_two(desk: Desk, hand: Hand) -> None:
    desk.open("?due=overdue")
    boxes = desk.page.get_by_role("checkbox", name="Select")
    hand.choose(boxes.nth(1))
    hand.choose(boxes.nth(2))
    hand.choose(desk.button("Not ours"))
    hand.choose(desk.button("Not ours"))
    desk.sees("2 of 2 changed")


def unblock(desk: Desk, hand: Hand) -> None:
    """The human step stands on the platform alone; the way there is what the page can give."""
    desk.open(f"{desk.one('WAITING_ON_COLUMN_SELECTION', 'WAITING_ON_COLUMN_APPROVAL')['id']}/")
    with desk.page.expect_popup() as opened:
        hand.choose(desk.page.get_by_role("link", name="Open the platform"))
    opened.value.close()


def answer_what_is_missing(desk: Desk, hand: Hand) -> None:
    desk.open(f"{desk.one('IN_PROGRESS', 'WAITING_ON_ANSWERS')['id']}/?show=unanswered")
    rows = desk.page.locator("#questions a.t")
    question = rows.first.inner_text()
    hand.key("j", rows.first) if isinstance(hand, Keyboard) else None
    hand.key("Enter", rows.first)
    area = desk.page.locator("#answer-form :is(textarea, input[type=text])").first
    expect(area).to_be_visible()
    if isinstance(hand, Keyboard):
        hand.press("e")
    hand.type(area, "We do, and it is written down.")
    hand.submit(desk.button("Save", exact=True))
    expect(desk.page.locator("[data-toasts]")).to_contain_text("Saved.")
    assert question


def insert_an_earlier_answer(desk: Desk, hand: Hand) -> None:
    desk.open(f"{desk.one('IN_PROGRESS', 'WAITING_ON_ANSWERS')['id']}/")
    rows = desk.page.locator("#questions a.t")
    hand.key("j", rows.first) if isinstance(hand, Keyboard) else None
    hand.key("Enter", rows.first)
    first = desk.page.locator("[data-insert]").first
    expect(first).to_be_visible()
    hand.key("i", first)
    hand.submit(desk.button("Save", exact=True))


def ask_an_expert(desk: Desk, hand: Hand) -> None:
    desk.open(f"{desk.one('IN_PROGRESS', 'WAITING_ON_ANSWERS')['id']}/")
    boxes = desk.page.get_by_role("checkbox", name="Select")
    hand.choose(boxes.nth(1))
    hand.choose(desk.button("Ask somebody…"))
    form = desk.page.get_by_role("region", name="Somebody without a login")
    hand.type(form.get_by_label("Mail address"), "dana@example.test")
    hand.submit(form.get_by_role("button", name="Send the link"))
    expect(desk.page.locator("[data-toasts]")).to_contain_text("on its way")


def hand_over(desk: Desk, hand: Hand) -> None:
    one = desk.one("IN_PROGRESS", "WAITING_ON_ANSWERS")
    desk.open(f"{one['id']}/")
    hand.choose(desk.menu("Hand over"))
    hand.choose(desk.page.locator("#summary button.primary[value=READY_FOR_REVIEW]"))
    expect(desk.page.locator("#summary .badge").first).to_contain_text("Ready for review")


def export(desk: Desk, hand: Hand) -> None:
    desk.open(f"{desk.one('COMPLETE', 'APPROVED')['id']}/")
    hand.choose(desk.page.get_by_role("link", name="Exports"))
    hand.choose(desk.page.get_by_role("main").get_by_role("button", name=re.compile("CSV")).first)
    expect(desk.page.locator("#exports tbody tr").first).to_be_visible()


def approve_one_answer(desk: Desk, hand: Hand) -> None:
    desk.open(f"{desk.one('READY_FOR_REVIEW', 'IN_REVIEW')['id']}/review/")
    hand.key("a", desk.button("Approve a"))
    desk.sees("Approved by you")


def return_one_answer(desk: Desk, hand: Hand) -> None:
    desk.open(f"{desk.one('READY_FOR_REVIEW', 'IN_REVIEW')['id']}/review/")
    hand.key("r", desk.page.locator("summary[data-key=r]"))
    reason = desk.page.get_by_label("What has to change?")
    expect(reason).to_be_focused()
    hand.count.typed += 12
    reason.fill("Which years?")
    hand.submit(desk.button("Return with this reason"))
    desk.sees("Returned by you")


def approve_and_complete(desk: Desk, hand: Hand) -> None:
    one = desk.one("READY_FOR_REVIEW", "IN_REVIEW")
    desk.open(f"{one['id']}/")
    hand.choose(desk.menu("Approve"))
    hand.choose(desk.page.locator("#summary form[action$='/approve/'] button.primary"))
    expect(desk.page.locator("#summary .badge").first).to_contain_text("Approved")
    hand.choose(desk.menu("Complete"))
    hand.choose(desk.button("Complete the questionnaire"))
    expect(desk.page.locator("#summary .badge").first).to_contain_text("Complete")


TASKS: dict[str, Task] = {
    "see what moved": see_what_moved,
    "take a questionnaire": take,
    "put one on hold": hold,
    "refuse two at once": refuse_two,
    "go where a human step is": unblock,
    "answer what is missing": answer_what_is_missing,
    "insert an earlier answer": insert_an_earlier_answer,
    "ask an expert": ask_an_expert,
    "hand over for review": hand_over,
    "export": export,
    "approve an answer": approve_one_answer,
    "return one with a reason": return_one_answer,
    "approve and complete": approve_and_complete,
}


def print_tasks() -> None:
    with tempfile.TemporaryDirectory() as folder, services(f"portal_tasks_{os.getpid()}") as given:
        demo = Demo(Path(folder) / "demo", services=given).start()
        try:
            with sync_playwright() as playwright:
                chromium = playwright.chromium.launch(executable_path=browser.find(), args=browser.ARGUMENTS)
                desk = sign_in(chromium.new_page(), demo)
                print("\nThe daily tasks of the questionnaire desk, from the page that each begins at:")
                for name, task in TASKS.items():
                    print_task(name, task, desk)
        finally:
            demo.stop()


def print_task(name: str, task: Task, desk: Desk) -> None:
    mouse, keyboard = Mouse(desk.page), Keyboard(desk.page)
    for hand in (mouse, keyboard):
        task(desk, hand)
    letters = f", and {mouse.count.typed} letters of text" if mouse.count.typed else ""
    print(f"  {name:<28} {mouse.count.clicks} clicks, or {keyboard.count.keys} keys{letters}", flush=True)


def sign_in(page: Page, demo: Demo) -> Desk:
    page.set_default_timeout(STEP_MILLISECONDS)
    expect.set_options(timeout=STEP_MILLISECONDS)
    page.goto(demo.url)
    page.get_by_label("Email").fill("demo@example.test")
    page.get_by_label("Password", exact=True).fill(demo.password)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="Your tenants")).to_be_visible()
    tenant_id = next(each["tenant_id"] for each in demo.control("GET", "/tenants") if each["name"] == CONNECTED)
    desk = Desk(page, demo, tenant_id, f"{demo.url}/t/{CONNECTED.lower().replace(' ', '-')}/questionnaires/")
    desk.open("?stage=all")
    expect(page.locator("#side")).not_to_contain_text("Fetching the first copy", timeout=SYNC_MILLISECONDS)
    return desk
