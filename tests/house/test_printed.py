"""R4: what the README, the pages of `docs/` and the demo say is followed: commands, addresses, files, names, defaults."""

import argparse
import ast
import importlib.util
import json
import os
import re
import subprocess
import sys
from itertools import chain
from pathlib import Path

import pytest
import requests
from django.conf import settings
from django.core.management import get_commands, load_command_class
from django.urls import Resolver404, resolve

from tests.support.demo import COMMAND
from tests.support.sandboxes import fresh
from tests.support.wsgi_adapter import WsgiAdapter

pytestmark = pytest.mark.once

ROOT = Path(__file__).resolve().parent.parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
TEXTS = {path.relative_to(ROOT).as_posix(): path.read_text() for path in PAGES}
README = TEXTS["README.md"]
CODE = re.compile(r"```.*?```|`[^`\n]+`", re.DOTALL)
MAKE = re.compile(r"\bmake (\w+)")
MANAGE = re.compile(r"manage\.py (\w+)((?: +--?[\w-]+(?:[ =][\w.:-]+)?)*)")
MODULE = re.compile(r"(?:python|\$\(PYTHON\)) -m ([\w.]+)((?: +--?[\w-]+(?:[ =][\w.:-]+)?)*)")
LINK = re.compile(r"\]\(([^)\s]+)\)")
ADDRESS = re.compile(r"`(?:\{PUBLIC_URL\})?(/[a-z][\w/.-]*)`")
VARIABLE = re.compile(r"^\| (`[A-Z].*?) \| (.*?) \|", re.MULTILINE)
OF_OTHERS = {"PATH", "HOME"}
OF_PROCESSES = {"PORTAL_PROCESS", "STREAM_PORT", "PORTAL_WORKER_QUEUE", "PROMETHEUS_MULTIPROC_DIR", "DJANGO_SETTINGS_MODULE"}
"""Set by our own commands for the processes that they start."""
OF_THE_SANDBOX = {"SANDBOX_PUBLIC_CLIENT_ID", "SANDBOX_PUBLIC_CLIENT_SECRET", "DEMO_PASSWORD"}


def code_of(text: str) -> str:
    return "\n".join(CODE.findall(text))


def found(pattern: re.Pattern[str]) -> set[tuple[str, str]]:
    """Return page and what the pattern finds in its code."""
    hits = ((name, match) for name, text in TEXTS.items() for match in pattern.findall(code_of(text)))
    return {(name, match if isinstance(match, str) else match[0]) for name, match in hits}


