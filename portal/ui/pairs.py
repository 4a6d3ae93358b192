"""Rows of two texts, such as key and value: as many as are filled in, and some empty ones to go on."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from django import forms

from portal.lib.storable import storable_text

EMPTY_ROWS: Final = 2
MAX_TEXT_LENGTH: Final = 200
LINE_BREAKS: Final = re.compile(r"[\r\n]")

type Pair = tuple[str, str]


class PairsWidget(forms.Widget):
    """Two inputs a row. `labels` names the columns."""

    template_name = "components/pairs.html"
    use_fieldset = True

    def __init__(self, labels: Pair, *, most: int) -> None:
        super().__init__()
        self.labels = labels
        self.most = most

    def value_from_datadict(self, data: Mapping[str, Any], files: Mapping[str, Any], name: str) -> list[Pair]:
        lefts, rights = (data.getlist(f"{name}-{side}") if hasattr(data, "getlist") else [] for side in ("left", "right"))
        return [(left.strip(), right.strip()) for left, right in zip(lefts, rights, strict=False)]

    def value_omitted_from_data(self, data: Mapping[str, Any], files: Mapping[str, Any], name: str) -> bool:
        return False

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        context = super().get_context(name, None, attrs)
        filled = [pair for pair in value or [] if any(pair)]
        rows = (filled + [("", "")] * EMPTY_ROWS)[: max(self.most, len(filled))]
        context["widget"] |= {"rows": rows, "labels": self.labels, "most": self.most}
        return context


def as_typed(pair: Pair) -> Pair:
    """Return two texts as they come back from their inputs, which have one line, and nothing around it."""
    left, right = (LINE_BREAKS.sub("", storable_text(text)).strip() for text in pair)
    return left, right


class PairsField(forms.Field):
    """Rows of which both texts are filled in; empty ones are left out."""

    present: Sequence[Pair] = ()
    """What stands there already: it may stay, whatever it is."""

    def __init__(self, *, labels: Pair, most: int, text: re.Pattern[str] | None = None, **options: Any) -> None:
        super().__init__(widget=PairsWidget(labels, most=most), required=False, **options)
        self.labels = labels
        self.most = most
        self.text = text

    def clean(self, value: list[Pair]) -> list[Pair]:
        pairs = [pair for pair in map(as_typed, value or []) if any(pair)]
        if len(pairs) > max(self.most, len(self.present)):
            raise forms.ValidationError(f"The platform takes at most {self.most} of them; these are {len(pairs)}.")
        for pair in pairs:
            if pair not in self.present:
                self._check(pair)
        if len({left for left, _ in pairs}) < len(pairs) and self.text:
            raise forms.ValidationError(f"Each {self.labels[0].lower()} can stand here once.")
        return pairs

    def _check(self, pair: Pair) -> None:
        for label, other, text in ((*self.labels, pair[0]), (*self.labels[::-1], pair[1])):
            if not text:
                raise forms.ValidationError(f"“{pair[0] or pair[1]}” has a {other.lower()} and no {label.lower()}.")
            if len(text) > MAX_TEXT_LENGTH:
                raise forms.ValidationError(f"“{text[:30]}…” is longer than {MAX_TEXT_LENGTH} characters.")
            if self.text and not self.text.fullmatch(text):
                raise forms.ValidationError(f"“{text[:60]}” does not fit: letters from A to Z, digits, - _ and . only.")
