"""The comments that a search over all desks finds."""

from collections import defaultdict
from collections.abc import Iterator

from django.utils.text import Truncator

from portal.comments.models import Comment
from portal.comments.subjects import registered, subjects
from portal.saved_views.found import Found
from portal.tenants.models import Role

MAX_TITLE_LENGTH = 120
"""Letters of a comment; its page has the rest."""


def find_comments(words: str, slug: str, most: int) -> Iterator[Found]:
    """Give those with the words on objects that are there and open to every member, the newest first."""
    kinds = [subject.kind for subject in subjects() if subject.role == Role.VIEWER]
    found = list(Comment.objects.filter(kind__in=kinds, deleted_at=None).first_matching(words, "-id").defer("search")[:most])
    ids: dict[str, set[str]] = defaultdict(set)
    for comment in found:
        ids[comment.kind].add(comment.object_id)
    titles = {kind: registered(kind).titles(of_kind) for kind, of_kind in ids.items()}
    for comment in found:
        if title := titles[comment.kind].get(comment.object_id):
            url = f"{registered(comment.kind).url(slug, comment.object_id)}#comments"
            text = Truncator(" ".join(comment.body.split())).chars(MAX_TITLE_LENGTH)
            yield Found(text, f"{comment.author_name} \N{MIDDLE DOT} {title}", url)
