"""A SAML identity provider made of pysaml2, as a process: `python -m tests.single_sign_on.saml_provider <port> <folder> <sp>`.

What it says of somebody is posted to it as JSON first; the page then asks only who it is.
"""

import datetime
import re
import sys
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.x509.oid import NameOID
from flask import Flask, redirect, request
from saml2 import BINDING_HTTP_POST, BINDING_HTTP_REDIRECT
from saml2.authn_context import PASSWORD
from saml2.config import IdPConfig
from saml2.metadata import entity_descriptor
from saml2.saml import NameID
from saml2.server import Server
from saml2.sigver import verify_redirect_signature
from werkzeug import Response

SHA_256, DIGEST = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256", "http://www.w3.org/2001/04/xmlenc#sha256"
INDEX = re.compile(r'SessionIndex="([^"]+)"')
PERSISTENT = "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent"
FORM = """<form method="post"><label>Subject <input name="subject"></label><button>Authorize</button></form>"""
SERVICE = """<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="{sp}">
  <SPSSODescriptor WantAssertionsSigned="true" protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
    <AssertionConsumerService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="{sp}" index="1"/>
  </SPSSODescriptor>
</EntityDescriptor>"""


def make_key(folder: Path) -> None:
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "idp.example")])
    now = datetime.datetime.now(datetime.UTC)
    builder = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
    builder = builder.serial_number(1).not_valid_before(now).not_valid_after(now + datetime.timedelta(days=2))
    certificate = builder.sign(key, hashes.SHA256())
    (folder / "idp.crt").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    form = (serialization.Encoding.PEM, serialization.PrivateFormat.TraditionalOpenSSL, serialization.NoEncryption())
    (folder / "idp.key").write_bytes(key.private_bytes(*form))


def configuration(url: str, folder: Path) -> IdPConfig:
    return IdPConfig().load(
        {
            "entityid": f"{url}/metadata",
            "key_file": str(folder / "idp.key"),
            "cert_file": str(folder / "idp.crt"),
            "metadata": {"local": [str(folder / "sp.xml")]},
            "service": {
                "idp": {
                    "endpoints": {
                        "single_sign_on_service": [(f"{url}/sso", BINDING_HTTP_REDIRECT)],
                        "single_logout_service": [(f"{url}/slo", BINDING_HTTP_REDIRECT)],
                    },
                    "policy": {
                        "default": {"lifetime": {"minutes": 5}, "name_form": "urn:oasis:names:tc:SAML:2.0:attrname-format:uri"}
                    },
                }
            },
        }
    )


class Provider:
    """What it knows of people, who is signed in, and its pages."""

    def __init__(self, url: str, folder: Path, service: str) -> None:
        make_key(folder)
        self.url, self.folder, self.service = url, folder, service
        (folder / "sp.xml").write_text(SERVICE.format(sp=service))
        self.config = configuration(url, folder)
        self.server = Server(config=self.config)
        self.people: dict[str, dict[str, Any]] = {}
        self.sessions: list[dict[str, str]] = []

    def metadata(self) -> str:
        return str(entity_descriptor(self.config))

    def learn(self, subject: str) -> tuple[str, int]:
        self.people[subject] = request.get_json()
        return "", 204

    def learn_service(self) -> tuple[str, int]:
        """Read the portal's own metadata, with its certificate."""
        (self.folder / "sp.xml").write_bytes(request.get_data())
        self.server.metadata.reload({"local": [str(self.folder / "sp.xml")]})
        return "", 204

    def open_sessions(self) -> list[dict[str, str]]:
        return self.sessions

    def ask(self) -> str:
        return FORM

    def answer(self) -> str:
        asked = self.server.parse_authn_request(request.args["SAMLRequest"], BINDING_HTTP_REDIRECT).message
        subject = request.form["subject"]
        said: dict[str, Any] = {"mail": subject, "displayName": subject} | self.people.get(subject, {})
        options = said.pop("options", {})
        response = self.server.create_authn_response(
            identity=said,
            in_response_to=options.pop("in_response_to", asked.id),
            destination=options.pop("destination", self.service),
            sp_entity_id=options.pop("audience", self.service),
            name_id=NameID(format=said.pop("format", PERSISTENT), text=subject),
            authn={"class_ref": PASSWORD, "authn_auth": self.url},
            **{"sign_assertion": True, "sign_response": False, "sign_alg": SHA_256, "digest_alg": DIGEST} | options,
        )
        if found := INDEX.search(str(response)):
            self.sessions.append({"subject": subject, "index": found[1]})
        relayed = request.args.get("RelayState", "")
        held = self.server.apply_binding(BINDING_HTTP_POST, str(response), self.service, relayed, response=True)
        return str(held["data"])

    def sign_out(self) -> Response:
        """End a session because the portal asks, or hear that it has ended its own."""
        if "SAMLResponse" in request.args:
            return Response("You are signed out everywhere.")
        [certificate] = self.server.metadata.certs(self.service, "spsso", "signing")[:1]
        if not verify_redirect_signature(request.args.to_dict(), self.server.sec.sec_backend, cert=certificate[1]):
            return Response("The request is not the portal's.", status=403)
        asked = self.server.parse_logout_request(request.args["SAMLRequest"], BINDING_HTTP_REDIRECT).message
        named = [index.text for index in asked.session_index]
        self.sessions[:] = [each for each in self.sessions if each["index"] not in named]
        answer = self.server.create_logout_response(asked, [BINDING_HTTP_REDIRECT], sign=False)
        held = self.server.apply_binding(BINDING_HTTP_REDIRECT, str(answer), answer.destination, "", response=True)
        return redirect(dict(held["headers"])["Location"])

    def end(self) -> str:
        """Return the address that asks the portal to end a session, as this provider would send the browser to."""
        given = request.get_json()
        options = {"sign_alg": SHA_256, "signs": True, "issuer": f"{self.url}/metadata"} | given["options"]
        _, asked = self.server.create_logout_request(
            given["destination"],
            issuer_entity_id=self.service,
            name_id=NameID(format=PERSISTENT, text=given["subject"]),
            session_indexes=[options["index"]] if "index" in options else None,
            expire=options.get("expire"),
            sign=False,
        )
        asked.issuer.text = options["issuer"]
        asked.issue_instant = options.get("made_at", asked.issue_instant)
        held = self.server.apply_binding(
            BINDING_HTTP_REDIRECT, str(asked), given["destination"], "", sign=options["signs"], sigalg=options["sign_alg"]
        )
        return str(dict(held["headers"])["Location"])


def make_app(provider: Provider) -> Flask:
    app = Flask(__name__)
    app.get("/metadata")(provider.metadata)
    app.put("/people/<subject>")(provider.learn)
    app.put("/service")(provider.learn_service)
    app.get("/sessions")(provider.open_sessions)
    app.get("/sso")(provider.ask)
    app.post("/sso")(provider.answer)
    app.get("/slo")(provider.sign_out)
    app.post("/end")(provider.end)
    return app


if __name__ == "__main__":
    port, folder, service = sys.argv[1:]
    make_app(Provider(f"http://127.0.0.1:{port}", Path(folder), service)).run("127.0.0.1", int(port))
