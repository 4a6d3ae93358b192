from allauth.core import ratelimit
from allauth.socialaccount.models import SocialAccount
from django.contrib import messages
from django.contrib.auth import logout
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from portal.single_sign_on import selectors, services
from portal.single_sign_on.discovery import NotAProvider
from portal.single_sign_on.dns import Unanswered
from portal.single_sign_on.forms import DomainForm, ProviderForm, SamlForm
from portal.single_sign_on.models import IdentityProvider, MailDomain
from portal.single_sign_on.openid import callback_url, sign_out_url
from portal.single_sign_on.saml import saml_urls
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role
from portal.users.mail_limits import consume_mail_limit


@never_cache
@require_GET
@tenant_view(Role.OWNER)
def settings_page(request: TenantRequest) -> HttpResponse:
    return _page(request)


@require_POST
@tenant_view(Role.OWNER, asks_again=True)
def add_domain(request: TenantRequest) -> HttpResponse:
    form = DomainForm(request.POST)
    if not form.is_valid():
        return _page(request, domain_form=form)
    name = form.cleaned_data["domain"]
    try:
        services.add_domain(request.tenant, name, actor=request.user)
    except services.FreeMail:
        form.add_error("domain", f"Anyone can get an address at {name}. Enter a domain your company owns.")
        return _page(request, domain_form=form)
    except services.TooManyDomains:
        form.add_error("domain", "You have reached the limit of domains for a tenant. Remove one first.")
        return _page(request, domain_form=form)
    messages.success(request, f"{name} added. Create its DNS record next.")
    return _back(request)


@require_POST
@tenant_view(Role.OWNER, asks_again=True)
def check_domain(request: TenantRequest, domain_id: int) -> HttpResponse:
    """Look for the DNS record now."""
    domain = get_object_or_404(MailDomain, pk=domain_id)
    # Name servers that are silent cost seconds each (guarantee S9).
    if not ratelimit.consume(request, action="check_domain"):
        messages.error(request, f"{domain} was checked too often. Try again in a few minutes.")
        return _back(request)
    try:
        is_proven = services.check_domain(domain, actor=request.user)
    except Unanswered:
        messages.error(request, f"The name servers of {domain} didn't answer. Try again in a few minutes.")
    except services.ProvenElsewhere:
        messages.error(request, f"Another tenant of this portal uses {domain}. It has to be removed there first.")
    else:
        if is_proven:
            messages.success(request, f"{domain} is proven.")
        else:
            messages.error(
                request, f"There's no matching record at {domain.record_name} yet. New records can take an hour to show up."
            )
    return _back(request)


@require_POST
@tenant_view(Role.OWNER, asks_again=True)
def mail_postmaster(request: TenantRequest, domain_id: int) -> HttpResponse:
    """Have the domain's postmaster confirm it by mail."""
    domain = get_object_or_404(MailDomain, pk=domain_id)
    # Not by its row: a domain that is removed and added again has another one.
    if not consume_mail_limit(request, domain.postmaster):
        messages.error(request, f"Too many emails were sent to {domain.postmaster}, or by you. Try again in a few hours.")
        return _back(request)
    try:
        services.mail_postmaster(domain, actor=request.user)
    except services.MailedJustNow:
        messages.error(request, f"{domain.postmaster} was emailed a moment ago. Try again in ten minutes.")
    except OSError:
        messages.error(request, f"The email to {domain.postmaster} couldn't be sent. Try again later.")
    else:
        messages.success(request, f"Email sent to {domain.postmaster}. The domain is proven once the link in it is confirmed.")
    return _back(request)


@require_POST
@tenant_view(Role.OWNER, asks_again=True)
def remove_domain(request: TenantRequest, domain_id: int) -> HttpResponse:
    domain = get_object_or_404(MailDomain, pk=domain_id)
    try:
        services.remove_domain(domain, actor=request.user)
    except services.StillRequired:
        messages.error(request, LAST_DOMAIN)
    else:
        messages.success(request, f"{domain} removed.")
    return _back(request)


