from django.apps import AppConfig


class WorkerMonitoringConfig(AppConfig):
    name = "portal.worker_monitoring"

    def ready(self) -> None:
        # Models can only be imported once every app is there.
        from celery import signals as celery_signals
        from django.conf import settings

        from portal.lib.ended_processes import fold_ended
        from portal.lib.logs import register_facts
        from portal.lib.metrics import register_readings
        from portal.worker_monitoring import signals
        from portal.worker_monitoring.metrics import readings

        fold_ended()
        register_readings(readings)
        register_facts(signals.task_facts)
        celery_signals.setup_logging.connect(signals.keep_our_logging, weak=False, dispatch_uid="keep_our_logging")
        celery_signals.task_prerun.connect(signals.on_task, weak=False, dispatch_uid="heard")
        celery_signals.task_postrun.connect(signals.after_task, weak=False, dispatch_uid="give_back")
        celery_signals.beat_embedded_init.connect(signals.end_with_worker, weak=False, dispatch_uid="end_with_worker")
        if settings.SENTRY_DSN:
            # Not installed where nobody wants it.
            from portal.lib import error_reports

            celery_signals.worker_process_init.connect(error_reports.start_in_child, weak=False, dispatch_uid="report_errors")
            celery_signals.worker_process_shutdown.connect(error_reports.flush, weak=False, dispatch_uid="flush_errors")
