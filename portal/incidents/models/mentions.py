from django.db import models

from portal.tenants.models import TenantModel


class Mention(TenantModel):
    """A mail address stands in a text of this room. So the texts need not all be read when somebody is to be erased."""

    address = models.CharField(max_length=500)
    """Folded."""
    kind = models.CharField(max_length=20)
    """The model whose row has it, in lower case."""
    row_id = models.BigIntegerField()

    class Meta:
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["tenant", "address", "kind", "row_id"], name="one_mention_per_row")]
        indexes = [models.Index(fields=["tenant", "kind", "row_id"], name="mentions_of_a_row")]

    def __str__(self) -> str:
        return f"{self.kind} {self.row_id}"
