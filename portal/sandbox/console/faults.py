"""What a person can do to the whole sandbox: faults, the clock, and a look at the latest requests."""

import time
from datetime import timedelta

from flask import render_template, request, url_for

from portal.sandbox.console.blueprint import blueprint
from portal.sandbox.console.lookups import Answer, back_to, not_found, sandbox
from portal.sandbox.faults import KINDS, LATENCY, STATUS, STATUS_AFTER_WORK
from portal.sandbox.switches import SWITCHES
from portal.sandbox.values import moment

SHOWN_REQUESTS = 200
CLOCK_STEPS = ((60, "1 minute"), (3600, "1 hour"), (3 * 3600, "3 hours"), (86400, "1 day"))
MAX_STEP = 366 * 86400


@blueprint.get("/faults/")
def fault_list() -> Answer:
    current = sandbox().switches.current()
    switches = [(name, words, current[name]) for name, (_, words) in SWITCHES.items()]
    return render_template("console/faults.html", faults=sandbox().faults.all(), fault_kinds=KINDS, switches=switches)


@blueprint.post("/switches/<name>")
def switch(name: str) -> Answer:
    """Decide otherwise what the specification leaves open."""
    if name not in SWITCHES:
        not_found("switch")
    is_on = request.form.get("on") == "yes"
    sandbox().switches.change({name: is_on})
    return back_to(url_for(".fault_list"), f"{name.replace('_', ' ').capitalize()} is {'on' if is_on else 'off'}.")


@blueprint.post("/faults/")
def add_fault() -> Answer:
    form = request.form
    method = form.get("method", "")
    try:
        times = int(form["times"]) if form.get("times") else None
        sandbox().faults.add(
            form.get("kind", ""),
            method=None if method == "any" else method,
            path=form.get("path", "").strip(),
            value=fault_value(form.get("kind", ""), form.get("value", "").strip()),
            times=times,
        )
    except ValueError as problem:
        return back_to(url_for(".fault_list"), f"That makes no fault: {problem}", is_error=True)
    return back_to(url_for(".fault_list"), "The fault is on.")


@blueprint.post("/faults/<fault_id>/remove")
def remove_fault(fault_id: str) -> Answer:
    sandbox().faults.remove(fault_id)
    return back_to(url_for(".fault_list"), "The fault is off.")


@blueprint.post("/faults/clear")
def clear_faults() -> Answer:
    sandbox().faults.clear()
    return back_to(url_for(".fault_list"), "All faults are off.")


def fault_value(kind: str, text: str) -> float | str | None:
    """Read the value a kind of fault needs. Raises ValueError."""
    if kind == LATENCY:
        return float(text)
    if kind in (STATUS, STATUS_AFTER_WORK):
        return int(text)
    return text or None


@blueprint.get("/clock/")
def clock_page() -> Answer:
    clock = sandbox().clock
    ahead = timedelta(seconds=round(clock.seconds() - time.time()))
    return render_template("console/clock.html", now=moment(clock.now()), ahead=ahead, steps=CLOCK_STEPS)


@blueprint.post("/clock/")
def advance_clock() -> Answer:
    text = request.form.get("seconds", "")
    if not text.isdecimal() or not 0 < int(text) <= MAX_STEP:
        return back_to(url_for(".clock_page"), "The clock moves forward by whole seconds, a year at most.", is_error=True)
    sandbox().clock.advance(int(text))
    sandbox().bell.ring()
    return back_to(url_for(".clock_page"), "The clock was moved.")


@blueprint.get("/requests/")
def request_list() -> Answer:
    newest = sandbox().store.row("SELECT max(n) AS n FROM requests")
    after = max(0, (newest["n"] or 0) - SHOWN_REQUESTS) if newest else 0
    return render_template("console/requests.html", requests=sandbox().request_log.since(after)[::-1])
