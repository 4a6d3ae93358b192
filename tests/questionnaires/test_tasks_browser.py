"""What the daily tasks cost, in clicks and in keys: each is done twice in a browser, by mouse and by keyboard alone.

`python -m tests.bench tasks` prints the counts.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

import pytest
from playwright.sync_api import Locator, Page, expect

from portal.inbox.routes import MIRRORS
from portal.questionnaires import services
from portal.questionnaires.models import AssignableUser, ExpertLink, Questionnaire, Response
from portal.questionnaires.tasks import mail_expert_links
from portal.sync.services import drain_tenant
from portal.users.models import User
from tests.questionnaires.conftest import TWO_PARTS, Desk, address, let_work
from tests.questionnaires.reviews import answer, give_answers
from tests.support.hands import Hand, Keyboard, Mouse
from tests.support.members import find_member

pytestmark = [
    pytest.mark.browser,
    pytest.mark.counted,
    pytest.mark.django_db(transaction=True),
    pytest.mark.xdist_group("tasks-browser"),
]

LIST = "/t/acme/questionnaires/"


@dataclass
class Person:
    """Somebody at the desk, with one way to work it."""

    page: Page
    desk: Desk
    hand: Hand
    root: str

    @property
    def questionnaire(self) -> Questionnaire:
        return self.desk.questionnaire

    def open(self, path: str) -> None:
        self.page.goto(f"{self.root}{path}")

    def main(self) -> Locator:
        return self.page.get_by_role("main")

    def button(self, name: str | re.Pattern[str]) -> Locator:
        return self.main().get_by_role("button", name=name, exact=isinstance(name, str))

    def menu(self, name: str) -> Locator:
        # The whole of its text: “Approver” is another menu than “Approve”.
        return self.page.locator("#summary summary", has_text=re.compile(rf"^\s*{name}\s*$"))

    def status(self, words: str) -> None:
        expect(self.page.locator("#summary .badge").first).to_contain_text(words)

    def row(self, number: int) -> Locator:
        """Put the hand on a row: the keyboard goes there, the mouse is there already."""
        for _ in range(number + 1):
            self.hand.go("j")
        return self.page.locator(".tbl a.t").nth(number)


def see_what_moved(person: Person) -> None:
    person.open(LIST)
    person.hand.use(person.main().get_by_role("link", name="Updated"), "w")
    expect(person.page).to_have_url(re.compile("sort=updated"))


def take(person: Person) -> None:
    services.ask_for_owners()
    drain_tenant(MIRRORS)
    somebody = AssignableUser.objects.owners().first()
    User.objects.filter(email="alice@acme.example").update(name=str(somebody))
    person.open(address(person.questionnaire))
    person.hand.use(person.menu("Owner"), "o")
    person.hand.use(person.button("Take"), "Enter")
    expect(person.main().get_by_text(f"Owner: {somebody}")).to_be_visible()


def hold(person: Person) -> None:
    person.open(address(person.questionnaire))
    person.hand.use(person.menu("Set status"), "t")
    person.hand.use(person.button("On hold"))
    person.status("On hold")


def refuse_two(person: Person) -> None:
    person.open(f"{LIST}?stage=all")
    boxes = person.page.locator("input[name=chosen]")
    for number in range(2):
        person.hand.go("j")
        person.hand.use(boxes.nth(number), "x")
    person.hand.go("b")
    person.hand.use(person.button("Not ours…"))
    expect(person.button("Not ours")).to_be_visible()
    person.hand.go("e")
    person.hand.use(person.button("Not ours"), "Enter")
    expect(person.main().get_by_text("You can leave this page")).to_be_visible()
    let_work()
    expect(person.main().get_by_text("2 of 2 changed")).to_be_visible()


def unblock(person: Person) -> None:
    """The human step stands on the platform alone; the way there is what the page can give."""
    blocked = Questionnaire.objects.first()
    assert blocked
    person.desk.change_there(blocked, status="WAITING_ON_COLUMN_APPROVAL")
    person.desk.fetch()
    person.open(address(blocked))
    link = person.main().get_by_role("link", name="Open the platform")
    link.evaluate(
        "link => link.addEventListener('click', event => { event.preventDefault(); link.textContent = 'Gone there' })"
    )
    person.hand.use(link, "l")
    expect(person.main().get_by_text("Gone there")).to_be_visible()


def answer_what_is_missing(person: Person) -> None:
    response = person.desk.set_answer(TWO_PARTS, {"p1": None, "p2": None}, question="Who can read the master key?")
    person.open(f"{address(response.questionnaire)}?show=unanswered")
    person.hand.use(person.row(0), "Enter")
    field = person.page.get_by_label("Explanation")
    expect(field).to_be_visible()
    person.hand.go("e")
    person.hand.write(field, "We do, and it is written down.")
    person.hand.send(person.button("Save"))
    expect(person.page.locator("[data-toasts]")).to_contain_text("Saved.")


def insert_an_earlier_answer(person: Person) -> None:
    earlier = Response.objects.exclude(questionnaire=person.questionnaire)[0]
    question = "Do you encrypt data at rest with keys of your own?"
    person.desk.change_there(earlier, question=question)
    answer(person.desk, earlier, "We do, with AES-256.")
    response = person.desk.set_answer(TWO_PARTS, {"p1": None, "p2": None}, question=question)
    person.open(address(response))
    insert = person.page.locator("#memory [data-insert]").first
    person.hand.use(insert, "i")
    expect(person.page.get_by_label("Explanation")).to_have_value("We do, with AES-256.")
    person.hand.send(person.button("Save"))
    expect(person.page.locator("[data-toasts]")).to_contain_text("Saved.")


def ask_an_expert(person: Person) -> None:
    person.open(address(person.questionnaire))
    person.hand.go("j")
    person.hand.use(person.page.locator("input[name=chosen]").first, "x")
    person.hand.go("b")
    person.hand.use(person.button("Ask someone…"), "Enter")
    form = person.page.get_by_role("region", name="Someone outside")
    expect(form).to_be_visible()
    person.hand.write(form.get_by_label("Email", exact=True), "dana@example.test")
    person.hand.send(form.get_by_role("button", name="Send the link"))
    expect(person.page.get_by_text("An email with the link is on its way.")).to_be_visible()


def nudge(person: Person) -> None:
    member = find_member(user__email="alice@acme.example")
    expert = services.Expert(email="dana@example.test")
    [link] = services.ask_expert(expert, member=member, responses=[person.desk.response])
    mail_expert_links(link.tenant_id)
    ExpertLink.objects.update(made_at=link.made_at - timedelta(days=2))
    person.open(address(person.desk.response))
    person.hand.use(person.button("Remind"), "m")
    expect(person.main().get_by_text(re.compile("reminded"))).to_be_visible()


def hand_over(person: Person) -> None:
    person.open(address(person.questionnaire))
    person.hand.use(person.menu("Hand over"), "h")
    person.hand.use(person.page.locator("#summary button.btn[value=READY_FOR_REVIEW]"))
    person.status("Ready for review")


def export(person: Person) -> None:
    person.open(address(person.questionnaire))
    person.hand.use(person.page.get_by_role("link", name="Exports"), "4")
    person.hand.use(person.button(re.compile("CSV")), "v")
    expect(person.page.locator("#exports").get_by_text("In progress")).to_be_visible()


def approve_an_answer(person: Person) -> None:
    [row] = give_answers(person.desk, 1)
    person.open(f"{address(row.questionnaire)}review/")
    person.hand.use(person.button("Approve a"), "a")
    expect(person.page.locator("[data-toasts]")).to_contain_text("Approved.")


def return_an_answer(person: Person) -> None:
    [row] = give_answers(person.desk, 1)
    person.open(f"{address(row.questionnaire)}review/")
    person.hand.use(person.page.locator("summary[data-key=r]"), "r")
    person.hand.write(person.page.get_by_label("What needs to change?"), "Which years?")
    person.hand.send(person.button("Return with this reason"))
    expect(person.page.locator("[data-toasts]")).to_contain_text("Returned.")


def approve_and_complete(person: Person) -> None:
    person.open(address(person.questionnaire))
    person.hand.use(person.menu("Approve"), "A")
    person.hand.send(person.page.locator("#summary form[action$='/approve/'] .form-actions button"))
    person.status("Approved")
    person.hand.use(person.menu("Complete"), "c")
    person.hand.send(person.button("Complete the questionnaire"))
    person.status("Done")


TASKS: dict[Callable[[Person], None], tuple[int, int]] = {
    see_what_moved: (1, 1),
    take: (2, 2),
    hold: (2, 6),
    refuse_two: (4, 13),
    unblock: (1, 1),
    answer_what_is_missing: (3, 5),
    insert_an_earlier_answer: (2, 2),
    ask_an_expert: (4, 14),
    nudge: (1, 1),
    hand_over: (2, 2),
    export: (2, 2),
    approve_an_answer: (1, 1),
    return_an_answer: (3, 2),
    approve_and_complete: (4, 6),
}
"""At most so many clicks, and so many keys, from the page on which a task begins."""


@pytest.fixture
def person_with(page, live_server, session_cookie, desk, alice):
    page.context.add_cookies([session_cookie])

    def make(hand: type[Hand]) -> Person:
        return Person(page, desk, hand(page), live_server.url)

    return make


@pytest.mark.parametrize("hand", [Mouse, Keyboard], ids=["mouse", "keyboard"])
@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.__name__)
def test_a_daily_task_costs_few_presses(person_with, task, hand, record_property):
    person = person_with(hand)
    task(person)
    record_property("presses", person.hand.presses)
    assert person.hand.presses <= TASKS[task][hand is Keyboard], person.hand.presses
