from datetime import datetime, timedelta
from typing import Any, Self

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from portal.platform_api.identifiers import MAX_ID_LENGTH
from portal.tenants.managers import TenantManager
from portal.tenants.models import TenantModel, TenantQuerySet

LEASE = timedelta(seconds=150)
"""A call that has not come to an end by then was cut off: its process died. Longer than any call takes."""
SHOWN_FOR = timedelta(days=7)
"""So long the list tells of a customer that did not arrive."""


class Step(models.TextChoices):
    """sending -> created, the good way; or refused, in the platform's words.

    sending -> uncertain: the answer was lost, so the platform may have it; its list is looked through. -> absent: it is not
    there, a person may create it again. -> closed: a person has put that away, or has created it again.
    """

    SENDING = "sending", "Being created"
    UNCERTAIN = "uncertain", "Being checked"
    CREATED = "created", "Created"
    ABSENT = "absent", "Did not arrive"
    REFUSED = "refused", "Refused"
    CLOSED = "closed", "Dismissed"


TONES = {"sending": "info", "uncertain": "warn", "created": "good", "absent": "bad", "refused": "bad"}
ON_ITS_WAY = (Step.SENDING.value, Step.UNCERTAIN.value)


class NewCustomerQuerySet(TenantQuerySet["NewCustomer"]):
    """Chains of customers on their way."""

    def due(self, now: datetime) -> Self:
        """Those whose outcome has to be looked for now."""
        return self.filter(state__in=ON_ITS_WAY, due_at__lte=now)

    def shown(self, now: datetime) -> Self:
        """Those that people have to know of: not settled yet, or not arrived lately."""
        return self.filter(Q(state__in=ON_ITS_WAY) | Q(state=Step.ABSENT, settled_at__gt=now - SHOWN_FOR))


class NewCustomer(TenantModel):
    """One customer that a person creates: written down before the platform is called, and later what came of it."""

    name = models.CharField(max_length=300)
    domain = models.CharField(max_length=320)
    key = models.CharField(max_length=64)
    """Equal for two of the same name and mail domain."""
    told = models.JSONField(default=dict)
    """What else the platform is told, by the names that the client takes."""
    seen_before = models.JSONField(default=list)
    """Ids of accounts of this domain that were here before the call: none of them came of it."""
    begun_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    begun_by_name = models.CharField(max_length=120)
    state = models.CharField(max_length=10, choices=Step.choices, default=Step.SENDING)
    sent_at = models.DateTimeField(default=timezone.now)
    """When the call began. An account that is older than this cannot have come of it."""
    doubted_at = models.DateTimeField(null=True)
    due_at = models.DateTimeField(null=True)
    """The next look for it; None once nothing is left to find out."""
    attempts = models.PositiveIntegerField(default=0)
    description = models.CharField(max_length=300, blank=True)
    """What keeps us from knowing, or why it was refused, in words for people."""
    account_id = models.CharField(max_length=MAX_ID_LENGTH, blank=True)
    """The account that came of it."""
    settled_at = models.DateTimeField(null=True)

    objects = TenantManager.from_queryset(NewCustomerQuerySet)()

    class Meta:
        ordering = ["-id"]
        constraints = [
            # Two clicks, or two people with the same customer: the second is told that it is on its way.
            models.UniqueConstraint(
                fields=["tenant", "key"], condition=Q(state__in=ON_ITS_WAY), name="one_of_each_new_customer_on_its_way"
            )
        ]
        indexes = [
            models.Index(fields=["tenant", "state", "id"], name="new_customers_of_state"),
            models.Index(fields=["due_at"], condition=Q(state__in=ON_ITS_WAY), name="new_customers_to_look_for"),
            models.Index(fields=["tenant", "account_id"], name="new_customers_of_account"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def tone(self) -> str:
        return TONES.get(self.state, "muted")

    @property
    def is_absent(self) -> bool:
        return self.state == Step.ABSENT

    @property
    def what(self) -> dict[str, Any]:
        """For the history."""
        return {"name": self.name, "domain": self.domain}
