from hashlib import sha256
from typing import Self

from django.conf import settings
from django.db import models
from django.utils import timezone

from portal.search.models import SearchedModel, SearchedQuerySet
from portal.tenants.managers import TenantManager
from portal.tenants.models import TenantModel, TenantQuerySet

AREA = "comments"
MAX_LENGTH = 5000
"""Of one comment: longer texts belong into a document."""


def thread_of(kind: str, object_id: str) -> str:
    """Return the key under which the comments on one object are found: ids of the platform are too long for an index."""
    return sha256(f"{kind}\0{object_id}".encode()).hexdigest()


class CommentQuerySet(SearchedQuerySet["Comment"]):
    """Chains of comments."""


class Comment(SearchedModel):
    """What one person said about an object. A deleted one keeps its place and who deleted it, but no text."""

    kind = models.CharField(max_length=40)
    """Of the object, as its desk has registered it in `subjects`."""
    object_id = models.TextField()
    """As its desk calls the object: it outlives our copy of it."""
    thread = models.CharField(max_length=64)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    author_name = models.CharField(max_length=120)
    """Stays when they leave."""
    body = models.TextField(blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    edited_at = models.DateTimeField(null=True)
    resolved_at = models.DateTimeField(null=True)
    resolved_by_name = models.CharField(max_length=120, blank=True)
    deleted_at = models.DateTimeField(null=True)
    deleted_by_name = models.CharField(max_length=120, blank=True)

    objects = TenantManager.from_queryset(CommentQuerySet)()

    class Meta:
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(
                name="a_deleted_comment_keeps_no_text", condition=models.Q(deleted_at=None) | models.Q(body="")
            )
        ]
        indexes = [models.Index(fields=["tenant", "thread", "id"], name="comments_of_one_object")]

    def __str__(self) -> str:
        return f"Comment by {self.author_name}"


class MemberMentionQuerySet(TenantQuerySet["Mention"]):
    def open(self) -> Self:
        """Those whose comment still asks for something."""
        return self.filter(answered_at=None, comment__resolved_at=None, comment__deleted_at=None)


class Mention(TenantModel):
    """A member who is asked in a comment."""

    comment = models.ForeignKey(Comment, on_delete=models.CASCADE, related_name="mentions")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    """Not the membership: that goes outside of any tenant's scope, with an account."""
    answered_at = models.DateTimeField(null=True)
    """When they wrote a comment below it."""

    objects = TenantManager.from_queryset(MemberMentionQuerySet)()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["comment", "user"], name="one_mention_per_comment_and_member")]

    def __str__(self) -> str:
        return f"{self.user_id} in {self.comment_id}"
