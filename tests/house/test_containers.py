"""R4: what deploy/ says for containers agrees with the code and with the proxy's file. No container runs here."""

import argparse
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from django.conf import settings
from django.core.management import get_commands, load_command_class
from django.urls import resolve

from portal.page_refresh.stream import MAX_STREAMS, PATH
from tests.house.test_dashboards import metrics
from tests.house.test_printed import OF_PROCESSES, README, TEXTS, names_documented, names_read, options

pytestmark = pytest.mark.once
ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
CONTAINERFILE = re.sub(r"^#.*\n", "", (DEPLOY / "Containerfile").read_text(), flags=re.MULTILINE)
INSTRUCTIONS = re.findall(r"^([A-Z]+) ((?:.*\\\n)*.*)$", CONTAINERFILE, re.MULTILINE)
COMPOSE = yaml.safe_load((DEPLOY / "compose.yml").read_text())
SERVICES = COMPOSE["services"]
OURS = {name: service for name, service in SERVICES.items() if service["image"] == "portal"}
KUBERNETES = [part for path in sorted((DEPLOY / "kubernetes").glob("*.yaml")) for part in yaml.safe_load_all(path.read_text())]
NGINX = (DEPLOY / "nginx" / "portal.conf").read_text()
SECRET = re.compile(r"KEY|SECRET|PASSWORD|TOKEN")
FILLED = {
    "PUBLIC_URL": "https://portal.example.com",
    "SECRET_KEY": "p" * 30 + "qrstuvwxyz0123456789abcdefghij",
    "FIELD_ENCRYPTION_KEYS": "dGVzdHMtb25seS1rZXktbnVtYmVyLW9uZS0zMmJ5dGU=",
    "EMAIL_URL": "smtp+tls://portal:password@mail.example.com:587",
    "PLATFORM_API_URL": "https://api.platform.example",
    "PLATFORM_APP_URLS": "us=https://app.platform.example",
    "PLATFORM_CLIENT_ID": "id",
    "PLATFORM_CLIENT_SECRET": "secret",
}
"""As an operator fills the example of the environment; what is not here stays as it is there."""


def example() -> dict[str, str]:
    return filled("compose.env.example")


def filled(name: str) -> dict[str, str]:
    lines = (DEPLOY / name).read_text().splitlines()
    given = dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))
    passwords = {name: "fromrandomness" for name, value in given.items() if name.endswith("_PASSWORD") and not value}
    return given | passwords | {name: value for name, value in FILLED.items() if name in given}


def interpolated(text: str, given: dict[str, str]) -> str:
    """Fill in variables as `docker compose` does; one that has to be there and is not is an AssertionError."""

    def value(match: re.Match[str]) -> str:
        name, how, default = match.groups()
        assert given.get(name) or how == ":-", f"{name} is needed, and not in the example"
        return given.get(name) or default or ""

    inner = re.compile(r"\$\{(\w+)(?:(:-|:\?)([^${}]*))?\}")
    while inner.search(text):
        text = inner.sub(value, text)
    return text


def containers() -> list[tuple[str, dict]]:
    workloads = [part for part in KUBERNETES if "template" in part.get("spec", {})]
    return [(part["metadata"]["name"], part["spec"]["template"]["spec"]) for part in workloads]


def instructions(name: str) -> list[str]:
    return [words.replace("\\\n", "") for instruction, words in INSTRUCTIONS if instruction == name]


def final_stage() -> list[tuple[str, str]]:
    last = max(number for number, (name, _) in enumerate(INSTRUCTIONS) if name == "FROM")
    return INSTRUCTIONS[last:]


def default_command() -> list[str]:
    return yaml.safe_load(instructions("CMD")[-1])


def test_the_image_is_built_of_locked_files_and_runs_as_nobody_in_particular():
    assert len(instructions("FROM")) == 2
    assert {base.partition(" ")[0] for base in instructions("FROM")} == {"python:3.13-slim-bookworm"}
    assert (ROOT / ".python-version").read_text().strip() in instructions("FROM")[0]
    assert any("pip install --require-hashes" in words for words in instructions("RUN"))
    names = [name for name, _ in final_stage()]
    user = dict(final_stage())["USER"]
    assert re.fullmatch(r"[1-9]\d+:[1-9]\d+", user)
    assert names.index("USER") < names.index("HEALTHCHECK") < names.index("CMD")
    assert user.partition(":")[0] in next(words for words in instructions("RUN") if "useradd" in words)


