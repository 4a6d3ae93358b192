from celery import shared_task

from portal.language_model import services


@shared_task
def prune_model_calls() -> None:
    """Delete the records of calls that are older than their time."""
    services.prune_calls()
