"""The call to the model's server, in the common chat-completions form. Nothing of it names the key."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import requests

from portal.language_model.models import Outcome
from portal.lib.model_server import ModelServer
from portal.lib.outside_http import OutsideSession, Refused, was_sent

MAX_SECONDS: Final = 12.0
"""For one call. A worker's turn is short (`lib.time_budget`): a slow server is given up, and the draft stays as it was."""
MAX_ANSWER_TOKENS: Final = 700
MAX_COUNTED: Final = 1_000_000
"""Tokens of one call that are believed."""
LETTERS_PER_TOKEN: Final = 4
"""A guess, where the server does not count."""


class NoAnswer(Exception):
    """The server gave none that can be used; `outcome` says why."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(outcome.label)
        self.outcome = outcome


@dataclass(frozen=True)
class Answer:
    """What the model wrote, and what it cost."""

    text: str
    tokens: int


def ask(messages: Sequence[Mapping[str, str]], model: ModelServer) -> Answer:
    """Send one request and return the answer. Raises NoAnswer."""
    body = {"model": model.name, "messages": list(messages), "max_tokens": MAX_ANSWER_TOKENS, "temperature": 0}
    headers = {"Authorization": f"Bearer {model.key}"} if model.key else {}
    try:
        with OutsideSession({model.host}, seconds=MAX_SECONDS) as session:
            answer = session.post(model.url, json=body, headers=headers)
    except Refused:
        raise NoAnswer(Outcome.UNREADABLE) from None
    except requests.ReadTimeout:
        raise NoAnswer(Outcome.NO_ANSWER) from None
    except requests.ConnectionError as error:
        raise NoAnswer(Outcome.NO_ANSWER if was_sent(error) else Outcome.UNREACHABLE) from None
    except (requests.RequestException, ValueError):
        raise NoAnswer(Outcome.UNREACHABLE) from None
    if answer.status_code != requests.codes.ok:
        raise NoAnswer(Outcome.REFUSED)
    return _read(answer, sum(len(message["content"]) for message in messages))


def _read(answer: requests.Response, sent: int) -> Answer:
    try:
        found: Any = answer.json()
        text = found["choices"][0]["message"]["content"]
    except (ValueError, TypeError, KeyError, IndexError, RecursionError):
        raise NoAnswer(Outcome.UNREADABLE) from None
    if not isinstance(text, str):
        raise NoAnswer(Outcome.UNREADABLE)
    usage = found.get("usage")
    counted = usage.get("total_tokens") if isinstance(usage, dict) else None
    # A server that counts nothing, or less than nothing, does not make a budget endless.
    guessed = (sent + len(text)) // LETTERS_PER_TOKEN
    return Answer(text, counted if type(counted) is int and 0 < counted < MAX_COUNTED else guessed)
