"""The components that compute something. Those that only arrange are templates in `templates/components/`."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Any
from zlib import crc32

from django import template
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe

from portal.ui import charts, navigation, times

register = template.Library()

HUES = 10
TONES = ("good", "warn", "bad", "info", "accent", "muted")
TRACK = 72
NO_STATUS = "No status"


@register.inclusion_tag("components/pill.html")
def pill(text: object, tone: str = "muted", icon: str = "") -> dict[str, Any]:
    """A state: colour, mark and words. An unknown tone is a quiet one: statuses are open sets, and one may be empty."""
    return {"text": str(text or "").strip() or NO_STATUS, "tone": tone if tone in TONES else "muted", "icon": icon}


@register.inclusion_tag("components/live_count.html", takes_context=True)
def live_count(context: dict[str, Any], key: str) -> dict[str, Any]:
    """Send the number beside a desk along with a fragment of a page: what the fragment counts and the navigation agree."""
    count, is_urgent = navigation.count_of(key, context["request"].tenant, context["request"].membership)
    return {"key": key, "count": count, "is_urgent": is_urgent}


@register.inclusion_tag("components/avatar.html")
def avatar(name: object, size: str = "") -> dict[str, Any]:
    """A person's initials; the same name has the same colour everywhere. Sizes: "", large."""
    return {"initials": initials(str(name or "")), "hue": _hue(str(name or "")), "size": size}


@register.inclusion_tag("components/person.html")
def person(name: object, detail: object = "") -> dict[str, Any]:
    """A person with face and name, or "Unassigned"."""
    return {"name": str(name or ""), "detail": detail}


@register.inclusion_tag("components/progress.html")
def progress(done: float | None, total: float | None = 100, label: str = "", words: bool = True) -> dict[str, Any]:
    """How much of something is done, as a bar and as words. `progress 40` is a percentage."""
    done, total = done or 0, total or 0
    share = min(max(done / total, 0), 1) if total else 0
    # Started is never drawn as nothing, unfinished never as full.
    width = 0 if not share else TRACK if share == 1 else min(max(TRACK * share, 3), TRACK - 2)
    return {
        "done": done,
        "total": total,
        "percent": int(share * 100),
        "width": round(width, 1),
        "label": label,
        "words": words,
        "is_percent": total == 100,
    }


@register.inclusion_tag("components/due.html")
def due(at: datetime | date | None, is_done: bool = False, detail: bool = False) -> dict[str, Any]:
    """A due date in colour and words, the exact one on hover, or as a second line with `detail=True`."""
    return {"due": at and times.due(at, now=timezone.now(), is_done=is_done), "at": at, "detail": detail}


@register.simple_tag
def reltime(at: datetime | None, empty: str = "never") -> SafeString:
    """A moment as "5 min ago", the exact one on hover. Stands in sentences: no line break may follow it."""
    words = at and times.relative_words(at, now=timezone.now())
    context = {"at": at, "words": words, "exact": at and times.exact_words(at), "empty": empty}
    return mark_safe(render_to_string("components/time.html", context).strip())  # noqa: S308 - the template has escaped it


@register.inclusion_tag("components/chart_line.html")
def line_chart(
    values: Sequence[tuple[str, float]], title: str, note: str = "", target: float | None = None, unit: str = ""
) -> dict[str, Any]:
    """A line over time from (label, value) pairs, with a table behind it."""
    line = charts.line(values, target=target) if values else None
    ends = [values[0], values[len(values) // 2], values[-1]] if len(values) > 2 else values
    axis = [label for label, _ in ends]
    return {"line": line, "values": values, "axis": axis, "title": title, "note": note, "target": target, "unit": unit}


@register.inclusion_tag("components/chart_donut.html")
def donut(parts: Sequence[tuple[str, float, str]], title: str, caption: str = "in all") -> dict[str, Any]:
    """Parts of a whole from (label, value, tone) triples."""
    segments, total = charts.ring(parts)
    return {"segments": segments, "total": total, "title": title, "caption": caption}


@register.inclusion_tag("components/chart_bars.html")
def bar_chart(
    labels: Sequence[str], series: Sequence[tuple[str, Sequence[float]]], title: str, note: str = ""
) -> dict[str, Any]:
    """Stacked bars from labels and (name, values) series, at most four, with a table behind them."""
    pieces, marks = charts.bars(labels, [values for _, values in series])
    rows = list(zip(labels, *(values for _, values in series), strict=True))
    return {"bars": pieces, "marks": marks, "labels": labels, "series": series, "rows": rows, "title": title, "note": note}


@register.filter
def duration(length: timedelta) -> str:
    """How long something lasted: "3 d 4 h"."""
    return times.length_words(length)


@register.filter
def hours_long(length: timedelta) -> str:
    """The same without days, for office time: an office day is no day."""
    return times.length_words(length, in_days=False)


@register.filter
def initials(name: str) -> str:
    """The first letters of the first and the last word; of a mail address the first letter."""
    words = [word for word in name.partition("@")[0].replace(".", " ").replace("_", " ").split() if word[0].isalnum()]
    if not words:
        return "?"
    return (words[0][0] + (words[-1][0] if len(words) > 1 else "")).upper()


@register.filter
def hue(name: str) -> int:
    """The colour of a name: the same one everywhere."""
    return _hue(str(name))


def _hue(name: str) -> int:
    return crc32(name.strip().lower().encode(errors="replace")) % HUES
