"""Somebody at the pages of a house, with a session and a browser without scripts."""

import re
from urllib.parse import urljoin

import requests

from tests.contrary.page_content import read
from tests.faults.house import House

PAGES = (
    *("", "questionnaires/", "access-requests/", "access-requests/viewers/", "contracts/", "customers/", "deletion-requests/"),
    *("library/", "commitments/", "incidents/", "tags/", "trust-center/faqs/", "trust-center-activity/", "notifications/"),
    *("people/", "documents/", "vendors/", "audits/", "controls/", "issues/", "search/?q=any"),
    *("settings/", "settings/connection/", "settings/webhooks/", "settings/members/", "settings/audit/", "library/new/"),
)


class Person:
    """Somebody with a session, at a browser without scripts."""

    def __init__(self, house: House, slug: str, cookie: str) -> None:
        self._root = f"{house.url}/t/{slug}/"
        self._session = requests.Session()
        self._session.cookies.set("sessionid", cookie)

    def unread(self) -> dict[str, int]:
        """Open every page; return the status of those that cannot be read."""
        statuses = {page: self._session.get(self._root + page, timeout=20).status_code for page in PAGES}
        return {page: status for page, status in statuses.items() if status != 200}

    def add_entry(self, question: str) -> requests.Response:
        """Add an entry to the library."""
        form = self._session.get(f"{self._root}library/new/", timeout=20).text
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', form)
        assert token, form[:500]
        data = {"csrfmiddlewaretoken": token[1], "question": question, "text": "As it is."}
        return self._session.post(f"{self._root}library/new/", data, timeout=20, headers={"Referer": self._root})

    def entries(self) -> list[str]:
        page = self._session.get(f"{self._root}library/", timeout=20).text
        return [question for question in ("Before?", "During?", "After?") if question in page]

    def look_around(self) -> dict[str, set[str]]:
        """Open every page but Today, whose queue moves on by itself; return what each leads to."""
        return {page: self._leads_to(self._root + page) for page in PAGES if page}

    def check_sees(self, before: dict[str, set[str]]) -> None:
        """Everything that the pages led to before is there to be read, and they lead to it still."""
        now = self.look_around()
        missing = {page: sorted(links - now[page]) for page, links in before.items()}
        assert not {page: links for page, links in missing.items() if links}
        for address in set().union(*before.values()):
            self._leads_to(address)

    def _leads_to(self, address: str) -> set[str]:
        answer = self._session.get(address, timeout=20)
        assert answer.status_code == 200, (address, answer.status_code)
        if "text/html" not in answer.headers["Content-Type"]:
            return set()
        links = (urljoin(address, link) for link, _ in read(answer.content).links)
        return {link for link in links if link.startswith(self._root) and not {"?", "#"} & {*link}}
