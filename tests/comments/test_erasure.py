"""Guarantee S11 for what people write: the address goes, and with an access request all that was said of it."""

from portal.comments.models import Comment
from portal.tenants import personal_data
from portal.tenants.offboarding import purge
from tests.comments.conftest import EMAIL


def test_s11_the_address_goes_and_the_text_stays(client, alice, say):
    client.force_login(alice)
    say(f"Ask {EMAIL.upper()}, not not{EMAIL}")
    say("Jane is a competitor", "access_request")
    assert personal_data.count(EMAIL) == {"Access requests": 1, "Comments": 1, "Comments on access requests": 1}
    personal_data.erase(EMAIL)
    assert [each.body for each in Comment.objects.all()] == [f"Ask [erased], not not{EMAIL}"]
    assert personal_data.count(EMAIL) == {}


def test_comments_stay_when_the_copy_of_the_platform_goes(client, alice, say):
    client.force_login(alice)
    say("Ours")
    purge()
    assert Comment.objects.get().body == "Ours"
