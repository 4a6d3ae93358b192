"""A desk whose rows are a copy of the sandbox's, and the sandbox's side of it."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from portal.connections.models import CallWindow
from portal.connections.services import Urgency, client_for
from portal.platform_api import Page, Platform
from portal.sync.mirrors import Mirror
from portal.sync.models import Run
from portal.sync.services import Outcome, drain, reconcile, start_reconcile


class MirroredDesk:
    """Acme's desk in front of the sandbox. A room names its mirrors, and adds what only it needs."""

    mirrors: ClassVar[Sequence[Mirror]]

    def __init__(self, sandbox: Any, tenant_id: str) -> None:
        self.sandbox, self.tenant_id = sandbox, tenant_id
        self.platform = sandbox.app.extensions["sandbox"]
        self.objects = self.platform.objects

    def compare(self) -> None:
        """Read every list, and what is marked after it."""
        CallWindow.objects.all().delete()
        Run.objects.all().delete()
        start_reconcile(self.mirrors)
        # Beside a busy processor a turn ends before all is read.
        assert reconcile(self.mirrors, client_for(Urgency.PERSON), seconds=60)
        self.drain()

    def drain(self) -> list[Outcome]:
        CallWindow.objects.all().delete()
        return drain(self.mirrors, client_for(Urgency.PERSON), seconds=60)

    def there(self, kind: str) -> dict[str, dict[str, Any]]:
        """All objects of a kind as they stand on the platform, by id."""
        return {found["id"]: found for found in self.sandbox.objects(self.tenant_id, kind)}

    def change(self, kind: str, object_id: str, **values: object) -> None:
        """Change an object there as somebody else would."""
        self.objects.save(self.tenant_id, kind, self.objects.get(self.tenant_id, kind, object_id) | values)

    def calls(self, method: str, path: str) -> list[dict[str, Any]]:
        return [each for each in self.sandbox.requests(path) if each["method"] == method]


def compare_late(mirrors: Sequence[Mirror], kind: str, meanwhile: Callable[[], object]) -> None:
    """Compare one kind with a list that was asked for before something is done, and is stored after it."""
    mirror = next(each for each in mirrors if each.kind == kind)
    to_do = [meanwhile]

    def page(client: Platform, cursor: str | None) -> Page[Any]:
        assert mirror.page
        answer = mirror.page(client, cursor)
        if to_do:
            to_do.pop()()
        return answer

    late = replace(mirror, page=page)
    CallWindow.objects.all().delete()
    Run.objects.all().delete()
    start_reconcile([late])
    assert reconcile([late], client_for(Urgency.PERSON), seconds=60)
    assert not to_do
