from celery import shared_task

from portal.incidents import services


@shared_task
def remind_of_deadlines() -> None:
    """Mail the people of incidents whose deadlines are near or have passed."""
    services.remind_all()
