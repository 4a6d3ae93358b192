from django.db import models

from portal.contracts.models.contracts import Contract
from portal.search.models import SearchedModel, SearchedQuerySet
from portal.tenants.managers import TenantManager


class ContractPageQuerySet(SearchedQuerySet["ContractPage"]):
    """Chains of pages."""


class ContractPage(SearchedModel):
    """The text of one page of a contract's document, as it was read here. The platform hands no document out.

    A row for each page, not for each contract: the index takes so many letters of a row apart, and a search tells a page.
    """

    contract = models.ForeignKey(Contract, on_delete=models.CASCADE, related_name="pages")
    number = models.PositiveIntegerField()
    """Where it stands in the file, from 1; what is printed on the page may be another number."""
    text = models.TextField()

    objects = TenantManager.from_queryset(ContractPageQuerySet)()

    class Meta:
        ordering = ["contract", "number"]
        constraints = [models.UniqueConstraint(fields=["contract", "number"], name="one_text_per_page_of_a_contract")]
        # With the tenant, which stands in every query: without statistics a database may walk all pages of the tenant.
        indexes = [models.Index(fields=["tenant", "contract", "number"], name="contract_pages_in_order")]

    def __str__(self) -> str:
        return f"page {self.number} of {self.contract_id}"
