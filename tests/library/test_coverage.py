"""What was asked and has no entry: counted by the writes that store questions, judged in the background, shown by theme."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from portal.lib.text_keys import key_of
from portal.library import asked
from portal.library.asked import Answer, Desk, Question
from portal.library.lexicon import lexicon
from portal.library.models import Coverage, Gap, Wording
from portal.library.services import compare, comparison, delete_entry, note_asked, note_wordings, tenants_to_compare
from portal.library.terms import terms_of
from portal.library.themes import FILE, theme_of, theme_titles, themes
from tests.library.conftest import PAGE

pytestmark = pytest.mark.both

MFA = "Is multi-factor authentication required for employees?"
MFA_TOO = "For employees, is multi-factor authentication required?"
BACKUPS = "How long are backups of customer data kept?"


@pytest.fixture
def ask(scoped, monkeypatch):
    """Have questionnaires ask questions; their desk knows them by a running number."""
    texts: dict[int, str] = {}

    def questions(ids, slug):
        return {key: Question(text=texts[key], title="SIG", url=f"/t/{slug}/q/{key}/") for key in ids if key in texts}

    def last_answered(keys, slug):
        return {
            key: Question(text=MFA, title="CAIQ", url=f"/t/{slug}/a/", answer="With keys.")
            for key in keys
            if key == key_of(MFA)
        }

    def approved(keys):
        return Answer(short="Yes", text="With keys.") if key_of(MFA) in keys else None

    monkeypatch.setattr(asked, "_desks", [Desk(questions=questions, last_answered=last_answered, approved_answer=approved)])

    def note(questionnaire: int, *asked_questions: str, days_ago: int = 1) -> None:
        new = {len(texts) + place + 1: text for place, text in enumerate(asked_questions)}
        texts.update(new)
        note_wordings(new.values())
        keys = {number: key_of(text) for number, text in new.items()}
        note_asked(keys, object_id=questionnaire, at=timezone.now() - timedelta(days=days_ago))

    return note


def gaps() -> dict[str, tuple[int, int, int]]:
    while compare():
        pass
    rows = Gap.objects.select_related("wording")
    return {row.theme: (row.asked_count, row.questionnaire_count, row.wording_count) for row in rows}


def test_questions_without_an_entry_are_listed_by_theme_and_alike_ones_as_one(ask, owner):
    ask(1, MFA, BACKUPS)
    ask(2, MFA, MFA_TOO)
    assert gaps() == {"access": (3, 2, 2), "continuity": (1, 1, 1)}
    counted = Coverage.objects.get()
    assert (counted.asked_count, counted.covered_count, counted.waiting_count) == (3, 0, 0)
    assert counted.gaps == {"access": 1, "continuity": 1}


def test_an_entry_takes_a_question_off_the_list_and_its_deletion_brings_it_back(ask, add, owner):
    ask(1, MFA, MFA_TOO, BACKUPS)
    assert gaps().keys() == {"access", "continuity"}
    entry = add(MFA, "Yes, with keys.")
    assert gaps().keys() == {"continuity"}
    assert Coverage.objects.get().covered_count == 2
    assert Wording.objects.get(key=key_of(MFA)).best_entry == entry
    delete_entry(entry, member=owner)
    assert gaps().keys() == {"access", "continuity"}


def test_an_entry_reaches_more_wordings_than_a_search_finds(ask, add, monkeypatch):
    ask(1, *(f"{MFA} ({number} of 9)" for number in range(9)))
    assert sum(wordings for _, _, wordings in gaps().values()) == 9
    monkeypatch.setattr("portal.library.similarity.CANDIDATES", 3)
    add(MFA, "Yes, with keys.")
    assert gaps() == {}


def test_what_becomes_stale_while_it_is_judged_is_judged_once_more(ask, add, monkeypatch):
    ask(1, MFA)
    seen = Wording.objects.get(key=key_of(MFA))
    later = timezone.now() + timedelta(minutes=1)
    found = comparison.find_entries

    def meanwhile(*args, **kwargs):
        Wording.objects.filter(pk=seen.pk).update(stale_since=later)
        return found(*args, **kwargs)

    monkeypatch.setattr(comparison, "find_entries", meanwhile)
    comparison.judge(seen)
    assert Wording.objects.get(pk=seen.pk).stale_since == later


def test_the_background_work_stops_when_its_time_is_over_and_knows_what_is_left(ask, scoped):
    ask(1, MFA, BACKUPS)
    assert tenants_to_compare() == [scoped.pk]
    assert compare(seconds=0) is True
    assert Coverage.objects.get().waiting_count == 1
    assert compare() is False
    assert tenants_to_compare() == []


def test_only_the_last_year_counts_for_the_share(ask, add):
    add(BACKUPS, "35 days.")
    ask(1, MFA, days_ago=400)
    ask(2, BACKUPS)
    gaps()
    assert Coverage.objects.get().percent == 100
    assert Gap.objects.count() == 1


def test_the_page_of_a_library_that_nobody_has_asked_says_so_until_a_question_waits(client, ask, owner):
    comparison.count_coverage()
    client.force_login(owner.user)
    assert b"No questions in the last year" in client.get(f"{PAGE}coverage/").content
    ask(1, BACKUPS)
    comparison.count_coverage()
    page = client.get(f"{PAGE}coverage/").content
    assert b"No questions in the last year" not in page
    assert b"being compared" in page


@pytest.mark.usefixtures("within_a_minute")
def test_the_page_costs_the_same_however_much_was_asked(client, ask, owner):
    ask(1, MFA, BACKUPS)
    gaps()
    client.get(f"{PAGE}coverage/")
    with CaptureQueriesContext(connection) as few:
        page = client.get(f"{PAGE}coverage/")
    assert [line.gap.theme for line in page.context["lines"]] == ["access", "continuity"]
    assert page.context["lines"][0].answered.answer == "With keys."
    topics = ("firewalls", "penetration tests", "subprocessors", "carbon emissions", "data retention", "key rotation")
    topics += ("phishing", "visitors", "SBOM")
    ask(2, *(f"Tell of {one} and of {other}." for one in topics for other in topics if one != other))
    gaps()
    client.get(f"{PAGE}coverage/")
    with CaptureQueriesContext(connection) as many:
        page = client.get(f"{PAGE}coverage/")
    assert len(page.context["lines"]) == 25
    assert len(many) == len(few)
    narrowed = client.get(f"{PAGE}coverage/?theme=access")
    assert {line.gap.theme for line in narrowed.context["lines"]} == {"access"}
    tabs = {tab["label"]: tab["count"] for tab in client.get(PAGE).context["pages"]}
    assert tabs["Coverage"] == Gap.objects.count()


def test_the_form_of_a_new_entry_begins_with_the_question_and_its_approved_answer(client, ask, owner):
    ask(1, MFA, MFA)
    ask(2, MFA_TOO)
    gaps()
    gap = Gap.objects.get()
    form = client.get(f"{PAGE}new/?gap={gap.pk}").context["form"]
    assert {name: form.initial[name] for name in ("question", "variants", "short", "text", "owner")} == {
        "question": MFA,
        "variants": MFA_TOO,
        "short": "Yes",
        "text": "With keys.",
        "owner": owner.user_id,
    }
    for key in ("99999", "x", "9" * 30, ""):
        assert "question" not in client.get(f"{PAGE}new/?gap={key}").context["form"].initial


def test_s1_another_tenant_sees_none_of_it(client, ask, mallory, globex):
    ask(1, MFA)
    gaps()
    client.force_login(mallory)
    assert client.get(f"{PAGE}coverage/").status_code == 404
    page = client.get("/t/globex/library/coverage/")
    assert (page.context["coverage"], page.context["lines"]) == (None, [])
    form = client.get(f"/t/globex/library/new/?gap={Gap.objects.values_list('pk', flat=True).get()}").context["form"]
    assert "question" not in form.initial


def test_every_concept_of_the_lexicon_that_is_in_a_theme_is_known_and_stands_in_one():
    named = [each.strip() for line in lines_of_themes() for each in line.partition(":")[2].split("|")]
    assert len(named) == len({*named}) == len(themes().of_concept)
    assert {f"@{name}" for name in named} <= {*lexicon().phrases.values()}
    assert len(theme_titles()) > 20
    assert theme_of(terms_of("Which colors do you like?")) == "other"


def lines_of_themes() -> list[str]:
    return [line for line in FILE.read_text().splitlines() if line and not line.startswith("#")]
