"""The platform's own name, which stands in some words of answers. No text of ours says it: clients that insist tell it."""

import re

from portal.sandbox.store import Store

ANONYMOUS = "Platform"
SETTING = "own-name"
FORM = re.compile(r"[A-Za-z][A-Za-z0-9]{0,39}")


class OwnName:
    """Kept with everything else. `Platform`, as our texts have it, until another one is set."""

    def __init__(self, store: Store) -> None:
        self._store = store

    @property
    def current(self) -> str:
        name: str = self._store.setting(SETTING, ANONYMOUS)
        return name

    @property
    def is_set(self) -> bool:
        return self.current != ANONYMOUS

    def change(self, name: str) -> None:
        """Let answers say this name. Raises ValueError for one that is no word."""
        if not FORM.fullmatch(name):
            raise ValueError("the name must be one word of letters and digits")
        self._store.set_setting(SETTING, name)

    def spoken(self, word: str) -> str:
        """Say a word of ours with the platform's name, in the same case."""
        return word.replace(ANONYMOUS.upper(), self.current.upper()).replace(ANONYMOUS, self.current)

    def heard(self, word: str) -> str:
        """Turn a word that a client sent into ours."""
        return word.replace(self.current.upper(), ANONYMOUS.upper()).replace(self.current, ANONYMOUS)
