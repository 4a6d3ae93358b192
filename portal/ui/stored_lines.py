from typing import Any

from django.forms.boundfield import BoundField
from django.utils.functional import cached_property

from portal.lib.line_breaks import unified


class StoredLines(BoundField):
    """A field whose text is counted, compared and handed on with its lines as they are stored; a form's `bound_field_class`."""

    @property
    def data(self) -> Any:
        return _unified(super().data)

    @cached_property
    def initial(self) -> Any:
        return _unified(super().initial)


def _unified(value: Any) -> Any:
    return unified(value) if isinstance(value, str) else value