@require_POST
@tenant_view(Role.OWNER, asks_again=True)
def configure(request: TenantRequest) -> HttpResponse:
    form = ProviderForm(request.POST, provider=selectors.provider_of_tenant())
    if not form.is_valid():
        return _page(request, provider_form=form)
    try:
        services.configure(request.tenant, actor=request.user, **form.cleaned_data)
    except NotAProvider as error:
        form.add_error("issuer", error.description)
    except services.SecretMissing:
        form.add_error("client_secret", "Enter this client's secret: the saved one belongs to another client.")
    except services.StillRequired:
        form.add_error(None, STILL_REQUIRED)
    else:
        messages.success(request, "Company sign-in saved. Sign in with it once to check that it works.")
        return _back(request)
    return _page(request, provider_form=form)


@require_POST
@tenant_view(Role.OWNER, asks_again=True)
def configure_saml(request: TenantRequest) -> HttpResponse:
    form = SamlForm(request.POST, provider=selectors.provider_of_tenant())
    if not form.is_valid():
        return _page(request, saml_form=form)
    try:
        services.configure_saml(request.tenant, actor=request.user, **form.cleaned_data)
    except NotAProvider as error:
        form.add_error("metadata", error.description)
    except services.StillRequired:
        form.add_error(None, STILL_REQUIRED)
    else:
        messages.success(request, "Company sign-in saved. Sign in with it once to check that it works.")
        return _back(request)
    return _page(request, saml_form=form)


@require_POST
@tenant_view(Role.OWNER, asks_again=True)
def remove_provider(request: TenantRequest) -> HttpResponse:
    provider = get_object_or_404(IdentityProvider)
    try:
        services.remove_provider(provider, actor=request.user)
    except services.StillRequired:
        messages.error(request, STILL_REQUIRED)
    else:
        messages.success(request, "Company sign-in removed.")
    return _back(request)


@require_POST
@tenant_view(Role.OWNER, asks_again=True)
def require(request: TenantRequest) -> HttpResponse:
    """Let members in through the provider only, or in any way."""
    is_required = request.POST.get("sign_in") == "required"
    try:
        is_changed = services.set_required(request.membership, is_required=is_required)
    except services.NotTried:
        messages.error(request, "Prove a domain and sign in with it once first, or everyone would be locked out.")
    except services.NoFactorYourself:
        messages.error(
            request, "Set up your own second factor first: owners get back in with their password and a second factor."
        )
    else:
        if is_changed:
            messages.success(request, "Company sign-in required." if is_required else "Company sign-in no longer required.")
    return _back(request)


@require_POST
@tenant_view(Role.OWNER, asks_again=True)
def unlink(request: TenantRequest, account_id: int) -> HttpResponse:
    provider = get_object_or_404(IdentityProvider)
    account = get_object_or_404(SocialAccount, pk=account_id, provider=provider.key)
    services.unlink(provider, account, actor=request.user)
    messages.success(request, f"{account.user} unlinked. The next person with this address is linked instead.")
    return _back(request)


STILL_REQUIRED = "Members have to use it now. Make it optional first."
LAST_DOMAIN = "Members have to use company sign-in, and this is its only proven domain. Make company sign-in optional first."


def _back(request: TenantRequest) -> HttpResponse:
    if not request.session.exists(request.session.session_key or ""):
        # Whoever changed it came in through the provider, and was signed out by the change.
        logout(request)
    return redirect("single_sign_on:settings", slug=request.tenant.slug)


def _page(request: TenantRequest, **forms: DomainForm | ProviderForm | SamlForm) -> HttpResponse:
    provider = selectors.provider_of_tenant()
    context = {
        "provider": provider,
        "domains": MailDomain.objects.all(),
        "accounts": selectors.linked_accounts(request.tenant, provider),
        "callback_url": callback_url(request.tenant.slug),
        "domain_form": DomainForm(),
        "provider_form": ProviderForm(provider=provider),
        "saml_form": SamlForm(provider=provider),
        "saml_urls": saml_urls(request.tenant.slug),
        "sign_out_url": sign_out_url(request.tenant.slug),
        **forms,
    }
    return render(request, "single_sign_on/settings.html", context, status=422 if forms else 200)
