"""Which kinds of data a notice can be about. The room that plans for incidents may register its own, from `AppConfig.ready`."""

from collections.abc import Iterable, Mapping

USUAL = {
    "personal": "Personal data",
    "sensitive": "Special categories of personal data",
    "health": "Health data",
    "payment": "Payment data",
    "credentials": "Credentials",
    "customer-content": "Other content of the customer",
}

_kinds: dict[str, str] = {}


def register_data_kinds(kinds: Mapping[str, str]) -> None:
    """Say which kinds there are, instead of the usual ones: key -> what people call it."""
    _kinds.clear()
    _kinds.update(kinds)


def data_kinds() -> Mapping[str, str]:
    return _kinds or USUAL


def kind_labels(keys: Iterable[str]) -> list[str]:
    """Call kinds as people do; one that is not known any more by its key."""
    known = data_kinds()
    return [known.get(key, key) for key in keys]
