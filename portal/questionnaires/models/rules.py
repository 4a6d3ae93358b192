from django.db import models

from portal.tenants.models import TenantModel


class DeskRules(TenantModel):
    """How a tenant wants its questionnaires worked on. A tenant without a row has the defaults."""

    four_eyes = models.BooleanField(default=False)
    """Nobody approves what they wrote or handed over themselves."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tenant"], name="one_set_of_desk_rules_per_tenant")]

    def __str__(self) -> str:
        return "four eyes" if self.four_eyes else "no rules"