def test_s6_no_secret_is_in_the_image_and_nothing_but_the_code_is_sent_to_build_it():
    assert [words for words in instructions("ENV") + instructions("ARG") if SECRET.search(words)] == []
    copied = [words.split()[:-1] for words in instructions("COPY") if "--from" not in words]
    allowed = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    assert {source for sources in copied for source in sources} == allowed
    assert [source for source in allowed if not (ROOT / source).exists()] == []
    assert (ROOT / ".dockerignore").read_text().splitlines()[1] == "*"
    ignored = (ROOT / ".gitignore").read_text().splitlines()
    assert {"deploy/.env", "deploy/certificates/"} <= {*ignored}


def test_the_static_files_are_collected_as_the_image_collects_them(tmp_path):
    [command] = [words for words in instructions("RUN") if "collectstatic" in words]
    for there, here in {
        ".venv/bin/python": sys.executable,
        "/srv/portal/static": str(tmp_path / "static"),
        "/tmp/build": str(tmp_path / "build"),
    }.items():
        assert there in command
        command = command.replace(there, here)
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    subprocess.run(["sh", "-euc", command], cwd=ROOT, env=kept, check=True, capture_output=True, text=True)
    assert (tmp_path / "static" / "staticfiles.json").exists()


def test_every_process_starts_what_the_units_start():
    unit = (DEPLOY / "systemd" / "portal-web.service").read_text()
    started = shlex.split(re.search(r"ExecStart=\S+/(granian.*)", unit)[1])
    differing = {"127.0.0.1", "0.0.0.0", "--log-level", "warning"}  # noqa: S104 - in a container
    assert [word for word in default_command() if word not in differing] == [word for word in started if word not in differing]
    commands = [service["command"] for name, service in OURS.items() if "command" in service and name != "stream"]
    commands += [
        each["command"]
        for name, pod in containers()
        for each in pod["containers"]
        if "command" in each and name != "portal-stream"
    ]
    commands += [
        line.split("  ")[0].split()
        for line in re.findall(r"^#   \w+ +(python manage.*)$", (DEPLOY / "Containerfile").read_text(), re.MULTILINE)
    ]
    assert {command[2] for command in commands} == {"migrate", "collectstatic", "worker"}
    for program, script, name, *given in commands:
        assert (program, script) == ("python", "manage.py")
        parser: argparse.ArgumentParser = load_command_class(get_commands()[name], name).create_parser("manage.py", name)
        assert {option for option in given if option.startswith("--")} <= options(parser)


def test_every_stream_process_starts_what_the_unit_starts():
    unit = (DEPLOY / "systemd" / "portal-stream.service").read_text()
    started = shlex.split(re.search(r"ExecStart=\S+/(granian.*)", unit)[1])
    [pod] = [pod for name, pod in containers() if name == "portal-stream"]
    for command in (OURS["stream"]["command"], pod["containers"][0]["command"]):
        given = [word for part in command for word in part.split("=", 1)]
        differing = {"127.0.0.1", "0.0.0.0", "--log-level", "warning"}  # noqa: S104 - in a container
        assert [word for word in given if word not in differing] == [word for word in started if word not in differing]
    port = re.search(r"upstream portal_stream {\s+server 127\.0\.0\.1:(\d+);", NGINX)[1]
    assert started[started.index("--port") + 1] == port == str(pod["containers"][0]["ports"][0]["containerPort"])
    # The proxy finds it where it finds the web process.
    assert OURS["stream"]["network_mode"] == SERVICES["proxy"]["network_mode"]
    assert OURS["stream"]["environment"]["STREAM_URL"] == PATH
    assert f"location = {PATH} {{" in NGINX
    assert int(started[started.index("--backpressure") + 1]) > MAX_STREAMS


def test_the_proxy_carries_as_many_streams_as_a_process_holds():
    limits = {name: service["ulimits"]["nofile"] for name, service in SERVICES.items() if "ulimits" in service}
    unit = (DEPLOY / "systemd" / "portal-stream.service").read_text()
    assert limits["stream"] == int(re.search(r"^LimitNOFILE=(\d+)$", unit, re.MULTILINE)[1]) > MAX_STREAMS
    connections = int(re.search(r"worker_connections (\d+);", SERVICES["proxy"]["command"][2])[1])
    # One from the browser, one to the stream process.
    assert 2 * MAX_STREAMS < connections < limits["proxy"]
    told = re.findall(r"`worker_(?:connections|rlimit_nofile) (\d+)`", OPERATING)
    assert told == [str(connections), str(limits["proxy"])]


