"""Stopping a process at a chosen moment of its way: before or after one function of the portal is called."""

import os
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Moment:
    """A step of the way: whose function, and whether the process stops before it or after it."""

    owner: Any
    name: str
    is_before: bool


def before(owner: Any, name: str) -> Moment:
    return Moment(owner, name, is_before=True)


def after(owner: Any, name: str) -> Moment:
    return Moment(owner, name, is_before=False)


def stop_at(moment: Moment, signal_number: int) -> None:
    """Have this process send itself a signal at a moment of the way, once."""
    original = getattr(moment.owner, moment.name)

    def stop(*args: Any, **options: Any) -> Any:
        setattr(moment.owner, moment.name, original)
        if moment.is_before:
            os.kill(os.getpid(), signal_number)
            return original(*args, **options)
        answer = original(*args, **options)
        os.kill(os.getpid(), signal_number)
        return answer

    setattr(moment.owner, moment.name, stop)
