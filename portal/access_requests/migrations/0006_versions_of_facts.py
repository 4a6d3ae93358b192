from django.db import migrations, models

from portal.lib.schema_steps import steps


class Migration(migrations.Migration):
    """The columns keep their names: code of the release before works beside this one."""

    dependencies = [
        ("access_requests", "0005_open_requests_by_key"),
    ]

    operations = steps([
        migrations.AlterField(
            model_name="ruleswitch",
            name="applied_stamp",
            field=models.CharField(blank=True, db_column="applied_stamp", max_length=200),
        ),
        migrations.AlterField(
            model_name="ruleswitch",
            name="pass_stamp",
            field=models.CharField(blank=True, db_column="pass_stamp", db_default="", default="", max_length=200),
        ),
        migrations.RenameField(model_name="ruleswitch", old_name="applied_stamp", new_name="applied_fact_version"),
        migrations.RenameField(model_name="ruleswitch", old_name="pass_stamp", new_name="pass_fact_version"),
    ])
