import uuid
from urllib.parse import urlsplit

from django.conf import settings
from django.core.validators import RegexValidator
from django.db import models

from portal.lib.keys import ring
from portal.tenants.models import Role, TenantModel

SEALED_FIELDS = ("client_secret", "signing_key")
CHALLENGE_LABEL = "_trust-portal"
"""Below the domain, so that its own TXT records stay as they are."""
DEFAULT_ROLES = (Role.VIEWER, Role.ANALYST, Role.APPROVER)
"""What somebody may become without anybody here deciding about them."""

validate_domain = RegexValidator(
    r"\A(?=.{4,253}\Z)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?\Z",
    "Enter a domain such as example.com.",
)


class MailDomain(TenantModel):
    """A mail domain that the tenant says is its own, and whether its DNS says so too."""

    name = models.CharField(max_length=253, validators=[validate_domain])
    token = models.CharField(max_length=64)
    """What the DNS record holds. Everybody can read it there: it is no secret."""
    added_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    proven_at = models.DateTimeField(null=True)
    """Since when the record has been found without a break; None while it is not there."""
    seen_at = models.DateTimeField(null=True)
    """When the record was found last."""
    checked_at = models.DateTimeField(null=True)
    lost_at = models.DateTimeField(null=True)
    """When a domain that was proven stopped being so."""
    check_at = models.DateTimeField(db_index=True)
    """When the sweep looks next."""
    told_at = models.DateTimeField(null=True)
    """When the owners were mailed that the domain was lost."""
    mail_digest = models.CharField(max_length=64, blank=True)
    """Of the token in the link that the postmaster was mailed last; empty once it was used."""
    mailed_at = models.DateTimeField(null=True)
    confirmed_until = models.DateTimeField(null=True)
    """So long the postmaster's word holds without a record. None: a record proves the domain, or nothing does."""

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(fields=["tenant", "name"], name="one_row_per_mail_domain"),
            # Whose provider is asked must never be a matter of chance.
            models.UniqueConstraint(
                fields=["name"], condition=models.Q(proven_at__isnull=False), name="one_tenant_per_proven_domain"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_proven(self) -> bool:
        return self.proven_at is not None

    @property
    def postmaster(self) -> str:
        return f"postmaster@{self.name}"

    @property
    def record_name(self) -> str:
        return f"{CHALLENGE_LABEL}.{self.name}"

    @property
    def record_value(self) -> str:
        return f"trust-portal-verification={self.token}"


class Protocol(models.TextChoices):
    """How the portal talks to a provider."""

    OPENID_CONNECT = "openid_connect", "OpenID Connect"
    SAML = "saml", "SAML 2.0"


class IdentityProvider(TenantModel):
    """The identity provider of a tenant."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True)
    """In its callback address, and what sessions and linked accounts remember. Another issuer gets another one."""
    protocol = models.CharField(max_length=20, choices=Protocol.choices, default=Protocol.OPENID_CONNECT)
    issuer = models.CharField(max_length=500)
    """The address of an OpenID Connect provider, or the entity ID of a SAML one."""
    client_id = models.CharField(max_length=191, blank=True)
    client_secret = models.BinaryField(default=bytes)
    """Sealed. Empty for a public client, which PKCE protects alone."""
    end_session_endpoint = models.CharField(max_length=1000, blank=True)
    """OpenID Connect: where it ends its own session, if it says so."""
    sso_url = models.CharField(max_length=1000, blank=True)
    """SAML: where people are sent to."""
    certificates = models.JSONField(default=list)
    """SAML: what it signs with. Several while it changes over."""
    logout_url = models.CharField(max_length=1000, blank=True)
    """SAML: where it ends its own session, if it says so."""
    logout_answer_url = models.CharField(max_length=1000, blank=True)
    """SAML: where it is answered after it has ended one itself."""
    signing_key = models.BinaryField(default=bytes)
    """SAML: what the portal signs with. Sealed."""
    signing_certificate = models.TextField(blank=True)
    """SAML: what shows that it was the portal, as base64 of its DER."""
    default_role = models.PositiveSmallIntegerField(
        choices=[(role.value, role.label) for role in DEFAULT_ROLES], default=Role.VIEWER
    )
    worked_at = models.DateTimeField(null=True)
    """When somebody last signed in through it, as it is configured now."""
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tenant"], name="one_identity_provider_per_tenant")]

    def __str__(self) -> str:
        return self.host

    @property
    def key(self) -> str:
        """Return what allauth calls the provider in accounts and sessions."""
        return str(self.public_id)

    @property
    def is_saml(self) -> bool:
        return self.protocol == Protocol.SAML

    @property
    def host(self) -> str:
        return urlsplit(self.sso_url or self.issuer).hostname or ""

    def place(self, field: str) -> str:
        """Name where a value is sealed, so that it opens nowhere else."""
        return f"single_sign_on_identityprovider:{self.public_id}:{field}"

    def seal(self, field: str, plain: str) -> bytes:
        """Encrypt a value for one of the sealed fields."""
        return ring().seal(plain, place=self.place(field)) if plain else b""

    def open(self, field: str) -> str:
        """Read one of the sealed fields; empty when there is none. Raises Locked when no key opens it."""
        sealed = bytes(getattr(self, field))
        return ring().open(sealed, place=self.place(field)) if sealed else ""
