from celery import shared_task

from portal.notifications import services


@shared_task
def deliver_notifications() -> None:
    """Mail what is due."""
    services.deliver_due()


@shared_task
def post_notifications() -> None:
    """Post what is due to the channels of the teams. Not with the mails: a chat that is slow holds none of them up."""
    services.post_due()


@shared_task
def tell_of_due_work() -> None:
    """Tell those whose morning has come what is due for them."""
    services.tell_of_due_work()


@shared_task
def forget_notifications() -> None:
    """Remove what was told long ago."""
    services.forget_old()
