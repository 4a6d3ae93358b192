from typing import Final

from django.db import models

from portal.platform_api.identifiers import MAX_ID_LENGTH
from portal.search.models import SearchedModel, SearchedQuerySet
from portal.tenants.managers import TenantManager
from portal.tenants.models import TenantModel

AREA: Final = "event_log"
"""The live area that the room's page watches."""
LOG_ENTRY: Final = "event_log_entry"
MAX_WORD_LENGTH = 120
USER: Final = "USER"
"""The type of an actor that is a person with a login on the platform."""


class LogEntryQuerySet(SearchedQuerySet["LogEntry"]):
    """Chains of entries."""


class LogEntry(SearchedModel):
    """Our copy of one entry of the platform's event log. Actions and types are open sets: they are kept as they came."""

    # Other indexes begin with it, and every index costs each write.
    tenant = models.ForeignKey("tenants.Tenant", on_delete=models.CASCADE, related_name="+", db_index=False)
    platform_id = models.CharField(max_length=MAX_ID_LENGTH)
    at = models.DateTimeField()
    action = models.CharField(max_length=MAX_WORD_LENGTH)
    actor_type = models.CharField(max_length=MAX_WORD_LENGTH, blank=True)
    actor_id = models.CharField(max_length=MAX_ID_LENGTH, blank=True)
    payload = models.JSONField(default=dict)

    objects = TenantManager.from_queryset(LogEntryQuerySet)()

    class Meta:
        ordering = ["-at", "-id"]
        constraints = [models.UniqueConstraint(fields=["tenant", "platform_id"], name="one_copy_per_log_entry")]
        indexes = [
            models.Index(fields=["tenant", "-at", "-id"], name="log_entries_by_date"),
            models.Index(fields=["tenant", "actor_type", "-at", "-id"], name="log_entries_by_actor"),
        ]

    def __str__(self) -> str:
        return f"{self.action} {self.at:%Y-%m-%d %H:%M}"

    @property
    def is_of_user(self) -> bool:
        """Whether a user of the platform did it: no write of ours is."""
        return self.actor_type.upper() == USER


class LogTarget(TenantModel):
    """One object that an entry is about."""

    # Other indexes begin with it, and every index costs each write.
    tenant = models.ForeignKey("tenants.Tenant", on_delete=models.CASCADE, related_name="+", db_index=False)
    entry = models.ForeignKey(LogEntry, on_delete=models.CASCADE, related_name="targets")
    kind = models.CharField(max_length=MAX_WORD_LENGTH, blank=True)
    platform_id = models.CharField(max_length=MAX_ID_LENGTH)

    class Meta:
        ordering = ["id"]
        indexes = [models.Index(fields=["tenant", "platform_id"], name="log_entries_of_one_object")]

    def __str__(self) -> str:
        return f"{self.kind} {self.platform_id}"


class WriteMatch(TenantModel):
    """What was found in the platform's event log of one write of ours."""

    audit_entry_id = models.BigIntegerField()
    """A plain number: the audit trail is changed by nothing, also not by what refers to it."""
    log_entry = models.OneToOneField(LogEntry, on_delete=models.SET_NULL, null=True, related_name="match")
    """None: the log has been read for so long after the write, and does not name it."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tenant", "audit_entry_id"], name="one_match_per_write")]

    def __str__(self) -> str:
        return str(self.audit_entry_id)
