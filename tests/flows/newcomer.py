"""A person at a browser without scripts, who knows nothing but what the demo has printed."""

import re
import time
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import requests

TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')
CODE = re.compile(r"is:\n\n(\S+)\n")
LINK = re.compile(r"^(https?://\S+)$", re.MULTILINE)
MAIL_SECONDS = 20


class Newcomer:
    """One browser. `mail` is the folder that the demo names."""

    def __init__(self, site: str, mail: Path) -> None:
        self.site, self.mail = site, mail
        self.session = requests.Session()

    def open(self, path: str) -> requests.Response:
        self.last = self.session.get(urljoin(self.site, path), timeout=60)
        return self.last

    def send(self, path: str, *, to: str = "", **form: str) -> requests.Response:
        """Open a page, fill in a form of it and send it to where it belongs; return what that leads to."""
        page = self.open(path)
        token = TOKEN.search(page.text)
        assert token, f"{path} answered {page.status_code} without a form"
        form["csrfmiddlewaretoken"] = token[1]
        self.last = self.session.post(urljoin(page.url, to), data=form, headers={"Referer": page.url}, timeout=60)
        return self.last

    @property
    def place(self) -> str:
        """The path that the browser is at."""
        return urlsplit(self.last.url).path

    def mails(self, address: str) -> list[str]:
        """Return the mails to an address, the oldest first, as they stand in the files."""
        files = sorted(self.mail.glob("*"), key=lambda path: path.stat().st_mtime_ns) if self.mail.is_dir() else []
        messages = [text for path in files for text in path.read_text().split("-" * 79)]
        return [text for text in messages if f"\nTo: {address}\n" in text]

    def wait_for_mail(self, address: str, number: int) -> str:
        """Return the mail of this number to an address."""
        deadline = time.monotonic() + MAIL_SECONDS
        while len(self.mails(address)) < number:
            assert time.monotonic() < deadline, f"{address} got {len(self.mails(address))} mails in {self.mail}"
            time.sleep(0.2)
        return self.mails(address)[number - 1]

    def sign_up(self, email: str, password: str, *, number: int = 1) -> None:
        """Create an account and prove its address with the code in the mail of this number."""
        self.send("/accounts/signup/", email=email, name="New Person", password1=password)
        [code] = CODE.findall(self.wait_for_mail(email, number))
        self.send("/accounts/confirm-email/", code=code)

    def sign_in(self, email: str, password: str) -> None:
        self.send("/accounts/login/", login=email, password=password)


def link_in(mail: str) -> str:
    [link] = LINK.findall(mail)
    return str(link)
