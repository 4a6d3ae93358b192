"""Updates of the Trust Center and the mails about them (platform-api 4.5.9)."""

from portal.sandbox.api.errors import Invalid, unprocessable
from portal.sandbox.api.handlers import creating, deleting, reading, updating
from portal.sandbox.api.lists import listing
from portal.sandbox.api.route import Call, Route
from portal.sandbox.api.trust_center.settings import PATH as TRUST_CENTER
from portal.sandbox.kinds.showcase import UPDATE_CATEGORIES, VISIBILITIES
from portal.sandbox.schemas import INTEGER, NAME, STRING, array, closed, one_of, record, reference
from portal.sandbox.store import Json

KIND = "updates"
MAX_RECIPIENTS = 5000
ALL, GROUPS = "ALL", "GROUPS"
GROUP_IDS = array(reference("subscriber-groups"))
FIELDS: Json = {
    "title": NAME,
    "description": NAME,
    "category": one_of(*UPDATE_CATEGORIES),
    "visibilityType": VISIBILITIES,
}
CREATE = closed(
    required=["title", "description", "category"],
    **FIELDS,
    notifiedEmails=array(STRING),
    notificationTarget=one_of(ALL, GROUPS, "NONE"),
    subscriberGroupIds=GROUP_IDS,
)
PATCH = closed(required=["title", "description", "category"], **FIELDS)
FILTER = closed(
    required=["label", "value"], label=NAME, value={"anyOf": [STRING, array(STRING, maxItems=MAX_RECIPIENTS)]}
)  # fmt: skip
TAGS = closed(required=["categoryId", "tagIds"], categoryId=NAME, tagIds=array(STRING, maxItems=MAX_RECIPIENTS))
NOTIFY = closed(
    required=["emails", "subscriberGroupIds"],
    emails=array(STRING, maxItems=10),
    subscriberGroupIds=GROUP_IDS | {"maxItems": 10},
    customerTrustAccounts=closed(customFieldsFilter=array(FILTER, maxItems=10), tagsByCategory=array(TAGS, maxItems=10)),
)


def first_recipients(call: Call) -> Json:
    """Say who hears of a new update. Raises Invalid when groups are meant and none is named."""
    target, named = call.body.get("notificationTarget"), call.body.get("notifiedEmails", [])
    groups = call.body.get("subscriberGroupIds", [])
    if target == GROUPS and not groups:
        raise Invalid.at("body.subscriberGroupIds", "'subscriberGroupIds' is required")
    reached = everybody(call) if target == ALL else of_groups(call, groups) if target == GROUPS else []
    return {"notifiedEmails": merged(named, reached)}


def notify_all(call: Call) -> None:
    notify(call, everybody(call))


def notify_some(call: Call) -> Json:
    recipients = merged(call.body["emails"], of_groups(call, call.body["subscriberGroupIds"]))
    if "customerTrustAccounts" in call.body:
        recipients = merged(recipients, of_accounts(call, call.body["customerTrustAccounts"]))
    notify(call, recipients)
    return {"recipientCount": len(recipients)}


def notify(call: Call, recipients: list[str]) -> None:
    if len(recipients) > MAX_RECIPIENTS:
        raise unprocessable(f"An update can be sent to {MAX_RECIPIENTS} recipients at most")
    known = call.object.get("notifiedEmails", [])
    call.sandbox.objects.save(call.tenant.id, KIND, call.object | {"notifiedEmails": merged(known, recipients)})


def merged(*addresses: list[str]) -> list[str]:
    return [*dict.fromkeys(address for each in addresses for address in each)]


def everybody(call: Call) -> list[str]:
    return [each["email"] for each in call.sandbox.objects.all(call.tenant.id, "subscribers")]


def of_groups(call: Call, group_ids: list[str]) -> list[str]:
    subscribers = call.sandbox.objects.all(call.tenant.id, "subscribers")
    return [each["email"] for each in subscribers if {group["id"] for group in each["groups"]} & set(group_ids)]


def of_accounts(call: Call, wanted: Json) -> list[str]:
    """Return the subscribers of the accounts that have all the fields and a tag of every category; of none for no wish."""
    if not any(wanted.values()):
        return []
    accounts = {each["id"] for each in call.sandbox.objects.all(call.tenant.id, "accounts") if fits(each, wanted)}
    subscribers = call.sandbox.objects.all(call.tenant.id, "subscribers")
    return [each["email"] for each in subscribers if each["customerTrustAccountId"] in accounts]


def fits(account: Json, wanted: Json) -> bool:
    tags = {entry["categoryId"]: set(entry["tagIds"]) for entry in account["tagsByCategory"]}
    fields = {field["label"]: field["value"] for field in account["customFields"]}
    return all(has(fields, field) for field in wanted.get("customFieldsFilter", [])) and all(
        tags.get(entry["categoryId"], set()) & set(entry["tagIds"]) for entry in wanted.get("tagsByCategory", [])
    )


def has(fields: Json, wanted: Json) -> bool:
    """Say whether a field has one of the wanted values, by itself or among others."""
    return bool(values_in(fields.get(wanted["label"])) & values_in(wanted["value"]))


def values_in(value: list[str] | str | None) -> set[str]:
    return set() if value is None else {value} if isinstance(value, str) else {*value}


PATH = f"{TRUST_CENTER}/updates"
ONE = f"{PATH}/<update_id>"
ROUTES = (
    Route("GET", PATH, listing(KIND)),
    Route("POST", PATH, creating(KIND, fill=first_recipients), body=CREATE, status=201),
    Route("GET", ONE, reading(KIND)),
    Route("PATCH", ONE, updating(KIND), body=PATCH),
    Route("DELETE", ONE, deleting(KIND), status=204),
    Route("POST", f"{ONE}/notify-all-subscribers", notify_all, status=204, refusals=(422,)),
    Route("POST", f"{ONE}/notify-specific-subscribers", notify_some, body=NOTIFY, answer=record(recipientCount=INTEGER)),
)