def makefile() -> dict[str, str]:
    """Return the targets of the Makefile with their recipes."""
    parts = re.split(r"^(\w+):", (ROOT / "Makefile").read_text(), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def test_s20_no_printed_command_has_a_password_among_its_arguments():
    """Every account of a machine can read those; the environment of a process only its own can."""
    arguments = re.compile(r"^ *\$ (?:export )?(?:[A-Z_]+=\S+ )*(.*)$", re.MULTILINE)
    assert {each for each in found(arguments) if re.search(r"://[^\s/@:]+:[^\s@]+@", each[1])} == set()


def test_r4_every_make_target_that_is_named_exists():
    named = {target for _, target in found(MAKE)} | set(MAKE.findall((ROOT / ".ci" / "run").read_text()))
    assert {"demo", "test", "setup"} <= named
    assert named - set(makefile()) == set()


def test_r4_every_module_that_a_command_runs_exists():
    texts = [*map(code_of, TEXTS.values()), (ROOT / "Makefile").read_text()]
    named = {module for text in texts for module, _ in MODULE.findall(text)}
    assert {"portal.sandbox", "tests.run"} <= named
    assert [module for module in named if importlib.util.find_spec(module) is None] == []


def test_r4_readme_demo_and_tests_start_the_same_thing():
    assert "exec $(PYTHON) manage.py demo\n" in makefile()["demo"]
    assert COMMAND == ["manage.py", "demo"]
    assert "make demo" in README


def options(parser: argparse.ArgumentParser) -> set[str]:
    """Return the options of a command and of what stands below it."""
    below = [action.choices.values() for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    return {*parser._option_string_actions}.union(*map(options, chain.from_iterable(below)))


def test_r4_every_command_that_is_named_exists_with_its_options():
    commands, wrong = get_commands(), []
    hits = [(name, *match) for name, text in TEXTS.items() for match in MANAGE.findall(code_of(text))]
    assert {"worker", "reseal", "migrate"} <= {command for _, command, _ in hits}
    for page, command, given in hits:
        if command not in commands:
            wrong.append((page, command))
            continue
        known = options(load_command_class(commands[command], command).create_parser("manage.py", command))
        wrong += [(page, command, option) for option in re.findall(r"--[\w-]+", given) if option not in known]
    assert wrong == []


def test_r4_every_option_of_the_sandbox_that_is_named_exists():
    known = subprocess.run(
        [sys.executable, "-m", "portal.sandbox", "--help"], capture_output=True, text=True, check=True
    ).stdout
    paragraph = README[README.index("python -m portal.sandbox") :].partition("\n\n")[0]
    named = set(re.findall(r"--[\w-]+", code_of("`" + paragraph)))
    assert len(named) > 3
    assert [option for option in named if option not in known] == []


@pytest.mark.parametrize("page", TEXTS)
def test_r4_every_link_leads_to_a_file(page):
    inside = [link for link in LINK.findall(TEXTS[page]) if not link.startswith(("http", "mailto:"))]
    missing = [link for link in inside if not (ROOT / page).parent.joinpath(link.partition("#")[0]).exists()]
    assert missing == []


def test_r4_every_file_that_is_named_exists():
    named = {(page, path) for page, path in found(re.compile(r"`((?:portal|tests|docs|templates)/[\w/.-]+)`"))}
    assert len(named) > 5
    assert [(page, path) for page, path in named if not (ROOT / path).exists()] == []


def answers_at_the_sandbox(path: str) -> bool:
    app, _ = fresh(tenant=None)
    sent = WsgiAdapter(app).send(sandbox_request(path))
    return sent.status_code < 400


def sandbox_request(path: str) -> requests.PreparedRequest:
    return requests.Request("GET", f"{settings.PLATFORM_API_URL}{path}").prepare()


def is_of_the_portal(path: str) -> bool:
    """Say whether this is an address of the portal, or what some begin with."""
    return any(resolves(f"{path}{rest}") for rest in ("", "x/", "x.ics", "1-x/"))


def resolves(path: str) -> bool:
    try:
        resolve(path)
    except Resolver404:
        return False
    return True


def test_r4_every_address_that_is_named_answers():
    pages = ("README.md", "docs/operating.md")  # others list the calls of the platform, made of the definitions
    named = {path for page, path in found(ADDRESS) if page in pages} - {settings.PLATFORM_CONTRACTS_PATH, "/contracts"}
    assert {"/healthz", "/readyz", "/metrics", "/connect/callback/"} <= named
    addresses = [path for path in named if not path.startswith(("/etc/", "/opt/", "/srv/"))]  # those are places of a machine
    assert [path for path in addresses if not is_of_the_portal(path) and not answers_at_the_sandbox(path)] == []


def names_read() -> set[str]:
    """Return the names that the portal reads from its environment."""
    names = set()
    for path in chain((ROOT / "portal").rglob("*.py"), [ROOT / "manage.py"]):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
                owner, first = ast.unparse(node.func.value), node.args[0]
                is_of_regions = isinstance(node.func, ast.Attribute) and node.func.attr.startswith("region_")
                if (owner in ("env", "os.environ") or is_of_regions) and isinstance(first, ast.Constant):
                    names.add(first.value)
            if (
                isinstance(node, ast.Subscript)
                and ast.unparse(node.value) == "os.environ"
                and isinstance(node.slice, ast.Constant)
            ):
                names.add(node.slice.value)
    return {name for name in names if isinstance(name, str) and name.isupper()} | {"PLATFORM_APP_URLS"}


def names_documented() -> dict[str, str]:
    """Return every variable of the README's table with its default as it is written there."""
    rows = ((name, default) for cell, default in VARIABLE.findall(README) for name in re.findall(r"`([A-Z_]+)`", cell))
    return dict(rows)


def test_r4_the_environment_in_the_readme_is_the_one_that_is_read():
    documented = set(names_documented()) | {"PORT", "SANDBOX_PORT"}
    ours = names_read() - OF_OTHERS - OF_PROCESSES - OF_THE_SANDBOX
    assert documented - names_read() == set(), "documented, and never read"
    assert ours - documented == set(), "read, and not documented"


def test_r4_the_defaults_in_the_readme_are_those_of_the_settings(tmp_path):
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    documented = {name: default.strip("`") for name, default in names_documented().items()}
    names = ["PLATFORM_CONTRACTS_PATH", "WEBHOOK_HEADER_PREFIX", "WORKER_SILENT_SECONDS", "TRUSTED_PROXIES"]
    script = f"from django.conf import settings as s; import json; print(json.dumps([getattr(s, n) for n in {names!r}]))"
    real = json.loads(run(script, {**kept, "DEBUG": "1", "DATA_DIR": str(tmp_path)}))
    assert [str(value).removesuffix(".0") for value in real] == [documented[name] for name in names]


@pytest.mark.parametrize("form", ["absolute", "relative", "odd"])
def test_r4_the_mail_of_the_demo_lands_in_its_data_folder(tmp_path, form):
    folder = tmp_path / ("data" if form != "odd" else "my data #1 100% a+b")
    given = "data" if form == "relative" else str(folder)
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    script = (
        "from portal.demo.environment import prepare; prepare()\n"
        "from django.core.mail import send_mail\n"
        "from django.conf import settings; import json; import django; django.setup()\n"
        "send_mail('Subject', 'Body', None, ['to@example.com'])\n"
        "path = settings.MAILERS['default']['OPTIONS']['file_path']\n"
        "print(json.dumps([path, settings.PUBLIC_URL, settings.PLATFORM_API_URL]))"
    )
    written, site, platform = json.loads(run(script, {**kept, "DATA_DIR": given}, folder=tmp_path))
    assert written == str(folder / "mail")
    assert len([*(folder / "mail").iterdir()]) == 1
    assert f"the portal on {site}, the sandbox on {platform};" in README


def run(script: str, environment: dict[str, str], *, folder: Path = ROOT) -> str:
    environment |= {"PYTHONPATH": str(ROOT), "DJANGO_SETTINGS_MODULE": "portal.settings"}
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()[-1]
