"""When a document has to be renewed. The platform keeps no such day: it is the portal's own (platform-api 4.5.5)."""

import re
from datetime import date, timedelta

from django.db import models

from portal.platform_api.identifiers import MAX_ID_LENGTH
from portal.tenants.models import TenantModel

FAR = date(9999, 12, 31)
"""Stands for a day that never comes where rows are ordered by their days."""
RENEW_SOON = timedelta(days=30)
"""So long before its day a document counts as one to renew."""
VALID_FOR = timedelta(days=365)
"""Reports and certificates are made once a year."""
YEARLY = re.compile(
    r"\b(reports?|certificates?|certifications?|attestations?|penetration|pentest|bridge letter|insurance|soc ?[123]|caiq)\b",
    re.IGNORECASE,
)
"""Titles of documents that are made anew each year. A policy or an agreement holds until somebody changes it."""


class RenewalRule(models.TextChoices):
    """What decides when a document has to be renewed."""

    AUTOMATIC = "automatic", "Automatic: reports and certificates after a year"
    DAY = "day", "On a date"
    NEVER = "never", "Never"


class Renewal(TenantModel):
    """What somebody has said about the renewal of one document; a document without it is judged by its title and age."""

    resource_id = models.CharField(max_length=MAX_ID_LENGTH)
    rule = models.CharField(max_length=10, choices=RenewalRule.choices)
    renew_on = models.DateField(null=True)
    """With the rule DAY: the day from which the document does not hold any more."""

    class Meta:
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["tenant", "resource_id"], name="one_renewal_per_resource")]

    def __str__(self) -> str:
        return f"{self.resource_id}: {self.get_rule_display()}"


def renewal_day(title: str, created_on: date | None, renewal: Renewal | None) -> date:
    """Return the day on which a document has to be renewed; FAR for one that holds for good."""
    if renewal is not None and renewal.rule != RenewalRule.AUTOMATIC:
        return renewal.renew_on or FAR
    return created_on + VALID_FOR if created_on and YEARLY.search(title) else FAR