def test_ports_and_places_agree_with_the_proxy():
    port = re.search(r"upstream portal {\s+server 127\.0\.0\.1:(\d+);", NGINX)[1]
    command = default_command()
    assert command[command.index("--port") + 1] == port == instructions("EXPOSE")[0]
    assert f"127.0.0.1:{port}/healthz" in instructions("HEALTHCHECK")[0]
    pods = [each for _, pod in containers() for each in pod["containers"]]
    assert {str(each["containerPort"]) for pod in pods for each in pod.get("ports", ()) if each["name"] == "http"} == {port}
    mounted = dict(volume.split(":")[:2][::-1] for volume in SERVICES["proxy"]["volumes"])
    assert mounted["/etc/nginx/conf.d/default.conf"] == "./nginx/portal.conf"
    for place in ("/etc/ssl/portal", "/srv/portal/static"):
        assert place in mounted
        assert f"{place}/" in NGINX
    assert set(re.findall(r"/var/log/nginx/[\w-]+\.log", NGINX)) == set(
        re.findall(r"/var/log/nginx/[\w-]+\.log", SERVICES["proxy"]["command"][2])
    )
    assert {each.rpartition(":")[2] for each in SERVICES["address"]["ports"]} == set(re.findall(r"listen (\d+)", NGINX))
    environment = " ".join(instructions("ENV"))
    assert "STATIC_ROOT=/srv/portal/static" in environment
    assert SERVICES["collectstatic"]["volumes"] == ["static:/srv/portal/static"]
    data = re.search(r"DATA_DIR=(\S+)", environment)[1]
    assert COMPOSE["x-portal"]["volumes"] == [f"data:{data}"]
    assert {mount["mountPath"] for pod in pods for mount in pod["volumeMounts"]} == {data, "/tmp"}


def test_the_proxy_takes_what_the_pages_take():
    limits = dict(re.findall(r"location (?:= )?(\S+) {\n(?:[ ]+(?:#.*|internal;)\n)*\s+client_max_body_size (\d+)m;", NGINX))
    assert limits.keys() == {"/t/", "/-/may-send"}
    fields, files = settings.DATA_UPLOAD_MAX_MEMORY_SIZE, settings.MAX_UPLOAD_BYTES
    assert {int(each) * 1024**2 for each in limits.values()} == {files + fields}
    elsewhere = re.search(r"^    client_max_body_size (\d+)m;", NGINX, re.MULTILINE)[1]
    assert int(elsewhere) * 1024**2 == fields
    assert f"{limits['/t/']} MiB under `/t/`, where files are uploaded, and {elsewhere} MiB elsewhere" in README


def test_every_variable_is_one_that_the_portal_reads():
    known = names_read() | OF_PROCESSES
    named = {name for service in OURS.values() for name in service["environment"]}
    named |= set(re.findall(r"\b([A-Z][A-Z_]+)=", " ".join(instructions("ENV")))) - {
        "PATH",
        "PYTHONUNBUFFERED",
        "PYTHONDONTWRITEBYTECODE",
        "PIP_DISABLE_PIP_VERSION_CHECK",
        "PIP_NO_CACHE_DIR",
    }
    for part in KUBERNETES:
        named |= {*part.get("data", {}), *part.get("stringData", {})}
    named |= {each["name"] for _, pod in containers() for container in pod["containers"] for each in container.get("env", ())}
    units = (DEPLOY / "systemd" / "portal.env.example").read_text()
    named |= set(re.findall(r"^([A-Z_]+)=", units, re.MULTILINE))
    assert {"PUBLIC_URL", "PROMETHEUS_MULTIPROC_DIR", "METRICS_TOKEN", "DATABASE_APPLICATION_ROLE"} <= named
    assert named - known == set()
    used = set(re.findall(r"\$\{(\w+)", (DEPLOY / "compose.yml").read_text()))
    assert used == example().keys()


