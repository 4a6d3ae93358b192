from django.conf import settings
from django.db import models
from django.db.models import Q

from portal.contracts.models.contracts import Contract
from portal.lib.unnamed import named
from portal.platform_api.identifiers import MAX_ID_LENGTH
from portal.tenants.models import TenantModel


class NoticeUnit(models.TextChoices):
    DAYS = "days", "days"
    MONTHS = "months", "months"


class Terms(TenantModel):
    """What people noted of a contract here: when it ends, how it renews, who looks after it. The platform knows none of it.

    Kept when a tenant leaves, so it names the contract by itself; `contract` is its copy while there is one.
    """

    contract = models.OneToOneField(Contract, on_delete=models.SET_NULL, null=True, related_name="terms")
    platform_id = models.CharField(max_length=MAX_ID_LENGTH)
    external_id = models.CharField(max_length=300, blank=True)
    contract_name = models.CharField(max_length=500, blank=True)
    account_id = models.CharField(max_length=200, blank=True)
    """The customer as people have set it here, before what the platform says; empty: nobody has."""
    ends_on = models.DateField(null=True)
    renews_on = models.DateField(null=True)
    renews_itself = models.BooleanField(default=False)
    renewal_months = models.PositiveSmallIntegerField(null=True)
    notice_number = models.PositiveSmallIntegerField(null=True)
    notice_unit = models.CharField(max_length=6, choices=NoticeUnit.choices, blank=True)
    """Without a unit a number means nothing: nobody guesses one."""
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    governed_by = models.CharField(max_length=200, blank=True)
    """The platform's id of the DPA that governs it, if that is a contract of the same customer."""
    governed_by_words = models.CharField(max_length=300, blank=True)
    notes = models.TextField(blank=True)
    version = models.PositiveIntegerField(default=0)
    """Grows with each change: a form that was drawn with another one does not overwrite in silence."""
    changed_at = models.DateTimeField(null=True)
    changed_by_name = models.CharField(max_length=120, blank=True)
    # Worked out from the fields above and from today, see `dates`.
    turns_on = models.DateField(null=True)
    """When it ends, or renews itself next."""
    notice_on = models.DateField(null=True)
    """The last day to give notice."""
    notice_settled_on = models.DateField(null=True)
    """The last notice day about which somebody has decided; another one is open anew."""
    told_notice_at = models.DateTimeField(null=True)
    told_end_at = models.DateTimeField(null=True)
    """When the mail about the day was sent; a new day is told of anew."""

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["tenant", "platform_id"], name="one_set_of_terms_per_contract"),
            models.CheckConstraint(
                condition=Q(notice_number__isnull=True) | ~Q(notice_unit=""), name="a_notice_period_has_its_unit"
            ),
        ]
        indexes = [
            models.Index(fields=["tenant", "turns_on"], name="contract_terms_by_turn"),
            models.Index(fields=["tenant", "notice_on"], name="contract_terms_by_notice"),
            models.Index(fields=["tenant", "renews_on"], name="contract_terms_by_renewal"),
            models.Index(fields=["turns_on"], condition=Q(told_end_at=None), name="contract_ends_to_tell"),
            models.Index(fields=["notice_on"], condition=Q(told_notice_at=None), name="contract_notices_to_tell"),
        ]

    def __str__(self) -> str:
        return named(self.contract_name, self.external_id)

    @property
    def is_notice_open(self) -> bool:
        """Say whether nobody has decided yet about the notice day."""
        return self.notice_on is not None and self.notice_on != self.notice_settled_on

    @property
    def notice_words(self) -> str:
        if not self.notice_number:
            return ""
        unit = self.notice_unit if self.notice_number != 1 else self.notice_unit.removesuffix("s")
        return f"{self.notice_number} {unit}"
