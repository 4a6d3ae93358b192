"""Where the operator's language model answers, read from the environment. Without an address there is none."""

from dataclasses import dataclass, field
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

from portal.lib.environment import env, is_loopback

DEFAULT_MONTHLY_TOKENS = 500_000


@dataclass(frozen=True, kw_only=True)
class ModelServer:
    """A server with the common chat-completions form."""

    url: str
    name: str
    key: str = field(repr=False)
    monthly_tokens: int
    """What one tenant may use in a month."""

    @property
    def host(self) -> str:
        return urlsplit(self.url).hostname or ""


def model_server() -> ModelServer | None:
    """Read LANGUAGE_MODEL_URL (the whole address of the chat completions), …_NAME, …_KEY and …_MONTHLY_TOKENS."""
    url = env.str("LANGUAGE_MODEL_URL", default="")
    if not url:
        return None
    if not urlsplit(url).hostname or not (url.startswith("https://") or is_loopback(url)):
        raise ImproperlyConfigured(
            f"LANGUAGE_MODEL_URL is {url!r}. Answers travel there: give the whole address, with https://, for example "
            "https://models.example.com/v1/chat/completions"
        )
    name = env.str("LANGUAGE_MODEL_NAME", default="")
    if not name:
        raise ImproperlyConfigured("LANGUAGE_MODEL_NAME is missing. Set it to the model that LANGUAGE_MODEL_URL is to use.")
    return ModelServer(
        url=url,
        name=name,
        key=env.str("LANGUAGE_MODEL_KEY", default=""),
        monthly_tokens=env.int("LANGUAGE_MODEL_MONTHLY_TOKENS", default=DEFAULT_MONTHLY_TOKENS),
    )
