from django.db import models
from django.db.models import Q
from django.utils import timezone

from portal.commitments.models.terms import Term, Unit, promise_words
from portal.tenants.models import TenantModel


class Standard(TenantModel):
    """What we promise of one term when nobody asks for more. A promise that is harder to keep is a deviation."""

    term = models.CharField(max_length=30, choices=Term.choices)
    amount = models.DecimalField(max_digits=9, decimal_places=3, null=True)
    unit = models.CharField(max_length=20, choices=Unit.choices, blank=True)
    words = models.CharField(max_length=300, blank=True)
    changed_at = models.DateTimeField(default=timezone.now)
    """Which state of it a form was drawn with."""
    changed_by_name = models.CharField(max_length=120, blank=True, default="", db_default="")

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

    @property
    def promise(self) -> str:
        """What we promise, in words."""
        return promise_words(self.amount, self.unit, self.words)

    @property
    def version(self) -> str:
        """Which state of it a form is drawn with."""
        return self.changed_at.isoformat()
