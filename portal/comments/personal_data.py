"""Mail addresses that people wrote into comments: taken out when that person is erased (guarantee S11)."""

from functools import partial

from portal.comments.models import AREA, Comment
from portal.page_refresh.services import touch_areas
from portal.platform_api.errors import EMAIL
from portal.tenants.texts import ERASED, Texts, register_texts


def register() -> None:
    texts = Texts(kind=Comment, columns=("body",), changed=partial(touch_areas, AREA), renew=_search_anew)
    register_texts([("Comments", texts)])


def _search_anew(comment: Comment) -> tuple[str]:
    comment.search = comment.body.casefold()
    return ("search",)


def without_addresses(text: str) -> str:
    """Return a text for the audit trail, whose rows nobody can erase."""
    return EMAIL.sub(ERASED, text)
