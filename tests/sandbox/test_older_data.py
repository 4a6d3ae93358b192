"""Data of an older sandbox: starting again goes on with it."""

import json
from pathlib import Path

from portal.sandbox.store import Store

TENANT = "00000000-0000-4000-8000-000000000001"


def kept(store: Store, kind: str) -> list[tuple[str, str | None, dict[str, str]]]:
    rows = store.rows("SELECT id, parent_id, body FROM objects WHERE kind = ? ORDER BY seq", kind)
    return [(row["id"], row["parent_id"], json.loads(row["body"])) for row in rows]


def put(store: Store, kind: str, platform_id: str, parent_id: str | None = None, **body: str | None) -> None:
    text = json.dumps({"id": platform_id} | body)
    store.insert("objects", tenant_id=TENANT, kind=kind, id=platform_id, parent_id=parent_id, body=text)


def test_a_scenario_that_had_an_id_of_its_own_is_called_by_its_risk_id(tmp_path: Path) -> None:
    older = Store(tmp_path)
    put(older, "risk-scenarios", "s-1", riskId="RISK-001", description="The roof leaks")
    put(older, "risk-scenario-controls", "l-1", "s-1", controlId="c-1", controlType="Preventive")
    put(older, "risk-scenario-controls", "l-2", "s-1", controlId="c-2", controlType=None)
    put(older, "risk-scenario-controls", "l-3", "s-1", controlId="c-3", controlType="TREATMENT_PLAN")
    older.close()
    for _ in range(2):
        store = Store(tmp_path)
        assert kept(store, "risk-scenarios") == [("RISK-001", None, {"id": "RISK-001", "description": "The roof leaks"})]
        links = kept(store, "risk-scenario-controls")
        assert {parent for _, parent, _ in links} == {"RISK-001"}
        assert [link["controlType"] for _, _, link in links] == ["EXISTING", "EXISTING", "TREATMENT_PLAN"]
        store.close()
