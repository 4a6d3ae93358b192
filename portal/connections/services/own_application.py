"""The second kind of grant: an application that the tenant has made for itself on the platform (specification section 5).

It has no consent screen and no refresh token; the portal keeps its id and secret and asks for a token when the last one has run
out. Changing the secret on the platform ends every token it was given.
"""

from django.db import transaction
from django.utils import timezone

from portal.audit.services import record
from portal.connections.models import Connection, GrantType, Region
from portal.connections.policy import Urgency
from portal.connections.services.grants import save_grant
from portal.connections.services.platform import application, call_token_endpoint
from portal.page_refresh.services import touch_areas
from portal.platform_api.oauth import TokenAnswer
from portal.users.models import User


def connect_own_application(*, user: User, region: Region, client_id: str, client_secret: str, scopes: str) -> Connection:
    """Connect with the tenant's own application. Nothing is kept unless the platform gives it a token.

    Raises BudgetSpent, InvalidClient, InvalidScope or another PlatformError.
    """
    asked_at = timezone.now()
    answer = _issue(region, client_id, client_secret, scopes)
    connection, _ = Connection.objects.get_or_create(defaults={"region": region})
    connection.region, connection.grant_type = region, GrantType.CLIENT_CREDENTIALS
    connection.client_id, connection.scopes = client_id, scopes
    connection.client_secret = connection.seal("client_secret", client_secret)
    return save_grant(connection, answer, actor=user, asked_at=asked_at)


def rotate_secret(connection: Connection, client_secret: str, *, actor: User) -> Connection:
    """Take a new secret of the same application into use, once the platform has accepted it. Raises like connecting."""
    asked_at = timezone.now()
    answer = _issue(Region(connection.region), connection.client_id, client_secret, connection.scopes)
    connection.client_secret = connection.seal("client_secret", client_secret)
    with transaction.atomic():
        words = "Took a new secret of the tenant's own application into use."
        record("connection.rotate_secret", target=("connection", str(connection.source_id)), summary=words, actor=actor)
        touch_areas("connection")
    return save_grant(connection, answer, actor=actor, asked_at=asked_at)


def _issue(region: Region, client_id: str, client_secret: str, scopes: str) -> TokenAnswer:
    app = application(region, client_id=client_id, client_secret=client_secret)
    return call_token_endpoint(app, region, Urgency.PERSON, lambda app: app.issue(scopes), is_ours=False)
