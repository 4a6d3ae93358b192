from typing import Self
from uuid import uuid4

from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from portal.lib.unnamed import named
from portal.platform_api.identifiers import MAX_ID_LENGTH
from portal.search.models import SearchedModel, SearchedQuerySet
from portal.tenants.managers import TenantManager
from portal.tenants.models import TenantModel, TenantQuerySet


class Nda(models.TextChoices):
    """The platform's words for an account's agreement. An open set: others are shown as they came (platform-api 4.1.7)."""

    SIGNED = "SIGNED", "Signed"
    NOT_REQUIRED = "NOT_REQUIRED", "Not required"
    INCOMPLETE = "INCOMPLETE", "Incomplete"


TONES = {Nda.SIGNED.value: "good", Nda.NOT_REQUIRED.value: "good", Nda.INCOMPLETE.value: "warn"}
GRANTS = {
    "INCLUDE_EVERYTHING_REQUESTED": "everything requested",
    "INCLUDE_ONLY_CONFIGURED": "only what is configured on the platform",
}
"""What the platform grants when it approves by itself. An open set: others are shown as they came."""


class AccountQuerySet(SearchedQuerySet["Account"]):
    """Chains of accounts."""

    def present(self) -> Self:
        return self.filter(gone_at__isnull=True)

    def gone(self) -> Self:
        """Those that the platform has no longer, kept with what they were."""
        return self.filter(gone_at__isnull=False)

    def of_customers(self) -> Self:
        """One for each customer: of several accounts that were merged here, the main one."""
        return self.exclude(platform_id__in=Part.objects.hidden().values("account_id"))

    def there(self) -> Self:
        """Those that the platform has, or of which it has a duplicate."""
        return self.filter(Q(gone_at__isnull=True) | Q(platform_id__in=Part.objects.still_there().values("account_id")))

    def merged(self) -> Self:
        """Those that are duplicates of another one."""
        return self.filter(platform_id__in=Part.objects.hidden().values("account_id"))

    def of_domains(self, domains: set[str]) -> Self:
        """Those that say which mail domain is theirs, and name one of these."""
        return self.filter(domain__in=domains - {""})


class Account(SearchedModel):
    """Our copy of a customer-trust account. The platform is right when the two differ."""

    platform_id = models.CharField(max_length=MAX_ID_LENGTH)
    name = models.CharField(max_length=300, blank=True)
    name_sort = models.CharField(max_length=300, blank=True, default="", db_default="")
    """The name, folded: a list that begins with the capitals is no alphabet."""
    domain = models.CharField(max_length=320, blank=True)
    """The mail domain, folded. Two accounts may have the same one (platform-api 4.1.7)."""
    nda_status = models.CharField(max_length=40, blank=True)
    nda_satisfied_at = models.DateTimeField(null=True)
    approves_itself = models.BooleanField(default=False, db_default=False)
    """The platform approves requests of this domain by itself."""
    access_config = models.JSONField(default=dict)
    """The same as the platform tells it, and what it then grants. Empty when it does not say."""
    tags = models.JSONField(default=list)
    custom_fields = models.JSONField(default=list)
    created_at = models.DateTimeField(null=True)
    updated_at = models.DateTimeField(null=True)
    payload = models.JSONField(default=dict)
    gone_at = models.DateTimeField(null=True)

    objects = TenantManager.from_queryset(AccountQuerySet)()

    class Meta:
        ordering = ["name", "id"]
        constraints = [models.UniqueConstraint(fields=["tenant", "platform_id"], name="one_copy_per_account")]
        indexes = [
            models.Index(fields=["tenant", "domain"], name="accounts_of_domain"),
            models.Index(fields=["tenant", "name", "id"], name="accounts_by_name"),
            # The list of customers, each of its filters in the order in which it is shown.
            models.Index(fields=["tenant", "name_sort", "id"], name="accounts_listed"),
            models.Index(fields=["tenant", "nda_status", "name_sort", "id"], name="accounts_of_nda"),
            models.Index(fields=["tenant", "approves_itself", "name_sort", "id"], name="accounts_automatic"),
            models.Index(
                fields=["tenant", "name_sort", "id"], condition=Q(gone_at__isnull=False), name="accounts_that_are_gone"
            ),
        ]

    def __str__(self) -> str:
        return named(self.name, self.domain)

    @property
    def nda(self) -> tuple[str, str]:
        """Words and tone of the agreement with this customer. They name the company: a person may have another one."""
        known = dict(Nda.choices).get(self.nda_status)
        return f"Company NDA: {str(known).lower() if known else self.nda_state}", TONES.get(self.nda_status, "muted")

    @property
    def nda_state(self) -> str:
        """The same where the company is named above it. An unknown state is shown as it came."""
        return str(dict(Nda.choices).get(self.nda_status, self.nda_status) or "Not known")

    @property
    def grants(self) -> str:
        """What the platform gives to people of this domain by itself; empty when it leaves that to people or does not say."""
        option = str(self.access_config.get("grantAccessOption") or "")
        return GRANTS.get(option, option) if self.approves_itself else ""


class PartQuerySet(TenantQuerySet["Part"]):
    """Chains of accounts that make up a customer together."""

    def of_accounts(self, account_ids: set[str]) -> Self:
        """All parts of the customers that these accounts belong to, where a customer has several."""
        return self.filter(customer__in=Part.objects.filter(account_id__in=account_ids).values("customer"))

    def hidden(self) -> Self:
        """The duplicates, as long as their main account is here: else nothing would stand for the customer."""
        main = Part.objects.filter(customer=OuterRef("customer"), is_main=True)
        return self.filter(Exists(main.filter(_has(Account.objects.all()))), is_main=False)

    def still_there(self) -> Self:
        """The main accounts of customers of which the platform has some duplicate."""
        duplicates = Part.objects.filter(customer=OuterRef("customer"), is_main=False)
        return self.filter(Exists(duplicates.filter(_has(Account.objects.present()))), is_main=True)


def _has(accounts: AccountQuerySet) -> Exists:
    """Say of a part that its account is among these. Looked up one by one: the accounts are many, and the parts are few."""
    return Exists(accounts.filter(platform_id=OuterRef("account_id")))


class Part(TenantModel):
    """One of several accounts that people have said to be one customer. The platform knows nothing of it.

    An account is part of one customer, as its main account or as a duplicate: there is no chain and no circle, whoever writes.
    Kept by the platform's ids: a copy that is removed and fetched again finds what people said of it.
    """

    customer = models.UUIDField(default=uuid4)
    """The same in all parts of one customer."""
    account_id = models.CharField(max_length=MAX_ID_LENGTH)
    is_main = models.BooleanField(default=False)
    merged_by_name = models.CharField(max_length=120, blank=True)
    merged_at = models.DateTimeField(default=timezone.now)

    objects = TenantManager.from_queryset(PartQuerySet)()

    class Meta:
        ordering = ["merged_at", "id"]
        constraints = [
            models.UniqueConstraint(fields=["tenant", "account_id"], name="one_customer_per_account"),
            models.UniqueConstraint(
                fields=["tenant", "customer"], condition=Q(is_main=True), name="one_main_account_per_customer"
            ),
        ]
        indexes = [models.Index(fields=["tenant", "customer"], name="parts_of_customer")]

    def __str__(self) -> str:
        return f"{self.account_id} ({'main' if self.is_main else 'duplicate'})"
