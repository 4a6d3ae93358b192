"""What all objects of the platform have in common."""

import json
import logging
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Annotated, Any, Final, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    ModelWrapValidatorHandler,
    PrivateAttr,
    ValidationError,
    model_validator,
)
from pydantic.alias_generators import to_camel

from portal.platform_api.errors import Unreadable
from portal.platform_api.identifiers import identifier_problem

logger = logging.getLogger(__name__)

MAX_OBJECT_BYTES: Final = 1024 * 1024
"""Of one object. No questionnaire, person or answer is as large; one that is would make each page that shows it slow."""
FIRST_YEAR: Final = 2
LAST_YEAR: Final = 9998
"""Of a time that every zone can show. What lies at the ends of the calendar stands for no time at all."""
_reported: set[tuple[str, str]] = set()


def aware(value: datetime) -> datetime:
    """Read a time without a zone as UTC: every example of the platform is UTC (platform-api 1.2).

    Raises ValueError for one that some reader's zone cannot show: a page with it would fail.
    """
    if not FIRST_YEAR <= value.year <= LAST_YEAR:
        raise ValueError("the time lies at an end of the calendar")
    return value if value.tzinfo else value.replace(tzinfo=UTC)


def usable(identifier: str) -> str:
    """Refuse an id that nobody could ask for. Raises ValueError."""
    if problem := identifier_problem(identifier):
        raise ValueError(problem)
    return identifier


Moment = Annotated[datetime, AfterValidator(aware)]
Identifier = Annotated[str, AfterValidator(usable)]


class Remote(BaseModel):
    """An object as the platform sent it. Its repr shows the id alone: the rest may be about a person, or a signed address."""

    model_config = ConfigDict(
        frozen=True,
        extra="allow",
        alias_generator=to_camel,
        populate_by_name=True,
        defer_build=True,
        # JSON has no such numbers, but a number that comes as a text may be one, and nothing can be counted with it.
        allow_inf_nan=False,
    )

    _raw: dict[str, Any] = PrivateAttr(default_factory=dict)

    @property
    def raw(self) -> dict[str, Any]:
        """The decoded object exactly as it was received, unknown fields included."""
        return self._raw

    @classmethod
    def read(cls, decoded: Any, method: str = "", template: str = "") -> Self:
        """Make the object from decoded JSON. Raises Unreadable when it lacks what nobody can do without."""
        try:
            return cls.model_validate(decoded)
        except ValidationError as error:
            problem = problem_of(error)
        # Outside of the handler: what pydantic reports holds the values themselves.
        raise Unreadable(method, template, model=cls.__name__, problem=problem)

    @model_validator(mode="wrap")
    @classmethod
    def _read_what_can_be_read(cls, decoded: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:
        """Read a field that has another type than expected as absent, if it may be; `raw` keeps it as it came."""
        try:
            remote = handler(decoded)
        except ValidationError as error:
            remote = handler(cls._without_unreadable(decoded, error))
        if isinstance(decoded, dict):
            remote._raw = decoded
        return remote

    @classmethod
    def _without_unreadable(cls, decoded: Any, error: ValidationError) -> dict[str, Any]:
        """Leave out what the error names. Raises the error where the object cannot do without it."""
        if not isinstance(decoded, dict):
            raise error
        required = {to_camel(name) for name, field in cls.model_fields.items() if field.is_required()}
        left = dict(decoded)
        for name, *inside in places_of(error):
            if name in required or name not in decoded:
                raise error
            report_once(cls.__name__, str(name))
            if isinstance(decoded[name], list) and inside:
                # One entry of a list does not take the others with it.
                unreadable = {place[1] for place in places_of(error) if place[0] == name}
                left[name] = [entry for number, entry in enumerate(decoded[name]) if number not in unreadable]
            else:
                left.pop(name, None)
        return left

    def __repr_args__(self) -> Iterator[tuple[str | None, Any]]:
        if "id" in type(self).model_fields:
            yield "id", self.__dict__.get("id")


class Listed(Remote):
    """An object with an id of its own."""

    id: Identifier


class Success(Remote):
    """An answer that says no more than whether it worked."""

    is_successful: bool


def places_of(error: ValidationError) -> list[tuple[Any, ...]]:
    """Return where in an object its problems are; nowhere in particular is an empty name."""
    return [problem["loc"] or ("",) for problem in error.errors(include_url=False, include_context=False, include_input=False)]


def problem_of(error: ValidationError) -> str:
    """Say which fields are missing or wrong; none of their values."""
    words = []
    for problem in error.errors(include_url=False, include_context=False, include_input=False)[:3]:
        name = ".".join(map(str, problem["loc"])) or "the whole"
        words.append(f"{name} is missing" if problem["type"] == "missing" else f"{name} is of another kind than expected")
    return ", ".join(words)


def size_problem(decoded: Any) -> str:
    """Say whether an object is larger than any can be; empty when it is not."""
    size = len(json.dumps(decoded, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass"))
    return f"it is larger than {MAX_OBJECT_BYTES // 1024**2} MB" if size > MAX_OBJECT_BYTES else ""


def report_once(model: str, field: str) -> None:
    """Say in the log that a field is not as it was; once in the life of a process, for it will be so in every object."""
    if (model, field) not in _reported:
        _reported.add((model, field))
        logger.warning("%s: the platform's %s could not be read, and is left out", model, field)
