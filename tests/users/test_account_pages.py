"""The pages of one's own account and of signing in: in the portal's words, and without a button that can do nothing."""

import re
from collections.abc import Iterator
from typing import Any

from allauth.account.models import EmailAddress
from django.test import Client
from django.utils.html import strip_tags

from tests.house.addresses import paths_of_packages

SAID = re.compile(r"<(title|h1|h2|label|button)\b[^>]*>(.*?)</\1>", re.DOTALL)
TITLE_CASE = re.compile(r"[A-Z][a-z]+ (?:[a-z]+ )*[A-Z][a-z]")
PAGE = "/accounts/email/"
NEW = "a long password of words"


def in_title_case(answer: Any) -> Iterator[str]:
    """Yield what an account page says in its title, headings, labels and buttons with more than one capital."""
    page = answer.content.decode()
    page = page[: page.index("<body")].split(" · ")[0] + "</title>" + page[page.index("<main") :]
    for _, said in SAID.findall(page):
        text = " ".join(strip_tags(said).split())
        if TITLE_CASE.match(text):
            yield text


def reset_link(client: Client, address: str, mailoutbox) -> str:
    client.post("/accounts/password/reset/", {"email": address})
    return next(word for word in mailoutbox[-1].body.split() if "/password/reset/key/" in word)


def test_every_account_page_is_in_sentence_case(alice, mailoutbox):
    signed_in = Client()
    signed_in.force_login(alice)
    seen = 0
    for client in (Client(), signed_in):
        link = reset_link(Client(), alice.email, mailoutbox)
        for path in (*paths_of_packages(), link, "/accounts/password/reset/key/1-no-such/"):
            answer = client.get(path, follow=True)
            if answer.status_code == 200 and answer["Content-Type"].startswith("text/html"):
                assert not [*in_title_case(answer)], path
                seen += 1
    assert seen > 30


def test_buttons_for_addresses_are_there_when_they_can_do_something(alice):
    client = Client()
    client.force_login(alice)
    assert actions(client) == ["action_add"]
    EmailAddress.objects.create(user=alice, email="other@acme.example", verified=True)
    assert actions(client) == ["action_primary", "action_remove", "action_add"]
    client.post(PAGE, {"email": "other@acme.example", "action_primary": ""})
    alice.refresh_from_db()
    assert alice.email == "other@acme.example"
    EmailAddress.objects.create(user=alice, email="third@acme.example", verified=False)
    assert "action_send" in actions(client)
    client.post(PAGE, {"email": "third@acme.example", "action_remove": ""})
    assert not EmailAddress.objects.filter(email="third@acme.example").exists()


def actions(client: Client) -> list[str]:
    return re.findall(r'name="(action_\w+)"', client.get(PAGE).content.decode())


def test_a_link_sets_a_password_once_and_says_so_afterward(alice, mailoutbox):
    link = reset_link(Client(), alice.email, mailoutbox)
    client = Client()
    page = client.get(link, follow=True)
    client.post(page.redirect_chain[-1][0], {"password1": NEW, "password2": NEW})
    alice.refresh_from_db()
    assert alice.check_password(NEW)
    again = Client().get(link, follow=True)
    assert again.context["token_fail"]
    assert 'href="/accounts/password/reset/"' in again.content.decode()
