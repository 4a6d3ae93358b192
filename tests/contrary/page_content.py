"""Reading a page as a browser would: where it leads, what its forms send, and what a person sees."""

from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urljoin, urlsplit

from tests.contrary.platform.hostile import MARK

LEADS = ("href", "action", "formaction", "hx-get", "hx-post", "hx-put", "hx-patch", "hx-delete")
FETCHED = ("href", "hx-get")
RUN = ("javascript:", "vbscript:", "data:")
IGNORED = dict.fromkeys(range(33))
"""What browsers leave out at the beginning of an address."""
UNSEEN = ("script", "style", "template", "title")
VOID = ("input", "br", "img", "meta", "link", "hr", "use", "path", "source", "wbr")


@dataclass
class Form:
    """A form: where it goes, and what it sends when nobody touches it."""

    action: str
    method: str
    fields: dict[str, list[str]] = field(default_factory=dict)
    choices: dict[str, list[str]] = field(default_factory=dict)
    """Of selects, boxes and radio buttons: everything that could be chosen."""
    files: list[str] = field(default_factory=list)
    types: dict[str, str] = field(default_factory=dict)
    """Of inputs that are typed in: text, date, email and so on."""


class Reader(HTMLParser):
    """Collects what a test wants to know about a page."""

    def __init__(self) -> None:
        super().__init__()
        self.leads: list[tuple[str, str, str]] = []
        """Tag, attribute and value of everything that leads somewhere."""
        self.alive: list[str] = []
        """What a browser would run, or takes for markup although the platform wrote it: there is none of it on any page."""
        self.forms: dict[str, Form] = {}
        """By their id, or their number."""
        self.words: list[str] = []
        self.links: list[tuple[str, str]] = []
        """Address and words of every link."""
        self.told: list[tuple[str, str]] = []
        """Tone and words of the toasts."""
        self._form = self._link = self._toast = ""
        self._unseen = 0
        self._select: tuple[Form, str] | None = None
        self._textarea: tuple[Form, str] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.leads += [(tag, name, given[name]) for name in LEADS if name in given]
        self.alive += [f"<{tag} {name}={value[:60]!r}>" for name, value in given.items() if is_alive(name, value)]
        self.alive += [f"<{tag}>"] if tag == MARK else []
        if tag == "a" and given.get("href"):
            self._link = given["href"]
            self.links.append((self._link, ""))
        if "data-toast" in given:
            self._toast = given.get("class", "").removeprefix("toast").strip()
        if tag in UNSEEN:
            self._unseen += 1
        elif tag == "form":
            self._form = given.get("id") or str(len(self.forms))
            action = given.get("action") or given.get("hx-post") or given.get("hx-get") or ""
            method = "post" if given.get("hx-post") else given.get("method", "get").lower()
            self.forms.setdefault(self._form, Form("", "get"))
            self.forms[self._form].action, self.forms[self._form].method = action, method
        elif name := given.get("name"):
            self._take(tag, name, given)
        elif tag == "option" and self._select:
            self._option(given)

    def _take(self, tag: str, name: str, given: dict[str, str]) -> None:
        form = self._form_of(given)
        if form is None:
            return
        value, kind = given.get("value", ""), given.get("type", "text")
        if tag == "select":
            self._select = (form, name)
        elif tag == "textarea":
            self._textarea = (form, name)
            form.fields.setdefault(name, []).append("")
        elif tag == "input" and kind == "file":
            form.files.append(name)
        elif tag == "input" and kind in ("checkbox", "radio"):
            value = given.get("value", "on")
            form.choices.setdefault(name, []).append(value)
            if "checked" in given:
                form.fields.setdefault(name, []).append(value)
        elif tag == "button":
            form.choices.setdefault(name, []).append(value)
        elif tag == "input" and kind not in ("submit", "button", "image"):
            form.types[name] = kind
            form.fields.setdefault(name, []).append(value)

    def _form_of(self, given: dict[str, str]) -> Form | None:
        named = given.get("form")
        if named:
            return self.forms.setdefault(named, Form("", "get"))
        return self.forms.get(self._form)

    def _option(self, given: dict[str, str]) -> None:
        assert self._select
        form, name = self._select
        value = given.get("value", "")
        form.choices.setdefault(name, []).append(value)
        if "selected" in given:
            form.fields[name] = [value]
        else:
            form.fields.setdefault(name, [form.choices[name][0]])

    def handle_endtag(self, tag: str) -> None:
        if tag in UNSEEN:
            self._unseen -= 1
        elif tag == "form":
            self._form = ""
        elif tag == "a":
            self._link = ""
        elif tag == "p" and self._toast:
            self._toast = ""
        elif tag == "select":
            self._select = None
        elif tag == "textarea":
            self._textarea = None

    def handle_data(self, data: str) -> None:
        if self._textarea:
            form, name = self._textarea
            form.fields[name][-1] = (form.fields[name][-1] + data).removeprefix("\n")
        if not self._unseen and data.strip():
            self.words.append(data.strip())
            if self._link:
                self.links[-1] = (self._link, f"{self.links[-1][1]} {data.strip()}".strip())
            if self._toast:
                self.told.append((self._toast, data.strip()))

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())


def is_alive(name: str, value: str) -> bool:
    """Say whether an attribute is code. Ours have none: the policy of the site would refuse it."""
    return name == MARK or name.startswith("on") or (name in LEADS and value.translate(IGNORED).lower().startswith(RUN))


def read(content: bytes) -> Reader:
    reader = Reader()
    reader.feed(content.decode())
    return reader


def places(reader: Reader, address: str) -> list[str]:
    """Return the addresses of this site that a page leads to and that can be opened, with their queries."""
    found = [urljoin(address, value) for _, name, value in reader.leads if name in FETCHED and value]
    found += [urljoin(address, form.action) for form in reader.forms.values() if form.method == "get" and form.action]
    local = [urlsplit(value) for value in dict.fromkeys(found)]
    return [part.path + (f"?{part.query}" if part.query else "") for part in local if part.netloc == "" and part.path]


def filled(form: Form, **values: Any) -> dict[str, Any]:
    """What the form sends when a person has set these fields."""
    return {**{name: each if len(each) > 1 else each[0] for name, each in form.fields.items() if each}, **values}
