"""The queue that a worker hears its supervisor on. Imported by the Celery application, before there are any models."""

from kombu.entity import Exchange, Queue

QUEUE_VARIABLE = "PORTAL_HEARTBEAT_QUEUE"
"""Tells a worker which queue it listens on besides the one of all workers."""


def own_queue(name: str) -> Queue:
    """The queue that one worker alone listens on. A broker that can forgets it an hour after its worker."""
    return Queue(name, Exchange(""), routing_key=name, expires=3600.0)  # type: ignore[no-untyped-call]
