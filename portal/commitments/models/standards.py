from django.db import models
from django.db.models import Q

from portal.commitments.models.terms import Term, Unit
from portal.tenants.models import TenantModel


class Standard(TenantModel):
    """What we promise of one term when nobody asks for more. A promise that is harder to keep is a deviation."""

    term = models.CharField(max_length=30, choices=Term.choices)
    amount = models.DecimalField(max_digits=9, decimal_places=3, null=True)
    unit = models.CharField(max_length=20, choices=Unit.choices, blank=True)
    words = models.CharField(max_length=300, blank=True)

    class Meta:
        ordering = ["term"]
        constraints = [
            models.UniqueConstraint(fields=["tenant", "term"], name="one_standard_per_term"),
            models.CheckConstraint(
                name="a_standard_number_has_its_unit",
                condition=Q(amount__isnull=True, unit="") | Q(amount__isnull=False) & ~Q(unit=""),
            ),
        ]

    def __str__(self) -> str:
        return self.get_term_display()
