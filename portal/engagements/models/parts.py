from typing import Self

from django.db import models

from portal.engagements.models.choices import EVIDENCE_STATUSES, READY_FOR_AUDIT, REQUEST_STATUSES, REQUEST_TYPES
from portal.engagements.models.engagements import MAX_NAME_LENGTH, MAX_WORD_LENGTH, NO_DATE, Engagement
from portal.lib.platform_choices import Pill, pill_of
from portal.lib.unnamed import named
from portal.platform_api.identifiers import MAX_ID_LENGTH
from portal.search.models import SearchedModel, SearchedQuerySet
from portal.tenants.managers import TenantManager
from portal.tenants.models import TenantModel


class AuditedQuerySet[M: "Audited"](SearchedQuerySet[M]):
    """Chains of what an audit consists of."""

    def present(self) -> Self:
        """Return what the audit still has. What was deleted there stays in the platform's lists, with a deletion date."""
        return self.filter(gone_at__isnull=True, deleted_at__isnull=True, engagement__gone_at=None, engagement__deleted_at=None)

    def ready(self) -> Self:
        """Return what waits for the auditor, in audits that go on."""
        return self.present().filter(status=READY_FOR_AUDIT, engagement__completed_at=None)


class InformationRequestQuerySet(AuditedQuerySet["InformationRequest"]):
    """Chains of information requests."""


class EvidenceItemQuerySet(AuditedQuerySet["EvidenceItem"]):
    """Chains of evidence items."""


class Audited(SearchedModel):
    """What is listed for one audit, has a status, and is fetched by itself when an event names it or somebody opens it."""

    platform_id = models.CharField(max_length=MAX_ID_LENGTH)
    name = models.CharField(max_length=MAX_NAME_LENGTH, blank=True)
    status = models.CharField(max_length=MAX_WORD_LENGTH, blank=True)
    """As events spell it. An open set: the platform adds values without notice."""
    is_provisional = models.BooleanField(default=False)
    """An event has told the status, and the object was not fetched since."""
    position = models.PositiveIntegerField(default=0)
    """In the platform's own list."""
    payload = models.JSONField(default=dict)
    read_at = models.DateTimeField()
    """When the platform was asked for it: an answer to an older question does not replace it."""
    details_read_at = models.DateTimeField(null=True)
    """When its comments and what else belongs to it were asked for."""
    deleted_at = models.DateTimeField(null=True)
    gone_at = models.DateTimeField(null=True)

    class Meta(SearchedModel.Meta):
        abstract = True

    def __str__(self) -> str:
        return named(self.name)


class InformationRequest(Audited):
    """Our copy of something that the auditors ask of the customer."""

    engagement = models.ForeignKey(Engagement, on_delete=models.CASCADE, related_name="requests")
    unique_id = models.CharField(max_length=MAX_NAME_LENGTH, blank=True)
    request_type = models.CharField(max_length=MAX_WORD_LENGTH, blank=True)
    owner_name = models.CharField(max_length=MAX_NAME_LENGTH, blank=True)
    due_at = models.DateTimeField(null=True)
    due_sort = models.DateTimeField(default=NO_DATE)

    objects = TenantManager.from_queryset(InformationRequestQuerySet)()

    class Meta(Audited.Meta):
        ordering = ["engagement", "position", "id"]
        constraints = [models.UniqueConstraint(fields=["tenant", "platform_id"], name="one_copy_per_information_request")]
        indexes = [
            models.Index(fields=["engagement", "position", "id"], name="requests_of_engagement"),
            models.Index(fields=["tenant", "due_sort", "id"], name="information_requests_by_due"),
        ]

    @property
    def status_pill(self) -> Pill:
        return pill_of(self.status, REQUEST_STATUSES)

    @property
    def type_label(self) -> str:
        return REQUEST_TYPES.get(self.request_type, self.request_type)


class EvidenceItem(Audited):
    """Our copy of something that the customer shows to the auditors."""

    engagement = models.ForeignKey(Engagement, on_delete=models.CASCADE, related_name="evidence")
    evidence_type = models.CharField(max_length=MAX_WORD_LENGTH, blank=True)
    status_updated_at = models.DateTimeField(null=True)

    objects = TenantManager.from_queryset(EvidenceItemQuerySet)()

    class Meta(Audited.Meta):
        ordering = ["engagement", "position", "id"]
        constraints = [models.UniqueConstraint(fields=["tenant", "platform_id"], name="one_copy_per_evidence_item")]
        indexes = [
            models.Index(fields=["engagement", "position", "id"], name="evidence_of_engagement"),
            models.Index(fields=["tenant", "position", "id"], name="evidence_items_listed"),
        ]

    @property
    def status_pill(self) -> Pill:
        return pill_of(self.status, EVIDENCE_STATUSES)


