"""Questionnaires, their responses and exports (specification 4.7, platform-api 4.1.1 - 4.1.6)."""

from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO, Unpack

from portal.platform_api.bodies.common import Owner
from portal.platform_api.bodies.customer_trust import QuestionnaireChanges, QuestionnaireFilters, QuestionnaireOrigin
from portal.platform_api.endpoints import SEED, Area, endpoint, paged
from portal.platform_api.models import AssignableUser, Export, Questionnaire, Response


class Responses(Area):
    """The questions of one questionnaire with their answers."""

    name = "questionnaires.responses"
    root = "/customer-trust/questionnaires/{questionnaire_id}/responses"

    @paged(origin=SEED)
    def all(self, questionnaire_id: str, *, q: str | None = None) -> Iterator[Response]:
        """Walk all questions, or those whose text contains `q`."""

    @endpoint("GET", "/{response_id}", origin=SEED)
    def get(self, questionnaire_id: str, response_id: str) -> Response:
        """Fetch one question with its answer."""

    @endpoint("PATCH", "/{response_id}", origin=SEED, names={"parts": "answerPartsValues"})
    def update(self, questionnaire_id: str, response_id: str, parts: Mapping[str, Any]) -> Response:
        """Set parts of an answer; parts that are not named stay, None clears one. The last writer wins."""

    @endpoint("PATCH", "/{response_id}/owner", origin=SEED, names={"owner": "ownerAssignment"})
    def set_owner(self, questionnaire_id: str, response_id: str, owner: Owner | None) -> Response:
        """Give the question to a user or team (`type`, `id`), or to nobody."""


class Exports(Area):
    """Questionnaires as files."""

    name = "questionnaires.exports"
    root = "/customer-trust/questionnaires/exports"

    @endpoint("POST")
    def start(self, questionnaire_id: str, format: str) -> Export:  # noqa: A002 - the platform's word
        """Start an export, `original` or `csv`. Every call starts another one."""

    @endpoint("GET", "/{export_id}")
    def get(self, export_id: str) -> Export:
        """Look at an export; a completed one gets a fresh `download_url` each time (platform-api 7.7)."""


class Questionnaires(Area):
    """Questionnaires of the tenant."""

    name = "questionnaires"
    root = "/customer-trust/questionnaires"
    responses: Responses
    exports: Exports

    @paged(origin=SEED)
    def all(self, **filters: Unpack[QuestionnaireFilters]) -> Iterator[Questionnaire]:
        """Walk all questionnaires, or those that pass every filter."""

    @endpoint("GET", "/{questionnaire_id}")
    def get(self, questionnaire_id: str) -> Questionnaire:
        """Fetch one questionnaire. Raises NotFound once it is deleted."""

    @endpoint("POST", "/file", is_form=True)
    def create_from_file(
        self, file: BinaryIO, *, filename: str, display_name: str, **origin: Unpack[QuestionnaireOrigin]
    ) -> Questionnaire:
        """Hand in a file (.xlsx, .docx, .pdf). The platform works on it in machine states of its own."""

    @endpoint("POST", "/website")
    def create_from_website(self, *, display_name: str, url: str, **origin: Unpack[QuestionnaireOrigin]) -> Questionnaire:
        """Hand in the address of the requester's portal."""

    @endpoint("PATCH", "/{questionnaire_id}")
    def update(self, questionnaire_id: str, **changes: Unpack[QuestionnaireChanges]) -> Questionnaire:
        """Change what is named; None clears. APPROVED and COMPLETE are reached by `approve` and `complete` only."""

    @endpoint("DELETE", "/{questionnaire_id}")
    def delete(self, questionnaire_id: str) -> None:
        """Delete a questionnaire with its responses."""

    @endpoint("POST", "/{questionnaire_id}/approve", names={"message": "statusChangeMessage"})
    def approve(self, questionnaire_id: str, *, message: str = ...) -> Questionnaire:
        """Approve; the message goes into the status log."""

    @endpoint("POST", "/{questionnaire_id}/complete", names={"sync_to_answer_library": "shouldSyncApprovedToAnswerLibrary"})
    def complete(self, questionnaire_id: str, *, sync_to_answer_library: bool = ...) -> Questionnaire:
        """Complete, and copy approved answers into the answer library unless told not to."""

    @endpoint("GET", "/assignable-users")
    def assignable_users(self, *, role: str | None = None, q: str | None = None) -> list[AssignableUser]:
        """List who can be `owner` or `approver`; teams are not listed anywhere."""
