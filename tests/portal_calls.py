"""Which of the client's calls the portal makes, and why it makes none of the others. Read from the source."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from portal.platform_api.reference import DEFINITIONS

ROOT = Path(__file__).resolve().parent.parent
type Helpers = dict[str, list[str]]
"""By the name of a variable or function, the names of the area that it stands for."""

NAMES = {definition.name for definition in DEFINITIONS}
AREAS = {name.rpartition(".")[0] for name in NAMES} | {name.partition(".")[0] for name in NAMES if "." in name}
WIRE = ("platform_api", "sandbox")
"""What is no room: the client itself, and the other side."""
CENTER = ["trust_center"]
KNOWN = {"center": CENTER}
"""What the calls of a Trust Center are called where they are handed over."""

FAMILIES = {
    "audits.information_requests.comments": "engagements",
    "audits.evidence.comments": "engagements",
    "audits.controls.comments": "engagements",
    "trust_center.subprocessors": "trust_center",
    "trust_center.compliance_frameworks": "trust_center",
}
"""Areas that a room chooses among while it runs (`commenting.py`, `entries.py`): all of their calls are made."""

ON_THE_PLATFORM = "Changed on the platform, by those who run the program; the portal shows it."
OF_PARTNERS = "For those who build integrations, not for those who answer customers."
UNUSED = {
    "answer_library.": "Entries are written in the tenant's own library; the platform's are mirrored and changed there.",
    "auditors.create": "An admin of the audit firm adds its auditors on the platform.",
    "audits.comments": "Comments are read with the evidence that they are on.",
    "audits.controls.information_requests": "Each request names its controls; their list is read whole.",
    "audits.framework_codes": "Deprecated: new requests name none.",
    "audits.information_requests.update": "A request that is wrong is deleted, and asked for anew.",
    "audits.issues.snapshots": "Each issue names its snapshot; the list has those of all.",
    "audits.personnel.accounts": "The services are listed; their accounts are read on the platform.",
    "controls.": ON_THE_PLATFORM,
    "discovered_vendors.": "Not yet vendors: what becomes of them is decided on the platform.",
    "documents.": "What has to be shown is laid down on the platform; the portal brings the files.",
    "frameworks.controls": "Each requirement of a framework names its controls.",
    "groups.people.add_many": "People are added one by one, so that each has a result of its own.",
    "groups.people.remove_many": "People are removed one by one, so that each has a result of its own.",
    "groups.people.all": "Each person names the groups that they are in.",
    "integrations.": OF_PARTNERS,
    "knowledge_base.": "Read for answers: its documents are added and changed on the platform.",
    "people.": "Employment, leave and tasks are changed where people are managed.",
    "policies.": "Their approved versions are found among the documents.",
    "questionnaires.delete": "A questionnaire is closed or kept, never deleted: it is the record of what was said.",
    "risk_scenarios.": "Scored and approved on the platform; the portal keeps which controls answer them.",
    "tests.": ON_THE_PLATFORM,
    "trust_center.control_categories.get": "The list tells the same.",
    "trust_center.control_categories.reorder_controls": "The platform tells no order of controls in a category.",
    "trust_center.controls.add_tags": "A control's tags are kept on the platform; ours are of questionnaires and answers.",
    "trust_center.controls.remove_tags": "A control's tags are kept on the platform; ours are of questionnaires and answers.",
    "trust_center.data_collected": "Part of the Trust Center's looks, which are kept on the platform.",
    "trust_center.resource_categories.": "The platform tells of no document which category it is in.",
    "trust_center.set_data_collected": "Part of the Trust Center's looks, which are kept on the platform.",
    "trust_center.set_favicon": "Part of the Trust Center's looks, which are kept on the platform.",
    "trust_center.set_videos": "Part of the Trust Center's looks, which are kept on the platform.",
    "trust_center.viewers.": "Viewers come by access requests, which the portal decides.",
    "vendor_assessment_types.": "Each assessment names its type.",
    "vendors.": "Vendors and their documents are kept on the platform; the portal adds findings and decisions.",
}
"""Calls that no page makes, by how their names begin, each with the reason. A call that is made does not count."""


@cache
def users() -> dict[str, set[str]]:
    """Return the rooms that make each call, by its name; calls that nobody makes are not there."""
    trees = dict(modules())
    helpers = {module: helpers_of(tree) for module, tree in trees.items()}
    found: dict[str, set[str]] = defaultdict(set)
    for module, tree in trees.items():
        for name in calls_in(tree, imported(tree, helpers) | helpers[module]):
            found[name].add(module.split(".")[1])
    for name in NAMES:
        if (family := name.rpartition(".")[0]) in FAMILIES:
            found[name].add(FAMILIES[family])
    return dict(found)


def modules() -> Iterator[tuple[str, ast.Module]]:
    for path in sorted((ROOT / "portal").rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        if parts[1] not in WIRE and "migrations" not in parts:
            yield ".".join(parts).removesuffix(".__init__"), ast.parse(path.read_text())


def rooms_of(name: str) -> str:
    """Name the rooms that make a call; empty where nobody does."""
    return ", ".join(f"`{room}`" for room in sorted(users().get(name, ())))


def reason_against(name: str) -> str:
    """Say why no page makes a call; empty when nobody has said it."""
    fitting = [begin for begin in UNUSED if name == begin or (begin.endswith(".") and name.startswith(begin))]
    return UNUSED[max(fitting, key=len)] if fitting else ""


def helpers_of(tree: ast.Module) -> Helpers:
    """Find the functions of a module that stand for an area of the client."""
    helpers: Helpers = {}
    for function in functions_of(tree):
        variables = variables_of(function, helpers)
        for statement in ast.walk(function):
            if isinstance(statement, ast.Return) and statement.value:
                area = chain(statement.value, variables, helpers)
                if begins_a_call(area):
                    helpers[function.name] = area
    return helpers


def imported(tree: ast.Module, helpers: dict[str, Helpers]) -> Helpers:
    """Find those that a module takes from another one."""
    return {
        name.name: helpers[node.module][name.name]
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module in helpers
        for name in node.names
        if name.name in helpers[node.module]
    }


def calls_in(tree: ast.Module, helpers: Helpers) -> set[str]:
    """Find the calls that a module names, also through a variable or a function that stands for an area."""
    found: set[str] = set()
    for scope in (tree, *functions_of(tree)):
        variables = variables_of(scope, helpers)
        for node in ast.walk(scope):
            if isinstance(node, ast.Attribute):
                found |= named(chain(node, variables, helpers))
    return found


def functions_of(tree: ast.Module) -> list[ast.FunctionDef]:
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]


def variables_of(scope: ast.AST, helpers: Helpers) -> Helpers:
    variables = dict(KNOWN)
    for node in ast.walk(scope):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                names = target.elts if isinstance(target, ast.Tuple) else [target]
                values = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value] * len(names)
                for name, value in zip(names, values, strict=False):
                    if isinstance(name, ast.Name):
                        variables[name.id] = chain(value, variables, helpers)
    return variables


def chain(node: ast.AST, variables: Helpers, helpers: Helpers) -> list[str]:
    """Spell `client.audits.get` as its names; a variable as what it stands for."""
    match node:
        case ast.Attribute():
            return [*chain(node.value, variables, helpers), node.attr]
        case ast.Name():
            return variables.get(node.id, [node.id])
        case ast.Call(func=ast.Name(id="trust_center")) | ast.Call(func=ast.Attribute(attr="trust_center")):
            return CENTER
        case ast.Call(func=ast.Name(id=name)) if name in helpers:
            return helpers[name]
        case ast.Lambda() | ast.Subscript():
            return chain(node.body if isinstance(node, ast.Lambda) else node.value, variables, helpers)
    return [""]


def begins_a_call(names: list[str]) -> bool:
    return any(".".join(names[at:]) in AREAS for at in range(len(names)))


def named(names: list[str]) -> set[str]:
    return {".".join(names[at:]) for at in range(len(names))} & NAMES
