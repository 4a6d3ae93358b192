from typing import Self

from django.db import models
from django.db.models import Q
from django.utils import timezone

from portal.commitments.models.terms import COMPARED, NOTICES, TONES, Term, Unit, Verdict, promise_words
from portal.contracts.models import Contract
from portal.platform_api.identifiers import MAX_ID_LENGTH
from portal.search.models import SearchedModel, SearchedQuerySet
from portal.tenants.managers import TenantManager

IN_FORCE = Q(ended_at__isnull=True)


class CommitmentQuerySet(SearchedQuerySet["Commitment"]):
    """Chains of commitments."""

    def in_force(self) -> Self:
        """Those that nobody has ended."""
        return self.filter(IN_FORCE)

    def ended(self) -> Self:
        return self.filter(ended_at__isnull=False)

    def of_term(self, term: str) -> Self:
        return self.filter(term=term)

    def deviating(self) -> Self:
        """Those in force that are harder to keep than our standard."""
        return self.in_force().filter(comparison=Verdict.HARDER)

    def compared(self) -> Self:
        """Those in force that could be compared with our standard."""
        return self.in_force().filter(comparison__in=COMPARED)


class Commitment(SearchedModel):
    """One promise to one customer, as a person has accepted it."""

    account_id = models.CharField(max_length=MAX_ID_LENGTH)
    """The customer: the platform's id of its account."""
    account_name = models.CharField(max_length=300, blank=True, default="", db_default="")
    """What it was called when somebody looked last: it stays when the account is gone, and the search finds it."""
    contract = models.ForeignKey(Contract, on_delete=models.SET_NULL, null=True, related_name="+")
    """Where it was promised; None: in something that is no contract of the platform."""
    term = models.CharField(max_length=30, choices=Term.choices)
    amount = models.DecimalField(max_digits=9, decimal_places=3, null=True)
    unit = models.CharField(max_length=20, choices=Unit.choices, blank=True)
    words = models.CharField(max_length=300, blank=True)
    """The promise where a number does not say it: `without undue delay`, `EU only`."""
    clause = models.CharField(max_length=60, blank=True)
    page = models.PositiveIntegerField(null=True)
    quote = models.TextField(blank=True)
    """The words of the contract."""

    data_kinds = models.JSONField(default=list)
    """Of a notice of a breach: the kinds of data that it is about (`incidents` knows them); empty: of any."""
    notify = models.CharField(max_length=500, blank=True)
    """Of a notice: whom to tell and by which way, as the contract says."""
    zone = models.CharField(max_length=60, blank=True)
    """In which time zone its days begin and end; empty: the office's (`calendars`)."""
    country = models.CharField(max_length=10, blank=True)
    """Whose public holidays are no business days; empty: the office's own holidays."""

    created_at = models.DateTimeField(default=timezone.now)
    created_by_name = models.CharField(max_length=120)
    ended_at = models.DateTimeField(null=True)
    """When somebody said that it holds no longer. Kept: it held until then."""

    ended_by_name = models.CharField(max_length=120, blank=True, default="", db_default="")
    changed_at = models.DateTimeField(default=timezone.now)
    """Which state of the promise a form was drawn with."""
    comparison = models.CharField(max_length=10, choices=Verdict.choices, blank=True, default="", db_default="")
    """How it stands against our standard, kept here so that lists of twenty thousand can be narrowed by it."""

    objects = TenantManager.from_queryset(CommitmentQuerySet)()

    class Meta:
        ordering = ["account_id", "term", "id"]
        constraints = [
            models.CheckConstraint(
                name="a_number_has_its_unit",
                condition=Q(amount__isnull=True, unit="") | Q(amount__isnull=False) & ~Q(unit=""),
            ),
        ]
        indexes = [
            models.Index(fields=["tenant", "account_id", "term"], name="commitments_of_account"),
            # The register, each of its filters in the order in which it is shown.
            models.Index(fields=["tenant", "-id"], condition=IN_FORCE, name="commitments_newest"),
            models.Index(fields=["tenant", "term", "-id"], condition=IN_FORCE, name="commitments_of_term"),
            models.Index(fields=["tenant", "comparison", "-id"], condition=IN_FORCE, name="commitments_compared"),
            models.Index(fields=["tenant", "-id"], condition=~IN_FORCE, name="commitments_that_ended"),
            # Which customers have one at all, or one that deviates.
            models.Index(fields=["tenant", "comparison", "account_id"], condition=IN_FORCE, name="commitments_deviating"),
        ]

    def __str__(self) -> str:
        return f"{self.get_term_display()}: {self.promise}"

    @property
    def promise(self) -> str:
        """The promise itself, in words: `24 hours`, `without undue delay`."""
        return promise_words(self.amount, self.unit, self.words)

    @property
    def is_notice(self) -> bool:
        return self.term in NOTICES

    @property
    def verdict(self) -> Verdict:
        return Verdict(self.comparison)

    @property
    def tone(self) -> str:
        return TONES[self.comparison]

    @property
    def version(self) -> str:
        """Which state of the promise a form is drawn with."""
        return self.changed_at.isoformat()
