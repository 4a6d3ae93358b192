"""Changes of groups that ended and left somebody out, as work of whoever began them."""

from django.urls import reverse

from portal.people.services.group_runs import GROUPS
from portal.platform_writes.failed_runs import register_failed_runs


def _url_of_run(run_id: int, slug: str) -> str:
    return reverse("people:run", args=[slug, run_id])


def register() -> None:
    register_failed_runs(GROUPS, desk="People", url=_url_of_run)
