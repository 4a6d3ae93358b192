"""One index of each table begins with the tenant; where much is written there is no needless second one."""

import pytest
from django.apps import apps
from django.db.models import Index, UniqueConstraint

from portal.tenants.models import TenantModel

MODELS = {model._meta.label: model for model in apps.get_models() if issubclass(model, TenantModel)}
MUCH_WRITTEN = [
    *("audit.Entry", "audit.Link", "event_log.LogEntry", "event_log.LogTarget", "inbox.Delivery", "notifications.Notification"),
    *("library.Posting", "library.AnswerPosting", "library.PassagePosting", "questionnaires.Response", "sync.StaleMark"),
    *("trust_center_activity.Activity", "work_items.WorkItem"),
]


def begins_with_tenant(index: Index | UniqueConstraint) -> bool:
    """Whether it leads to every row of a tenant; one with a condition does not."""
    return list(index.fields[:1]) == ["tenant"] and index.condition is None


def others(label: str) -> list[str]:
    meta = MODELS[label]._meta
    unique = [each for each in meta.constraints if isinstance(each, UniqueConstraint)]
    return [each.name for each in (*meta.indexes, *unique) if begins_with_tenant(each)]


@pytest.mark.parametrize("label", sorted(MODELS))
def test_the_rows_of_a_tenant_are_found_by_an_index(label):
    assert MODELS[label]._meta.get_field("tenant").db_index or others(label)


@pytest.mark.parametrize("label", MUCH_WRITTEN)
def test_where_much_is_written_the_tenant_alone_has_no_index(label):
    assert not MODELS[label]._meta.get_field("tenant").db_index
    assert others(label)
