from functools import cached_property
from typing import Self

from django.db import models
from django.utils import timezone

from portal.library.lexicon import EDITION_LENGTH, edition
from portal.library.terms import Terms, terms_of_words
from portal.tenants.managers import TenantManager
from portal.tenants.models import TenantModel, TenantQuerySet

KEY_LENGTH, TERM_LENGTH = 32, 40
STALE = models.Q(stale_since__isnull=False)


class WordingQuerySet(TenantQuerySet["Wording"]):
    def outdated(self) -> Self:
        """Those whose postings were made with another edition of the lexicon."""
        return self.exclude(edition=edition())

    def stale(self) -> Self:
        """Those of which it has to be found out again how well an entry answers them."""
        return self.filter(STALE)

    def asked(self) -> Self:
        """Those that a questionnaire asked, and not only an entry has."""
        return self.filter(asked_count__gt=0)

    def mark_stale(self) -> None:
        self.asked().update(stale_since=timezone.now())


class Wording(TenantModel):
    """One way in which this tenant was asked something, however often.

    The text stands with the questions that were asked so; they are found by the key.
    """

    key = models.CharField(max_length=KEY_LENGTH)
    """Equal for two questions of the same words (`text_keys.key_of`)."""
    words = models.TextField()
    """The stems of its words, in their order."""
    edition = models.CharField(max_length=EDITION_LENGTH)
    asked_count = models.PositiveIntegerField(default=0)
    """How many questions were asked so; those that are gone since count on."""
    asked_at = models.DateTimeField(null=True)
    asked_as = models.BigIntegerField(null=True)
    """The key, at its desk, of the question that was asked so last: that one has the text (`asked.register_questions`)."""
    stale_since = models.DateTimeField(null=True)
    """Since then an entry may answer it better or worse than `score` says; none: it is as it was judged."""
    score = models.FloatField(default=0)
    """How well the best entry answers it, from 0 to 1."""
    best_entry = models.ForeignKey("library.Entry", on_delete=models.SET_NULL, null=True, related_name="+")
    gap = models.ForeignKey("library.Gap", on_delete=models.SET_NULL, null=True, related_name="wordings")
    """Together with which others it is listed as a question without an entry."""

    objects = TenantManager.from_queryset(WordingQuerySet)()

    class Meta:
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["tenant", "key"], name="one_wording_of_a_key")]
        indexes = [
            models.Index(fields=["edition", "tenant"], name="wordings_by_edition"),
            models.Index(fields=["tenant", "id"], condition=STALE, name="wordings_to_judge"),
        ]

    def __str__(self) -> str:
        return self.words[:80]

    @cached_property
    def terms(self) -> Terms:
        return terms_of_words(self.words)


class Posting(TenantModel):
    """A term of a wording: where a search begins."""

    # Other indexes begin with it, and every index costs each write.
    tenant = models.ForeignKey("tenants.Tenant", on_delete=models.CASCADE, related_name="+", db_index=False)
    wording = models.ForeignKey(Wording, on_delete=models.CASCADE, related_name="postings")
    term = models.CharField(max_length=TERM_LENGTH)

    class Meta(TenantModel.Meta):
        constraints = [models.UniqueConstraint(fields=["tenant", "term", "wording"], name="one_posting_of_a_term")]

    def __str__(self) -> str:
        return self.term


class Asking(TenantModel):
    """A questionnaire that asked in a wording, by the key that its desk has of it."""

    wording = models.ForeignKey(Wording, on_delete=models.CASCADE, related_name="askings")
    object_id = models.BigIntegerField()

    class Meta(TenantModel.Meta):
        constraints = [models.UniqueConstraint(fields=["wording", "object_id"], name="one_asking_per_questionnaire")]

    def __str__(self) -> str:
        return str(self.object_id)
