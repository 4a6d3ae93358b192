"""R4: the dashboard and the alerts ask for figures that there are, by their labels, and for all of them."""

import ast
import json
import re
from pathlib import Path

import pytest
import yaml

pytestmark = pytest.mark.once
ROOT = Path(__file__).parents[2]
DASHBOARD = json.loads((ROOT / "deploy" / "grafana" / "dashboard.json").read_text())
ALERTS = yaml.safe_load((ROOT / "deploy" / "prometheus" / "alerts.yml").read_text())
METRIC = re.compile(r"\bportal_\w+")
SUFFIXES = {"Counter": ("_total",), "Gauge": ("",), "Histogram": ("_bucket", "_sum", "_count"), "Reading": ("",), "_age": ("",)}
"""By what makes it: how its name ends on the page. `_age` makes a reading whose name is a constant."""


def expressions() -> dict[str, str]:
    panels = {
        f"{panel['title']} {target['refId']}": target["expr"] for panel in DASHBOARD["panels"] for target in panel["targets"]
    }
    rules = {rule["alert"]: rule["expr"] for group in ALERTS["groups"] for rule in group["rules"]}
    return panels | rules


def metrics() -> dict[str, set[str]]:
    """Return the names on the page of each metric in the code, by the name that the code gives it."""
    found = {}
    for path in (ROOT / "portal").rglob("*.py"):
        text = path.read_text()
        if path.name != "metrics.py" and "from prometheus_client import" not in text:
            continue
        tree = ast.parse(text)
        constants = dict(each for node in ast.walk(tree) if isinstance(node, ast.Assign) for each in assigned(node))
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in SUFFIXES and node.args:
                first = node.args[0]
                name = first.value if isinstance(first, ast.Constant) else constants.get(getattr(first, "id", ""))
                if name:
                    found[name] = {f"{name}{suffix}" for suffix in SUFFIXES[node.func.id]}
    return found


def assigned(node: ast.Assign) -> list[tuple[str, str]]:
    [target] = node.targets
    if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
        pairs = zip(target.elts, node.value.elts, strict=True)
    else:
        pairs = [(target, node.value)]
    return [(name.id, value.value) for name, value in pairs if isinstance(name, ast.Name) and isinstance(value, ast.Constant)]


def test_r4_every_metric_that_is_named_exists_and_none_is_forgotten():
    code = metrics()
    known = {"portal_deliveries_waiting", "portal_drain_seconds", "portal_last_heartbeat_seconds", "portal_clock_off_seconds"}
    assert known <= code.keys()
    named = {name for expression in expressions().values() for name in METRIC.findall(expression)}
    assert named - set().union(*code.values()) == set(), "named, and nowhere in the code"
    assert {name for name, shown in code.items() if not shown & named} == set(), "in the code, and nowhere shown"


LABELS = re.compile(r"by \(([\w, ]+)\)")
OF_PROMETHEUS = {"le", "instance"}


def test_r4_figures_are_told_apart_by_labels_that_they_have():
    text = "".join(path.read_text() for path in (ROOT / "portal").rglob("metrics.py"))
    used = {
        label.strip()
        for expression in expressions().values()
        for group in LABELS.findall(expression)
        for label in group.split(",")
    }
    used -= OF_PROMETHEUS
    assert {"state", "endpoint", "reason", "alarm"} <= used
    assert [label for label in used if f'"{label}"' not in text] == []
    words = json.dumps(DASHBOARD) + json.dumps(ALERTS)
    assert set(re.findall(r"\{\{ ?(?:\$labels\.)?(\w+) ?\}\}", words)) <= used


def test_every_alert_says_what_it_is_and_what_to_do():
    rules = [rule for group in ALERTS["groups"] for rule in group["rules"]]
    assert all(
        rule["annotations"].keys() == {"summary", "action"} and rule["labels"]["severity"] in ("page", "ticket")
        for rule in rules
    )
    assert len({rule["alert"] for rule in rules}) == len(rules) > 8


def test_every_alarm_is_explained_where_the_alert_sends_its_reader():
    raising = re.compile(r"worker_monitoring\.services import .*\b(?:raise_alarm|alarms)\b")
    raisers = {path.stem for path in (ROOT / "portal").rglob("*.py") if raising.search(path.read_text())}
    page = (ROOT / "docs" / "operating.md").read_text()
    told = re.findall(r"^\| `([^`<]+)[^`]*` \|", page[page.index("## What it says") :], re.MULTILINE)
    by_room = {"verification": ["no worker", "no clock"], "clock_skew": ["clock of "], "reconcile": ["endless list: "]}
    assert raisers == by_room.keys()
    assert told == [name for names in by_room.values() for name in names]


def test_no_panel_lies_over_another():
    taken = set()
    for panel in DASHBOARD["panels"]:
        place = panel["gridPos"]
        cells = {(x, y) for x in range(place["x"], place["x"] + place["w"]) for y in range(place["y"], place["y"] + place["h"])}
        assert not cells & taken
        assert place["x"] + place["w"] <= 24
        taken |= cells
