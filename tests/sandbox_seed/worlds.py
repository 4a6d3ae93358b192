"""Made-up worlds for the tests of this room."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from portal.sandbox.seed import World, build_world
from tests.sandbox_seed.shapes import SHAPES

NOW = datetime(2026, 11, 21, 6, tzinfo=UTC)


def world(**changes: Any) -> World:
    arguments: dict[str, Any] = {
        "name": "Acme", "region": "us", "now": NOW, "seed": 7, "questionnaires": 60,
        "responses_per_questionnaire": None, "access_requests": 25, "viewers": 120, "contracts": 40,
    }  # fmt: skip
    return build_world(**(arguments | changes))


def objects(made: World) -> Iterator[tuple[str, dict[str, Any]]]:
    for kind in SHAPES:
        if kind == "responses":
            yield from (("responses", response) for responses in made.responses.values() for response in responses)
        else:
            yield from ((kind, item) for item in getattr(made, kind))


def as_text(made: World) -> str:
    return json.dumps([made.slug_id, list(objects(made))], ensure_ascii=False)


def parse(text: str) -> datetime:
    return datetime.fromisoformat(text)
