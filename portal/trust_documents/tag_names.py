"""What this desk tells the others: what tags are called. Customers and questionnaires tell their ids alone."""

from collections.abc import Mapping, Set

from portal.accounts.tags import TagName
from portal.lib.unnamed import named
from portal.trust_documents.models import Category


def tag_names(category_ids: Set[str]) -> Mapping[tuple[str, str], TagName]:
    """Name the tags of categories, those of gone ones included: what they were called is still worth more than an id."""
    rows = Category.objects.filter(platform_id__in=category_ids).defer("payload", "search")
    return {(row.platform_id, tag["id"]): TagName(str(row), named(tag["name"])) for row in rows for tag in row.tags}
