from functools import cached_property
from typing import Self

from django.db import models
from django.utils import timezone

from portal.lib.unnamed import named
from portal.lib.web_addresses import web_address
from portal.library.lexicon import EDITION_LENGTH, edition
from portal.library.models.wordings import TERM_LENGTH
from portal.library.terms import Terms, terms_of
from portal.platform_api.identifiers import MAX_ID_LENGTH
from portal.search.models import SearchedModel, SearchedQuerySet
from portal.tenants.managers import TenantManager
from portal.tenants.models import TenantModel, TenantQuerySet

MAX_TITLE_LENGTH, MAX_TYPE_LENGTH, MAX_PROBLEM_LENGTH = 300, 60, 300
FILE = "FILE"
"""The other type is URL; there may be more."""


class TextState(models.TextChoices):
    """What became of the text of a resource."""

    WAITING = "waiting", "Being read"
    READ = "read", "Read"
    NONE = "none", "No text in it"
    FAILED = "failed", "Could not be read"
    PAGE = "page", "Web page, not read"

    @property
    def tone(self) -> str:
        return {self.WAITING: "info", self.READ: "good", self.NONE: "warn", self.FAILED: "bad", self.PAGE: "muted"}[self]


class KnowledgeResourceQuerySet(SearchedQuerySet["KnowledgeResource"]):
    def present(self) -> Self:
        return self.filter(gone_at=None)

    def count_states(self) -> dict[str, int]:
        return dict(self.order_by().values_list("text_state").annotate(number=models.Count("pk")))


class KnowledgeResource(SearchedModel):
    """Our copy of a resource of the platform's knowledge base: a file, or the address of a page."""

    platform_id = models.CharField(max_length=MAX_ID_LENGTH)
    title = models.CharField(max_length=MAX_TITLE_LENGTH)
    title_sort = models.CharField(max_length=MAX_TITLE_LENGTH, blank=True)
    description = models.TextField(blank=True)
    type = models.CharField(max_length=MAX_TYPE_LENGTH, blank=True)
    url = models.TextField(blank=True)
    """Of a page; the address of a file is good for an hour, and kept nowhere."""
    is_used = models.BooleanField(default=True)
    """Whether questionnaires may be answered from it, as it is set on the platform."""
    is_expired = models.BooleanField(default=False)
    expires_at = models.DateTimeField(null=True)
    verified_at = models.DateTimeField(null=True)
    updated_at = models.DateTimeField()
    text_state = models.CharField(max_length=10, choices=TextState.choices, default=TextState.WAITING)
    problem = models.CharField(max_length=MAX_PROBLEM_LENGTH, blank=True)
    """What kept the text from being read, or what of it is left out, in words for people."""
    page_count = models.PositiveIntegerField(default=0)
    read_at = models.DateTimeField(null=True)
    gone_at = models.DateTimeField(null=True)

    objects = TenantManager.from_queryset(KnowledgeResourceQuerySet)()

    class Meta(SearchedModel.Meta):
        ordering = ["title_sort", "id"]
        constraints = [models.UniqueConstraint(fields=["tenant", "platform_id"], name="one_copy_per_knowledge_resource")]
        indexes = [models.Index(fields=["tenant", "title_sort", "id"], name="knowledge_listed")]

    def __str__(self) -> str:
        return named(self.title)

    @property
    def web_address(self) -> str:
        """Where the page is, if that is an address of the web."""
        return web_address(self.url)

    @property
    def text_label(self) -> tuple[str, str]:
        """Words and tone."""
        state = TextState(self.text_state)
        return str(state.label), state.tone

    @property
    def has_expired(self) -> bool:
        """It holds no longer, as the platform says it or as its day does."""
        return self.is_expired or (self.expires_at is not None and self.expires_at <= timezone.now())

    @property
    def validity_label(self) -> tuple[str, str]:
        """Words and tone."""
        return ("Expired", "bad") if self.has_expired else ("Current", "good")


class PassageQuerySet(TenantQuerySet["Passage"]):
    def outdated(self) -> Self:
        """Those whose postings were made with another edition of the lexicon."""
        return self.exclude(edition=edition())


class Passage(TenantModel):
    """Some sentences of a document."""

    resource = models.ForeignKey(KnowledgeResource, on_delete=models.CASCADE, related_name="passages")
    position = models.PositiveIntegerField()
    page = models.PositiveIntegerField()
    """0 in a text without pages."""
    text = models.TextField()
    edition = models.CharField(max_length=EDITION_LENGTH)

    objects = TenantManager.from_queryset(PassageQuerySet)()

    class Meta(TenantModel.Meta):
        ordering = ["position"]
        constraints = [models.UniqueConstraint(fields=["resource", "position"], name="one_passage_of_a_position")]
        indexes = [models.Index(fields=["edition", "tenant"], name="passages_by_edition")]

    def __str__(self) -> str:
        return self.text[:120]

    @cached_property
    def terms(self) -> Terms:
        return terms_of(self.text)


class PassagePosting(TenantModel):
    """A term of a passage: where a search begins."""

    # Other indexes begin with it, and every index costs each write.
    tenant = models.ForeignKey("tenants.Tenant", on_delete=models.CASCADE, related_name="+", db_index=False)
    passage = models.ForeignKey(Passage, on_delete=models.CASCADE, related_name="postings")
    term = models.CharField(max_length=TERM_LENGTH)

    class Meta(TenantModel.Meta):
        constraints = [models.UniqueConstraint(fields=["tenant", "term", "passage"], name="one_posting_of_a_term_per_passage")]

    def __str__(self) -> str:
        return self.term
