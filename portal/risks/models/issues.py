from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any, Self

from django.db import models
from django.utils import timezone

from portal.lib.platform_choices import pill_of, readable
from portal.lib.platform_days import past
from portal.lib.unnamed import named
from portal.platform_api.identifiers import MAX_ID_LENGTH
from portal.risks.models.choices import CLOSE_REASONS, MAX_WORD_LENGTH, SEVERITIES, SOURCES, STATUSES, TEAM
from portal.search.models import SearchedModel, SearchedQuerySet
from portal.tenants.managers import TenantManager
from portal.tenants.models import TenantModel, TenantQuerySet

MAX_NAME_LENGTH = 300
NO_DATE = datetime(9999, 1, 1, tzinfo=UTC)
"""Sorts behind every date: a keyset page needs a column that is never NULL."""
NO_OWNER = "none"
"""Stands in addresses for what nobody owns."""


class IssueQuerySet(SearchedQuerySet["Issue"]):
    """Chains of issues."""

    def present(self) -> Self:
        return self.filter(gone_at__isnull=True)

    def open(self) -> Self:
        return self.filter(is_open=True)

    def overdue(self) -> Self:
        return self.open().filter(past("due_sort", timezone.now()))

    def owned_by(self, owner_id: str) -> Self:
        """Those that somebody owns, alone or with others; NO_OWNER: nobody."""
        if owner_id == NO_OWNER:
            return self.exclude(pk__in=OwnerOfIssue.objects.values("issue"))
        return self.filter(pk__in=OwnerOfIssue.objects.filter(owner_id=owner_id).values("issue"))


class Issue(SearchedModel):
    """Our copy of an issue. The platform lets nobody change it from outside (platform-api 4.8)."""

    platform_id = models.CharField(max_length=MAX_ID_LENGTH)
    readable_id = models.CharField(max_length=MAX_WORD_LENGTH, blank=True)
    """By which people name it, such as ISS-001."""
    title = models.CharField(max_length=MAX_NAME_LENGTH, blank=True)
    status = models.CharField(max_length=MAX_WORD_LENGTH, blank=True)
    """Free text, as the severity and the source: the platform adds values without notice."""
    is_open = models.BooleanField(default=True)
    severity = models.CharField(max_length=MAX_WORD_LENGTH, blank=True)
    severity_rank = models.PositiveSmallIntegerField(default=0)
    source = models.CharField(max_length=MAX_WORD_LENGTH, blank=True)
    detected_at = models.DateTimeField()
    due_at = models.DateTimeField(null=True)
    due_sort = models.DateTimeField(default=NO_DATE)
    payload = models.JSONField(default=dict)
    gone_at = models.DateTimeField(null=True)

    objects = TenantManager.from_queryset(IssueQuerySet)()

    class Meta(SearchedModel.Meta):
        ordering = ["due_sort", "id"]
        constraints = [models.UniqueConstraint(fields=["tenant", "platform_id"], name="one_copy_per_issue")]
        indexes = [
            # The list, open and closed, in each of its orders.
            models.Index(fields=["tenant", "is_open", "due_sort", "id"], name="issues_by_due_date"),
            models.Index(fields=["tenant", "is_open", "severity_rank", "id"], name="issues_by_severity"),
            models.Index(fields=["tenant", "is_open", "-detected_at", "-id"], name="issues_by_detection"),
        ]

    def __str__(self) -> str:
        return named(self.title, self.readable_id)

    @property
    def state(self) -> tuple[str, str]:
        return pill_of(self.status, STATUSES)

    @property
    def severity_label(self) -> tuple[str, str]:
        return pill_of(self.severity, SEVERITIES)

    @property
    def source_label(self) -> str:
        return SOURCES.get(self.source, readable(self.source))

    @property
    def close_reason(self) -> str:
        """Why it was closed, in words; empty while it is open or where the platform gives no reason."""
        said: Any = self.payload.get("closedMetadata")
        reason = str(said.get("reason") or "") if isinstance(said, dict) else ""
        return CLOSE_REASONS.get(reason, readable(reason))


class IssueOwnerQuerySet(TenantQuerySet["IssueOwner"]):
    """Chains of people who own issues."""

    def of_person(self, folded_email: str) -> Self:
        return self.filter(folded_email=folded_email)


class IssueOwner(TenantModel):
    """What a user of the platform who owns issues is called: an issue tells their id alone."""

    platform_id = models.CharField(max_length=MAX_ID_LENGTH)
    name = models.CharField(max_length=MAX_NAME_LENGTH, blank=True)
    folded_email = models.CharField(max_length=320, blank=True)
    read_at = models.DateTimeField()

    objects = TenantManager.from_queryset(IssueOwnerQuerySet)()

    class Meta:
        ordering = ["name", "id"]
        constraints = [models.UniqueConstraint(fields=["tenant", "platform_id"], name="one_copy_per_issue_owner")]
        indexes = [models.Index(fields=["tenant", "folded_email"], name="issue_owners_of_address")]

    def __str__(self) -> str:
        return self.name or "Teammate"


class OwnerOfIssue(TenantModel):
    """One owner of an issue. A user is named by the id alone: issues are often read before their owners."""

    issue = models.ForeignKey(Issue, on_delete=models.CASCADE, related_name="owners")
    owner_type = models.CharField(max_length=MAX_WORD_LENGTH)
    owner_id = models.CharField(max_length=MAX_ID_LENGTH)

    class Meta:
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["issue", "owner_id"], name="owns_an_issue_once")]
        indexes = [models.Index(fields=["tenant", "owner_id", "issue"], name="issues_of_owner")]

    def __str__(self) -> str:
        return f"{self.owner_id} of {self.issue_id}"


def names_of_owners(owners: Iterable[OwnerOfIssue]) -> dict[int, list[str]]:
    """Name the owners of issues, by the key of the issue. Teams have none in the API, nor has here who was not read yet."""
    rows = list(owners)
    people = IssueOwner.objects.filter(platform_id__in={row.owner_id for row in rows})
    # Of several tenants at once, where work is made of them.
    named_as = {(each.tenant_id, each.platform_id): str(each) for each in people}
    found: dict[int, list[str]] = {}
    for row in rows:
        name = "A team" if row.owner_type == TEAM else named_as.get((row.tenant_id, row.owner_id), "Teammate")
        found.setdefault(row.issue_id, []).append(name)
    return found
