"""Questions and answers of the questionnaires (platform-api 4.1.6), made when they are asked for.

Ten thousand questionnaires have a million answers; keeping them all in memory at once would cost gigabytes.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random

from portal.sandbox.seed.cast import Cast
from portal.sandbox.seed.question_bank import Question, question_bank
from portal.sandbox.seed.shapes import Json, actor, assignment, new_id, pick
from portal.sandbox.seed.stages import NOTHING_EXTRACTED, PROGRESS, Progress

REMARKS = (
    "Evidence is available in our Trust Center.",
    "Please contact us if you need more detail.",
    "This was confirmed in our last external audit.",
    "A copy can be shared under NDA.",
)
EVIDENCE = (
    "SOC-2-Type-II-2026.pdf",
    "ISO-27001-certificate.pdf",
    "Penetration-test-summary-2026.pdf",
    "Network-diagram.pdf",
)


class Responses(Mapping[str, list[Json]]):
    """All responses by questionnaire id, the same ones each time the same questionnaire is asked for."""

    def __init__(self, cast: Cast, questionnaires: list[Json], *, per_questionnaire: int | None) -> None:
        self._cast = cast
        self._statuses = {
            questionnaire["id"]: (number, questionnaire["status"]) for number, questionnaire in enumerate(questionnaires)
        }
        self._per_questionnaire = per_questionnaire

    def __getitem__(self, questionnaire_id: str) -> list[Json]:
        number, status = self._statuses[questionnaire_id]
        content = self._cast.content(f"responses/{number}")
        progress = PROGRESS.get(status, NOTHING_EXTRACTED)
        count = self._per_questionnaire
        if count is None:
            count = round(typical_count(content) * progress.extracted)
        elif not progress.extracted:
            progress = Progress()
        author = Author(
            self._cast, progress=progress, content=content, identifiers=self._cast.identifiers(f"responses/{number}")
        )
        return author.write(count)

    def __iter__(self) -> Iterator[str]:
        return iter(self._statuses)

    def __len__(self) -> int:
        return len(self._statuses)


def typical_count(content: Random) -> int:
    """Choose how many questions a questionnaire has: most have around a hundred, a few have three hundred."""
    return round(content.triangular(30, 300, 75))


def choose_questions(count: int, *, content: Random) -> list[Question]:
    """Choose so many questions, kept together by domain. Past the size of the bank they come round again."""
    bank = question_bank()
    laps, rest = divmod(count, len(bank))
    chosen = sorted(content.sample(range(len(bank)), k=rest))
    return [*bank] * laps + [bank[position] for position in chosen]


@dataclass
class Author:
    """Writes the responses of one questionnaire."""

    cast: Cast
    progress: Progress
    content: Random
    identifiers: Random

    def write(self, count: int) -> list[Json]:
        responses: list[Json] = []
        section, position, domain, section_id = 0, 0, "", ""
        for question in choose_questions(count, content=self.content):
            if question.domain != domain:
                section, position, domain, section_id = section + 1, 0, question.domain, new_id(self.identifiers)
            position += 1
            responses.append(self.respond(question, section_id=section_id, label=f"{section}.{position}"))
        return responses

    def respond(self, question: Question, *, section_id: str, label: str) -> Json:
        response: Json = {
            "id": new_id(self.identifiers),
            "question": question.text,
            "isPendingAnswerGeneration": False,
            "ownerAssignment": None,
            "sectionId": section_id,
            "sequenceLabel": label,
            "answerPartsSchema": question.schema,
            "editedBy": None,
            "approvedBy": None,
        }
        if self.content.random() < self.progress.answered:
            self.answer(response, question=question)
            return response
        response["answerPartsValues"] = dict.fromkeys(question.values)
        response["isPendingAnswerGeneration"] = self.content.random() < self.progress.pending / (1.001 - self.progress.answered)
        if self.content.random() < 0.4:
            response["ownerAssignment"] = assignment(self.content.choice(self.cast.active_users))
        return response

    def answer(self, response: Json, *, question: Question) -> None:
        """Fill in an answer, who wrote it, and perhaps who approved it."""
        origin = pick(
            self.content,
            (50, "AI"),
            (25, "ANSWER_LIBRARY"),
            (15, "MANUAL"),
            (6, "RESOURCE"),
            (4, "ORIGINAL_QUESTIONNAIRE"),
        )
        values = dict(question.values)
        if origin == "MANUAL":
            last_part = list(values)[-1]
            values[last_part] = f"{values[last_part]} {self.content.choice(REMARKS)}"
            response["editedBy"] = self.person()
        response["answerPartsValues"] = values
        response["originType"] = origin
        if origin == "AI":
            response["generatedAnswerLogId"] = new_id(self.identifiers)
        if self.content.random() < self.progress.approved:
            response["approvedBy"] = self.person()
        if self.content.random() < 0.06:
            response["attachedEvidence"] = [self.evidence()]
        if self.content.random() < 0.15:
            response["ownerAssignment"] = assignment(self.content.choice(self.cast.active_users))

    def person(self) -> Json:
        return actor(self.content.choice(self.cast.active_users), organization_id=self.cast.organization_id)

    def evidence(self) -> Json:
        filename = self.content.choice(EVIDENCE)
        document = {"id": new_id(self.identifiers), "slugId": filename.rsplit(".", 1)[0].lower(), "filename": filename}
        return {"uploadedDocument": document}
