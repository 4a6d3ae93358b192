import pytest

from portal.single_sign_on.claims import Identity, InvalidClaims, domain_of, read_claims

GOOD = {"sub": "1", "email": "Carol@Acme.example", "name": " Carol \n Cole\x00 "}


def test_the_address_is_kept_in_lower_case_and_the_name_on_one_line():
    assert read_claims({"sub": "1"}, GOOD) == Identity("1", "carol@acme.example", "Carol Cole\ufffd")


@pytest.mark.parametrize(
    ("id_token", "userinfo"),
    [
        ({"sub": "1"}, GOOD | {"sub": "2"}),
        ({}, GOOD),
        ({"sub": ""}, GOOD | {"sub": ""}),
        ({"sub": 1}, GOOD | {"sub": 1}),
        ({"sub": "x" * 192}, GOOD | {"sub": "x" * 192}),
        ({"sub": "\x00"}, GOOD | {"sub": "\x00"}),
        ({"sub": "é"}, GOOD | {"sub": "é"}),
        ([], GOOD),
        ({"sub": "1"}, None),
        ({"sub": "1"}, {"sub": "1"}),
        ({"sub": "1", "email_verified": False}, GOOD),
        ({"sub": "1"}, GOOD | {"email_verified": False}),
        ({"sub": "1"}, GOOD | {"email_verified": 0}),
        ({"sub": "1"}, GOOD | {"email": "carol@bücher.example"}),
    ],
)
def test_what_names_nobody_for_sure_is_refused(id_token, userinfo):
    with pytest.raises(InvalidClaims):
        read_claims(id_token, userinfo)


def test_an_address_with_two_signs_has_no_domain():
    assert domain_of("a@b.example@c.example") == ""
    assert domain_of("a@B.example") == "b.example"
