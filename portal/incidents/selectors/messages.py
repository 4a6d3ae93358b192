"""The message to a customer: the draft that somebody has written, or what the template gives."""

import re
from dataclasses import dataclass
from urllib.parse import quote

from portal.incidents.addresses import addresses_in
from portal.incidents.formatting import moment_in
from portal.incidents.models import Draft, DraftTemplate, Incident
from portal.incidents.placeholders import DEFAULT_NAME, DEFAULT_SUBJECT, DEFAULT_TEXT, UNTITLED, fill
from portal.incidents.selectors.rows import RowShown
from portal.tenants.models import Tenant
from portal.ui.times import exact_words

MAX_LINK_LENGTH = 1800
"""Mail programs cut a longer link without a word."""


@dataclass(frozen=True)
class MessageShown:
    """A message, and where it comes from."""

    subject: str
    text: str
    template_name: str
    version: int = 0
    """Of the draft; 0: nobody has saved one."""
    draft: Draft | None = None


def template_of(incident: Incident) -> DraftTemplate | None:
    """Return what the drafts of an incident begin with; None: the built-in text."""
    return incident.template or DraftTemplate.objects.first()


def message_for(row: RowShown, tenant: Tenant, *, anew: bool = False) -> MessageShown:
    """Give the saved draft, or the template filled in; `anew`: the template in any case."""
    notice = row.notice
    draft = Draft.objects.filter(notice=notice).first()
    template = template_of(notice.incident)
    name = template.name if template else DEFAULT_NAME
    version = draft.version if draft else 0
    if draft and not anew:
        return MessageShown(draft.subject, draft.text, name, version, draft)
    values = values_for(row, tenant)
    subject, text = (template.subject, template.text) if template else (DEFAULT_SUBJECT, DEFAULT_TEXT)
    return MessageShown(" ".join(fill(subject, values).split())[:300], fill(text, values), name, version, draft)


def values_for(row: RowShown, tenant: Tenant) -> dict[str, str]:
    """What stands in the place of the placeholders for one customer."""
    notice, incident, counting = row.notice, row.notice.incident, row.counting
    zone = notice.zone or (counting.zone if counting else "")
    deadline = moment_in(notice.due_at, zone) if notice.due_at and zone else ""
    return {
        "customer": notice.customer,
        "company": tenant.name,
        # Never the team's own name for it: that may say more than a customer is to know.
        "incident": incident.public_title or UNTITLED,
        "noticed_at": moment_in(incident.noticed_at, zone) if zone else exact_words(incident.noticed_at),
        # The end of another contract's term does not say until when one without delay may be kept.
        "deadline": "without delay" if notice.is_at_once else deadline or "no agreed deadline",
        "kinds": incident.kinds_words,
        "promise": counting.promise if counting else "no agreed term",
        "contract": counting.place if counting else "no contract",
    }


def names_incident(subject: str, text: str, incident: Incident) -> bool:
    """Say whether a message has the team's own name for the incident in it, unless it is also the title for customers."""
    name = " ".join(incident.name.split()).casefold()
    if name in ("", incident.public_title.casefold()):
        return False
    message = " ".join(f"{subject} {text}".split()).casefold()
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", message) is not None


def mail_link(notify: str, message: MessageShown) -> str:
    """Write a link that opens a mail to the addresses of a customer; empty where there are none.

    The text is left out when it is too long for one.
    """
    addresses = ",".join(quote(address, safe="@") for address in addresses_in(notify))
    if not addresses:
        return ""
    short = f"mailto:{addresses}?subject={quote(message.subject)}"
    whole = f"{short}&body={quote(message.text.replace('\n', '\r\n'))}"
    return whole if len(whole) <= MAX_LINK_LENGTH else short
