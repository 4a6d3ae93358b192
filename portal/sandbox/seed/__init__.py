"""The sandbox's made-up customer-trust world: people, questionnaires, requests. It writes and calls nothing."""

from portal.sandbox.seed.world import World, build_world

__all__ = ["World", "build_world"]
