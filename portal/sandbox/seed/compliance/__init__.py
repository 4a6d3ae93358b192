"""Makes controls, frameworks, tests, policies, integrations, documents and the event log."""

from collections.abc import Iterator

from portal.sandbox.seed.cast import Cast
from portal.sandbox.seed.compliance import checks, controls, documents, event_logs, frameworks, integrations
from portal.sandbox.seed.shapes import Batch


def build(cast: Cast) -> Iterator[Batch]:
    """Walk controls, frameworks, tests, policies, integrations, documents and the event log, the oldest first."""
    made_controls = controls.build_controls(cast)
    made_documents = documents.build_documents(cast)
    made_tests = checks.build_tests(cast)
    mappings = controls.build_mappings(cast, made_controls, documents=made_documents, tests=made_tests)
    for control in made_controls:
        controls.count(control, mappings[control["id"]], documents=made_documents, tests=made_tests)
    made_frameworks = frameworks.build_frameworks(made_controls, mappings)
    yield "controls", None, made_controls
    for control_id, batch in mappings.items():
        yield "control-mappings", control_id, batch
    yield "deactivated-controls", None, controls.build_deactivated(cast)
    yield "frameworks", None, made_frameworks
    yield "tests", None, made_tests
    yield from checks.build_entities(cast, made_tests)
    yield "policies", None, checks.build_policies(cast)
    yield from integrations.build(cast)
    yield "documents", None, made_documents
    yield from documents.build_attached(cast, made_documents)
    yield "event-logs", None, event_logs.build_event_logs(cast)
