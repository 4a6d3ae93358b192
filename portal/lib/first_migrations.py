"""Making all tables of a room at once, as its first migration does."""

from collections.abc import Sequence

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations import AddConstraint, AddField, AddIndex, CreateModel
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState

OF_NEW_TABLES = (CreateModel, AddField, AddIndex, AddConstraint)


class CreateTables(Operation):
    """Creates models, and what is added to those models, in one step.

    Every model of the site leads to the tenant. So after each single operation Django would make all models anew that there are
    so far: to migrate an empty database took 36 seconds, and takes a third of that.
    """

    def __init__(self, operations: Sequence[Operation]) -> None:
        self.operations = operations

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        # While the models are not made, an operation only writes down what they are.
        state.__dict__.pop("apps", None)
        for each in self.operations:
            each.state_forwards(app_label, state)

    def database_forwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        # As they are in the end: with the fields, indexes and constraints that were added.
        for each in self._created:
            each.database_forwards(app_label, schema_editor, from_state, to_state)

    def database_backwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        for each in reversed(self._created):
            each.database_backwards(app_label, schema_editor, from_state, to_state)

    @property
    def _created(self) -> list[CreateModel]:
        return [each for each in self.operations if isinstance(each, CreateModel)]

    def describe(self) -> str:
        return f"Create {', '.join(each.name for each in self._created)}"


def at_once(operations: Sequence[Operation]) -> list[Operation]:
    """Make one step of those operations at the beginning that create tables; what follows stays as it is."""
    number = next((place for place, each in enumerate(operations) if not isinstance(each, OF_NEW_TABLES)), len(operations))
    return [CreateTables(operations[:number]), *operations[number:]]
