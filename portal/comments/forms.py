from typing import Any

from django import forms

from portal.comments.models import MAX_LENGTH
from portal.lib.storable import storable_text
from portal.ui.stored_lines import StoredLines


class TextField(forms.CharField):
    """Text as it is counted and stored."""

    def to_python(self, value: Any) -> Any:
        return super().to_python(storable_text(str(value or "")))


class CommentForm(forms.Form):
    """What somebody has to say. The browser cuts nothing off: too long a text comes back whole, with the reason."""

    bound_field_class = StoredLines

    body = TextField(
        label="Comment",
        widget=forms.Textarea(attrs={"rows": 3, "dir": "auto", "data-comment": ""}),
        error_messages={"required": "Write something first."},
    )

    def clean_body(self) -> str:
        body: str = self.cleaned_data["body"]
        if len(body) > MAX_LENGTH:
            raise forms.ValidationError(
                f"A comment can have {MAX_LENGTH:,} characters. This one has {len(body):,}: shorten it."
            )
        return body
