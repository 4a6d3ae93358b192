"""What Slack sends when somebody presses a button or hands in a dialog. Everything else in it is left unread."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, StringConstraints, TypeAdapter

type Id = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9._-]{1,40}$")]
type Key = Annotated[int, Field(gt=0, lt=2**63)]


class Named(BaseModel):
    """A person or a conversation, by Slack's id."""

    id: Id


class Posted(BaseModel):
    """The message whose button was pressed."""

    ts: Id


class Pressed(BaseModel):
    """One button, and the key of what it acts on."""

    action_id: str
    value: Key


class Press(BaseModel):
    """Somebody has pressed a button of a message."""

    type: Literal["block_actions"]
    user: Named
    trigger_id: str
    channel: Named
    message: Posted
    actions: Annotated[list[Pressed], Field(min_length=1, max_length=1)]

    @property
    def action(self) -> Pressed:
        return self.actions[0]


class Filled(BaseModel):
    """What the fields of a dialog hold, by their name."""

    values: dict[str, dict[str, dict[str, Any]]]


class View(BaseModel):
    """A dialog. Its `private_metadata` is the key of what it acts on, as we wrote it."""

    callback_id: str
    private_metadata: Key
    state: Filled


class Submission(BaseModel):
    """Somebody has handed a dialog in."""

    type: Literal["view_submission"]
    user: Named
    view: View


class Other(BaseModel):
    """A link was followed, a dialog closed, or something that Slack has thought of since."""

    type: str


read: TypeAdapter[Press | Submission | Other] = TypeAdapter(
    Annotated[Press | Submission | Other, Field(union_mode="left_to_right")]
)
