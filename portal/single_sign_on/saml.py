"""SAML 2.0 with a tenant's provider: python3-saml reads and checks, allauth signs in."""

import logging
import time
import zlib
from typing import Any
from urllib.parse import unquote_plus, urlsplit

from allauth.socialaccount.models import SocialLogin
from allauth.socialaccount.providers.saml.provider import SAMLProvider
from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from lxml.etree import XMLSyntaxError
from onelogin.saml2.auth import OneLogin_Saml2_Auth
from onelogin.saml2.constants import OneLogin_Saml2_Constants as Names
from onelogin.saml2.errors import OneLogin_Saml2_Error, OneLogin_Saml2_ValidationError
from onelogin.saml2.logout_request import OneLogin_Saml2_Logout_Request as LogoutRequest
from onelogin.saml2.utils import OneLogin_Saml2_Utils as Utils
from onelogin.saml2.xml_utils import OneLogin_Saml2_XML as Xml

from portal.single_sign_on.claims import InvalidClaims, read_attributes
from portal.single_sign_on.company_sessions import CompanySession, Ended
from portal.single_sign_on.identities import IdentityOnly

logger = logging.getLogger(__name__)

UNREADABLE = "Your company's sign-in sent an answer that can't be read."
VALID_SECONDS = 365 * 24 * 3600
MAX_AGE = 600
"""Seconds. An older request to sign somebody out is one that is sent again by somebody else."""


class InvalidRequest(Exception):
    """A request to sign somebody out that the provider has not made, or not for us."""


def saml_urls(slug: str) -> dict[str, str]:
    """Return what a provider has to know of the portal: one entity for each tenant."""
    address = settings.PUBLIC_URL + reverse("saml_response", args=[slug])
    return {
        "entity_id": address,
        "response": address,
        "logout": settings.PUBLIC_URL + reverse("saml_logout", args=[slug]),
        "metadata": settings.PUBLIC_URL + reverse("saml_metadata", args=[slug]),
    }


