"""The receiver's own entry answers as the site does under the same address, and only what is plainly a receiver's address."""

import os
import subprocess
import sys

import pytest
from django.conf import settings
from django.http import HttpResponse
from django.test import Client, RequestFactory

from portal.inbox.entry import HOOK
from tests.inbox.conftest import ask, path_of, post, sign

BODY = '{"questionnaire": {"id": "q1"}}'


def through_the_site(address: str, body: str, headers: dict[str, str]) -> HttpResponse:
    return Client().post(address, data=body, content_type="application/json", headers=headers)


def test_both_ways_answer_the_same(catch_all):
    good, other = path_of(catch_all), f"/hooks/{'x' * 22}/"
    cases = [
        (good, BODY, {}, 204),
        (good.rstrip("/"), BODY, {}, 204),
        (f"{good}v1.questionnaire.created/", BODY, {}, 204),
        (f"{good}v1.questionnaire.created", BODY, {}, 204),
        (good, BODY, {"hook-signature": "v1,nonsense"}, 400),
        (good, "x" * (257 * 1024), {}, 413),
        (other, BODY, {}, 404),
        ("/hooks/short/", BODY, {}, 404),
        ("/hooks/a%00b/", BODY, {}, 404),
        ("/hooks/%C3%A9/", BODY, {}, 404),
        (f"{good}a/b/", BODY, {}, 404),
        ("/hooks/", BODY, {}, 404),
    ]
    for address, body, changed, status in cases:
        answers = [way(address, body, sign(body) | changed) for way in (post, through_the_site)]
        assert [answer.status_code for answer in answers] == [status, status], address
        kept = [{name: answer.get(name) for name in ("Allow", "Retry-After", "Location")} for answer in answers]
        assert kept[0] == kept[1], address


def test_h14_what_is_no_post_is_refused_and_led_nowhere(catch_all):
    for method in ("GET", "HEAD", "PUT", "DELETE", "OPTIONS"):
        answer = ask(RequestFactory().generic(method, path_of(catch_all)))
        assert (answer.status_code, answer["Allow"], answer.content) == (405, "POST", b"")


def test_an_answer_carries_the_name_of_its_request_and_no_policy_of_pages(catch_all):
    answer = post(path_of(catch_all), BODY, sign(BODY))
    assert len(answer["X-Request-ID"]) >= 8
    assert not {"Content-Security-Policy", "Set-Cookie", "Vary"} & {*answer.headers}


def test_what_fails_unforeseen_is_an_answer_too(catch_all, monkeypatch):
    def fail(*_, **__):
        raise RuntimeError("unforeseen")

    monkeypatch.setattr("portal.inbox.services.receive", fail)
    assert post(path_of(catch_all), BODY, sign(BODY)).status_code == 500


@pytest.mark.once
def test_a_process_that_has_shown_no_page_yet_rings_our_broker():
    script = "from portal.wsgi import application; from celery import current_app; print(current_app.main)"
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "portal.settings"}
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, env=environment, cwd=settings.BASE_DIR, capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "portal", done.stderr


@pytest.mark.parametrize("path", ["/hooks", "/hooksx/abc/", "/t/acme/hooks/abc/", "/hooks//", "/hooks/a/b/c/", "/healthz"])
def test_other_addresses_are_the_sites(path):
    assert HOOK.fullmatch(path) is None
