"""Why a form about a tenant's own application was refused, in words."""

from portal.connections.error_messages import error_message, when_to_retry
from portal.platform_api import errors


def own_application_error(error: errors.PlatformError) -> str:
    """Say why the platform gave no token: what concerns the id and the secret is the tenant's own matter here."""
    match error:
        case errors.InvalidClient():
            return "The platform does not accept this id and secret. Copy both again; a rotated secret ends the old one."
        case errors.InvalidScope():
            return "The platform does not grant this application these scopes. It must be a “Manage” application."
    return f"{error_message(error)} Nothing was changed. {when_to_retry(error)}".strip()
