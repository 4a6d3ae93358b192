"""The words that no page and no mail says: the house's own English of before, each beside what the field says."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.house.test_source import PORTAL, ROOT, named, parsed

pytestmark = pytest.mark.once
COMMENTS = re.compile(r"\{#.*?#\}|<(?:script|style)\b.*?</(?:script|style)>", re.DOTALL)
BANNED = {
    r"\be-mail\b|\bmail address\b|(?<![-\w])(?<!free )mail domains?\b": "email, email domain",
    r"\bTrust Center(?:'s)? (?-i:ID)\b|\b(?-i:ID) of (?:your|the|a) Trust Center\b": "Trust Center id",
    r"\bput away\b": "dismissed",
    r"\bTrust documents\b": "tags",
    r"\bby no person\b|\bnobody named\b|\bnobody yet\b": "unassigned",
    r"\bcompared, nothing missed\b": "in sync",
    r"\bsign-ins the platform allows\b": "token budget",
    r"\banswers that say another thing\b|\bdifferent answers\b|\bother answers\b": "inconsistent answers, contradictions",
    r"\bUntil when\b|\bthey need not be told\b": "notice period, no notice needed",
    r"\bEasier than ours\b": "looser than our standard",
    r"\bWhat no event told\b|\bNot for us\b": "changes the webhooks missed, ignored",
    r"\bLook at it\b|\bNote it\b|\bTake it in\b": "preview, save, create",
    r"\bPeople with access\b|\bReview of access\b|\bWhose access ends when\b": "viewers, access review, access expirations",
    r"\bleave it suggesting\b|\bact by itself\b": "keep as suggestion, auto-approve",
    r"\bTaking out the questions\b|\bIt waits for its turn\b": "extracting questions, queued",
    r"\bby themselves\b|\bby itself\b": "automatically",
    r"\breviewer would stumble\b": "before you hand over",
    r"\ball the same\b": "anyway",
    r"\bnothing has left\b|\buntil then nothing of them\b": "sending … in 29 s",
    r"\bleave(?:s|\{\{[^}]*\}\})? (?:in\b|\{% include \S*_countdown)": "sending … in 29 s",
    r"\b(?:decision|denial|approval|it|this|they|them) (?:has |has not |hasn't )?left\b": "was sent",
    r"\bcame to nothing\b": "didn't go through",
    r"\bLook twice at\b|\bLook at all\b": "check first, show all",
    r"\bWould have got in\b|\bas kept then\b": "would approve, facts at the time",
    r"\bWhen all of this holds\b|\bdoes not matter\b": "if all of these match, any",
    r"\bSet the end\b|\b(?-i:Shrink)\b": "change expiry, reduce access",
    r"\bopen no document any more\b": "they lose access immediately",
    r"\bSomebody on the platform\b|\bwithout a login\b": "teammate, someone outside",
    r"\bAnswer until\b|\bThe link lives\b": "due, link expires after",
    r"\bPut it into the form\b|\bTaken over or put aside\b|\bput aside\b": "use this answer, dismissed",
    r"\bWritten by the platform\b|\bWas in the questionnaire\b": "platform draft, prefilled",
    r"\bMake an address\b|\bMake the first rule\b": "create calendar link, create rule",
    r"\bYour word is needed\b": "decision needed",
    r"\bno running business\b": "we don't currently have a relationship with your company",
    r"\bIt is now:": "the thing's name and its state",
    r"\bis let in as\b": "invitation sent to",
    r"\bit reads everything, changes nothing\b|\bneeds the role\b": "you can read everything but change nothing",
    r"\bholds no longer\b|\bholds again\b": "end commitment, commitment reopened",
    r"\bDone here: Nothing\b": "history",
    r"\bHand the document in\b": "upload the PDF for text search",
    r"\bWhose contracts they are\b|\bOf all of them\b": "customer, applies to all files",
    r"\buntil somebody makes it anew\b": "rebuild it if facts change",
    r"\bWhat the desks know\b|\bApproved either way\b": "activity, any approval",
    r"\btakes no change\b": "read-only through the API",
    r"\bUsed anywhere or not\b|\bAnything looked at\b|\bAny end\b(?! date)": "any use, all content, any end date",
    r"\bRemember Me\b|\bConfirm Email Address\b|\bActivate Authenticator App\b": "sentence case",
}


def said_by_templates() -> Iterator[tuple[str, str]]:
    """Yield what each template says, also in the words that its tags hand on."""
    for path in sorted((ROOT / "templates").rglob("*.*")):
        if path.suffix in (".html", ".txt"):
            yield named(path), COMMENTS.sub(" ", path.read_text())


def said_by_code() -> Iterator[tuple[str, str]]:
    """Yield the texts of each module: every string that is no docstring."""
    for path in sorted(PORTAL.rglob("*.py")):
        if "migrations" not in path.parts:
            yield named(path), "\n".join(strings(path))


def strings(path: Path) -> Iterator[str]:
    tree = parsed(path)
    alone = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in alone:
            yield node.value


def faults_of(place: str, text: str) -> list[str]:
    found = ((each, better) for words, better in BANNED.items() for each in re.finditer(words, text, re.IGNORECASE))
    return [f"{place}: {each[0]!r}, say: {better}" for each, better in found]


@pytest.mark.parametrize("said", [said_by_templates, said_by_code], ids=["templates", "code"])
def test_no_page_and_no_mail_says_it(said):
    assert [fault for place, text in said() for fault in faults_of(place, text)] == []


def test_a_banned_phrase_is_found():
    assert faults_of("page", "They appear here by themselves.") == ["page: 'by themselves', say: automatically"]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("It is kept UNTIL WHEN notice is due.", 1),
        ("Search by name or mail domain. Mail domains of visitors. Mail Address", 3),
        ("Only free-mail domains; an email domain; a free mail domain; /mail-domain/", 0),
        ("Enter the Trust Center ID. The ID of your Trust Center is missing.", 2),
        ("Enter the Trust Center id.", 0),
        ("2 leave in 29 s. It has left. The denial left.", 3),
        ('{{ n }} leave{{ n|pluralize:"s," }} {% include "access_requests/_countdown.html" %}, before this left', 2),
        ("The platform has left the date out.", 0),
        ("Shrink… is a label, viewer.shrink is a name.", 1),
    ],
)
def test_a_phrase_is_banned_in_capitals_too_and_nothing_beside_it(text, number):
    assert len(faults_of("page", text)) == number
