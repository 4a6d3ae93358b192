from typing import Self

from django.db import models

from portal.platform_api.identifiers import MAX_ID_LENGTH
from portal.search.models import SearchedModel, SearchedQuerySet
from portal.tenants.managers import TenantManager
from portal.tenants.models import TenantModel
from portal.tenants.personal_data import fold
from portal.trust_center_activity.normalization import folded

USER = "USER"
"""The role of what a visitor wrote; the other one is ASSISTANT, an open set (platform-api 4.5.11)."""


class ConversationQuerySet(SearchedQuerySet["Conversation"]):
    """Chains of conversations."""

    def present(self) -> Self:
        return self.filter(gone_at__isnull=True)

    def of_person(self, email: str) -> Self:
        return self.filter(folded_email=fold(email))

    def parts_of(self, words: str) -> list[str]:
        """Every word has to be there or begin there."""
        return [f" {word}" for word in folded(words).split()]


class Conversation(SearchedModel):
    """Our copy of a conversation with the Trust Center's chatbot."""

    platform_id = models.CharField(max_length=MAX_ID_LENGTH)
    first_message = models.TextField(blank=True)
    number_of_messages = models.IntegerField(default=0)
    """As the list says; the messages are read again when it changes."""
    email = models.CharField(max_length=320, blank=True)
    folded_email = models.CharField(max_length=320, blank=True)
    domain = models.CharField(max_length=320, blank=True)
    is_public = models.BooleanField(default=False)
    created_at = models.DateTimeField()
    messages_at = models.DateTimeField(null=True)
    """When the messages were last read."""
    payload = models.JSONField(default=dict)
    gone_at = models.DateTimeField(null=True)

    objects = TenantManager.from_queryset(ConversationQuerySet)()

    class Meta:
        ordering = ["-created_at", "-id"]
        constraints = [models.UniqueConstraint(fields=["tenant", "platform_id"], name="one_copy_per_conversation")]
        indexes = [
            models.Index(fields=["tenant", "-created_at", "-id"], name="conversations_newest"),
            models.Index(fields=["tenant", "domain", "-created_at", "-id"], name="conversations_of_domain"),
            models.Index(fields=["tenant", "folded_email"], name="conversations_of_person"),
        ]

    def __str__(self) -> str:
        return self.first_message or "Empty conversation"


class Message(TenantModel):
    """One message of a conversation. A stranger's text, or what the chatbot made of it."""

    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, related_name="messages")
    platform_id = models.CharField(max_length=MAX_ID_LENGTH)
    place = models.PositiveIntegerField(default=0)
    role = models.CharField(max_length=40, blank=True)
    text = models.TextField(blank=True)
    folded = models.TextField(blank=True)
    references = models.JSONField(default=list)
    """Ids of the documents that the answer rests on."""
    created_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["place", "id"]
        constraints = [models.UniqueConstraint(fields=["tenant", "conversation", "platform_id"], name="one_copy_per_message")]

    def __str__(self) -> str:
        return f"{self.role} {self.platform_id}"

    @property
    def is_of_visitor(self) -> bool:
        return self.role == USER
