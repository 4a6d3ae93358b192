"""Connected tenants of a house, over a sandbox of their own."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

from tests.faults.children import Child, Inside
from tests.faults.house import House, control
from tests.support.polls import until

A_MINUTE = 61


@dataclass(frozen=True)
class Grant:
    """A connected tenant whose access token has just run out."""

    house: House
    platform: str
    inside: Inside
    key: dict[str, int]
    platform_id: str
    source_id: str
    path: str
    """Where its deliveries go."""

    @property
    def tenant(self) -> dict[str, int]:
        return {"tenant_id": self.key["tenant_id"]}

    def another(self) -> Inside:
        """Start one more process of the portal, and wait until it is up."""
        other = self.house.inside(PLATFORM_API_URL=self.platform)
        other.do("is_up")
        return other

    def fail(self, kind: str, **fault: Any) -> None:
        """Have the next call to the token endpoint go wrong."""
        control(self.platform, "POST", "/faults", **({"kind": kind, "path": "/oauth/token", "times": 1} | fault))

    def calls(self) -> list[dict[str, Any]]:
        """Return the calls to the token endpoint that arrived, suspensions too."""
        return [call for call in control(self.platform, "GET", "/requests?since=0") if "/oauth/token" in call["path"]]

    def pass_minute(self) -> None:
        """Let the minute of the budget pass on both sides."""
        control(self.platform, "POST", "/clock", advance_seconds=A_MINUTE)
        self.inside.do("pass_minute")

    def check_works(self) -> None:
        """An API call succeeds, and nobody has to do anything for it."""
        assert self.inside.do("call_api", **self.tenant) == 2
        assert self.inside.do("state_of", **self.tenant)["state"] == "active"


@contextmanager
def grants(house: House, name: str, count: int = 1, **world: int) -> Iterator[list[Grant]]:
    """Connect some tenants. None of the calls for it is left in the budget afterwards.

    `world`: how much of what each has at its platform.
    """
    with house.sandbox(name) as platform:
        inside, made = house.inside(PLATFORM_API_URL=platform), []
        inside.do("leave_queue")
        for number in range(count):
            seed = {"questionnaires": 2, "seed": number} | world
            there = control(platform, "POST", "/tenants", name=f"{name}{number}", region="eu", **seed)
            keys = inside.do("connect_new", name=f"{name}{number}", platform_id=there["tenant_id"])
            source_id, path = keys.pop("source_id"), keys.pop("path")
            made.append(Grant(house, platform, inside, keys, there["tenant_id"], source_id, path))
            if number % 4 == 3:
                made[0].pass_minute()
        made[0].pass_minute()
        for grant in made:
            inside.do("expire", **grant.tenant)
        yield made


def name_of(test: str) -> str:
    """Name a sandbox and its tenants after the test."""
    return "".join(character for character in test if character.isalnum())[:30] + uuid4().hex[:8]


def check_budget(calls: list[dict[str, Any]]) -> None:
    """Five calls in any minute, by the platform's own clock, and none that it refused."""
    moments = [datetime.fromisoformat(call["at"]).timestamp() for call in calls]
    assert all(later - earlier > 60 for earlier, later in zip(moments, moments[5:], strict=False)), moments
    assert 429 not in {call["status"] for call in calls}


def freeze(child: Child) -> None:
    os.kill(child.process.pid, signal.SIGSTOP)


def thaw(child: Child) -> None:
    os.kill(child.process.pid, signal.SIGCONT)


def wait_until_frozen(child: Child) -> None:
    stat = Path(f"/proc/{child.process.pid}/stat")
    until(lambda: stat.read_text().rpartition(")")[2].split()[0] == "T", what="a process that stopped itself")
