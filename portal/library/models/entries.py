from collections.abc import Collection
from datetime import date, timedelta
from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import Case, Count, Q, Value, When

from portal.library.lexicon import EDITION_LENGTH, edition
from portal.library.models.wordings import STALE, TERM_LENGTH, Wording
from portal.platform_api.identifiers import MAX_ID_LENGTH
from portal.search.models import SearchedModel, SearchedQuerySet
from portal.tenants.managers import TenantManager
from portal.tenants.models import TenantModel

MAX_QUESTION, MAX_ANSWER, MAX_SHORT, MAX_LABEL, MAX_LANGUAGE = 4000, 20_000, 200, 60, 40
COPIES = ~Q(platform_id="")
"""The entries that are kept in the platform's answer library, not here."""
FAR = date(9999, 12, 31)
"""Stands for a day that never comes where rows are ordered by their days."""
DUE_SOON = timedelta(days=14)
"""From then on somebody is asked whether it is still true."""


class State(models.TextChoices):
    """Whether an entry can be trusted today."""

    VERIFIED = "verified", "Verified"
    NEEDS_REVIEW = "needs-review", "Needs review"
    EXPIRED = "expired", "Expired"

    @property
    def tone(self) -> str:
        return {self.VERIFIED: "good", self.NEEDS_REVIEW: "warn", self.EXPIRED: "bad"}[self]


class Origin(models.TextChoices):
    """Where an entry came from."""

    OWN = "own", "Written here"
    ANSWER = "answer", "Kept from an answer"
    CSV = "csv", "Imported from CSV"
    PLATFORM = "platform", "Platform's answer library"


class LabelKind(models.TextChoices):
    """What a label says of an entry."""

    TAG = "tag", "Tag"
    PRODUCT = "product", "Product"


class EntryQuerySet(SearchedQuerySet["Entry"]):
    def own(self) -> Self:
        """Those that people write here."""
        return self.exclude(COPIES)

    def mirrored(self) -> Self:
        return self.filter(COPIES)

    def with_state(self, today: date) -> Self:
        """Say of each entry how it stands on a day (`state`)."""
        is_over = Q(review_on__lt=today) | Q(verified_at=None)
        return self.annotate(
            state=Case(
                When(expires_on__lt=today, then=Value(State.EXPIRED)),
                When(is_over, then=Value(State.NEEDS_REVIEW)),
                default=Value(State.VERIFIED),
                output_field=models.CharField(),
            )
        )

    def outdated(self) -> Self:
        """Those that are not found as they should be: by an earlier lexicon, or since the copy of the platform's data went."""
        unworded = Variant.objects.filter(wording=None).values("entry")
        return self.filter(~Q(edition=edition()) | Q(wording=None) | Q(pk__in=unworded))

    def of_state(self, state: str, today: date) -> Self:
        return self.with_state(today).filter(state=state)

    def count_states(self, today: date) -> dict[str, int]:
        """Count the entries of each state that there are any of."""
        return dict(self.with_state(today).order_by().values_list("state").annotate(number=Count("pk")))

    def stale(self) -> Self:
        """Those that have yet to be compared with others."""
        return self.filter(STALE)

    def dated(self) -> Self:
        """Those that somebody here has to look at on some day, or now."""
        return self.own().exclude(due_sort=FAR, verified_at__isnull=False)

    def worded(self, keys: Collection[str]) -> Self:
        """Those that are asked for in one of these wordings."""
        variants = Variant.objects.filter(wording__key__in=keys).values("entry")
        return self.filter(Q(wording__key__in=keys) | Q(pk__in=variants))


