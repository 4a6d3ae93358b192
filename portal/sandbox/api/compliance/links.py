"""What controls are mapped to, read from either side."""

import json

from portal.sandbox.api.filters import values_of
from portal.sandbox.api.route import Call, Parameter, Query
from portal.sandbox.objects import Clause, Missing, equal
from portal.sandbox.schemas import STRING, array
from portal.sandbox.store import Json
from portal.sandbox.values import new_id

KIND = "control-mappings"
DOCUMENT, TEST, FRAMEWORK = "document", "test", "framework"
MAPPED_TO = """EXISTS (
    SELECT 1 FROM objects m WHERE m.tenant_id = objects.tenant_id AND m.kind = 'control-mappings' AND m.parent_id = objects.id
    AND json_extract(m.body, '$.type') = ? AND json_extract(m.body, '$.target') IN (SELECT value FROM json_each(?)))"""
HAS_CONTROL = """EXISTS (
    SELECT 1 FROM objects m WHERE m.tenant_id = objects.tenant_id AND m.kind = 'control-mappings'
    AND json_extract(m.body, '$.type') = ? AND json_extract(m.body, '$.target') = objects.id
    AND m.parent_id IN (SELECT value FROM json_each(?)))"""
SERVES_FRAMEWORK = """EXISTS (
    SELECT 1 FROM objects m JOIN objects f ON f.tenant_id = m.tenant_id AND f.kind = m.kind AND f.parent_id = m.parent_id
    WHERE m.tenant_id = objects.tenant_id AND m.kind = 'control-mappings'
    AND json_extract(m.body, '$.type') = ? AND json_extract(m.body, '$.target') = objects.id
    AND json_extract(f.body, '$.type') = 'framework'
    AND json_extract(f.body, '$.target') IN (SELECT value FROM json_each(?)))"""


def connect(call: Call, control_id: str, target_type: str, target: str, *, section: str | None = None) -> None:
    """Map a control to something, once."""
    where = [equal("type", target_type), equal("target", target)]
    if section is not None:
        where.append(equal("section", section))
    if not call.sandbox.objects.all(call.tenant.id, KIND, parent_id=control_id, where=where, limit=1):
        mapping = {"id": new_id(), "type": target_type, "target": target, "section": section}
        call.sandbox.objects.add(call.tenant.id, KIND, mapping, parent_id=control_id)


def disconnect(call: Call, control_id: str, target_type: str, target: str) -> None:
    """Take a mapping away. Raises Missing."""
    where = [equal("type", target_type), equal("target", target)]
    found = call.sandbox.objects.all(call.tenant.id, KIND, parent_id=control_id, where=where)
    if not found:
        raise Missing(KIND, target)
    for mapping in found:
        call.sandbox.objects.delete(call.tenant.id, KIND, mapping["id"])


def forget(call: Call, target_type: str, target: str) -> None:
    """Take away every mapping to something that is deleted."""
    sql = "json_extract(body, '$.type') = ? AND json_extract(body, '$.target') = ?"
    call.sandbox.objects.delete_where(call.tenant.id, KIND, Clause(sql=sql, values=(target_type, target)))


def targets(call: Call, control_id: str, target_type: str) -> list[Json]:
    """Return a control's mappings of a type, the oldest first."""
    where = [equal("type", target_type)]
    return call.sandbox.objects.all(call.tenant.id, KIND, parent_id=control_id, where=where, oldest_first=True)


def mapped_to(target_type: str, values: list[str]) -> Clause:
    """Keep controls that are mapped to one of these."""
    return Clause(sql=MAPPED_TO, values=(target_type, json.dumps(values)))


def of_framework(name: str) -> Parameter:
    """Name the parameter that keeps controls of the given frameworks."""
    return matching(name, MAPPED_TO, FRAMEWORK)


def through_framework(name: str, target_type: str, *, is_single: bool = False) -> Parameter:
    """Name the parameter that keeps documents or tests of the given frameworks: those that share a control with one."""
    return matching(name, SERVES_FRAMEWORK, target_type, is_single=is_single)


def of_control(name: str, target_type: str, *, is_single: bool = False) -> Parameter:
    """Name the parameter that keeps documents or tests of the given controls."""
    return matching(name, HAS_CONTROL, target_type, is_single=is_single)


def matching(name: str, sql: str, target_type: str, *, is_single: bool = False) -> Parameter:
    def read(query: Query) -> Clause | None:
        values = [value for value in query.getlist(name)[:1] if value] if is_single else values_of(query, name)
        return Clause(sql=sql, values=(target_type, json.dumps(values))) if values else None

    return Parameter(name=name, schema=STRING if is_single else array(STRING), read=read)
