"""Questionnaires, their responses and exports (specification 4.7, platform-api 4.1.1 - 4.1.6)."""

from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO, Unpack

from portal.platform_api.changes import Owner, QuestionnaireChanges, QuestionnaireFilters, QuestionnaireOrigin
from portal.platform_api.endpoints import Nothing, One, Paged, Several
from portal.platform_api.models import AssignableUser, Export, Questionnaire, Response
from portal.platform_api.paging import PAGE_SIZE, Page
from portal.platform_api.transport import Transport, Upload
from portal.platform_api.wire import spell_body, spell_form, spell_query

AREA = "questionnaires"
ROOT = "/customer-trust/questionnaires"
ONE_RESPONSE = ROOT + "/{}/responses/{}"

LIST = Paged(AREA, "list", "GET", ROOT, Questionnaire)
GET = One(AREA, "get", "GET", ROOT + "/{}", Questionnaire)
CREATE_FROM_FILE = One(AREA, "create_from_file", "POST", ROOT + "/file", Questionnaire)
CREATE_FROM_WEBSITE = One(AREA, "create_from_website", "POST", ROOT + "/website", Questionnaire)
UPDATE = One(AREA, "update", "PATCH", ROOT + "/{}", Questionnaire)
DELETE = Nothing(AREA, "delete", "DELETE", ROOT + "/{}")
APPROVE = One(AREA, "approve", "POST", ROOT + "/{}/approve", Questionnaire)
COMPLETE = One(AREA, "complete", "POST", ROOT + "/{}/complete", Questionnaire)
ASSIGNABLE_USERS = Several(AREA, "assignable_users", "GET", ROOT + "/assignable-users", AssignableUser)
EXPORT = One(AREA, "export", "POST", ROOT + "/exports", Export)
EXPORT_STATUS = One(AREA, "export_status", "GET", ROOT + "/exports/{}", Export)
LIST_RESPONSES = Paged(AREA, "list_responses", "GET", ROOT + "/{}/responses", Response)
GET_RESPONSE = One(AREA, "get_response", "GET", ONE_RESPONSE, Response)
UPDATE_RESPONSE = One(AREA, "update_response", "PATCH", ONE_RESPONSE, Response)
SET_RESPONSE_OWNER = One(AREA, "set_response_owner", "PATCH", ONE_RESPONSE + "/owner", Response)


class Responses:
    """The questions of one questionnaire with their answers."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def page(
        self, questionnaire_id: str, cursor: str | None = None, *, page_size: int = PAGE_SIZE, q: str | None = None
    ) -> Page[Response]:
        params = spell_query({"q": q})
        return LIST_RESPONSES.page(self._transport, questionnaire_id, cursor=cursor, page_size=page_size, params=params)

    def all(self, questionnaire_id: str, *, q: str | None = None) -> Iterator[Response]:
        """Walk all questions, or those whose text contains `q`."""
        return LIST_RESPONSES.all(self._transport, questionnaire_id, params=spell_query({"q": q}))

    def get(self, questionnaire_id: str, response_id: str) -> Response:
        return GET_RESPONSE(self._transport, questionnaire_id, response_id)

    def update(self, questionnaire_id: str, response_id: str, parts: Mapping[str, Any]) -> Response:
        """Set parts of an answer; parts that are not named stay, None clears one. The last writer wins."""
        body = {"answerPartsValues": dict(parts)}
        return UPDATE_RESPONSE(self._transport, questionnaire_id, response_id, json=body)

    def set_owner(self, questionnaire_id: str, response_id: str, owner: Owner | None) -> Response:
        """Give the question to a user or team (`type`, `id`), or to nobody."""
        body = {"ownerAssignment": owner}
        return SET_RESPONSE_OWNER(self._transport, questionnaire_id, response_id, json=body)


class Questionnaires:
    """Questionnaires of the tenant."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self.responses = Responses(transport)

    def page(
        self, cursor: str | None = None, *, page_size: int = PAGE_SIZE, **filters: Unpack[QuestionnaireFilters]
    ) -> Page[Questionnaire]:
        return LIST.page(self._transport, cursor=cursor, page_size=page_size, params=spell_query(filters))

    def all(self, **filters: Unpack[QuestionnaireFilters]) -> Iterator[Questionnaire]:
        """Walk all questionnaires, or those that pass every filter."""
        return LIST.all(self._transport, params=spell_query(filters))

    def get(self, questionnaire_id: str) -> Questionnaire:
        """Fetch one questionnaire. Raises NotFound once it is deleted."""
        return GET(self._transport, questionnaire_id)

    def create_from_file(
        self, file: BinaryIO, *, filename: str, display_name: str, **origin: Unpack[QuestionnaireOrigin]
    ) -> Questionnaire:
        """Hand in a file (.xlsx, .docx, .pdf). The platform works on it in machine states of its own."""
        values: dict[str, Any] = {"display_name": display_name, **origin}
        if "include_untagged_entities_for_category_ids" in origin:
            # The one list that is separated by commas here (platform-api 4.1.4).
            category_ids = ",".join(origin["include_untagged_entities_for_category_ids"])
            values["include_untagged_entities_for_category_ids"] = category_ids
        return CREATE_FROM_FILE(self._transport, form=spell_form(values), upload=Upload(filename, file))

    def create_from_website(self, *, display_name: str, url: str, **origin: Unpack[QuestionnaireOrigin]) -> Questionnaire:
        """Hand in the address of the requester's portal."""
        body = spell_body({"display_name": display_name, "url": url, **origin})
        return CREATE_FROM_WEBSITE(self._transport, json=body)

    def update(self, questionnaire_id: str, **changes: Unpack[QuestionnaireChanges]) -> Questionnaire:
        """Change what is named; None clears. APPROVED and COMPLETE are reached by `approve` and `complete` only."""
        return UPDATE(self._transport, questionnaire_id, json=spell_body(changes))

    def delete(self, questionnaire_id: str) -> None:
        DELETE(self._transport, questionnaire_id)

    def approve(self, questionnaire_id: str, *, message: str = "") -> Questionnaire:
        """Approve; the message goes into the status log."""
        body = {"statusChangeMessage": message} if message else {}
        return APPROVE(self._transport, questionnaire_id, json=body)

    def complete(self, questionnaire_id: str, *, sync_to_answer_library: bool = True) -> Questionnaire:
        """Complete, and copy approved answers into the answer library unless told not to."""
        body = {"shouldSyncApprovedToAnswerLibrary": sync_to_answer_library}
        return COMPLETE(self._transport, questionnaire_id, json=body)

    def assignable_users(self, *, role: str | None = None, q: str | None = None) -> list[AssignableUser]:
        """List who can be `owner` or `approver`; teams are not listed anywhere."""
        return ASSIGNABLE_USERS(self._transport, params=spell_query({"role": role, "q": q}))

    def export(self, questionnaire_id: str, format: str) -> Export:  # noqa: A002 - the platform's word
        """Start an export, `original` or `csv`. Every call starts another one."""
        return EXPORT(self._transport, json={"questionnaireId": questionnaire_id, "format": format})

    def export_status(self, export_id: str) -> Export:
        """Look at an export; a completed one gets a fresh `download_url` each time (platform-api 7.7)."""
        return EXPORT_STATUS(self._transport, export_id)
