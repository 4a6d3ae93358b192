"""Refusals of the API in the form of platform-api 1.4."""

from portal.sandbox.store import Json


class Refusal(Exception):
    """An answer that is not a success, with the message the caller gets."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message

    def body(self) -> Json:
        return {"message": self.message}


class Invalid(Refusal):
    """Something sent does not fit. Keys of `errors` are dotted paths; values have a message and the rejected value."""

    def __init__(self, errors: dict[str, Json]) -> None:
        super().__init__(400, "Validation error")
        self.errors = errors

    @classmethod
    def at(cls, path: str, message: str, *, value: object = None) -> "Invalid":
        return cls({path: {"message": message, "value": value}})

    def body(self) -> Json:
        return {"message": self.message, "errors": self.errors}


def unprocessable(message: str = "Resource not found") -> Refusal:
    """Refuse a reference to something that does not exist, inside a body that is otherwise fine."""
    return Refusal(422, message)


def conflict(message: str) -> Refusal:
    return Refusal(409, message)
