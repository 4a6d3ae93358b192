from django.conf import settings
from django.db import models
from django.utils import timezone

from portal.incidents.models.incidents import Incident
from portal.incidents.models.notices import Notice
from portal.tenants.models import TenantModel


class Step(models.TextChoices):
    """What was done."""

    OPENED = "opened", "Opened"
    CHANGED = "changed", "Changed"
    PLANNED = "planned", "Plan made"
    TOLD = "told", "Notified"
    TAKEN_BACK = "taken-back", "Undone"
    NOT_NEEDED = "not-needed", "Not needed"
    DRAFTED = "drafted", "Draft saved"
    REMARK = "remark", "Remark"
    REMINDED = "reminded", "Reminder sent"
    CLOSED = "closed", "Closed"
    REOPENED = "reopened", "Reopened"


MARKS = {
    Step.OPENED.value: ("siren", "bad"),
    Step.CHANGED.value: ("pencil", "info"),
    Step.PLANNED.value: ("list-checks", "info"),
    Step.TOLD.value: ("send", "good"),
    Step.TAKEN_BACK.value: ("undo-2", "warn"),
    Step.NOT_NEEDED.value: ("circle-slash", "muted"),
    Step.DRAFTED.value: ("file-pen", "muted"),
    Step.REMARK.value: ("message-square", "muted"),
    Step.REMINDED.value: ("mail", "warn"),
    Step.CLOSED.value: ("lock", "muted"),
    Step.REOPENED.value: ("lock-open", "warn"),
}


class LogEntry(TenantModel):
    """One thing that was done about an incident. Rows are added and never changed; only an erasure takes addresses out."""

    incident = models.ForeignKey(Incident, on_delete=models.CASCADE, related_name="log")
    notice = models.ForeignKey(Notice, on_delete=models.CASCADE, null=True, related_name="log")
    """The customer it was about; None: all of it."""
    at = models.DateTimeField(default=timezone.now)
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    actor_name = models.CharField(max_length=120, blank=True)
    step = models.CharField(max_length=12, choices=Step.choices)
    text = models.CharField(max_length=500)
    """What was done, in a sentence of ours."""
    note = models.TextField(blank=True)
    """What the person wrote to it."""
    details = models.JSONField(default=list)
    """Of a plan that was made anew: what changed, customer by customer."""

    class Meta:
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["tenant", "incident", "-id"], name="incident_log"),
            models.Index(fields=["tenant", "notice", "-id"], name="incident_log_of_notice"),
        ]

    def __str__(self) -> str:
        return self.text

    @property
    def who(self) -> str:
        return self.actor_name or "The portal"

    @property
    def icon(self) -> str:
        return MARKS.get(self.step, ("circle-dot", "muted"))[0]

    @property
    def tone(self) -> str:
        return MARKS.get(self.step, ("circle-dot", "muted"))[1]
