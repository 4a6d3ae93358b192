from celery import shared_task

from portal.single_sign_on import services


@shared_task
def sweep_mail_domains() -> None:
    """Look at the mail domains whose time has come, and tell owners of those that are no longer proven."""
    services.sweep()
    services.ask_again()