def test_every_documented_variable_can_be_set_in_compose_or_is_set_there():
    given = SERVICES["migrate"]["environment"]
    of_the_image = set(re.findall(r"\b([A-Z][A-Z_]+)=", " ".join(instructions("ENV"))))
    assert names_documented().keys() - given.keys() - of_the_image == {"DEBUG", "STATIC_COLLECTED"}
    handed_on = {name for name, value in given.items() if value is None}
    assert {"WEBHOOK_HEADER_PREFIX", "SECRET_KEY_FALLBACKS"} <= handed_on
    # Where nothing is set, compose takes such a name away from what the image has.
    assert handed_on & of_the_image == set()
    assert all(service["environment"].keys() >= handed_on for service in OURS.values())


def test_what_a_container_has_to_be_told_a_bare_machine_is_asked_for_too():
    demanded = {name for name, value in COMPOSE["x-environment"].items() if "${" in str(value) and name != "DATABASE_URL"}
    assert {"PLATFORM_APP_URLS", "PLATFORM_GOV_API_URL"} <= demanded
    assert demanded - filled("systemd/portal.env.example").keys() == {"METRICS_TOKEN", "LOG_FORMAT"}
    in_cluster = {name for part in KUBERNETES for name in (*part.get("data", ()), *part.get("stringData", ()))}
    assert demanded - in_cluster == {"LOG_FORMAT"}


def test_o2_the_example_for_a_bare_machine_filled_in_is_safe(tmp_path):
    check_safe(filled("systemd/portal.env.example"), tmp_path)


@pytest.mark.parametrize("service", OURS)
def test_o2_with_the_example_filled_in_the_settings_are_safe(service, tmp_path):
    environment = OURS[service]["environment"].items()
    check_safe({name: interpolated(value, example()) for name, value in environment if value is not None}, tmp_path)


