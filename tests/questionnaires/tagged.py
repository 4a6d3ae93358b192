"""Acme's questionnaires and the platform's tags as copies of the sandbox's, and hands to change both there."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from portal.accounts.tags import Tag, key_of_tag
from portal.connections.models import Connection
from portal.questionnaires.mirror import MIRRORS as QUESTIONNAIRES
from portal.questionnaires.models import Questionnaire
from portal.tags.mirror import MIRRORS as TAGS
from portal.tags.models import Category
from portal.tenants.models import Tenant
from tests.conftest import SandboxHandle
from tests.support.desks import MirroredDesk
from tests.support.kept import after

PAGE = "/t/acme/questionnaires/"


class TaggedDesk(MirroredDesk):
    """A desk with three questionnaires, of which a test says what tags they have."""

    mirrors = (*TAGS, *QUESTIONNAIRES)

    @property
    def questionnaires(self) -> list[Questionnaire]:
        return list(Questionnaire.objects.order_by("pk"))

    def compare(self) -> None:
        # What a person waits for, who has looked at a page, comes before any comparison.
        self.drain()
        super().compare()

    def tags(self) -> list[Tag]:
        """All tags of the platform, category by category."""
        return [(tag["category"], each) for each, tag in self.there("tags").items()]

    def tag(self, questionnaire: Questionnaire, *tags: Tag) -> None:
        """Give a questionnaire these tags there, and nothing else."""
        listed = [{"categoryId": category_id, "tagId": tag_id} for category_id, tag_id in tags]
        self.change("questionnaires", questionnaire.platform_id, tagAndCategoryIds=listed)

    def read_tags_anew(self) -> None:
        """Compare as on the next day, when the tags of each category are read again."""
        Category.objects.update(tags_read_at=timezone.now() - timedelta(days=2))
        self.compare()


def copied(sandbox: SandboxHandle, tenant_id: str) -> None:
    """Give two of the questionnaires the first tag, and one of them the second, which no other has."""
    desk = TaggedDesk(sandbox, tenant_id)
    desk.compare()
    one, other, last = desk.questionnaires
    first, second = desk.tags()[:2]
    for questionnaire, tags in ((one, [first]), (other, [first, second]), (last, [])):
        desk.tag(questionnaire, *tags)
    desk.compare()


@pytest.fixture
@after(copied)
def tagged(connected: Connection, scoped: Tenant, sandbox: SandboxHandle, platform_tenant: dict[str, Any]) -> TaggedDesk:
    return TaggedDesk(sandbox, platform_tenant["tenant_id"])


def narrowed(tag: Tag) -> dict[str, str]:
    """The query of the list of all questionnaires with a tag."""
    return {"stage": "all", "tag": key_of_tag(tag)}


def shown(answer: Any) -> set[str]:
    return {row.platform_id for row in answer.context["page"].rows}


def offered(answer: Any) -> dict[str, str]:
    """What the select of tags offers, without its first entry."""
    selects = {each["name"]: dict(each["options"]) for each in answer.context["filters"].selects()}
    return {key: label for key, label in selects.get("tag", {}).items() if key}
