"""Changing tables in migrations without making every model of the site anew after each change."""

from collections.abc import Sequence

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations import (
    AddConstraint,
    AddField,
    AddIndex,
    AlterField,
    CreateModel,
    RemoveConstraint,
    RemoveField,
    RemoveIndex,
)
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState

OF_NEW_TABLES = (AddField, AddIndex, AddConstraint)
OF_ONE_MODEL = (*OF_NEW_TABLES, CreateModel, AlterField, RemoveField, RemoveIndex, RemoveConstraint)


def steps(operations: Sequence[Operation]) -> list[Operation]:
    """Return operations that do the same and only make those models anew that they change.

    What is added to tables that are created here is in them from the beginning: they are made as they are in the end.
    """
    number = _creating(operations)
    changes = [Step([each]) if _is_of_one_model(each) else each for each in operations[number:]]
    return [Step(operations[:number]), *changes] if number else changes


class Step(Operation):
    """One change of models, or the creation of several with what is added to these.

    Every model of the site leads to the tenant. So after each operation Django would make all models anew that there are by
    then, two hundred in the end. Here the others keep what they know of the changed one, as they do where Django itself puts
    that off (`is_delayed`): what reads rows has all of them made anew before, and what changes tables does not ask them.
    """

    def __init__(self, operations: Sequence[Operation]) -> None:
        self.operations = operations
        created = [each for each in operations if isinstance(each, CreateModel)]
        self._acts = created or operations

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        # While the models are not made, an operation only writes down what they are.
        apps = state.__dict__.pop("apps", None)
        for each in self.operations:
            each.state_forwards(app_label, state)
        if apps is None:
            return
        names = {_model_of(each) for each in self.operations}
        with apps.bulk_update():
            for name in names:
                apps.unregister_model(app_label, name)
        apps.render_multiple([state.models[app_label, name] for name in names])
        state.__dict__["apps"], state.is_delayed = apps, True

    def database_forwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        for each in self._acts:
            each.database_forwards(app_label, schema_editor, from_state, to_state)

    def database_backwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        for each in reversed(self._acts):
            each.database_backwards(app_label, schema_editor, from_state, to_state)

    def describe(self) -> str:
        return ". ".join(each.describe() for each in self._acts)


def _creating(operations: Sequence[Operation]) -> int:
    """Return how many operations at the beginning create tables and add to those."""
    created: set[str] = set()
    for number, each in enumerate(operations):
        if isinstance(each, CreateModel):
            created.add(_model_of(each))
        elif not isinstance(each, OF_NEW_TABLES) or _model_of(each) not in created:
            return number
    return len(operations)


def _is_of_one_model(operation: Operation) -> bool:
    """Say whether an operation changes the table of one model; a key that others refer to is changed with their columns."""
    is_key = isinstance(operation, AlterField) and (operation.field.primary_key or operation.field.unique)
    return isinstance(operation, OF_ONE_MODEL) and not is_key


def _model_of(operation: Operation) -> str:
    name: str = operation.name_lower if isinstance(operation, CreateModel) else operation.model_name_lower  # type: ignore[attr-defined]
    return name
