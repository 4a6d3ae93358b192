"""Who was asked about a question, and who can be."""

from collections.abc import Mapping
from typing import Any

from portal.questionnaires.models import Assignment, ExpertLink, Questionnaire, Response

MAX_TEAMS = 200
MAX_LINKS = 20


def teams_of(questionnaire: Questionnaire) -> list[tuple[str, str]]:
    """The teams that own something in a questionnaire: the platform lists teams nowhere (platform-api 4.1.4)."""
    rows = Response.objects.present().filter(questionnaire=questionnaire, payload__ownerAssignment__type="Team")
    return list(rows.order_by("owner_name").values_list("owner_id", "owner_name").distinct()[:MAX_TEAMS])


def asked_about(response: Response) -> dict[str, Any]:
    """Who was asked about a question: its owner with what was said, and the experts with what they answered."""
    assignment = Assignment.objects.filter(response=response, owner_id=response.owner_id).first() if response.owner_id else None
    links = ExpertLink.objects.filter(response=response)[:MAX_LINKS]
    return {"assignment": assignment, "links": [(link, in_words(response, link.values)) for link in links]}


def in_words(response: Response, values: Mapping[str, Any]) -> list[tuple[str, str]]:
    """An expert's answer as people read it: the label of each part that they filled in, and the text."""
    answer = response.answer
    parts = [(answer.part(part_id), value) for part_id, value in values.items()]
    return [(part.label, part.read(value)) for part, value in parts]
