"""The tables of a room are made at once, as the single operations would make them."""

from importlib import import_module

import pytest
from django.db import connection, migrations, models
from django.db.migrations.state import ProjectState

from portal.lib.first_migrations import CreateTables, at_once
from tests.house.test_source import PORTAL

pytestmark = [pytest.mark.both, pytest.mark.django_db(transaction=True)]

KEY = ("id", models.BigAutoField(primary_key=True))
OPERATIONS = [
    migrations.CreateModel("Shelf", [KEY, ("name", models.CharField(max_length=20))]),
    migrations.CreateModel("Book", [KEY, ("title", models.CharField(max_length=20))]),
    migrations.AddField("Book", "shelf", models.ForeignKey("reading_room.Shelf", models.CASCADE)),
    migrations.AddIndex("Book", models.Index(fields=["title"], name="books_by_title")),
    migrations.AddConstraint("Shelf", models.UniqueConstraint(fields=["name"], name="one_shelf_of_a_name")),
]


def tables() -> set[str]:
    return {each for each in connection.introspection.table_names() if each.startswith("reading_room_")}


def constraints(table: str) -> set[str]:
    with connection.cursor() as cursor:
        return {*connection.introspection.get_constraints(cursor, table)}


def test_all_tables_stand_with_what_was_added_and_go_again():
    step, *rest = at_once(OPERATIONS)
    assert rest == []
    before, after = ProjectState(), ProjectState()
    assert after.apps, "models that are made already do not mislead it"
    step.state_forwards("reading_room", after)
    with connection.schema_editor() as editor:
        step.database_forwards("reading_room", editor, before, after)
    try:
        assert tables() == {"reading_room_shelf", "reading_room_book"}
        assert "books_by_title" in constraints("reading_room_book")
        assert "one_shelf_of_a_name" in constraints("reading_room_shelf")
    finally:
        with connection.schema_editor() as editor:
            step.database_backwards("reading_room", editor, after, before)
    assert tables() == set()


def test_what_does_more_than_tables_stays_a_step_of_its_own():
    more = migrations.RunPython(migrations.RunPython.noop)
    step, last = at_once([*OPERATIONS, more])
    assert isinstance(step, CreateTables)
    assert last is more


def test_every_room_makes_its_tables_so():
    """A new room whose first migration is as it was generated costs seconds of every migrate."""
    names = [
        f"portal.{path.parent.parent.name}.migrations.0001_initial" for path in PORTAL.glob("*/migrations/0001_initial.py")
    ]
    assert len(names) > 20
    first = {name: import_module(name).Migration.operations[0] for name in names}
    assert [name for name, step in first.items() if not isinstance(step, CreateTables)] == []
