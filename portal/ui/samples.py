"""What the style guide shows: names that are too long, lists without rows, dates on every side of now."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.utils import timezone

LONG = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft and Partners of Northern Europe"

FRAMEWORKS = [
    f"{standard} {year}" for standard in ("SOC 2", "ISO 27001", "ISO 42001", "HIPAA", "PCI DSS") for year in (2024, 2025, 2026)
]


@dataclass(frozen=True)
class Row:
    """A row of the sample table."""

    pk: int
    name: str
    detail: str
    status: str
    tone: str
    done: int
    total: int
    owner: str
    due_at: datetime | None
    updated_at: datetime


@dataclass(frozen=True)
class Page:
    """Stands for a keyset page in the middle of a list."""

    rows: list[Row]
    next_cursor: str | None = "next"
    previous_cursor: str | None = "previous"


class SampleForm(forms.Form):
    """One field of each kind."""

    name = forms.CharField(max_length=120, label="Company name", help_text="As it stands on the contract.")
    email = forms.EmailField(label="Email", required=False)
    role = forms.ChoiceField(label="Role", choices=[("", "Choose a role"), ("viewer", "Viewer"), ("analyst", "Analyst")])
    level = forms.ChoiceField(
        label="Access level",
        choices=[("all", "Everything that is published"), ("some", "Only chosen documents")],
        widget=forms.RadioSelect,
        help_text="What the person may see once the request is approved.",
    )
    documents = forms.MultipleChoiceField(
        label="Documents",
        choices=[("soc2", "SOC 2 report"), ("iso", "ISO 27001 certificate"), ("pentest", "Penetration test summary")],
        widget=forms.CheckboxSelectMultiple,
        required=False,
    )
    frameworks = forms.MultipleChoiceField(
        label="Frameworks",
        choices=[(name, name) for name in FRAMEWORKS],
        widget=forms.CheckboxSelectMultiple,
        required=False,
        help_text="Many choices have a box to find some of them.",
    )
    until = forms.DateField(label="Access ends", widget=forms.DateInput(attrs={"type": "date"}), required=False)
    file = forms.FileField(label="Contract", required=False, help_text="PDF, up to 20 MB.")
    reason = forms.CharField(label="Reason", widget=forms.Textarea(attrs={"rows": 3}), required=False)
    notify = forms.BooleanField(label="Tell the person by mail", required=False)
    locked = forms.CharField(label="Region", initial="European Union", disabled=True, required=False)


def rows(now: datetime) -> list[Row]:
    """Give rows in every state of the list."""
    hours, days = timedelta(hours=1), timedelta(days=1)
    return [
        Row(1, "Northwind Bank", "SIG Lite 2026", "Needs input", "warn", 112, 128, "Mara Lindqvist", now - 2 * days, now),
        Row(2, "Helios Health", "CAIQ 4.0.3", "In review", "accent", 254, 261, "Jonas Weber", now + 6 * hours, now - hours),
        Row(3, "Contoso Retail", "Vendor assessment", "Processing", "info", 0, 84, "", now + days, now - 5 * hours),
        Row(4, LONG, "Cloud controls review, third edition, with annexes", "Error", "bad", 31, 140, LONG, now - hours, now),
        Row(5, "Lucerne Insurance", "DORA register", "Approved", "good", 63, 63, "Tom Rød", now + 5 * days, now - days),
        Row(6, "Bellows College", "HECVAT 4.1", "On hold", "muted", 180, 321, "Mara Lindqvist", None, now - 9 * days),
        Row(
            7,
            "Proseware",
            "Pen test follow-up",
            "SOMETHING_NEW",
            "unknown",
            1,
            22,
            "Tom Rød",
            now + 30 * days,
            now - 400 * days,
        ),
    ]


def context() -> dict[str, Any]:
    """Give everything that the style guide shows."""
    now = timezone.now()
    found = rows(now)
    invalid = SampleForm({"name": "", "email": "not an address", "role": "admin"})
    invalid.add_error(None, "The platform rejected this: the company already has a contract.")
    return {
        "page": Page(found),
        "rows": found,
        "selected": found[0],
        "long_name": LONG,
        "now": now,
        "form": SampleForm(),
        "invalid_form": invalid,
        **_pieces(),
        **_entries(now),
        **_figures(),
    }


def _pieces() -> dict[str, Any]:
    return {
        "tones": [
            ("good", "Approved"),
            ("warn", "Needs input"),
            ("bad", "Error"),
            ("info", "Processing"),
            ("accent", "In review"),
            ("muted", "On hold"),
        ],
        "tabs": [
            {"label": "All", "url": "#", "count": 1284, "is_current": True},
            {"label": "Needs input", "url": "#", "count": 4, "is_current": False},
            {"label": "In progress", "url": "#", "count": 0, "is_current": False},
            {"label": "Done", "url": "#", "is_current": False},
        ],
        "selects": [
            {"name": "owner", "label": "Owner", "value": "", "options": [("", "Any owner"), ("1", "Mara Lindqvist")]},
            {"name": "due", "label": "Due", "value": "late", "options": [("", "Due any time"), ("late", "Overdue")]},
        ],
        "chips": [{"label": "Overdue", "url": "#"}, {"label": "Owner: Mara Lindqvist", "url": "#"}],
        "facts": [("Due", "19 November 2026"), ("Owner", "Mara Lindqvist"), ("Account", LONG), ("Answered", "112 of 128")],
    }


def _entries(now: datetime) -> dict[str, Any]:
    return {
        "steps": [
            {"state": "done", "title": "Received", "detail": "jonas@northwind.example, 9 Nov 09:14"},
            {"state": "done", "title": "112 answers drafted", "detail": "94 from the library, 18 written"},
            {"state": "now", "title": "16 answers need an owner", "detail": "Encryption, subprocessors"},
            {"state": "todo", "title": "Security review", "detail": "Jonas Weber"},
        ],
        "events": [
            {
                "title": "Mara Lindqvist approved the request",
                "text": "Level: all documents",
                "at": now,
                "icon": "check",
                "tone": "good",
            },
            {
                "title": "The platform changed the status",
                "text": "",
                "at": now - timedelta(hours=3),
                "icon": "webhook",
                "tone": "info",
            },
            {"title": "Export failed", "text": LONG, "at": now - timedelta(days=3), "icon": "triangle-alert", "tone": "bad"},
        ],
    }


def _figures() -> dict[str, Any]:
    months = ["Jun", "Jul", "Aug", "Sep", "Oct", "Nov"]
    return {
        "line_values": [
            (f"week {week}", value) for week, value in enumerate((9.2, 8.8, 8.9, 8.0, 7.4, 7.7, 6.5, 6.1, 5.2, 4.6), 1)
        ],
        "ring_parts": [("Done", 41, "good"), ("In progress", 23, "info"), ("Needs input", 14, "warn"), ("Error", 2, "bad")],
        "bar_labels": months,
        "bar_series": [("From the library", (12, 16, 19, 18, 22, 26)), ("By hand", (8, 7, 9, 6, 7, 8))],
    }
