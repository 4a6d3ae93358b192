from celery import shared_task

from portal.trust_center_activity import services


@shared_task
def mail_followers() -> None:
    """Mail those who follow a word that visitors have asked about."""
    services.mail_followers()
