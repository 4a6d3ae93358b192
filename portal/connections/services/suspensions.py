from portal.connections.models import Suspension


def queue_suspension(region: str, *tokens: str) -> None:
    """Put tokens aside, sealed, for the suspend call; nothing else can open them there. Runs in the caller's transaction."""
    for token in filter(None, tokens):
        suspension = Suspension(region=region)
        suspension.put(token)
        suspension.save()
