"""Which test keeps which promise: writes `docs/promises.md` from the ids in the names of the tests (`make docs`)."""

import ast
import re
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "promises.md"
PROMISE = re.compile(r"test_([hqtawsro])(\d+)_(\w+)")
CHAPTERS = {
    "h": "Receiving",
    "q": "Queue, processing, sync",
    "t": "Tokens",
    "a": "Connect flow",
    "w": "Writes",
    "s": "Web and data",
    "r": "The running whole",
    "o": "Operating",
}

TITLES = {
    "h": {
        1: "an accepted delivery is a committed row",
        2: "one row for each endpoint and hook id, for ever",
        3: "the key includes the endpoint",
        4: "a duplicate of unfinished work starts it again",
        5: "a database that is down, locked, full or hanging is answered 503 in time",
        6: "the answer never waits for the broker",
        7: "signatures are verified strictly, on the raw bytes",
        8: "five minutes of clock difference either way",
        9: "secrets rotate without loss",
        10: "nothing of a forged delivery is kept, and floods are limited",
        11: "bodies and headers are capped",
        12: "slow clients cannot block the receiver",
        13: "strange payloads are stored, classified and never retried for ever",
        14: "no redirect, CSRF, login or host check stands before the receiver",
    },
    "q": {
        1: "every due row is found without the broker",
        2: "an effect and its mark commit together",
        3: "rows are claimed by a lease that is checked before writing",
        4: "the order of events does not matter",
        5: "tasks carry ids, and a killed one runs again",
        6: "a poisoned row ends dead and holds up nobody",
        7: "a worker that hears nothing is noticed and replaced",
        8: "a deployment loses nothing",
        9: "replay is a function of the product",
        10: "missed events are healed",
        11: "gone may come back, and a late fetch never overwrites a newer one",
        12: "strange answers are survived",
        13: "no tenant reaches another's inbox",
        14: "an item that cannot be read keeps out no other",
        15: "gone is believed slowly",
        16: "walks through lists end",
    },
    "t": {
        1: "one refresh, however many callers",
        2: "the lease has an owner and a version",
        3: "nothing is held while the token endpoint is asked",
        4: "a crash between answer and commit recovers",
        5: "losing the last commits disconnects nobody",
        6: "no answer is no refusal",
        7: "a 401 is met with the newer token first",
        8: "one limiter for all processes",
        9: "codes are exchanged in time, and connects are held back",
        10: "a disconnect ends access at once and is confirmed",
        11: "expiry is counted safely",
        12: "tokens are sealed with keys that rotate",
        13: "the source id is ours and random",
    },
    "a": {
        1: "the state is single-use and bound",
        2: "answers of two issuers are not mixed up",
        3: "redirects stay on the site",
        4: "the callback leaks nothing",
        5: "only what is needed is asked for, and the account is confirmed",
    },
    "w": {
        1: "an uncertain outcome is settled by looking",
        2: "nobody's text is lost",
        3: "undo means that nothing left",
        4: "bulk is honest",
        5: "the platform's limits are obeyed",
    },
    "s": {
        1: "tenants never see each other",
        2: "unsafe methods need the CSRF token, and looking changes nothing",
        3: "texts of others are hostile",
        4: "outgoing hosts are a closed list",
        5: "any id of the platform works, and none changes a path",
        6: "no secret leaves its place",
        7: "sessions are strict, and rights are read at each request",
        8: "audit rows are only added",
        9: "costly actions are limited",
        10: "sign-in holds",
        11: "deletion deletes",
        12: "the audit trail tells whether it was touched",
        13: "an account belongs to who proved the address",
        14: "failed sign-ins of one never shut out another",
        15: "no bearer link in any line of any logger",
        16: "second factors hold",
        17: "the second wall is whole",
        18: "one tenant's volume never changes another's results",
        19: "nobody is put into a tenant unasked, and anybody can leave",
        20: "files are the service's own",
    },
    "r": {
        1: "every task is registered, and the logs of the demo are clean",
        2: "every control does what its label says",
        3: "a figure stands only for what was looked at",
        4: "what is printed and documented is true",
        5: "messages name who refused",
        6: "switching something on says what it will do now",
        7: "a replaced or mistaken grant is ended",
        8: "a change of state has its audit row",
        9: "expiry, tokens and generations are stored as the platform said",
    },
    "o": {
        1: "the embedded default gives the same guarantees",
        2: "unsafe production settings are refused",
        3: "health tells the truth",
        4: "a full disk corrupts nothing",
        5: "the pool belongs to web processes",
        6: "the embedded database is durable and locks out nobody",
        7: "old bodies are cut, keys stay",
        8: "a backup restores",
        9: "two schedulers do no harm",
        10: "the shipped proxy configuration is the tested one",
        11: "every broker that is named survives the faults",
        12: "the first view stays small",
        13: "costs are held",
        14: "an upgrade keeps everything",
    },
}
"""Every promise there is."""

OPEN: set[str] = set()
"""Promises that no test tries yet. A promise leaves this set with its first test, and none comes back."""

HEAD = """# What must never break, and the tests that try it

Each promise has an id, and the tests that try it carry it in their names. "Open" is a promise that no test tries yet. Written
by `make docs`; a test fails while this page is not up to date, and when a promise loses its last test.
"""


def promises() -> dict[str, dict[int, list[tuple[str, str]]]]:
    """Return chapter → number → (path, words) of every test that names a promise."""
    found: dict[str, dict[int, list[tuple[str, str]]]] = defaultdict(lambda: defaultdict(list))
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef) and (match := PROMISE.fullmatch(node.name)):
                place = path.relative_to(ROOT).as_posix()
                found[match[1]][int(match[2])].append((place, match[3].replace("_", " ")))
    return found


def untested() -> set[str]:
    """Return the promises that no test names."""
    found = promises()
    return {
        f"{letter.upper()}{number}" for letter, titles in TITLES.items() for number in titles if number not in found[letter]
    }


def page() -> str:
    found, parts = promises(), [HEAD]
    for letter, chapter in CHAPTERS.items():
        parts.append(f"\n## {letter.upper()}: {chapter}\n")
        for number, title in TITLES[letter].items():
            parts.append(f"\n### {letter.upper()}{number}: {title}\n\n")
            tests = [f"- {words} (`{place}`)\n" for place, words in sorted(found[letter][number])]
            parts += tests or ["Open.\n"]
    return "".join(parts)
