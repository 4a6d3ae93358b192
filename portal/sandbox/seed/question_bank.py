"""The bank of security questions with model answers, one data file per domain."""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from portal.sandbox.seed.shapes import Json

FOLDER = Path(__file__).parent / "questions"


@dataclass(frozen=True)
class Question:
    """One question with the parts its answer has and the model answer to each part."""

    domain: str
    text: str
    schema: Json
    values: Json


@cache
def question_bank() -> tuple[Question, ...]:
    """Read all questions, in the order of their domains."""
    return tuple(
        build_question(row, domain=path.stem)
        for path in sorted(FOLDER.glob("*.json"))
        for row in json.loads(path.read_text(encoding="utf-8"))
    )


def build_question(row: Json, *, domain: str) -> Question:
    """Turn one row of a data file into the answer parts of the platform (draft-07, flat, property per part)."""
    text_part = {"type": "string", "title": "Answer" if row["kind"] == "text" else "Explanation"}
    if row["kind"] == "text":
        properties, values = {"p1": text_part}, {"p1": row["answer"]}
    else:
        properties = {"p1": first_part(row), "p2": text_part}
        values = {"p1": row["value"], "p2": row["answer"]}
    schema = {"$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "properties": properties}
    return Question(domain=domain, text=row["question"], schema=schema, values=values)


def first_part(row: Json) -> dict[str, Any]:
    match row["kind"]:
        case "yes_no":
            return {"type": "string", "title": "Response", "enum": ["Yes", "No", "N/A"]}
        case "choice":
            return {"type": "string", "title": "Select one", "enum": row["options"]}
        case "multi":
            return {
                "type": "array",
                "title": "Select all that apply",
                "items": {"type": "string", "enum": row["options"]},
            }
        case "boolean":
            return {"type": "boolean", "title": "Confirmed"}
        case "number":
            return {"type": "number", "title": "Value"}
        case kind:
            raise ValueError(f"unknown kind of question: {kind}")
