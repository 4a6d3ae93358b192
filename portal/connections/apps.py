from django.apps import AppConfig


class ConnectionsConfig(AppConfig):
    name = "portal.connections"

    def ready(self) -> None:
        # Models can only be imported once every app is there.
        from allauth.mfa.models import Authenticator
        from celery.signals import worker_init

        from portal.connections import checks, guards, work  # noqa: F401 - they register themselves
        from portal.connections.metrics import readings
        from portal.connections.models import AccountMark, Connection, Suspension, connection, exits
        from portal.lib.metrics import register_readings
        from portal.tenants.offboarding import exclude_from_export, keep_after_purge
        from portal.tenants.sealing import Sealed, register_sealed
        from portal.users import factors

        # A worker with the wrong keys would only fail, task after task; the web processes ask for themselves.
        worker_init.connect(checks.check_at_start, weak=False, dispatch_uid="check_keys")
        keep_after_purge(Connection, Suspension, AccountMark)
        exclude_from_export(Connection, *connection.SEALED_FIELDS)
        exclude_from_export(Suspension, *exits.SEALED_FIELDS)
        register_sealed(Sealed(Connection, connection.SEALED_FIELDS, lambda row, field: row.place(field)))
        register_sealed(Sealed(Suspension, exits.SEALED_FIELDS, lambda row, field: row.sealed_at(field)))
        register_sealed(
            Sealed(
                Authenticator,
                factors.SEALED_FIELDS,
                lambda row, field: factors.PLACE,
                read=factors.sealed_value,
                replace=factors.replace_value,
            )
        )
        work.register()
        register_readings(readings)
