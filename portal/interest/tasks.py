from celery import shared_task

from portal.interest import services


@shared_task
def tell_followers() -> None:
    """Mail those who follow a word that visitors have asked about."""
    services.tell_followers()