class Entry(SearchedModel):
    """What the tenant says to a question, whoever asks."""

    question = models.TextField(max_length=MAX_QUESTION)
    wording = models.ForeignKey(Wording, on_delete=models.SET_NULL, null=True, related_name="+")
    """By which the question is found; none for one without a word."""
    short = models.CharField(max_length=MAX_SHORT, blank=True)
    """The answer where one is chosen or counted: Yes, No, 30 days."""
    text = models.TextField(max_length=MAX_ANSWER, blank=True)
    """The answer in sentences."""
    language = models.CharField(max_length=MAX_LANGUAGE, blank=True)
    """As the tenant calls it; empty: the tenant's own."""
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    """Who says whether it is still true."""
    verified_at = models.DateTimeField(null=True)
    verified_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    review_on = models.DateField(null=True)
    """Until when it counts as verified; none: for good."""
    expires_on = models.DateField(null=True)
    """The last day on which it may be used."""
    due_sort = models.DateField(default=FAR)
    """The nearer one of both days."""
    origin = models.CharField(max_length=10, choices=Origin.choices, default=Origin.OWN)
    platform_id = models.CharField(max_length=MAX_ID_LENGTH, blank=True)
    """Of the answer on the platform that this is a copy of; empty for the tenant's own entries."""
    created_at = models.DateTimeField(auto_now_add=True)
    changed_at = models.DateTimeField(auto_now=True)
    use_count = models.PositiveIntegerField(default=0)
    edition = models.CharField(max_length=EDITION_LENGTH, blank=True)
    """Of the lexicon that the postings of its answer were made with."""
    stale_since = models.DateTimeField(null=True)
    """Since then it has yet to be compared with other entries and with what was asked (`services.comparison`)."""

    objects = TenantManager.from_queryset(EntryQuerySet)()

    class Meta(SearchedModel.Meta):
        ordering = ["-changed_at", "-id"]
        constraints = [
            models.UniqueConstraint(fields=["tenant", "platform_id"], condition=COPIES, name="one_entry_per_platform_answer")
        ]
        indexes = [
            models.Index(fields=["tenant", "-changed_at", "-id"], name="entries_by_change"),
            models.Index(fields=["tenant", "due_sort", "id"], name="entries_by_day"),
            models.Index(fields=["tenant", "-use_count", "-id"], name="entries_by_use"),
            models.Index(fields=["edition", "tenant"], name="entries_by_edition"),
            models.Index(fields=["tenant", "id"], condition=STALE, name="entries_to_compare"),
        ]

    state = ""
    """How it stands (`State`); only rows that were asked for with `with_state` know it."""

    def __str__(self) -> str:
        return self.question[:120]

    @property
    def is_mirrored(self) -> bool:
        """It is kept on the platform, and changed there."""
        return bool(self.platform_id)

    @property
    def version(self) -> str:
        """Which state of the entry a page is drawn with."""
        return self.changed_at.isoformat()

    def set_days(self, review_on: date | None, expires_on: date | None) -> None:
        self.review_on, self.expires_on = review_on, expires_on
        self.due_sort = min(review_on or FAR, expires_on or FAR)

    @property
    def state_label(self) -> tuple[str, str]:
        """Words and tone."""
        state = State(self.state)
        return str(state.label), state.tone

    @property
    def given(self) -> list[tuple[str, str]]:
        """The answer in parts as a form has them: label and text."""
        parts = [("Response", self.short), ("Explanation", self.text)]
        return [(label, text) for label, text in parts if text]

    @property
    def answer(self) -> str:
        return "\n".join(text for _, text in self.given)


class Variant(TenantModel):
    """Another way to ask for an entry."""

    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="variants")
    wording = models.ForeignKey(Wording, on_delete=models.SET_NULL, null=True, related_name="+")
    question = models.TextField(max_length=MAX_QUESTION)
    is_reversed = models.BooleanField(default=False)
    """It asks for the contrary: what is Yes to the entry's question is No to this one."""

    class Meta(TenantModel.Meta):
        ordering = ["id"]

    def __str__(self) -> str:
        return self.question[:120]


class AnswerPosting(TenantModel):
    """A term of an entry's answer: what is asked for may stand there and nowhere else."""

    # Other indexes begin with it, and every index costs each write.
    tenant = models.ForeignKey("tenants.Tenant", on_delete=models.CASCADE, related_name="+", db_index=False)
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="postings")
    term = models.CharField(max_length=TERM_LENGTH)

    class Meta(TenantModel.Meta):
        constraints = [models.UniqueConstraint(fields=["tenant", "term", "entry"], name="one_posting_of_a_term_per_answer")]

    def __str__(self) -> str:
        return self.term


class Label(TenantModel):
    """A tag of an entry, or a product that it speaks of."""

    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="labels")
    kind = models.CharField(max_length=10, choices=LabelKind.choices)
    name = models.CharField(max_length=MAX_LABEL)

    class Meta(TenantModel.Meta):
        ordering = ["kind", "name"]
        constraints = [models.UniqueConstraint(fields=["entry", "kind", "name"], name="one_label_of_a_name_per_entry")]
        indexes = [models.Index(fields=["tenant", "kind", "name"], name="entry_labels_by_name")]

    def __str__(self) -> str:
        return self.name


def labels_of(entry: Entry) -> dict[str, list[str]]:
    """Return the names of an entry's tags and products. Labels that were fetched along are not read again."""
    labels = list(entry.labels.all())
    return {
        "tags": [label.name for label in labels if label.kind == LabelKind.TAG],
        "products": [label.name for label in labels if label.kind == LabelKind.PRODUCT],
    }


class EntryUse(TenantModel):
    """An entry went into an answer: where, for whom, and with which words."""

    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="uses")
    kind = models.CharField(max_length=20)
    """What kind of object it went into, as its desk registers it (`uses.register_use`)."""
    object_id = models.BigIntegerField()
    used_at = models.DateTimeField(auto_now=True)
    used_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    digest = models.CharField(max_length=32)
    """Of the entry's answer as it was then (`services.digest_of`): tells what was sent before a change."""

    class Meta(TenantModel.Meta):
        ordering = ["-used_at", "-id"]
        constraints = [models.UniqueConstraint(fields=["entry", "kind", "object_id"], name="one_use_per_object")]
        indexes = [models.Index(fields=["tenant", "kind", "object_id"], name="uses_by_object")]

    def __str__(self) -> str:
        return f"{self.kind} {self.object_id}"
