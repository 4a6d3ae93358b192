"""Codes of an authenticator app, as a person's phone would show them."""

import time

from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret, hotp_value

from portal.users.models import User


def code_now(secret: str) -> str:
    return f"{hotp_value(secret, int(time.time()) // 30) % 10**6:06}"


def wrong_code(secret: str) -> str:
    """Return a code that is none, nor one of the minutes around now."""
    good = {f"{hotp_value(secret, int(time.time()) // 30 + step) % 10**6:06}" for step in range(-4, 5)}
    return next(code for code in map("{:06}".format, range(20)) if code not in good)


def give_app(user: User) -> str:
    """Give somebody an authenticator app; return its secret."""
    secret: str = generate_totp_secret()
    TOTP.activate(user, secret)
    return secret
