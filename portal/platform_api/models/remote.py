"""What all objects of the platform have in common."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Annotated, Any, Self

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

from portal.platform_api.errors import UnexpectedAnswer


def aware(value: datetime) -> datetime:
    """Read a time without a zone as UTC: every example of the platform is UTC (platform-api 1.2)."""
    return value if value.tzinfo else value.replace(tzinfo=UTC)


Moment = Annotated[datetime, AfterValidator(aware)]


class Remote(BaseModel):
    """An object as the platform sent it. Its repr shows the id alone: the rest may be about a person, or a signed address."""

    model_config = ConfigDict(frozen=True, extra="allow", alias_generator=to_camel, populate_by_name=True)

    _raw: dict[str, Any] = PrivateAttr(default_factory=dict)

    @property
    def raw(self) -> dict[str, Any]:
        """The decoded object exactly as it was received, unknown fields included."""
        return self._raw

    @classmethod
    def read(cls, decoded: Any, method: str = "", template: str = "") -> Self:
        """Make the object from decoded JSON. Raises UnexpectedAnswer when it lacks what it must have."""
        try:
            return cls.model_validate(decoded)
        except ValidationError as error:
            problems = error.errors(include_url=False, include_context=False, include_input=False)
            where = ", ".join(".".join(map(str, problem["loc"])) or "the whole" for problem in problems[:3])
        # Outside of the handler: what pydantic reports holds the values themselves.
        raise UnexpectedAnswer(method, template, message=f"{cls.__name__} cannot be read: {where}")

    @model_validator(mode="wrap")
    @classmethod
    def _keep_raw(cls, decoded: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:
        remote = handler(decoded)
        if isinstance(decoded, dict):
            remote._raw = decoded
        return remote

    def __repr_args__(self) -> Iterator[tuple[str | None, Any]]:
        if "id" in type(self).model_fields:
            yield "id", self.__dict__.get("id")


class Listed(Remote):
    """An object with an id of its own."""

    id: str


class Success(Remote):
    """An answer that says no more than whether it worked."""

    is_successful: bool
