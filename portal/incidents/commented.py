"""Incidents as something to comment on. Their own log says that it was done, and never what was said."""

from collections.abc import Collection, Mapping

from django.urls import reverse

from portal.comments.subjects import Subject, register_subject
from portal.incidents.models import Incident, Step
from portal.incidents.services.incident_log import AREA, KIND, write_log
from portal.page_refresh.services import touch_areas
from portal.tenants.models import Membership


def _titles(ids: Collection[str]) -> Mapping[str, str]:
    keys = [int(each) for each in ids if each.isascii() and each.isdigit() and len(each) < 19]
    return {str(row.pk): str(row) for row in Incident.objects.filter(pk__in=keys).defer("search")}


def _log(incident_id: str, words: str, member: Membership) -> None:
    write_log(Incident.objects.get(pk=incident_id), Step.REMARK, words, member=member)
    touch_areas(AREA)


def register() -> None:
    register_subject(
        Subject(
            kind=KIND,
            label="incident",
            titles=_titles,
            url=lambda slug, incident_id: reverse("incidents:plan", args=[slug, incident_id]),
            changed=_log,
        )
    )