def check_safe(given: dict[str, str], tmp_path: Path) -> None:
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    environment = {**kept, **given, "DATA_DIR": str(tmp_path)}
    command = [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"]
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_s17_only_the_job_of_a_release_connects_as_the_owner():
    roles = {name: re.match(r"postgres://(\w+):", service["environment"]["DATABASE_URL"])[1] for name, service in OURS.items()}
    assert {name: role for name, role in roles.items() if role != "portal"} == {"migrate": "portal_owner"}
    script = (DEPLOY / "postgres" / "roles.sh").read_text()
    assert set(re.findall(r"CREATE ROLE (\w+)", script)) == {"portal_owner", "portal", "portal_backup"}
    assert set(re.findall(r"\$(PORTAL_\w+)", script)) <= SERVICES["database"]["environment"].keys()
    with_owner = [name for name, pod in containers() if "portal-owner" in str(pod["containers"])]
    assert with_owner == ["portal-migrate"]


def test_services_are_limited_and_watched_and_wait_for_each_other():
    for name, service in SERVICES.items():
        assert "mem_limit" in service, name
        assert set(service.get("depends_on", ())) <= SERVICES.keys()
    watched = {name for name, service in SERVICES.items() if "test" in service.get("healthcheck", {})}
    assert watched == {"database", "broker", "proxy"}
    # The web process has the check of its image.
    assert [name for name, service in OURS.items() if "healthcheck" not in service] == ["web"]
    used = {volume.partition(":")[0] for service in SERVICES.values() for volume in service.get("volumes", ())}
    assert {name for name in used if not name.startswith(".")} == COMPOSE["volumes"].keys()
    published = [name for name, service in SERVICES.items() if "ports" in service]
    assert published == ["address"]
    assert [name for name, service in OURS.items() if not service["read_only"] or service["cap_drop"] != ["ALL"]] == []
    bound = [
        volume.split(":")[0] for service in SERVICES.values() for volume in service.get("volumes", ()) if volume.startswith(".")
    ]
    assert [path for path in bound if path != "./certificates" and not (DEPLOY / path).exists()] == []


def test_a_process_that_starts_anew_leaves_the_others_their_network():
    # The proxy finds the other two at 127.0.0.1, as it does without containers.
    joined = {name: service["network_mode"] for name, service in SERVICES.items() if "network_mode" in service}
    assert joined == dict.fromkeys(("web", "stream", "proxy"), "service:address")
    assert SERVICES["address"]["command"] == ["sleep", "infinity"]
    assert set(SERVICES["address"]["networks"]) == COMPOSE["networks"].keys()


def test_who_asks_from_outside_comes_to_the_proxy_with_an_address_of_its_own():
    # Docker leads a connection to an IPv6 address on from one of its own.
    assert {each.rpartition(":")[0].rpartition(":")[0] for each in SERVICES["address"]["ports"]} == {"0.0.0.0"}  # noqa: S104


def of_kind(kind: str) -> dict[str, dict]:
    return {part["metadata"]["name"]: part for part in KUBERNETES if part["kind"] == kind}


def test_the_parts_for_kubernetes_find_each_other():
    assert {name for name, _ in containers()} == {"portal-web", "portal-stream", "portal-worker", "portal-migrate"}
    named = {"configMapRef": of_kind("ConfigMap"), "secretRef": of_kind("Secret")}
    for _, pod in containers():
        for container in pod["containers"]:
            for source in container["envFrom"]:
                [(kind, reference)] = source.items()
                assert reference["name"] in named[kind]
            assert container["image"] == "portal"
            assert {mount["name"] for mount in container["volumeMounts"]} == {volume["name"] for volume in pod["volumes"]}
        claims = [each["persistentVolumeClaim"]["claimName"] for each in pod["volumes"] if "persistentVolumeClaim" in each]
        assert set(claims) <= of_kind("PersistentVolumeClaim").keys()
    for part in KUBERNETES:
        spec = part.get("spec", {})
        selector = spec.get("selector") or spec.get("podSelector")
        if selector:
            wanted = selector.get("matchLabels", selector)
            assert any(wanted.items() <= labels.items() for labels in labels_of_pods()), part["metadata"]
    open_ports = {each["name"] for _, pod in containers() for c in pod["containers"] for each in c.get("ports", ())}
    assert {port["targetPort"] for service in of_kind("Service").values() for port in service["spec"]["ports"]} == open_ports
    [scaled] = of_kind("HorizontalPodAutoscaler").values()
    # A number of its own would be set anew with each release, however many wait.
    assert "replicas" not in of_kind("Deployment")[scaled["spec"]["scaleTargetRef"]["name"]]["spec"]
    assert scaled["spec"]["minReplicas"] == 2
    shown = set().union(*metrics().values())
    assert {metric["external"]["metric"]["name"] for metric in scaled["spec"]["metrics"]} <= shown


def labels_of_pods() -> list[dict[str, str]]:
    return [part["spec"]["template"]["metadata"]["labels"] for part in KUBERNETES if "template" in part.get("spec", {})]


def test_pods_may_do_nothing_that_they_need_not_and_are_asked_where_they_answer():
    for name, pod in containers():
        assert pod["securityContext"]["runAsNonRoot"] is True
        assert f"{pod['securityContext']['runAsUser']}:{pod['securityContext']['runAsGroup']}" == dict(final_stage())["USER"]
        assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
        assert pod["automountServiceAccountToken"] is False
        for container in pod["containers"]:
            allowed = container["securityContext"]
            assert allowed == {
                "allowPrivilegeEscalation": False,
                "readOnlyRootFilesystem": True,
                "capabilities": {"drop": ["ALL"]},
            }
            assert "memory" in container["resources"]["limits"]
            probes = [probe["httpGet"] for key, probe in container.items() if key.endswith("Probe")]
            asked = {"portal-web": {"healthz", "readyz"}, "portal-stream": {"healthz"}}
            assert {resolve(probe["path"]).url_name for probe in probes} == asked.get(name, set())
            # A busy machine takes its time to start one: nothing ends it for that.
            assert ("startupProbe" in container) == ("livenessProbe" in container)
    # Who reads pages is led to a process whose database takes no writes.
    [web] = of_kind("Deployment")["portal-web"]["spec"]["template"]["spec"]["containers"]
    after_start = [web[f"{name}Probe"]["httpGet"]["path"] for name in ("readiness", "liveness")]
    assert (web["startupProbe"]["httpGet"]["path"], after_start) == ("/readyz", ["/healthz", "/healthz"])
    assert all(web[f"{name}Probe"]["timeoutSeconds"] >= 5 for name in ("startup", "readiness", "liveness"))
    empty = [value for secret in of_kind("Secret").values() for value in secret["stringData"].values()]
    assert set(empty) == {""}


@pytest.mark.parametrize("path", sorted(DEPLOY.rglob("*")), ids=lambda path: path.name)
def test_images_are_named_plainly(path):
    if path.is_file():
        assert re.findall(r"(?:image: |FROM )(\S*[./]\S*/\S*)", path.read_text()) == []


OPERATING = TEXTS["docs/operating.md"].replace("\\\n", "")
RESTORING = OPERATING[OPERATING.index("## Backup and restore") :]


def test_the_walk_with_containers_names_services_that_there_are():
    commands = re.findall(r"docker compose -f deploy/compose\.yml (\w+) ?([^#\n]*)", OPERATING)
    assert {name for name, _ in commands} == {"build", "up", "ps", "exec", "restart", "stop", "run"}
    named = set[str]()
    for command, rest in commands:
        words = [word for word in rest.split() if not word.startswith("-")]
        named |= {*words[:1]} if command in ("exec", "run") else {*words}
    assert {"database", "web", "migrate", "worker"} <= named <= SERVICES.keys()


def test_a_backup_of_the_first_day_needs_no_upload():
    data = re.search(r"DATA_DIR=(\S+)", " ".join(instructions("ENV")))[1]
    assert re.findall(r"tar -C (\S+) -cz (\S+)", OPERATING) == [(data, ".")]


def set_up_of_the_database() -> list[str]:
    """Return what the script of the container says of the database itself."""
    script = (DEPLOY / "postgres" / "roles.sh").read_text()
    return re.findall(r"^((?:REVOKE|GRANT|ALTER)\b.* DATABASE portal .*);$", script, re.MULTILINE)


def test_on_a_bare_machine_the_database_is_set_up_as_in_a_container():
    walk = OPERATING[OPERATING.index("## An afternoon with a bare Debian") : OPERATING.index("## Backup and restore")]
    parts = [line.partition(" TO ") for line in set_up_of_the_database()]
    wanted = [f'-c "{what}{to}{role}"' for what, to, roles in parts for role in roles.split(", ")]
    assert len(wanted) == 4
    assert [words for words in wanted if words not in walk] == []


def test_o8_a_database_that_is_restored_is_set_up_as_the_first_one_was():
    bare, inside = RESTORING.split("**PostgreSQL with containers.**")
    made = set_up_of_the_database()
    assert len(made) == 3
    restored = [line.replace("DATABASE portal ", "DATABASE portal_restored ") for line in made]
    assert [line for text in (bare, inside) for line in restored if line not in text] == []
    databases = {service["environment"]["DATABASE_URL"].rpartition("/")[2] for service in OURS.values()}
    assert databases == {"${PORTAL_DATABASE:-portal}"}
    assert "PORTAL_DATABASE=portal_restored" in inside
    options = [set(re.search(r"pg_restore ((?:.*\\\n)*.*)", text)[1].split()) for text in (bare, inside)]
    assert all({"--no-owner", "--single-transaction", "--exit-on-error"} <= given for given in options)


def test_every_example_for_kubernetes_that_has_to_be_filled_in_is_named():
    [paragraph] = re.findall(r"^\*\*Kubernetes\.\*\*.*?\n\n", OPERATING, re.MULTILINE | re.DOTALL)
    texts = {path.name: path.read_text() for path in (DEPLOY / "kubernetes").glob("*.yaml")}
    own = {name for name, text in texts.items() if re.search(r"image: portal|metadata\.name: |stringData:", text)}
    assert own == set(re.findall(r"`([\w-]+\.yaml)`", paragraph))


def test_the_walk_on_kubernetes_applies_every_part_and_migrates_before_anything_runs():
    applied = [re.findall(r"deploy/kubernetes/([\w-]+\.yaml)", line) for line in re.findall(r"kubectl apply (.*)", OPERATING)]
    assert sorted(name for names in applied for name in names) == sorted(
        path.name for path in (DEPLOY / "kubernetes").glob("*")
    )
    assert applied[1] == ["migrate.yaml"]
    assert "configuration.yaml" in applied[0]
    waited = re.search(r"kubectl wait --for=condition=complete --timeout=\w+ job/([\w-]+)", OPERATING)
    assert waited[1] in of_kind("Job")
    assert OPERATING.index("kubernetes/migrate.yaml") < waited.start() < OPERATING.index("kubernetes/web.yaml")
