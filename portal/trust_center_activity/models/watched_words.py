from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from portal.tenants.managers import TenantManager
from portal.tenants.models import TenantModel, TenantQuerySet
from portal.trust_center_activity.models.conversations import Conversation, Message


class WatchedWord(TenantModel):
    """A word or phrase that the tenant wants to hear of when a visitor asks about it."""

    text = models.CharField(max_length=100)
    folded = models.CharField(max_length=220)
    added_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    added_by_name = models.CharField(max_length=120)
    added_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["text", "id"]
        constraints = [models.UniqueConstraint(fields=["tenant", "folded"], name="one_row_per_watched_word")]

    def __str__(self) -> str:
        return self.text


class Follower(TenantModel):
    """A member who is told by mail when somebody asks about a word."""

    word = models.ForeignKey(WatchedWord, on_delete=models.CASCADE, related_name="followers")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tenant", "word", "user"], name="one_row_per_follower")]

    def __str__(self) -> str:
        return f"follower of word {self.word_id}"


class MentionQuerySet(TenantQuerySet["Mention"]):
    """Chains of mentions."""

    def unseen(self) -> Self:
        return self.filter(seen_at__isnull=True)


class Mention(TenantModel):
    """A visitor has asked about a watched word."""

    word = models.ForeignKey(WatchedWord, on_delete=models.CASCADE, related_name="mentions")
    message = models.ForeignKey(Message, on_delete=models.CASCADE, related_name="mentions")
    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, related_name="mentions")
    domain = models.CharField(max_length=320, blank=True)
    at = models.DateTimeField()
    seen_at = models.DateTimeField(null=True)
    """When a member marked it as seen. What was said before the word was watched counts as seen."""

    objects = TenantManager.from_queryset(MentionQuerySet)()

    class Meta:
        ordering = ["-at", "-id"]
        constraints = [models.UniqueConstraint(fields=["tenant", "word", "message"], name="one_mention_per_message")]
        indexes = [
            models.Index(fields=["tenant", "word", "-at"], name="mentions_of_word"),
            models.Index(fields=["tenant", "word"], condition=Q(seen_at__isnull=True), name="mentions_unseen"),
        ]

    def __str__(self) -> str:
        return f"mention of word {self.word_id}"


class Notice(TenantModel):
    """One follower has to be told of one mention: it waits a little, so that one mail holds several."""

    mention = models.ForeignKey(Mention, on_delete=models.CASCADE, related_name="notices")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    made_at = models.DateTimeField(default=timezone.now)
    told_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tenant", "mention", "user"], name="one_notice_per_follower")]
        indexes = [models.Index(fields=["made_at"], condition=Q(told_at__isnull=True), name="notices_to_send")]

    def __str__(self) -> str:
        return f"notice of mention {self.mention_id}"
