"""FAQs and their categories: added once, changed, deleted; a lost answer never makes two of one."""

import pytest
from django.utils import timezone

from portal.audit.models import Entry
from portal.tenants.models import Role
from portal.tenants.scope import tenant_scope
from portal.trust_center.models import Faq, FaqCategory
from portal.trust_center.search_hits import faq_url
from tests.support.refusers import opened
from tests.trust_center.conftest import CALL, PAGE

FAQS, CATEGORIES = f"{PAGE}faqs/", f"{PAGE}faqs/categories/"
ASKED = {"question": "Do you encrypt backups?", "answer": "Yes.", "category": ""}


def asking(desk, question: str = ASKED["question"]) -> list[dict]:
    return [found for found in desk.there("faqs").values() if found["question"] == question]


def category_url(row: FaqCategory, verb: str) -> str:
    return f"{CATEGORIES}{faq_url('acme', row.platform_id).rpartition('faqs/')[2]}{verb}/"


def seen_in(client, page: str) -> str:
    return client.get(f"{page}edit/").context["form"].version


def test_a_faq_is_added_changed_and_deleted_on_the_platform(client, desk, member):
    analyst = member(Role.ANALYST)
    client.force_login(analyst)
    category = FaqCategory.objects.all()[0]
    added = client.post(f"{FAQS}new/", ASKED | {"category": category.platform_id})
    [there] = asking(desk)
    assert added["Location"] == faq_url("acme", there["id"])
    assert there["category"]["id"] == category.platform_id
    row = Faq.objects.get(platform_id=there["id"])
    assert (row.answer, row.category_id, row.category_name) == ("Yes.", category.platform_id, category.name)
    page = faq_url("acme", row.platform_id)
    client.post(f"{page}edit/", ASKED | {"answer": "Yes, with AES-256.", "seen": seen_in(client, page)})
    row.refresh_from_db()
    assert (row.answer, row.category_id) == ("Yes, with AES-256.", "")
    assert asking(desk)[0]["category"] is None
    assert client.post(f"{page}delete/")["Location"] == FAQS
    assert asking(desk) == []
    assert Faq.objects.get(pk=row.pk).gone_at
    assert client.get(page).status_code == 200, "what it was can still be read"
    done = Entry.objects.filter(target_id=row.platform_id, actor=analyst).order_by("pk")
    assert list(done.values_list("action", flat=True)) == ["faq.add", "faq.change", "faq.delete"]


def test_w2_what_somebody_else_has_made_of_a_faq_is_shown_before_it_is_replaced(client, owner, desk):
    row = Faq.objects.all()[0]
    page = faq_url("acme", row.platform_id)
    mine = {"question": row.question, "answer": "Mine.", "category": row.category_id, "seen": seen_in(client, page)}
    desk.objects.save(desk.tenant_id, "faqs", desk.there("faqs")[row.platform_id] | {"answer": "Theirs."})
    shown = client.post(f"{page}edit/", mine)
    assert shown.status_code == 422
    assert "Theirs." in shown.content.decode()
    assert shown.context["form"]["answer"].value() == "Mine."
    assert desk.there("faqs")[row.platform_id]["answer"] == "Theirs."
    assert client.post(f"{page}edit/", mine | {"seen": shown.context["form"]["seen"].value()}).status_code == 302
    assert desk.there("faqs")[row.platform_id]["answer"] == "Mine."


def test_line_breaks_of_a_browser_are_no_change(client, owner, desk):
    row = Faq.objects.all()[0]
    desk.change("faqs", row.platform_id, answer="One.\nTwo.")
    desk.compare()
    page = faq_url("acme", row.platform_id)
    sent = {"question": row.question, "answer": "One.\r\nTwo.", "category": row.category_id, "seen": seen_in(client, page)}
    assert "No changes, so nothing was sent" in client.post(f"{page}edit/", sent, follow=True).content.decode()
    client.post(f"{page}edit/", sent | {"answer": "One.\r\nThree."})
    assert desk.there("faqs")[row.platform_id]["answer"] == "One.\nThree."


def test_w2_what_was_typed_stays_when_the_faq_is_gone_meanwhile(client, owner, desk):
    row = Faq.objects.all()[0]
    page = faq_url("acme", row.platform_id)
    mine = ASKED | {"answer": "Mine.", "seen": seen_in(client, page)}
    desk.objects.delete(desk.tenant_id, "faqs", row.platform_id)
    Faq.objects.filter(pk=row.pk).update(gone_at=timezone.now())
    answer = client.post(f"{page}edit/", mine)
    assert (answer.status_code, answer.context["form"]["answer"].value()) == (422, "Mine.")
    assert "have this anymore" in answer.content.decode()
    assert client.get(f"{page}edit/").status_code == 404


