"""Schemas in words that fit on a line, or on as many as the object has fields."""

from portal.sandbox.store import Json

INDENT = "  "


def outline(schema: Json, *, depth: int = 0) -> str:
    """Write a schema like the JSON it describes; a question mark behind a name says that it may be missing."""
    if "anyOf" in schema:
        return " or ".join(outline(option, depth=depth) for option in schema["anyOf"])
    if schema.get("type") == "object" and schema.get("properties"):
        return braces(schema, depth=depth)
    if schema.get("type") == "array":
        return f"[{outline(schema['items'], depth=depth)}]"
    return words(schema)


def braces(schema: Json, *, depth: int) -> str:
    inner, required = INDENT * (depth + 1), schema.get("required", ())
    lines = [
        f"{inner}{name}{'' if name in required else '?'}: {outline(value, depth=depth + 1)}"
        for name, value in schema["properties"].items()
    ]
    return "\n".join(["{", *lines, f"{INDENT * depth}}}"])


def words(schema: Json) -> str:
    """Say what one simple value is."""
    if "enum" in schema:
        return " | ".join(map(str, schema["enum"]))
    kind = schema.get("type", "anything")
    kind = " or ".join(kind) if isinstance(kind, list) else str(kind)
    limits = [f"{name} {schema[name]}" for name in ("minLength", "maxLength", "minimum", "maximum") if name in schema]
    return ", ".join([str(schema.get("format", kind)), *limits])
