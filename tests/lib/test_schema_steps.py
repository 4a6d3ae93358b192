"""Migrations in steps change the same as Django's own operations, and make only those models anew that they change."""

from collections import Counter

import pytest
from django.db import connection, migrations, models
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ModelState, ProjectState, StateApps

from portal.lib.schema_steps import steps

KEY = ("id", models.BigAutoField(primary_key=True))
CREATING = [
    migrations.CreateModel("Owner", [KEY, ("name", models.CharField(max_length=20))]),
    migrations.CreateModel("Thing", [KEY, ("owner", models.ForeignKey("stepped.Owner", models.CASCADE))]),
    migrations.AddField("owner", "favorite", models.ForeignKey("stepped.Thing", models.SET_NULL, null=True, related_name="+")),
    migrations.AddField("thing", "size", models.IntegerField(default=0)),
    migrations.AddIndex("thing", models.Index(fields=["size"], name="things_by_size")),
    migrations.AddConstraint("thing", models.CheckConstraint(condition=models.Q(size__gte=0), name="things_have_a_size")),
]
CHANGING = [
    migrations.AddField("owner", "age", models.IntegerField(null=True)),
    migrations.AlterField("owner", "name", models.CharField(max_length=50)),
    migrations.AlterField("thing", "owner", models.ForeignKey("stepped.Owner", models.CASCADE, db_index=False)),
    migrations.RemoveIndex("thing", "things_by_size"),
    migrations.AddIndex("thing", models.Index(fields=["-size"], name="things_largest_first")),
    migrations.RenameField("thing", "size", "width"),
    migrations.CreateModel("Part", [KEY, ("thing", models.ForeignKey("stepped.Thing", models.CASCADE))]),
    migrations.RemoveField("owner", "favorite"),
    # The columns that lead to it change with it.
    migrations.AlterField("owner", "id", models.AutoField(primary_key=True)),
]
TABLES = ("stepped_owner", "stepped_thing", "stepped_part")
pytestmark = pytest.mark.both


@pytest.fixture
def made(transactional_db):
    """Tables that are made in a test go with it."""
    yield
    drop()


def migration_of(operations: list[Operation]) -> migrations.Migration:
    migration = migrations.Migration("0001", "stepped")
    migration.operations = operations
    return migration


def apply(operations: list[Operation], state: ProjectState) -> ProjectState:
    """Apply a migration as `migrate` does, which makes all models before the first one."""
    state.apps  # noqa: B018
    with connection.schema_editor(atomic=True) as editor:
        return migration_of(operations).apply(state, editor)


def tables() -> dict[str, object]:
    """Return the columns and what is said of them, table by table."""
    with connection.cursor() as cursor:
        describe, constraints = connection.introspection.get_table_description, connection.introspection.get_constraints
        existing = set(connection.introspection.table_names(cursor)) & {*TABLES}
        return {
            table: (
                {column.name: (column.type_code, column.display_size, column.null_ok) for column in describe(cursor, table)},
                # Django names some of them after the columns, PostgreSQL the others.
                Counter(str(sorted(each.items(), key=str)) for each in constraints(cursor, table).values()),
            )
            for table in existing
        }


def drop() -> None:
    with connection.cursor() as cursor:
        for table in reversed(TABLES):
            cursor.execute(f"DROP TABLE IF EXISTS {table}{' CASCADE' if connection.vendor == 'postgresql' else ''}")


def test_steps_end_in_the_same_tables(made):
    found = []
    for way in (list, steps):
        apply(way(CHANGING), apply(way(CREATING), ProjectState()))
        found.append(tables())
        drop()
    assert len(steps(CHANGING)) == len(CHANGING)
    assert found[0].keys() == {*TABLES}
    assert found[0] == found[1]


def test_steps_are_taken_back(made):
    state = apply(steps(CREATING), ProjectState())
    before = tables()
    apply(steps(CHANGING), state.clone())
    assert tables() != before
    with connection.schema_editor(atomic=True) as editor:
        migration_of(steps(CHANGING)).unapply(state, editor)
    assert tables() == before


def test_only_what_a_step_changes_is_made_anew(made, monkeypatch):
    state, render, rendered = apply(steps(CREATING), ProjectState()), ModelState.render, []
    monkeypatch.setattr(ModelState, "render", lambda self, apps: (rendered.append(self.name), render(self, apps))[1])
    apply(steps(CHANGING[:5]), state)
    assert rendered == ["Owner", "Owner", "Thing", "Thing", "Thing"]


def test_what_reads_rows_after_steps_finds_them_by_their_relations(made):
    def fill(apps: StateApps, editor: object) -> None:
        owner = apps.get_model("stepped", "Owner").objects.create(name="A name of more than twenty letters", age=3)
        thing = apps.get_model("stepped", "Thing").objects.create(owner=owner, size=1)
        assert apps.get_model("stepped", "Thing").objects.get(owner__age=3).owner == owner
        assert owner.thing_set.get() == thing
        thing.delete()
        owner.delete()

    apply(steps([*CREATING, *CHANGING[:2], migrations.RunPython(fill)]), ProjectState())