def test_a_lost_answer_never_makes_two_of_one(client, owner, desk, sandbox):
    sandbox.fail("drop_answer", method="POST", path=f"{CALL}/faqs", times=1)
    assert client.post(f"{FAQS}new/", ASKED).status_code == 302
    assert len(asking(desk)) == 1
    assert client.post(f"{FAQS}new/", ASKED).status_code == 422, "it is there already"
    # Known there and not yet here, with another answer: nothing is sent, and nothing is overwritten.
    Faq.objects.filter(question=ASKED["question"]).delete()
    assert client.post(f"{FAQS}new/", ASKED | {"answer": "No."}).status_code == 422
    assert [found["answer"] for found in asking(desk)] == ["Yes."]
    assert Faq.objects.get(question=ASKED["question"]).answer == "Yes.", "what is there can be edited"
    assert len(desk.calls("POST", "/faqs")) == 1
    # Neither the write nor the look after it is answered: pressed again, it is found.
    other = ASKED | {"question": "Do you rotate keys?"}
    sandbox.fail("drop_answer", method="POST", path=f"{CALL}/faqs", times=1)
    sandbox.fail("status", method="GET", path=f"{CALL}/faqs", value=503, times=9)
    assert client.post(f"{FAQS}new/", other).status_code == 422
    sandbox.control("DELETE", "/faults")
    client.post(f"{FAQS}new/", other)
    client.post(f"{FAQS}new/", other)
    assert len(asking(desk, other["question"])) == 1


@pytest.mark.both
def test_categories_are_added_renamed_and_deleted_and_their_faqs_follow(client, owner, desk):
    client.post(f"{CATEGORIES}new/", {"name": "Backups"})
    client.post(f"{CATEGORIES}new/", {"name": "Backups"})
    assert [found["name"] for found in desk.there("faq-categories").values()].count("Backups") == 1
    category = FaqCategory.objects.exclude(name="Backups")[0]
    own = Faq.objects.filter(category_id=category.platform_id)
    number = own.count()
    assert number
    client.post(category_url(category, "rename"), {"name": "Where it runs"})
    assert desk.there("faq-categories")[category.platform_id]["name"] == "Where it runs"
    assert set(own.values_list("category_name", flat=True)) == {"Where it runs"}
    client.post(category_url(category, "delete"))
    assert category.platform_id not in desk.there("faq-categories")
    assert not own.exists()
    assert Faq.objects.present().filter(category_id="").count() == number
    # What was written here is what the platform says.
    before = list(Faq.objects.order_by("pk").values_list("category_id", "category_name", "category_sort"))
    desk.compare()
    assert list(Faq.objects.order_by("pk").values_list("category_id", "category_name", "category_sort")) == before
    actions = Entry.objects.filter(action__startswith="faq_category.").order_by("pk").values_list("action", flat=True)
    assert list(actions) == ["faq_category.add", "faq_category.rename", "faq_category.delete"]


def listed(client, query: str = "") -> set[str]:
    return {row.platform_id for row in client.get(f"{FAQS}{query}").context["page"].rows}


def test_a_category_leads_to_its_faqs_and_one_that_is_gone_filters_nothing(client, owner, desk):
    everything = listed(client)
    row = Faq.objects.exclude(category_id="")[0]
    own = set(Faq.objects.filter(category_id=row.category_id).values_list("platform_id", flat=True))
    query = f"?category={row.category_id}"
    assert listed(client, query) == own < everything
    for page in (FAQS, faq_url("acme", row.platform_id)):
        assert f'href="{FAQS}{query}"' in client.get(page).content.decode()
    FaqCategory.objects.filter(platform_id=row.category_id).update(gone_at=timezone.now())
    answer = client.get(f"{FAQS}{query}")
    assert listed(client, query) == everything
    assert not answer.context["filters"].is_narrowed
    assert row.category_id not in dict(answer.context["filters"].selects()[0]["options"])


def test_s1_a_category_of_another_tenant_filters_nothing(client, owner, desk, globex):
    with tenant_scope(globex.pk):
        FaqCategory.objects.create(platform_id="theirs", name="Secret")
    assert listed(client, "?category=theirs") == listed(client)
    assert "Secret" not in client.get(f"{FAQS}?category=theirs").content.decode()


def test_w2_a_faq_with_an_answer_longer_than_our_column_is_changed_and_keeps_all_of_it(client, owner, desk):
    row = Faq.objects.all()[0]
    long = "Yes.\n" * 12_000 + "The end."
    desk.change("faqs", row.platform_id, answer=long)
    desk.compare()
    page = faq_url("acme", row.platform_id)
    assert client.post(*opened(client, f"{page}edit/", question="Whose?"))["Location"] == page
    there = desk.there("faqs")[row.platform_id]
    assert (there["question"], there["answer"]) == ("Whose?", long)


def test_w2_a_category_whose_name_is_longer_than_our_column_is_never_renamed_to_a_part_of_it(client, owner, desk):
    category, long = FaqCategory.objects.all()[0], "Where it runs " * 30 + "today"
    desk.change("faq-categories", category.platform_id, name=long)
    desk.compare()
    forms = {each["group"].platform_id: each["form"] for each in client.get(CATEGORIES).context["rows"]}
    assert forms[category.platform_id]["name"].value() == long
    client.post(category_url(category, "rename"), {"name": long})
    assert desk.there("faq-categories")[category.platform_id]["name"] == long
    assert len(desk.calls("PATCH", "/faq-categories")) == 0
