from django.db import models

from portal.contracts.models.contracts import Contract
from portal.tenants.models import TenantModel


class ContractPage(TenantModel):
    """The text of one page of a contract's document, as it was read here. The platform hands no document out."""

    contract = models.ForeignKey(Contract, on_delete=models.CASCADE, related_name="pages")
    number = models.PositiveIntegerField()
    """Where it stands in the file, from 1; what is printed on the page may be another number."""
    text = models.TextField()

    class Meta:
        ordering = ["contract", "number"]
        constraints = [models.UniqueConstraint(fields=["contract", "number"], name="one_text_per_page_of_a_contract")]

    def __str__(self) -> str:
        return f"page {self.number} of {self.contract_id}"
