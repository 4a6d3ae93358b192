from django.db import migrations
from django.utils import timezone

from portal.deletion_requests.legal_clock import a_month_after
from portal.tenants.scope import all_tenants


def start_clocks(apps, schema_editor):
    """What was asked for before there was a clock: it runs from the day it was entered, by the GDPR."""
    with all_tenants("the requests of all tenants get their clock"):
        rows = apps.get_model("deletion_requests", "DeletionRequest").objects
        for pk, requested_at in rows.values_list("pk", "requested_at"):
            day = timezone.localdate(requested_at)
            rows.filter(pk=pk).update(received_on=day, deadline_on=a_month_after(day))


class Migration(migrations.Migration):

    dependencies = [("deletion_requests", "0002_intake_and_clock")]

    operations = [migrations.RunPython(start_clocks, migrations.RunPython.noop)]
