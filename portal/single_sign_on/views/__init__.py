from portal.single_sign_on.views.postmaster import prove_mail_domain
from portal.single_sign_on.views.saml import saml_finish, saml_response
from portal.single_sign_on.views.settings import (
    add_domain,
    check_domain,
    configure,
    configure_saml,
    mail_postmaster,
    remove_domain,
    remove_provider,
    require,
    settings_page,
    unlink,
)
from portal.single_sign_on.views.sign_in import callback, confirm, start
from portal.single_sign_on.views.sign_out import SignOut, saml_logout, saml_metadata, sign_out_by_token

__all__ = [
    "SignOut",
    "add_domain",
    "callback",
    "check_domain",
    "configure",
    "configure_saml",
    "confirm",
    "mail_postmaster",
    "prove_mail_domain",
    "remove_domain",
    "remove_provider",
    "require",
    "saml_finish",
    "saml_logout",
    "saml_metadata",
    "saml_response",
    "settings_page",
    "sign_out_by_token",
    "start",
    "unlink",
]
