"""What can be done with many questionnaires or questions at once, or with one: its words, and when it has been done."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import models
from django.utils.formats import date_format
from django.utils.timezone import localdate, localtime

from portal.platform_api import models as remote
from portal.platform_api.bodies.common import Owner
from portal.platform_api.bodies.customer_trust import QuestionnaireChanges
from portal.users.dates import in_form, stored


class Action(models.TextChoices):
    """What a person does with questionnaires from the list, or with questions of one."""

    TAKE = "take", "Take"
    ASSIGN = "assign", "Assign owner"
    APPROVER = "approver", "Name approver"
    DUE = "due", "Set due date"
    HOLD = "hold", "Hold"
    NOT_OURS = "not-ours", "Not ours"
    ASSIGN_QUESTIONS = "questions", "Assign questions"
    SAVE_DRAFTS = "drafts", "Save drafts"


KINDS = ("questionnaire.owner", "questionnaire.approver", "questionnaire.due", "questionnaire.status", "response.owner")
"""How the history calls the changes."""
ASKS = (Action.ASSIGN, Action.APPROVER, Action.DUE, Action.NOT_OURS)
"""What needs another word first, or ends the work on a questionnaire."""
STATUSES = {Action.HOLD.value: "ON_HOLD", Action.NOT_OURS.value: "NO_LONGER_NEEDED"}


@dataclass(frozen=True, kw_only=True)
class Change:
    """One action with what belongs to it. An empty `owner_id` means nobody, no `due_at` means no due date.

    Where the action names an approver, `owner_id` and `owner_name` are the approver's.
    """

    action: str
    owner_id: str = ""
    owner_name: str = ""
    owner_type: str = "User"
    """`User` or `Team` (platform-api 4.1.3)."""
    due_at: datetime | None = None
    note: str = ""
    """What the new owner of questions has to know; it stays in the portal."""

    @property
    def gives_owner(self) -> bool:
        return self.action in (Action.TAKE, Action.ASSIGN, Action.ASSIGN_QUESTIONS)

    @property
    def names_approver(self) -> bool:
        return self.action == Action.APPROVER

    @property
    def names_person(self) -> bool:
        return self.gives_owner or self.names_approver

    @property
    def is_of_questions(self) -> bool:
        return self.action in (Action.ASSIGN_QUESTIONS, Action.SAVE_DRAFTS)

    @property
    def saves_drafts(self) -> bool:
        return self.action == Action.SAVE_DRAFTS

    @property
    def noun(self) -> str:
        """Call one of the things that it changes."""
        return "question" if self.is_of_questions else "questionnaire"

    @property
    def kind(self) -> str:
        """How the history calls it: one of `KINDS`."""
        if self.gives_owner:
            return f"{'response' if self.is_of_questions else 'questionnaire'}.owner"
        if self.names_approver:
            return "questionnaire.approver"
        return "questionnaire.due" if self.action == Action.DUE else "questionnaire.status"

    def sentence(self, name: str) -> str:
        """Say what was done to the questionnaire or question of this name."""
        if self.gives_owner:
            return f"Assigned {name} to {self.owner_name}" if self.owner_id else f"Unassigned {name}"
        if self.names_approver:
            return f"Named {self.owner_name} as approver of {name}" if self.owner_id else f"Removed the approver of {name}"
        if self.action == Action.DUE:
            if self.due_at is None:
                return f"Removed the due date of {name}"
            return f"Set {name} to be due on {stored(localdate(self.due_at))}"
        return f"Put {name} on hold" if self.action == Action.HOLD else f"Declined {name}"

    @property
    def title(self) -> str:
        """Say what it does, by itself."""
        if self.action in (Action.ASSIGN, Action.ASSIGN_QUESTIONS):
            return f"Assign to {self.owner_name}" if self.owner_id else "Unassign"
        if self.names_approver:
            return f"Approver: {self.owner_name}" if self.owner_id else "No approver"
        if self.action == Action.DUE:
            return f"Due on {self.day}" if self.due_at else "No due date"
        return Action(self.action).label

    @property
    def day(self) -> str:
        return date_format(localtime(self.due_at), in_form("j M Y")) if self.due_at else ""

    @property
    def owner(self) -> Owner | None:
        return {"type": self.owner_type, "id": self.owner_id} if self.owner_id else None

    def body(self) -> QuestionnaireChanges:
        """Write it as the platform takes it of a questionnaire (platform-api 4.1.4)."""
        if self.gives_owner:
            return {"owner_assignment": self.owner}
        if self.names_approver:
            return {"approver_assignment": self.owner}
        if self.action == Action.DUE:
            return {"due_date": self.due_at}
        return {"status": STATUSES[self.action]}

    def is_done(self, found: remote.Questionnaire | remote.Response) -> bool:
        """Say whether the questionnaire or question is as this change wants it."""
        return bool(self.seen_in(found) == self.wanted)

    @property
    def wanted(self) -> Any:
        if self.names_person:
            return self.owner_id
        return self.due_at if self.action == Action.DUE else STATUSES[self.action]

    def seen_in(self, found: Any) -> Any:
        """Return what the platform has of that which this changes."""
        if self.gives_owner:
            return found.owner_assignment.id if found.owner_assignment else ""
        if self.names_approver:
            return found.approver_assignment.id if found.approver_assignment else ""
        return found.due_date if self.action == Action.DUE else found.status

    def seen_here(self, row: Any) -> Any:
        """Return what our row has of that."""
        if self.gives_owner:
            return row.owner_id
        if self.names_approver:
            return row.approver_id
        return row.due_at if self.action == Action.DUE else row.status
