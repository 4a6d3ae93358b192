"""Geometry of the charts. SVG from the server: the content security policy allows no inline style and needs no script."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

WIDTH, HEIGHT = 600.0, 160.0
GRID_LINES = 4
NICE_STEPS = (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10)


@dataclass(frozen=True)
class Point:
    """One value of a line, at its place in the drawing."""

    label: str
    value: float
    x: float
    y: float


@dataclass(frozen=True)
class Line:
    """A line with the area under it, the marks of its axis from top to bottom, and a target where there is one."""

    points: list[Point]
    path: str
    area: str
    marks: list[float]
    target_y: float | None


@dataclass(frozen=True)
class Bar:
    """One piece of a stacked bar. `number` is the place of its series, from 1, and chooses its colour."""

    number: int
    label: str
    value: float
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class Segment:
    """One part of a ring whose circumference is 100."""

    label: str
    value: float
    tone: str
    percent: int
    length: float
    offset: float


def axis(highest: float, *, is_whole: bool = False) -> list[float]:
    """Give round marks from 0 to at least the highest value; whole ones for what is counted one by one."""
    rough = max(highest, 1) / (GRID_LINES - 1)
    power = 10 ** floor(log10(rough))
    step = next(nice * power for nice in NICE_STEPS if nice * power >= rough)
    step = ceil(step) if is_whole else step
    return [round(step * number, 6) for number in range(GRID_LINES)]


def line(values: Sequence[tuple[str, float]], *, target: float | None = None) -> Line:
    """Lay a line out. One value alone stands in the middle."""
    is_whole = all(isinstance(value, int) for _, value in values)
    marks = axis(max([value for _, value in values] + [target or 0]), is_whole=is_whole)
    gap = WIDTH / max(len(values) - 1, 1)
    points = [
        Point(label, value, round(number * gap if len(values) > 1 else WIDTH / 2, 1), _height(value, marks))
        for number, (label, value) in enumerate(values)
    ]
    path = " ".join(f"{'L' if number else 'M'}{point.x} {point.y}" for number, point in enumerate(points))
    area = f"{path} L{points[-1].x} {HEIGHT} L{points[0].x} {HEIGHT} Z" if len(points) > 1 else ""
    return Line(points, path, area, marks[::-1], None if target is None else _height(target, marks))


def bars(labels: Sequence[str], series: Sequence[Sequence[float]]) -> tuple[list[Bar], list[float]]:
    """Stack the series over each label; return the pieces and the marks of the axis."""
    marks = axis(max([sum(values) for values in zip(*series, strict=True)], default=0))
    slot = WIDTH / max(len(labels), 1)
    pieces = []
    for place, label in enumerate(labels):
        foot = HEIGHT
        for number, values in enumerate(series, start=1):
            height = HEIGHT - _height(values[place], marks)
            foot -= height
            x = place * slot + slot * 0.22
            pieces.append(
                Bar(number, label, values[place], round(x, 1), round(foot, 1), round(slot * 0.56, 1), round(height, 1))
            )
    return pieces, marks[::-1]


def ring(parts: Sequence[tuple[str, float, str]]) -> tuple[list[Segment], float]:
    """Lay (label, value, tone) out on a ring; return the segments and the sum."""
    total = sum(value for _, value, _ in parts)
    segments, done = [], 0.0
    for label, value, tone in parts:
        length = 100 * value / total if total else 0.0
        segments.append(Segment(label, value, tone, round(length), round(length, 2), round(-done, 2)))
        done += length
    return segments, total


def _height(value: float, marks: Sequence[float]) -> float:
    return round(HEIGHT - HEIGHT * value / marks[-1], 1)
