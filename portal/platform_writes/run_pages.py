"""What the page of a run shows, whichever desk it is of: how far it is, what was not done and why."""

from typing import Any

from django.contrib import messages

from portal.lib.keyset import keyset_page
from portal.platform_writes.models import Item, ItemQuerySet, ItemState, Run
from portal.tenants.access import TenantRequest

FAILED, DONE, WAITING = "failed", "done", "waiting"


def run_context[I: Item](
    request: TenantRequest, items: ItemQuerySet[I], *, done: str = "Done", failed: str = "Not changed"
) -> dict[str, Any]:
    """Return figures, tabs and the page of a run's items that the address asks for, else of what needs a person first."""
    counts = items.counts()
    labels = {FAILED: failed, DONE: done, WAITING: "Waiting"}
    numbers = {FAILED: counts.failed, DONE: counts.done, WAITING: counts.left}
    show = request.GET.get("show", "")
    if show not in labels:
        show = FAILED if counts.failed else WAITING if counts.left else DONE
    rows = items.to_do() if show == WAITING else items.filter(state=ItemState(show))
    return {
        "counts": counts,
        "tabs": [
            {"label": label, "count": numbers[key], "url": f"?show={key}", "is_current": key == show}
            for key, label in labels.items()
        ],
        "page": keyset_page(rows, order_by=("id",), cursor=request.GET.get("cursor")),
        "outcome": f"{counts.done} of {counts.total} {done.lower()}",
    }


def say_tried_again(request: TenantRequest, run: Run, number: int) -> None:
    """Say on the next page how many a press on Try again began with."""
    if number:
        messages.success(request, f"{run.counted(number)} will be tried again.")
    else:
        messages.info(request, "Nothing to try again.")
