"""Posting to a team channel, whose address a tenant wrote down (guarantee S4)."""

import json
import re
from collections.abc import Mapping
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

import requests
from django.conf import settings

from portal.lib.outside_http import OutsideSession, Refused, is_allowed, was_sent
from portal.notifications.kinds import Channel

HOSTS = {
    Channel.SLACK: re.compile(r"hooks\.slack(-gov)?\.com"),
    Channel.TEAMS: re.compile(r"([a-z0-9-]+\.)+(webhook\.office\.com|logic\.azure\.(com|us)|powerplatform\.(com|us))"),
}
"""Where the addresses of a chat are; a webhook may be anywhere on the Internet."""
MAX_URL = 2000
TAKEN = range(200, 300)
OF_MESSAGE = (400, 413, 422)
"""What is wrong is the message: the next one may be taken."""
MAX_PAUSE = timedelta(hours=12)


class NotTaken(Exception):
    """The other side did not take a message. `words` says why; `pause` is what it asked for.

    `is_of_message`: it refused this one, and may take others.
    """

    def __init__(self, words: str, pause: timedelta = timedelta(), *, is_of_message: bool = False) -> None:
        super().__init__(words)
        self.description, self.pause, self.is_of_message = words, pause, is_of_message


class NotConfirmed(Exception):
    """It was sent, and nothing was answered: it may have arrived."""


def is_address(channel: Channel, url: str) -> bool:
    """Say whether an address may be one of this channel."""
    if len(url) > MAX_URL or not is_allowed(url, private_hosts=settings.TEAM_CHANNEL_PRIVATE_HOSTS):
        return False
    host, pattern = host_of(url), HOSTS.get(channel)
    return pattern is None or bool(pattern.fullmatch(host)) or host in settings.TEAM_CHANNEL_PRIVATE_HOSTS


def host_of(url: str) -> str:
    return (urlsplit(url).hostname or "").lower()


def post(url: str, body: bytes, headers: Mapping[str, str]) -> bytes:
    """Send a message and return what was answered; empty where that was not read. Raises NotTaken and NotConfirmed.

    Neither of them, nor a log, says more of the address than its host.
    """
    host = host_of(url)
    if not is_allowed(url, private_hosts=settings.TEAM_CHANNEL_PRIVATE_HOSTS):
        raise NotTaken(f"{host} isn't an address that this portal may call.")
    content = b""
    try:
        with OutsideSession(settings.TEAM_CHANNEL_PRIVATE_HOSTS) as session:
            answer = session.post(url, data=body, headers={"Content-Type": "application/json", **headers})
        content = answer.content
    except Refused as refused:
        if refused.response is None:
            raise NotTaken(f"{host} redirects to another address.") from None
        # What else it wanted to say does not matter.
        answer = refused.response
    except requests.ReadTimeout:
        raise NotConfirmed(f"{host} didn't answer in time.") from None
    except requests.ConnectionError as error:
        if was_sent(error):
            raise NotConfirmed(f"{host} closed the connection without answering.") from None
        raise NotTaken(f"{host} couldn't be reached.") from None
    except (requests.RequestException, ValueError):
        raise NotTaken(f"{host} couldn't be reached.") from None
    if answer.status_code not in TAKEN:
        is_of_message = answer.status_code in OF_MESSAGE
        raise NotTaken(f"{host} answered with status {answer.status_code}.", _pause(answer), is_of_message=is_of_message)
    return content


def encode(payload: Mapping[str, Any]) -> bytes:
    return json.dumps(payload, ensure_ascii=False, separators=(",", ":")).encode()


def _pause(answer: requests.Response) -> timedelta:
    seconds = answer.headers.get("Retry-After", "")
    return min(timedelta(seconds=int(seconds[:9])), MAX_PAUSE) if seconds.isascii() and seconds.isdecimal() else timedelta()
