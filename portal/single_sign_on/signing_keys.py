"""What the portal signs its own SAML requests with: a key for each provider, and a certificate that shows it."""

import base64
from datetime import timedelta

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.x509.oid import NameOID
from django.utils import timezone

KEY_SIZE = 3072
GOOD_FOR = timedelta(days=3650)
"""Providers compare the key and seldom look at the dates; a certificate that ends stops the single logout."""


def make_signing_key(name: str) -> tuple[str, str]:
    """Return a new private key as PEM, and its self-signed certificate as base64 of its DER."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=KEY_SIZE)
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name[:64])])
    now = timezone.now()
    builder = x509.CertificateBuilder().subject_name(subject).issuer_name(subject).public_key(key.public_key())
    builder = builder.serial_number(x509.random_serial_number()).not_valid_before(now).not_valid_after(now + GOOD_FOR)
    certificate = builder.sign(key, hashes.SHA256())
    private = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    return private.decode(), base64.b64encode(certificate.public_bytes(serialization.Encoding.DER)).decode()
