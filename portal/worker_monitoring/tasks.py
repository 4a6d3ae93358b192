from celery import shared_task


@shared_task
def heartbeat() -> None:
    """Arrive. That it was taken is noted as for every task (`signals.on_task`); a supervisor sends it to its own worker."""
