"""The description of the API for people: every endpoint with what it takes and what it answers."""

from flask import Response, jsonify, render_template, request

from portal.sandbox.api.openapi import description
from portal.sandbox.console.blueprint import blueprint
from portal.sandbox.console.lookups import Answer
from portal.sandbox.console.outlines import outline
from portal.sandbox.store import Json

blueprint.add_app_template_filter(outline)


@blueprint.get("/reference/")
def reference_page() -> Answer:
    query = request.args.get("q", "").strip()
    described = description(request.host_url.rstrip("/"))
    operations = [operation for operation in every_operation(described) if fits(operation, query)]
    areas = [(tag["name"], [each for each in operations if tag["name"] in each["tags"]]) for tag in described["tags"]]
    return render_template(
        "console/reference.html",
        areas=[(name, found) for name, found in areas if found],
        count=len(operations),
        query=query,
    )


def every_operation(described: Json) -> list[Json]:
    """Return all operations with their method, their path and what they take and give."""
    return [
        operation | {"method": method.upper(), "path": path, "body": body_of(operation), "answer": answer_of(operation)}
        for path, methods in described["paths"].items()
        for method, operation in methods.items()
    ]


def fits(operation: Json, query: str) -> bool:
    text = f"{operation['method']} {operation['path']} {operation['operationId']}".casefold()
    return all(word in text for word in query.casefold().split())


def body_of(operation: Json) -> tuple[str, str] | None:
    """Return the media type and the schema of the body, as text."""
    return only_content(operation.get("requestBody"))


def answer_of(operation: Json) -> tuple[str, str] | None:
    success = next(answer for status, answer in operation["responses"].items() if status.startswith("2"))
    return only_content(success)


def only_content(holder: Json | None) -> tuple[str, str] | None:
    for media_type, content in (holder or {}).get("content", {}).items():
        return media_type, outline(content["schema"])
    return None


def openapi() -> Response:
    """Answer the description for programs; it is as public as a documentation page."""
    return jsonify(description(request.host_url.rstrip("/")))
