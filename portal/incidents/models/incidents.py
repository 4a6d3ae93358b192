from collections.abc import Sequence
from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from portal.incidents.data_kinds import kinds_words
from portal.incidents.models.drafts import DraftTemplate
from portal.tenants.managers import TenantManager
from portal.tenants.models import TenantModel, TenantQuerySet


class IncidentQuerySet(TenantQuerySet["Incident"]):
    """Chains of incidents."""

    def open(self) -> Self:
        return self.filter(closed_at__isnull=True)

    def closed(self) -> Self:
        return self.filter(closed_at__isnull=False)

    def matching(self, words: str) -> Self:
        """Every word has to be there. There are never so many incidents that this needs an index."""
        for part in words.casefold().split():
            self = self.filter(search__contains=part)
        return self

    def tenants_with(self, words: str, tenant_ids: Sequence[int]) -> set[int]:
        """Name those of the tenants that have an incident with the words. In the scope of all tenants only."""
        rows = self.filter(tenant__in=tenant_ids).matching(words).order_by()
        return set(rows.values_list("tenant_id", flat=True).distinct())


class Incident(TenantModel):
    """Something that happened to data, of which customers have to be told."""

    name = models.CharField(max_length=200)
    """For the team. No draft to a customer begins with it."""
    public_title = models.CharField(max_length=200, blank=True)
    """What customers are told it is called; empty: nobody has said."""
    noticed_at = models.DateTimeField()
    """From when on every promise counts."""
    kinds = models.JSONField(default=list)
    """Which data it is about; see `data_kinds`."""
    concerns_all = models.BooleanField(default=True)
    account_ids = models.JSONField(default=list)
    """The customers that were chosen; empty where it concerns all."""
    notes = models.TextField(blank=True)
    template = models.ForeignKey(DraftTemplate, on_delete=models.SET_NULL, null=True, related_name="+")
    """What the drafts begin with; None: the first one there is."""
    version = models.PositiveIntegerField(default=1)
    """Raised by each change of what stands above: two people who change it at once are told of each other."""
    search = models.TextField(blank=True)

    opened_at = models.DateTimeField(default=timezone.now)
    opened_by_name = models.CharField(max_length=120)
    closed_at = models.DateTimeField(null=True)
    closed_by_name = models.CharField(max_length=120, blank=True)
    planned_at = models.DateTimeField(default=timezone.now)
    planned_from = models.CharField(max_length=64, blank=True)
    """A hash of the promises, customers and holidays that the plan was made from: another one now, and it is out of date."""

    objects = TenantManager.from_queryset(IncidentQuerySet)()

    class Meta:
        ordering = ["-noticed_at", "-id"]
        constraints = [
            models.CheckConstraint(name="a_closed_incident_says_by_whom", condition=Q(closed_at=None) | ~Q(closed_by_name=""))
        ]
        indexes = [models.Index(fields=["tenant", "-noticed_at", "-id"], name="incidents_newest")]

    def __str__(self) -> str:
        return self.name

    @property
    def is_open(self) -> bool:
        return self.closed_at is None

    @property
    def kinds_words(self) -> str:
        return kinds_words(self.kinds)


class Responder(TenantModel):
    """A member who is mailed as a deadline of an incident comes near."""

    incident = models.ForeignKey(Incident, on_delete=models.CASCADE, related_name="responders")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["incident", "user"], name="a_responder_once_per_incident")]

    def __str__(self) -> str:
        return str(self.user)
