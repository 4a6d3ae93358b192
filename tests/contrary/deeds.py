"""Everything that a person can have done on the platform, each through the portal's own pages and forms."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.http import HttpResponse

from portal.access_requests.models import AccessRequest, Decision, Viewer, ViewerItem
from portal.contracts.models import Removal, Upload
from portal.customers.models import NewCustomer
from portal.deletion_requests.models import DeletionRequest
from portal.questionnaires.models import AssignableUser, BulkItem, Export, Intake, Questionnaire
from portal.tags.models import SwitchChange
from portal.trust_center.models import PublicationItem
from tests.contrary.house import File, House
from tests.contrary.platform import TOKEN

PDF: Final = b"%PDF-1.4\nAn agreement.\n%%EOF\n"
QUESTIONNAIRES, REQUESTS, VIEWERS = "questionnaires/?stage=all", "access-requests/?tab=all", "access-requests/viewers/?tab=all"
MADE: Final = ("done", "created", "completed", "pending", "expired", "confirmed", "erased", "present", "sent")
NOT_MADE: Final = ("failed", "absent", "refused", "undone", "declined", "discarded", "closed", "elsewhere", "received", "none")
UNSAID: Final = ("unanswered",)
"""The ends of the rows that keep what became of a write: it was done, it was not, or nobody can know (platform-api 4.1.5)."""


type Sent = tuple[str, dict[str, Any]]
"""An address, and what a form sends to it."""


@dataclass(frozen=True, eq=False)
class Deed:
    """One thing that a person does, what the platform counts when it is done, and the row that keeps its outcome.

    Without such a row the answer to the form is what tells the outcome.
    """

    name: str
    form: Callable[[House], Sent]
    """Open the pages as a person does, and return what is sent at the end."""
    verb: str
    object_id: Callable[[House], str]
    rows: type[Any] | None = None
    which: Mapping[str, Any] | None = None
    said: str = ""
    """A field that it sends: a viewer, a questionnaire and a customer may have the same id, and each can be changed."""
    leaves_no_trace: bool = False
    """Nothing on the platform tells whether it was done: after an answer that was lost nobody can know."""

    def __str__(self) -> str:
        return self.name

    def act(self, house: House) -> HttpResponse:
        return house.post_form(*self.form(house))

    def effects(self, house: House) -> int:
        """Count how often the platform has done it."""
        wanted = self.object_id(house)
        found = [done for done in house.platform.effects if (done.verb, done.object_id) == (self.verb, wanted)]
        return sum(not self.said or self.said in done.said for done in found)

    def state(self, house: House) -> str:
        """Return the state of the row that keeps the outcome; nothing where there is none (yet)."""
        if self.rows is None:
            return ""
        with house.scoped():
            row = self.rows.objects.filter(**(self.which or {})).order_by("-pk").first()
        return str(row.state) if row else "none"


def token(one: Mapping[str, Any]) -> str:
    """Return the token by which an object is known on pages."""
    for name in ("displayName", "name", "title", "question", "companyName"):
        if found := TOKEN.search(one.get(name) or ""):
            return found[0]
    raise LookupError(one["id"])


def nth(kind: str, number: int) -> Callable[[House], str]:
    return lambda house: str(house.origin.first(kind, number)["id"])


def buyer(number: int) -> str:
    return f"buyer{number}+tag@customer{number}.example"


def asked_by(number: int) -> Callable[[House], str]:
    """Name the request of one person."""
    return lambda house: str(house.origin.find("access-requests", email=buyer(number))["id"])


def page_of(house: House, page: str, kind: str, number: int) -> str:
    """Find the page of an object as a person does: by its name in the list."""
    return house.find(house.root + page, token(house.origin.first(kind, number)))


def desk(house: House, number: int) -> str:
    return page_of(house, QUESTIONNAIRES, "questionnaires", number)


def request_page(house: House, number: int) -> str:
    one = house.origin.find("access-requests", email=buyer(number))
    return house.find(house.root + REQUESTS, token(one))


def keys(house: House, model: type[Any], **wanted: Any) -> list[int]:
    """The values of the boxes in a list."""
    with house.scoped():
        return list(model.objects.filter(**wanted).values_list("pk", flat=True))


def approve_request(house: House) -> Sent:
    return house.form(request_page(house, 0), "/approve/")


def deny_request(house: House) -> Sent:
    return house.form(request_page(house, 4), "/deny/", **{"deny-canned": "own", "deny-words": "Not now."})


def deny_in_bulk(house: House) -> Sent:
    chosen = keys(house, AccessRequest, email=buyer(5))
    asked = house.send(house.root + REQUESTS, "access-requests/bulk/", chosen=chosen, action="deny")
    return house.go_on(asked, "access-requests/bulk/", **{"action": "deny", "deny-canned": "own", "deny-words": "Not now."})


def save_answer(house: House) -> Sent:
    page = house.find(desk(house, 0), token(house.origin.first(responses(house), 0)))
    form = next(form for form in house.read(page).forms.values() if any(name.startswith("part-") for name in form.fields))
    part = next(name for name in form.fields if name.startswith("part-") and not name.endswith("-shown"))
    return house.form(page, form.action.partition("?")[0], **{part: "With AES-256, kept ünder lock."})


def responses(house: House) -> str:
    return f"responses of {nth('questionnaires', 0)(house)}"


def set_status(house: House) -> Sent:
    return house.form(desk(house, 1), "/status/", status="ON_HOLD")


def set_due(house: House) -> Sent:
    return house.form(desk(house, 2), "/due/", due_on="2031-02-03")


def assign(house: House) -> Sent:
    house.read(house.root + QUESTIONNAIRES)
    house.crew.work()
    with house.scoped():
        owner = AssignableUser.objects.order_by("platform_id").last()
    assert owner
    return house.form(desk(house, 7), "/owner/", owner=owner.platform_id)


def approve(house: House) -> Sent:
    return house.form(desk(house, 0), "/approve/", message="Well done.")


def complete(house: House) -> Sent:
    return house.form(desk(house, 6), "/complete/")


def hold_in_bulk(house: House) -> Sent:
    chosen = keys(house, Questionnaire, platform_id=nth("questionnaires", 4)(house))
    return house.form(house.root + QUESTIONNAIRES, "questionnaires/bulk/", chosen=chosen, action="hold")


def export(house: House) -> Sent:
    page = house.find(desk(house, 0), "Export")
    return house.form(page, "/exports/request/", format="csv")


def hand_in_site(house: House) -> Sent:
    values = {"name": "The site of a buyer", "url": "https://portal.buyer.example/q/1"}
    return house.form(f"{house.root}questionnaires/new/", "questionnaires/new/", **values)


def hand_in_file(house: House) -> Sent:
    file = File("bögen.pdf", PDF)
    return house.form(f"{house.root}questionnaires/new/", "questionnaires/new/", name="The file of a buyer", file=file)


def change_viewers(house: House, number: int, action: str, **values: Any) -> Sent:
    chosen = keys(house, Viewer, email=f"viewer{number}@customer{number}.example")
    asked = house.send(house.root + VIEWERS, "viewers/change/", chosen=chosen, action=action)
    return house.go_on(asked, "viewers/change/", action=action, **values)


def extend_viewer(house: House) -> Sent:
    return change_viewers(house, 1, "extend", expiry="90")


def revoke_viewer(house: House) -> Sent:
    return change_viewers(house, 3, "revoke")


def remind_viewer(house: House) -> Sent:
    return change_viewers(house, 4, "remind")


def upload(house: House) -> Sent:
    file = File("vertrag.pdf", PDF)
    return house.form(f"{house.root}contracts/upload/", "contracts/upload/", file=file, external_id="crm/ü 77")


def delete_contract(house: House) -> Sent:
    one = house.origin.first("contracts", 0)
    page = house.find(page_of(house, "contracts/", "contracts", 0), "Delete")
    return house.form(page, "/delete/", name=one["name"])


def create_customer(house: House) -> Sent:
    values = {"name": "Neue Kundin SE", "domain": "neue-kundin.example"}
    return house.form(f"{house.root}customers/new/", "customers/new/", **values)


def rename_customer(house: House) -> Sent:
    page = house.find(page_of(house, "customers/", "accounts", 0), "Edit")
    return house.form(page, "/edit/", name="Anders & Söhne")


def delete_customer(house: House) -> Sent:
    page = house.find(page_of(house, "customers/", "accounts", 4), "Delete")
    return house.form(page, "/delete/", name=house.origin.first("accounts", 4)["name"])


def rename_document(house: House) -> Sent:
    page = house.find(page_of(house, "trust-center/resources/", "resources", 0), "Edit")
    return house.form(page, "/edit/", title="Umbenannt & neu")


def add_faq(house: House) -> Sent:
    values = {"question": "Gibt es ein <Audit>?", "answer": "Ja, jedes Jahr."}
    return house.form(f"{house.root}trust-center/faqs/new/", "faqs/new/", **values)


def delete_faq(house: House) -> Sent:
    return house.form(page_of(house, "trust-center/faqs/", "faqs", 3), "/delete/")


def publish_update(house: House) -> Sent:
    page = f"{house.root}trust-center/updates/new/"
    values = {"title": "Ein <neuer> Bericht", "text": "Er ist da.", "target": "ALL"}
    return house.go_on(house.send(page, "updates/new/", **values), "updates/new/", step="publish")


def erase(house: House) -> Sent:
    email = "viewer0@customer0.example"
    asked = house.send(f"{house.root}deletion-requests/new/", "deletion-requests/new/", email=email)
    return house.go_on(asked, "deletion-requests/submit/", again=email, identity_note="Answered a mail.")


def switch(house: House) -> Sent:
    page = f"{house.root}tags/"
    form = next(form for form in house.read(page).forms.values() if "press" in form.choices)
    pressed = next(value for value in form.choices["press"] if "|on|" in f"|{value}|")
    return house.form(page, "/switch/", press=pressed)


def pressed_category(house: House) -> str:
    with house.scoped():
        change = SwitchChange.objects.select_related("category").order_by("-pk").first()
    return change.category.platform_id if change else ""


DEEDS: Final = (
    Deed("approve a request", approve_request, "approve", asked_by(0), Decision, {"access_request__email": buyer(0)}),
    Deed("deny a request", deny_request, "deny", asked_by(4), Decision, {"access_request__email": buyer(4)}),
    Deed("deny in bulk", deny_in_bulk, "deny", asked_by(5), Decision, {"access_request__email": buyer(5)}),
    Deed("save an answer", save_answer, "answer", lambda house: house.origin.first(responses(house), 0)["id"]),
    Deed("set a status", set_status, "change", nth("questionnaires", 1)),
    Deed("set a due date", set_due, "change", nth("questionnaires", 2)),
    Deed("assign an owner", assign, "change", nth("questionnaires", 7), said="ownerAssignment"),
    Deed("approve a questionnaire", approve, "approve", nth("questionnaires", 0)),
    Deed("complete a questionnaire", complete, "complete", nth("questionnaires", 6)),
    Deed("hold in bulk", hold_in_bulk, "change", nth("questionnaires", 4), BulkItem),
    Deed("export", export, "export", nth("questionnaires", 0), Export),
    Deed("hand in a site", hand_in_site, "create", lambda _: "The site of a buyer", Intake, {"name": "The site of a buyer"}),
    Deed("hand in a file", hand_in_file, "create", lambda _: "The file of a buyer", Intake, {"name": "The file of a buyer"}),
    Deed(
        "extend a viewer",
        extend_viewer,
        "change",
        nth("viewers", 1),
        ViewerItem,
        {"viewer__email__startswith": "viewer1"},
        said="expirationDate",
    ),
    Deed("revoke a viewer", revoke_viewer, "remove", nth("viewers", 3), ViewerItem, {"viewer__email__startswith": "viewer3"}),
    Deed(
        "remind a viewer",
        remind_viewer,
        "remind",
        nth("viewers", 4),
        ViewerItem,
        {"viewer__email__startswith": "viewer4"},
        leaves_no_trace=True,
    ),
    Deed("upload a contract", upload, "create", lambda _: "crm/ü 77", Upload),
    Deed("delete a contract", delete_contract, "delete", nth("contracts", 0), Removal),
    Deed("create a customer", create_customer, "create", lambda _: "Neue Kundin SE", NewCustomer),
    Deed("rename a customer", rename_customer, "change", nth("accounts", 0), said="name"),
    Deed("delete a customer", delete_customer, "delete", nth("accounts", 4)),
    Deed("rename a document", rename_document, "change", nth("resources", 0), said="title"),
    Deed("add a FAQ", add_faq, "create", lambda _: "Gibt es ein <Audit>?"),
    Deed("delete a FAQ", delete_faq, "delete", nth("faqs", 3)),
    Deed(
        "publish an update",
        publish_update,
        "create",
        lambda _: "Ein <neuer> Bericht",
        PublicationItem,
    ),
    Deed("erase a person", erase, "erase", lambda _: "viewer0@customer0.example", DeletionRequest),
    Deed("press a switch", switch, "enable", pressed_category, SwitchChange),
)
