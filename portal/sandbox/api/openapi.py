"""The description of the API in OpenAPI 3.1, made of the same table that requests are served and checked with."""

from collections.abc import Iterator
from typing import Any

from portal.sandbox.api.route import SLUG, Form, Parameter, Route
from portal.sandbox.api.table import AREAS
from portal.sandbox.schemas import MEDIA, STRING, record
from portal.sandbox.store import Json

REASONS = {
    400: "Something that was sent does not fit.",
    401: "The token is missing, expired or superseded.",
    403: "The token is of the wrong kind of application, or lacks the scope.",
    404: "Something that the path names does not exist.",
    409: "It exists already.",
    413: "The file is too large.",
    422: "It refers to something that does not exist, or cannot be done now.",
    429: "Too many requests in this minute.",
}
SUCCESSES = {200: "Done.", 201: "Created.", 202: "Started.", 204: "Done; nothing to tell."}
REJECTED = record(message=STRING, optional={"value": {}})
ERROR = record(message=STRING, optional={"errors": {"type": "object", "additionalProperties": REJECTED}})
ORIGINS = "Integrations, management applications and auditors have tokens of their own kinds (specification 5)."


def description(server: str) -> Json:
    """Describe every endpoint under one address."""
    paths: dict[str, Json] = {}
    for area, route, path in described():
        paths.setdefault(spelled(path), {})[route.method.lower()] = operation(route, area=area, path=path)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Platform API", "version": "1.0.0", "description": ORIGINS},
        "servers": [{"url": server}],
        "security": [{"bearer": []}],
        "tags": [{"name": area} for area in AREAS],
        "paths": paths,
        "components": {
            "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer"}},
            "schemas": {"Error": ERROR},
        },
    }


def described() -> Iterator[tuple[str, Route, str]]:
    """Walk all endpoints with their areas, and with each of their paths."""
    for area, routes in AREAS.items():
        for route in routes:
            for path in (route.path, *route.aliases):
                yield area, route, path


def operation(route: Route, *, area: str, path: str) -> Json:
    described: Json = {
        "operationId": operation_id(route, path),
        "tags": [area],
        "description": f"Any of these scopes, where they are enforced: {', '.join(sorted(route.sufficient_scopes))}.",
        "parameters": [*map(path_parameter, route.placeholders), *map(query_parameter, route.parameters)],
        "responses": {str(status): answer_of(route, status) for status in statuses_of(route)},
    }
    if route.is_deprecated:
        described["deprecated"] = True
    if route.form:
        described["requestBody"] = {"required": True, "content": {"multipart/form-data": {"schema": form_schema(route.form)}}}
    elif route.body is not None:
        content = {"application/json": {"schema": route.body}}
        described["requestBody"] = {"required": not route.may_omit_body, "content": content}
    return described


def statuses_of(route: Route) -> list[int]:
    """Say which statuses an endpoint may answer with."""
    statuses = {route.status, 401, 403, 429, *route.refusals}
    if route.body is not None or route.form or route.parameters:
        statuses.add(400)
    if route.body is not None or route.form:
        statuses.add(413)
    if route.looks_up:
        statuses.add(404)
    if "x-kind" in str(route.form.schema if route.form else route.body):
        statuses.add(422)
    return sorted(statuses)


def answer_of(route: Route, status: int) -> Json:
    if status in REASONS:
        content = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
        return {"description": REASONS[status], "content": content}
    described: Json = {"description": SUCCESSES[status]}
    if route.gives_media:
        described["content"] = {"*/*": {"schema": MEDIA}}
    elif status != 204 and route.answers is not None:
        described["content"] = {"application/json": {"schema": route.answers}}
    return described


def operation_id(route: Route, path: str) -> str:
    """Name an endpoint: `GET /vendors/<vendor_id>/findings` is `get-vendors-by-vendor-findings`."""
    words = [f"by-{part[1:-1].removesuffix('_id')}" if part.startswith("<") else part for part in path.strip("/").split("/")]
    return "-".join([route.method.lower(), *words]).replace("_", "-")


def spelled(path: str) -> str:
    """Write a path as OpenAPI does, under /v1."""
    parts = [f"{{{camel(part[1:-1])}}}" if part.startswith("<") else part for part in path.split("/")]
    return "/v1" + "/".join(parts)


def camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def path_parameter(placeholder: str) -> Json:
    schema: dict[str, Any] = {"type": "string", "minLength": 1}
    words = "The slugId of the Trust Center." if placeholder == SLUG else "An id."
    return {"name": camel(placeholder), "in": "path", "required": True, "description": words, "schema": schema}


def query_parameter(parameter: Parameter) -> Json:
    return {"name": parameter.name, "in": "query", "required": False, "schema": parameter.schema}


def form_schema(form: Form) -> Json:
    """Describe a multipart body: parts that hold JSON are texts on the wire."""
    properties = {
        name: {"type": "string", "contentMediaType": "application/json", "contentSchema": schema}
        if name in form.json_parts
        else schema
        for name, schema in form.schema["properties"].items()
    }
    required = [*form.schema["required"]]
    if form.file:
        properties[form.file] = MEDIA
        required.append(form.file)
    return form.schema | {"properties": properties, "required": required}
