from django.db import models

from portal.platform_api.identifiers import MAX_ID_LENGTH
from portal.tenants.models import TenantModel
from portal.vendors.models.vendors import Vendor

REVIEWS_WITH_DOCUMENTS = 5
"""Of so many reviews, the latest ones, the documents are read: each costs a call of the minute."""


class PartKind(models.TextChoices):
    """What belongs to a vendor: the platform lists it for one vendor at a time."""

    REVIEW = "review", "Security reviews"
    REVIEW_DOCUMENT = "review_document", "Documents of security reviews"
    ASSESSMENT = "assessment", "Assessments"
    FINDING = "finding", "Findings"
    DOCUMENT = "document", "Documents"


class Part(TenantModel):
    """Our copy of one object that belongs to a vendor, as the platform sent it."""

    vendor = models.ForeignKey(Vendor, on_delete=models.CASCADE, related_name="parts")
    kind = models.CharField(max_length=20, choices=PartKind.choices)
    platform_id = models.CharField(max_length=MAX_ID_LENGTH)
    review_id = models.CharField(max_length=MAX_ID_LENGTH, blank=True)
    """Of a document of a security review: which one."""
    position = models.PositiveIntegerField(default=0)
    """In the platform's own list."""
    payload = models.JSONField(default=dict)
    read_at = models.DateTimeField()
    """When the platform was asked for it: an answer to an older question does not replace it."""

    class Meta:
        ordering = ["kind", "position", "id"]
        constraints = [models.UniqueConstraint(fields=["vendor", "kind", "platform_id"], name="one_copy_per_vendor_part")]

    def __str__(self) -> str:
        return PartKind(self.kind).label