class EngagementControl(TenantModel):
    """Our copy of a control in the scope of an audit, with its assessment for each segment."""

    engagement = models.ForeignKey(Engagement, on_delete=models.CASCADE, related_name="controls")
    platform_id = models.CharField(max_length=MAX_ID_LENGTH)
    name = models.CharField(max_length=MAX_NAME_LENGTH, blank=True)
    position = models.PositiveIntegerField(default=0)
    payload = models.JSONField(default=dict)
    read_at = models.DateTimeField()
    details_read_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["engagement", "position", "id"]
        constraints = [models.UniqueConstraint(fields=["engagement", "platform_id"], name="one_copy_per_engagement_control")]

    def __str__(self) -> str:
        return named(self.name)


class PartKind(models.TextChoices):
    """What belongs to one object of an audit, or shows the audited organization: the platform lists it for one at a time."""

    REQUEST_COMMENT = "request_comment", "Comments on an information request"
    REQUEST_EVIDENCE = "request_evidence", "Evidence of an information request"
    REQUEST_ACTIVITY = "request_activity", "History of an information request"
    TEST_SNAPSHOT = "test_snapshot", "Test snapshots of an information request"
    EVIDENCE_COMMENT = "evidence_comment", "Comments on evidence"
    EVIDENCE_FILE = "evidence_file", "Files of evidence"
    CONTROL_COMMENT = "control_comment", "Comments on a control"
    INFORMATION = "information", "The organization"
    PEOPLE = "people", "People"
    GROUPS = "groups", "Groups"
    COMPUTERS = "computers", "Computers"
    SERVICES = "services", "Services with accounts"
    VENDORS = "vendors", "Vendors"
    INTEGRATIONS = "integrations", "Integrations"
    CODE_CHANGES = "code_changes", "Code changes"
    ISSUES = "issues", "Issues"
    RISKS = "risks", "Risks"
    OLDER_PEOPLE = "older_people", "People of an older audit"
    OLDER_VENDORS = "older_vendors", "Vendors of an older audit"
    OLDER_COMPUTERS = "older_computers", "Computers of an older audit"
    VULNERABILITIES = "vulnerabilities", "Vulnerabilities"
    REMEDIATIONS = "remediations", "Remediations"
    ASSETS = "assets", "Assets"


class EngagementPartQuerySet(SearchedQuerySet["EngagementPart"]):
    def of(self, row: "Engagement | InformationRequest | EvidenceItem | EngagementControl", kind: PartKind) -> Self:
        """Return what belongs to one object of an audit, or to the audit itself."""
        return self.filter(engagement=row.engagement, kind=kind, parent_id=row.platform_id)


class EngagementPart(SearchedModel):
    """Our copy of a comment, a piece of evidence, a file or an entry of the history, as the platform sent it."""

    engagement = models.ForeignKey(Engagement, on_delete=models.CASCADE, related_name="parts")
    kind = models.CharField(max_length=20, choices=PartKind.choices)
    parent_id = models.CharField(max_length=MAX_ID_LENGTH)
    """The platform's id of the request, evidence, control or audit that it belongs to."""
    platform_id = models.CharField(max_length=MAX_ID_LENGTH)
    position = models.PositiveIntegerField(default=0)
    payload = models.JSONField(default=dict)
    read_at = models.DateTimeField()

    objects = TenantManager.from_queryset(EngagementPartQuerySet)()

    class Meta(SearchedModel.Meta):
        ordering = ["kind", "position", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["engagement", "kind", "parent_id", "platform_id"], name="one_copy_per_engagement_part"
            )
        ]
        indexes = [
            models.Index(fields=["engagement", "kind", "parent_id", "position", "id"], name="engagement_parts_listed"),
        ]

    def __str__(self) -> str:
        return PartKind(self.kind).label


class OpenedList(TenantModel):
    """A list of the audited organization that somebody has opened: only those are read."""

    engagement = models.ForeignKey(Engagement, on_delete=models.CASCADE, related_name="opened_lists")
    kind = models.CharField(max_length=20, choices=PartKind.choices)
    asked_at = models.DateTimeField()
    read_at = models.DateTimeField(null=True)
    is_shown = models.BooleanField(default=True)
    """False where the platform does not show this list for the audit."""

    class Meta:
        ordering = ["engagement", "kind"]
        constraints = [models.UniqueConstraint(fields=["engagement", "kind"], name="one_opened_list_per_kind")]

    def __str__(self) -> str:
        return PartKind(self.kind).label
