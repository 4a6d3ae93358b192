"""A platform that accepts what it is sent, and does not show it like that: what the sandbox itself never does."""

import json
from typing import Any

import pytest

from portal.sandbox import objects
from portal.sandbox.store import Store


def show_no_change(monkeypatch: pytest.MonkeyPatch, *, meanwhile: dict[str, Any] | None = None) -> None:
    """Have the platform accept every change and deletion, and go on showing what was there before; `meanwhile`: and this."""
    save = objects.Objects.save

    def keep(here: objects.Objects, tenant_id: str, kind: str, body: dict[str, Any]) -> dict[str, Any]:
        if meanwhile:
            save(here, tenant_id, kind, here.get(tenant_id, kind, body["id"]) | meanwhile)
        return body

    monkeypatch.setattr(objects.Objects, "save", keep)
    for call in ("delete", "remove"):
        monkeypatch.setattr(objects.Objects, call, lambda *_: None)
    monkeypatch.setattr(Store, "set_setting", lambda *_: None)


def spell_otherwise(monkeypatch: pytest.MonkeyPatch, sent: str, kept: str) -> None:
    """Have the platform keep texts in another spelling than they were sent in."""
    before, after = json.dumps(sent)[1:-1], json.dumps(kept)[1:-1]
    monkeypatch.setattr(objects, "encoded", lambda body: json.dumps(body).replace(before, after))
