"""Writes `docs/platform-api.md`: every endpoint of the client, from its definitions."""

from pathlib import Path

from portal.platform_api.buckets import INTEGRATION
from portal.platform_api.endpoints import SEED
from portal.platform_api.reference import AREAS, DEFINITIONS, Definition
from tests import portal_calls

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "platform-api.md"
HEAD = """# The client of the platform

Every endpoint as `portal/platform_api` declares it. Written by `make docs`; a test fails while this page is not up to date.

```python
api = Platform("https://api.platform.example", tokens=tokens)
for questionnaire in api.questionnaires.all(status_matches_any=["IN_REVIEW"]):       # walks the pages, 100 at a time
    for response in api.questionnaires.responses.all(questionnaire.id):
        api.questionnaires.responses.update(questionnaire.id, response.id, {"p1": "Yes"})
page = api.contracts.all.page()                                                      # one page; page.next_cursor goes on
with api.trust_center(slug_id).resources.media(resource_id) as download:             # a file, as it arrives
    for chunk in download.chunks: ...
```

**Known from**: the specification itself, or what the platform's public reference adds. **Scope**: what opens the endpoint,
where scopes are enforced. **Bucket**: which limit counts it. **Again**: whether doing it twice is doing it once, so that the
client may repeat it by itself. **Rooms**: which rooms of the portal make it; why nobody makes the others is told in
[coverage.md](coverage.md#what-no-page-uses).
"""


def page() -> str:
    parts = [HEAD]
    for area in AREAS:
        definitions = [definition for definition in DEFINITIONS if definition.area is area]
        if definitions:
            parts.append(f"\n## `{area.name}`\n\n{(area.__doc__ or '').strip().splitlines()[0]}\n\n")
            parts.append("| Call | Endpoint | Known from | Scope | Bucket | Again | Rooms |\n|---|---|---|---|---|---|---|\n")
            parts += [line(definition) for definition in definitions]
    return "".join(parts)


def line(definition: Definition) -> str:
    endpoint = definition.endpoint
    words = (endpoint.function.__doc__ or "").strip().splitlines()[0]
    deprecated = " **Deprecated.**" if endpoint.is_deprecated else ""
    cells = (
        f"`{endpoint.name}{signature(definition)}`<br>{words}{deprecated}",
        f"`{definition.method} {definition.path}`",
        "specification" if endpoint.origin == SEED else "reference",
        f"`{definition.scope}`",
        f"{endpoint.bucket}, for integrations {INTEGRATION}" if endpoint.is_for_integrations else endpoint.bucket,
        "yes" if endpoint.may_repeat else "no",
        portal_calls.rooms_of(definition.name),
    )
    return f"| {' | '.join(cells)} |\n"


def signature(definition: Definition) -> str:
    """Name the parameters: those that a TypedDict gathers under its own name."""
    parameters = [str(parameter).split(":")[0].split("=")[0] for parameter in definition.endpoint.signature.parameters.values()]
    return f"({', '.join(parameters[1:])})"