class SamlProvider(IdentityOnly, SAMLProvider):  # type: ignore[misc] # allauth ships no types
    """The SAML provider of one tenant."""

    def redirect(
        self, request: HttpRequest, process: str, next_url: str | None = None, data: Any = None, **asked: Any
    ) -> HttpResponse:
        """Lead to the provider. A confirmation asks it to have the person sign in again."""
        auth = self._auth()
        url = auth.login(return_to="", force_authn=asked.get("prompt") == "login")
        self.stash_redirect_state(request, process, next_url, data, state_id=auth.get_last_request_id())
        return HttpResponseRedirect(url)

    def read_response(self, request: HttpRequest, response: str) -> SocialLogin:
        """Return who has signed in, once the signature, the times and the request it answers are right. Raises InvalidClaims.

        An answer that nobody asked for here is refused: it could sign a victim in as somebody else.
        """
        auth = self._auth({"SAMLResponse": response})
        try:
            auth.process_response()
        except (OneLogin_Saml2_Error, OneLogin_Saml2_ValidationError, XMLSyntaxError, ValueError) as error:
            raise InvalidClaims(UNREADABLE) from error
        answers = set(_signed(auth, "saml:Subject/saml:SubjectConfirmation/saml:SubjectConfirmationData/@InResponseTo"))
        if auth.get_errors() or not auth.is_authenticated() or len(answers) != 1:
            logger.info("an answer of a SAML provider was refused: %s", str(auth.get_last_error_reason())[:200])
            raise InvalidClaims(UNREADABLE)
        name_id_is_address = auth.get_nameid_format() == Names.NAMEID_EMAIL_ADDRESS
        if auth.get_nameid_format() == Names.NAMEID_TRANSIENT:
            raise InvalidClaims("Your company's sign-in has to send a name ID that stays the same, such as “persistent”.")
        identity = read_attributes(auth.get_nameid() or "", auth.get_attributes(), name_id_is_address=name_id_is_address)
        login = self.sociallogin_from_response(request, identity)
        login.identity, login.nonce, login.asked_at = identity, None, _asked_at(auth)
        login.state = self.unstash_redirect_state(request, answers.pop())
        login.session = CompanySession(
            provider=self.app.provider_id,
            subject=auth.get_nameid() or "",
            index=auth.get_session_index() or "",
            name_id_format=auth.get_nameid_format(),
            name_qualifier=auth.get_nameid_nq(),
        )
        return login

    def sign_out_url(self, session: CompanySession | None) -> str:
        """Return where the provider ends its session, as a signed request; empty where it can't be asked.

        SAML 2.0 profiles 4.4, by redirect.
        """
        if session is None or not self.app.settings["idp"]["singleLogoutService"]["url"]:
            return ""
        return str(
            self._auth(signs=True).logout(
                return_to="",
                name_id=session.subject,
                session_index=session.index or None,
                nq=session.name_qualifier,
                name_id_format=session.name_id_format,
            )
        )

    def read_sign_out(self, query: str) -> tuple[Ended, str]:
        """Return which sessions the provider has ended, and where the browser goes with our answer. Raises InvalidRequest.

        `query` is as it came: the signature is over its very characters.
        """
        given = _parameters(query)
        auth = self._auth(query=query, given=given, signs=True)
        try:
            answer_url = auth.process_slo(keep_local_session=True)
            document = auth.get_last_request_xml()
            if auth.get_errors() or not answer_url or not document:
                raise InvalidRequest(str(auth.get_last_error_reason())[:200])
            made_at = Utils.parse_SAML_to_time(Xml.to_etree(document).get("IssueInstant"))
            if abs(time.time() - made_at) > MAX_AGE:
                raise InvalidRequest("made too long ago")
            subject = LogoutRequest.get_nameid_data(document)["Value"] or ""
            indexes = frozenset(filter(None, LogoutRequest.get_session_indexes(document)))
        except (
            OneLogin_Saml2_Error,
            OneLogin_Saml2_ValidationError,
            XMLSyntaxError,
            ValueError,
            TypeError,
            zlib.error,
        ) as error:
            raise InvalidRequest("unreadable") from error
        return Ended(subject, indexes), str(answer_url)

    def metadata(self) -> bytes:
        """Return what the portal says of itself to this provider (SAML 2.0 Metadata)."""
        found: bytes | str = self._auth(signs=True).get_settings().get_sp_metadata()
        return found.encode() if isinstance(found, str) else found

    def _auth(
        self,
        posted: dict[str, str] | None = None,
        *,
        query: str = "",
        given: dict[str, str] | None = None,
        signs: bool = False,
    ) -> OneLogin_Saml2_Auth:
        own, idp = saml_urls(self.app.settings["slug"]), self.app.settings["idp"]
        site = urlsplit(own["logout"] if given else own["response"])
        signing = self.app.settings["signing"] if signs else {}
        config = {
            "strict": True,
            "sp": {
                "entityId": own["entity_id"],
                "assertionConsumerService": {"url": own["response"], "binding": Names.BINDING_HTTP_POST},
                "singleLogoutService": {"url": own["logout"], "binding": Names.BINDING_HTTP_REDIRECT},
                "NameIDFormat": Names.NAMEID_UNSPECIFIED,
                **signing,
            },
            "idp": idp,
            # The assertion itself is signed: what stands around it is of no account.
            "security": {
                "wantAssertionsSigned": True,
                "rejectDeprecatedAlgorithm": True,
                "requestedAuthnContext": False,
                "allowRepeatAttributeName": True,
                # Where the operator lets providers be inside the network.
                "allowSingleLabelDomains": True,
                "logoutRequestSigned": signs,
                "logoutResponseSigned": signs,
                # Of requests to sign out: answers to a sign-in are signed in the assertion.
                "wantMessagesSigned": given is not None,
                "signatureAlgorithm": Names.RSA_SHA256,
                "digestAlgorithm": Names.SHA256,
                # Of our own metadata, which most providers read once and for all.
                "metadataValidUntil": int(time.time() + VALID_SECONDS),
            },
        }
        # From PUBLIC_URL: the answer has to be for this site, whatever host a request names.
        here = {"https": "on" if site.scheme == "https" else "off", "http_host": site.netloc, "script_name": site.path}
        asked = {"get_data": given or {}, "query_string": query, "validate_signature_from_qs": True}
        return OneLogin_Saml2_Auth({**here, **asked, "post_data": posted or {}}, old_settings=config)


def _parameters(query: str) -> dict[str, str]:
    """Return the parameters of a signed query. Raises InvalidRequest where one stands there twice, or in other characters.

    What is read has to be what was signed: a second `SAMLRequest`, or one with an escaped letter in its name, would not be.
    """
    pairs = [part.partition("=")[::2] for part in query.split("&") if part]
    names = [name for name, _ in pairs]
    if len(set(names)) != len(names) or any("%" in name or "+" in name for name in names):
        raise InvalidRequest("ambiguous")
    return {name: unquote_plus(value) for name, value in pairs}


def _asked_at(auth: OneLogin_Saml2_Auth) -> float | None:
    """Return when the provider says that the person has shown who they are."""
    try:
        return float(Utils.parse_SAML_to_time(_signed(auth, "saml:AuthnStatement/@AuthnInstant")[0]))
    except (IndexError, ValueError):
        return None


def _signed(auth: OneLogin_Saml2_Auth, path: str) -> list[str]:
    """Return values inside of the one assertion: it is signed, what stands around it need not be."""
    document = auth.get_last_response_xml()
    found = Xml.query(Xml.to_etree(document), f"/samlp:Response/saml:Assertion/{path}") if document else []
    return [str(value) for value in found]
