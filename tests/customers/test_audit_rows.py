"""Guarantee R8: each change about customers leaves its audit row."""

from django.utils import timezone

from portal.customers import services
from portal.customers.models import Dismissal, NewCustomer
from portal.customers.models.creations import Step
from portal.customers.models.dismissals import Kind
from tests.customers.conftest import CALL, PAGE, let_pass, make_account, make_viewer, typed, work
from tests.support.audit import recorded

ALICE = "Alice Ames"


def test_r8_accounts_of_one_customer(scoped, owner):
    main, duplicate = make_account("Northwind", "northwind.example"), make_account("Northwind Ltd", "north.example")
    ids = (main.platform_id, duplicate.platform_id)
    with recorded("customer.not_duplicates", "customer.suggest_again", by=ALICE):
        for change in (
            services.say_not_duplicates,
            services.say_not_duplicates,
            services.suggest_again,
            services.suggest_again,
        ):
            change(*ids, member=owner)
    with recorded("customer.merge", "customer.make_main", "customer.take_apart", by=ALICE):
        services.merge(main, duplicate, member=owner)
        services.make_main(duplicate, member=owner)
        services.take_apart(main, member=owner)


def test_r8_suggestions_and_files(client, scoped, owner):
    make_viewer("Ann", "initech.example")
    with recorded("customer.dismiss", "customer.bring_back", by=ALICE):
        services.dismiss("initech.example", Kind.CREATE, member=owner)
        services.bring_back("initech.example", Kind.CREATE, member=owner)
    assert not Dismissal.objects.exists()
    with recorded("customer.export", by=ALICE):
        assert client.post(f"{PAGE}export/").status_code == 200


def test_r8_a_customer_that_was_refused_and_one_that_did_not_arrive(client, owner, desk, sandbox):
    sandbox.fail("status", value=403, method="POST", path=CALL, times=1)
    with recorded("customer.refused", by=ALICE):
        client.post(f"{PAGE}new/", typed())
    lost = {"name": "Lost", "domain": "lost.example", "key": "k", "state": Step.UNCERTAIN, "sent_at": timezone.now()}
    creation = NewCustomer.objects.create(**lost, doubted_at=timezone.now(), due_at=timezone.now())
    let_pass(90)
    with recorded("customer.absent", by="") as rows:
        work()
    assert rows[0].source == "sync"
    with recorded("customer.dismiss_creation", by=ALICE):
        client.post(f"{PAGE}new/{creation.pk}/put-away/")
