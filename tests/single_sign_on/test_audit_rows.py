"""R8: each change of who comes in by the company's sign-in, and by which domains, leaves its row."""

from allauth.socialaccount.models import SocialAccount

from portal.single_sign_on import services
from portal.tenants.scope import tenant_scope
from tests.single_sign_on.conftest import Company, set_up
from tests.support.audit import recorded


def test_r8_unlinking_somebody_and_removing_the_provider_leave_their_rows(acme, alice):
    provider = set_up(acme, Company("https://sign-in.acme.example"))
    account = SocialAccount.objects.create(user=alice, provider=provider.key, uid="a")
    with tenant_scope(acme.pk), recorded("identity_provider.unlink", "identity_provider.remove", by="Alice Ames"):
        services.unlink(provider, account, actor=alice)
        services.remove_provider(provider, actor=alice)


def test_r8_a_mail_domain_leaves_a_row_when_it_comes_is_mailed_and_goes(acme, alice):
    with tenant_scope(acme.pk), recorded("mail_domain.add", "mail_domain.mail", "mail_domain.remove", by="Alice Ames"):
        domain = services.add_domain(acme, "acme.example", actor=alice)
        services.mail_postmaster(domain, actor=alice)
        services.remove_domain(domain, actor=alice)
