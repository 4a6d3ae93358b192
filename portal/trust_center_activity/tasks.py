from celery import shared_task

from portal.trust_center_activity import services


@shared_task
def tell_followers() -> None:
    """Tell those who follow a word that visitors have asked about."""
    services.tell_followers()
