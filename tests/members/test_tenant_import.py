"""Many tenants from one file: shown first, made as shown, nothing made twice."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from portal.audit.models import Entry
from portal.members.models import Invitation
from portal.members.services import membership, tenant_import
from portal.tenants.models import Role, Tenant
from portal.tenants.scope import tenant_scope
from tests.support.mails import mails_to, path_in
from tests.support.members import role_of

pytestmark = pytest.mark.django_db
PAGE, CREATE = "/tenants/import/", "/tenants/import/create/"
FILE = "Name;Owner email\nNorthwind;dora@northwind.example\nFabrikam;\nAcme;\n;x@y.example\nnorthwind;\nContoso;nobody\n"


@pytest.fixture
def operator(alice, acme) -> Client:
    client = Client()
    client.force_login(alice)
    return client


def preview(client: Client, text: str | bytes):
    content = text if isinstance(text, bytes) else text.encode()
    return client.post(PAGE, {"file": SimpleUploadedFile("tenants.csv", content)})


def test_the_preview_says_what_each_line_becomes_and_creates_nothing(operator):
    answer = preview(operator, FILE)
    assert answer.status_code == 200
    said = [(plan.name, plan.problem) for plan in answer.context["plans"]]
    taken = "One of your tenants already has this name."
    assert said == [
        ("Northwind", ""),
        ("Fabrikam", ""),
        ("Acme", taken),
        ("", "The name is missing."),
        ("northwind", "An earlier line has this name."),
        ("Contoso", "nobody is not a valid email address."),
    ]
    assert "2 tenants will be created, 4 lines skipped" in answer.content.decode()
    assert Tenant.objects.count() == 1


def test_what_was_shown_is_created_and_the_owners_are_invited(operator, alice, mailoutbox):
    lines = preview(operator, FILE).context["lines"]
    answer = operator.post(CREATE, {"lines": lines}, follow=True)
    assert "2 tenants created. 1 invitation sent." in answer.content.decode()
    northwind = Tenant.objects.get(name="Northwind")
    assert role_of(northwind, alice.email) == Role.OWNER
    with tenant_scope(northwind.pk):
        assert Invitation.objects.get().role == Role.OWNER
        assert set(Entry.objects.values_list("action", flat=True)) == {"tenant.create", "member.invite"}
    [mail] = mails_to("dora@northwind.example", mailoutbox)
    assert "Northwind" in mail.subject
    assert Client().get(path_in(mail)).status_code == 302
    again = operator.post(CREATE, {"lines": lines}, follow=True)
    assert "all of these names are taken" in again.content.decode()
    assert Tenant.objects.count() == 3


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"\xff\xfe", "UTF-8"),
        (b"", "empty"),
        (b"customer\nNorthwind\n", "The first line has to name the columns"),
        (b"name\n" + b"x\n" * (tenant_import.MAX_LINES + 1), "Split it"),
        (b"name\n" + b"x" * 1024**2, "larger than 1 MB"),
    ],
)
def test_what_is_no_such_file_is_refused_in_words(operator, content, words):
    answer = preview(operator, content)
    assert answer.status_code == 422
    assert words in answer.content.decode()


def test_the_day_s_limit_stops_it_and_says_where(operator, monkeypatch):
    monkeypatch.setattr(membership, "MAX_TENANTS_PER_DAY", 3)  # with Acme, which is of today
    lines = preview(operator, "name\nOne\nTwo\nThree\nFour\n").context["lines"]
    answer = operator.post(CREATE, {"lines": lines}, follow=True).content.decode()
    assert "Three and those after it were not created" in answer
    assert sorted(Tenant.objects.values_list("name", flat=True)) == ["Acme", "One", "Two"]


def test_a_mail_server_that_refuses_costs_no_tenant(operator, monkeypatch):
    def refuse(*_: object, **__: object) -> None:
        raise ConnectionRefusedError

    monkeypatch.setattr("portal.members.form_actions.send_mail", refuse)
    lines = preview(operator, "name,owner email\nOne,dora@one.example\n").context["lines"]
    answer = operator.post(CREATE, {"lines": lines}, follow=True).content.decode()
    assert "1 tenant created." in answer
    assert "The email to dora@one.example could not be sent. Not sent yet for One. " in answer


def test_a_line_that_cannot_be_made_does_not_keep_its_name_from_the_next(operator):
    plans = preview(operator, "name,owner email\nOne,nobody\nOne,dora@one.example\nOne,\n").context["plans"]
    assert [plan.problem for plan in plans] == [
        "nobody is not a valid email address.",
        "",
        "An earlier line has this name.",
    ]


def test_invitations_over_the_limit_are_named_by_their_tenants(operator, mailoutbox):
    file = "name,owner email\n" + "".join(f"{name},dora@one.example\n" for name in ("A1", "A2", "A3", "A4", "A5", "A6", "A7"))
    lines = preview(operator, file).context["lines"]
    answer = operator.post(CREATE, {"lines": lines}, follow=True).content.decode()
    assert "7 tenants created. 5 invitations sent." in answer
    assert "Too many invitations were sent to dora@one.example" in answer
    assert "Not sent yet for A6, A7. " in answer
    assert len(mails_to("dora@one.example", mailoutbox)) == 5


def test_nonsense_instead_of_the_preview_s_lines_creates_nothing(operator):
    for lines in ("", "x", "name\n" * 100, "\x00"):
        assert operator.post(CREATE, {"lines": lines}).status_code == 302
    assert Tenant.objects.count() == 1
