"""The platform's open lists of states and kinds, as pages show them: a value that nobody here knows stays readable."""

from collections.abc import Iterable, Mapping

type Pill = tuple[str, str]
"""What a state is called, and the tone of that."""


def readable(value: str) -> str:
    """Turn a value in upper snake case into words for people; any other stays as it came."""
    return value.replace("_", " ").strip().capitalize() if value.isupper() else value.strip()


def pill_of(value: str | None, known: Mapping[str, Pill], *, without: str = "Not known") -> Pill:
    """Return what a value is called, and the tone of that; `without` where there is none."""
    return known.get(value or "", (readable(value or "") or without, "muted"))


def labels_of(known: Mapping[str, Pill], more: Iterable[str] = ()) -> dict[str, str]:
    """Return what each known value is called, then each of `more` that is none of them; an empty one is left out."""
    labels = {value: label for value, (label, _) in known.items()}
    return labels | {value: pill_of(value, known)[0] for value in more if value and value not in labels}
