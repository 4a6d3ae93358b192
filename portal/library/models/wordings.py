from functools import cached_property
from typing import Self

from django.db import models

from portal.library.lexicon import EDITION_LENGTH, edition
from portal.library.terms import Terms, terms_of_stems
from portal.tenants.managers import TenantManager
from portal.tenants.models import TenantModel, TenantQuerySet

KEY_LENGTH, TERM_LENGTH = 32, 40


class WordingQuerySet(TenantQuerySet["Wording"]):
    def outdated(self) -> Self:
        """Those whose postings were made with another edition of the lexicon."""
        return self.exclude(edition=edition())


class Wording(TenantModel):
    """One way in which this tenant was asked something, however often.

    The text stands with the questions that were asked so; they are found by the key.
    """

    key = models.CharField(max_length=KEY_LENGTH)
    """Equal for two questions of the same words (`text_keys.key_of`)."""
    words = models.TextField()
    """The stems of its words, in their order."""
    edition = models.CharField(max_length=EDITION_LENGTH)

    objects = TenantManager.from_queryset(WordingQuerySet)()

    class Meta:
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["tenant", "key"], name="one_wording_of_a_key")]
        indexes = [models.Index(fields=["edition", "tenant"], name="wordings_by_edition")]

    def __str__(self) -> str:
        return self.words[:80]

    @cached_property
    def terms(self) -> Terms:
        return terms_of_stems(self.words.split())


class Posting(TenantModel):
    """A term of a wording: where a search begins."""

    wording = models.ForeignKey(Wording, on_delete=models.CASCADE, related_name="postings")
    term = models.CharField(max_length=TERM_LENGTH)

    class Meta(TenantModel.Meta):
        constraints = [models.UniqueConstraint(fields=["tenant", "term", "wording"], name="one_posting_of_a_term")]

    def __str__(self) -> str:
        return self.term
